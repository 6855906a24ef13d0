/** Operations as types, and how one of them becomes a request. */
import { type Operations, READING_POSTS } from './operations.ts'
import { SwitchboardProblem } from './problem.ts'

/** `METHOD /path`, as the contract spells them; editors complete it. */
export type OperationName = keyof Operations

/** What an operation is asked with. Texts and numbers serve alike for ids (D-05). */
export type Request<Name extends OperationName> = Omit<Operations[Name], 'answer'> & Extras

/** What may go with every request. */
export interface Extras {
  /** One key for what must not be done twice, also across restarts of yours; made by chance when absent. */
  readonly idempotencyKey?: string
  /** Such as `if-match` or `range`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What an operation answers: JSON, a text, or the bytes of a file. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

/** A wish may be left out where an operation needs nothing. */
export type Asked<Name extends OperationName> =
  Record<never, never> extends Omit<Operations[Name], 'answer'> ? [wish?: Request<Name>] : [wish: Request<Name>]

/** The same without the operation's own types, for the machinery. */
export interface AnyRequest extends Extras {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A request but for the endpoint it goes to. */
export interface Prepared {
  readonly operation: OperationName
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
  /** Asked twice, it does nothing twice. */
  readonly isRepeatable: boolean
}

/** Puts parameters in their places. `makeKey` is asked for a key where one is needed and none was given. */
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
    ...{ operation, method, path: place + search },
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

/** One part of a path. Nothing, `.` and `..` would make the address of another operation of it. */
function segmentOf(operation: OperationName, name: string, value: unknown): string {
  const text = String(value ?? '')
  if (!['', '.', '..'].includes(text)) return encodeURIComponent(text)
  const detail = `params.${name} is missing or can be no part of a path`
  throw new SwitchboardProblem(operation, { status: 0, body: { type: 'urn:switchboard:problem:validation', detail } })
}
