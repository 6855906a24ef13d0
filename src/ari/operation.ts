import type { AriOperations } from './ari-types.ts'

/** Method and path, such as `POST /channels/{channelId}/answer`. */
export type Operation = keyof AriOperations
/** The arguments of an operation: values of its path, query and body together. */
export type ArgsOf<O extends Operation> = AriOperations[O]['args']
export type AnswerOf<O extends Operation> = AriOperations[O]['answer']

/** A refusal's status tells "gone" (404) from "not now" (409, 412). Status 0: no answer; `heard`: perhaps received. */
export type AriAnswer<T = unknown> =
  | { readonly ok: true; readonly status: number; readonly body: T }
  | { readonly ok: false; readonly status: number; readonly why: string }
  | { readonly ok: false; readonly status: 0; readonly why: string; readonly heard: 'no' | 'perhaps' }

/** Sends one request. Never throws, never rejects. */
export type Ask = <O extends Operation>(operation: O, args: ArgsOf<O>) => Promise<AriAnswer<AnswerOf<O>>>

/** A request for either transport. `path` starts with a slash and is percent-encoded. */
export interface RestRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  /** JSON. */
  readonly body?: string
}

/**
 * Puts each argument where Asterisk reads it: names of the path into the path, plain values into the query, lists and
 * `variables` into a JSON body, any other object as the body itself.
 *
 * Lists avoid the query: over the WebSocket a repeated query name keeps only its last value, and the form `a,b` would
 * split a file name at its comma (both measured, Asterisk 22.10.1).
 */
export function toRequest<O extends Operation>(operation: O, args: ArgsOf<O>): RestRequest {
  const space = operation.indexOf(' ')
  const query: [string, string][] = []
  let path: string = operation.slice(space + 1)
  let body: Record<string, unknown> | undefined
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, () => encodeURIComponent(String(value)))
    else if (Array.isArray(value) || name === 'variables') body = { ...body, [name]: value }
    else if (typeof value === 'object') body = { ...body, ...value }
    else query.push([name, String(value)])
  }
  const request = { method: operation.slice(0, space), path, query }
  return body ? { ...request, body: JSON.stringify(body) } : request
}

/** Reads status and body text into an answer; a body that is not JSON counts as none. */
export function toAnswer(status: number, text: string | undefined): AriAnswer {
  const body = parsed(text)
  if (status >= 200 && status < 300) return { ok: true, status, body }
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown }
  return { ok: false, status, why: String(message ?? error ?? 'no reason given').slice(0, 200) }
}

/** The answer for a request that got none. */
export function noAnswer(why: string, heard: 'no' | 'perhaps'): AriAnswer<never> {
  return { ok: false, status: 0, why, heard }
}

function parsed(text: string | undefined): unknown {
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
