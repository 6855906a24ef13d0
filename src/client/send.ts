/** One request over the wire: what came back, or why nothing did. */
import type { Clock } from '../kernel/clock.ts'

/** `fetch` as the platform has it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What came back: an answer of any status, or none. */
export type Sent =
  | { readonly arrived: true; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly arrived: false; readonly why: string }

/** What sending needs. */
export interface Sender {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Longest wait for the whole answer. */
  readonly timeoutMs: number
}

/** Sends, and reads the answer to its end; late is as good as never. Never throws. */
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

/** JSON, a text, or bytes, as the answer says it is. Broken JSON counts as an answer that broke off. */
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

/** Of the platform's `fetch failed`, what is behind it. */
function describe(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: unknown }
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
