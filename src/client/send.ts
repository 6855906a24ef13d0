import type { Clock } from '../kernel/clock.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A response of any status, or why there is none. */
export type Sent =
  | { readonly arrived: true; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly arrived: false; readonly why: string }

export interface Sender {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Timeout for the whole response. */
  readonly timeoutMs: number
}

/** Sends a request and reads the whole response. Never throws. */
export async function send({ fetch, clock, timeoutMs }: Sender, url: string, init: RequestInit): Promise<Sent> {
  const cut = new AbortController()
  let isLate = false
  const timer = clock.schedule(clock.nowMs() + timeoutMs, () => {
    isLate = true
    cut.abort()
  })
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: cut.signal })
    const { status, headers } = response
    return { arrived: true, status, headers, body: await bodyOf(response) }
  } catch (error) {
    const why = isLate ? `no answer within ${timeoutMs} ms` : describe(error)
    return { arrived: false, why }
  } finally {
    timer.cancel()
  }
}

/** JSON, text or bytes, by content type. Malformed JSON counts as a broken response. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) {
    const text = await response.text()
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  if (type.startsWith('text/')) return response.text()
  const bytes = new Uint8Array(await response.arrayBuffer())
  return bytes.length === 0 && type === '' ? undefined : bytes
}

/** Adds the cause to the platform's `fetch failed`. */
function describe(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: unknown }
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
