/** A request to an external server. `url`, `headers` and bodies may hold secrets: never log them. */
export interface WebRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`: what was signed must not be written anew. Its type stands in `headers`. */
  readonly text?: string
  /** Sent as they are, instead of `body`: a sound among them. Their type stands in `headers`. */
  readonly bytes?: Uint8Array
  /** Reads no more; the status then stands for the whole. Absent: over the cap of 256 kB, the answer is `tooLarge`. */
  readonly readBytesMax?: number
  /** The body of the answer is wanted as bytes, at most so many; more is `tooLarge`. `body` is then empty. */
  readonly answerBytesMax?: number
  /** The whole exchange, from name lookup to the last byte. */
  readonly timeoutMs: number
}

/**
 * What came of a request.
 * - `answered`: a status and the body as text, at most 256 kB. Redirects are answers too: never followed. `retryAfter`
 *   is the header of that name as it was sent.
 * - `timeout`: nothing complete within `timeoutMs`.
 * - `tooLarge`: the body went over the cap and was cut off.
 * - `network`: no answer at all (refused, reset, no such name, bad certificate).
 * - `forbidden`: flows may not use the address (loopback, private, not allowed by the configuration).
 * - `unavailable`: the circuit for this host is open; no request was sent.
 */
export type WebAnswer =
  | {
      readonly outcome: 'answered'
      readonly status: number
      readonly body: string
      readonly contentType: string
      /** With `answerBytesMax` only. */
      readonly bytes?: Uint8Array
      readonly retryAfter?: string
    }
  | { readonly outcome: 'timeout' | 'tooLarge' | 'network' | 'forbidden' | 'unavailable'; readonly why: string }

/** HTTP out. `done` is called exactly once unless the request was cancelled before. Never throws. */
export interface Web {
  request(request: WebRequest, done: (answer: WebAnswer) => void): { cancel(): void }
}

/** HTTP out, and the address guard before a request. Each request resolves and checks names again. */
export interface GuardedWeb extends Web {
  judge(url: string): { readonly ok: true } | { readonly ok: false; readonly why: string }
}
