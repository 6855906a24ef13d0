import { type Operations, READING_POSTS } from './operations.ts'
import { SwitchboardProblem } from './problem.ts'

/** `METHOD /path` in the contract's spelling. */
export type OperationName = keyof Operations

/** Input of an operation. Ids may be numbers or strings (D-05). */
export type Request<Name extends OperationName> = Omit<Operations[Name], 'answer'> & Extras

export interface Extras {
  /** Set it to survive restarts of your process; random if absent. */
  readonly idempotencyKey?: string
  /** For example `if-match` or `range`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Answer of an operation: JSON, text, or the bytes of a file. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

/** The request may be omitted if the operation needs no input. */
export type Asked<Name extends OperationName> =
  Record<never, never> extends Omit<Operations[Name], 'answer'> ? [request?: Request<Name>] : [request: Request<Name>]

export interface AnyRequest extends Extras {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A request without its endpoint. */
export interface Prepared {
  readonly operation: OperationName
  readonly method: string
  /** Including the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
  /** Repeating the request is safe. */
  readonly isRepeatable: boolean
}

/** Builds a request. `makeKey` creates an idempotency key if one is needed and not given. */
export function prepare(operation: OperationName, request: AnyRequest, makeKey: () => string): Prepared {
  const [method = '', pattern = ''] = operation.split(' ')
  const { params = {}, query = {}, body, headers = {}, idempotencyKey } = request
  const place = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => segmentOf(operation, name, params[name]))
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    return value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]]
  })
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
  const needsKey = method === 'POST' && !READING_POSTS.includes(operation) && !operation.endsWith('/rest/api/login')
  const key = idempotencyKey ?? (needsKey ? makeKey() : undefined)
  const isForm = body instanceof FormData
  const isJson = body !== undefined && !isForm
  return {
    operation,
    method,
    path: place + search,
    headers: {
      accept: 'application/json, */*;q=0.5',
      ...(isJson && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    body: isForm ? body : isJson ? JSON.stringify(body) : undefined,
    isRepeatable: ['GET', 'PUT', 'DELETE'].includes(method) || READING_POSTS.includes(operation) || key !== undefined,
  }
}

/** A path segment. Empty, `.` and `..` are refused: they would address another operation. */
function segmentOf(operation: OperationName, name: string, value: unknown): string {
  const text = String(value ?? '')
  if (!['', '.', '..'].includes(text)) return encodeURIComponent(text)
  const detail = `params.${name} is missing or not a valid path segment`
  throw new SwitchboardProblem(operation, { status: 0, body: { type: 'urn:switchboard:problem:validation', detail } })
}
