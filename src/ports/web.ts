/** A request of a flow to somebody else's server. `auth` and `headers` hold secrets by now: never log them. */
export interface WebRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** The whole exchange, from name lookup to the last byte. */
  readonly timeoutMs: number
}

/**
 * What came of a request.
 * - `answered`: a status and the body as text, at most 256 kB. Redirects are answers too: never followed.
 * - `timeout`: nothing complete within `timeoutMs`.
 * - `tooLarge`: the body went over the cap and was cut off.
 * - `network`: no answer at all (refused, reset, no such name, bad certificate).
 * - `forbidden`: the address is one that flows may not ask (loopback, private, not allowed by the set-up).
 * - `unavailable`: the circuit for this host is open; nobody was asked.
 */
export type WebAnswer =
  | { readonly outcome: 'answered'; readonly status: number; readonly body: string; readonly contentType: string }
  | { readonly outcome: 'timeout' | 'tooLarge' | 'network' | 'forbidden' | 'unavailable'; readonly why: string }

/** HTTP out. `done` is called exactly once unless the request was cancelled before. Never throws. */
export interface Web {
  request(request: WebRequest, done: (answer: WebAnswer) => void): { cancel(): void }
}
