import type { Dispatcher } from 'undici'
import { FORBIDDEN_CODE } from './guarded-connector.ts'
import { type NetworkFailure, networkFailure } from './network-error.ts'

/** The body of an answer is read up to here (the rule of WebAnswer; faults.md F-E3). */
export const BODY_BYTES_MAX = 256 * 1024

/** What came of one HTTP exchange, before anybody judges the status. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string; readonly contentType: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'forbidden'; readonly why: string }
  | ({ readonly kind: 'failed' } & NetworkFailure)

/** What to send to whom. The URL has passed the guard. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; nothing is sent when absent. */
  readonly body: string | undefined
  /** Ends the exchange at any moment; it then comes to `failed`. */
  readonly signal: AbortSignal
}

/** One request and its whole answer. Redirects are answers like others. Never rejects. */
export async function exchange(over: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  const { method, url, signal, body } = request
  try {
    const response = await over.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: headersOf(request),
      signal,
      body: body ?? null,
    })
    const text = await readText(response.body)
    if (text === undefined) return { kind: 'tooLarge' }
    const contentType = String(response.headers['content-type'] ?? '')
    return { kind: 'answered', status: response.statusCode, body: text, contentType }
  } catch (error) {
    if ((error as { code?: unknown }).code === FORBIDDEN_CODE) {
      return { kind: 'forbidden', why: (error as Error).message }
    }
    return { kind: 'failed', ...networkFailure(error) }
  }
}

function headersOf({ headers, body }: ExchangeRequest): Record<string, string> {
  const named: Record<string, string> = {
    'user-agent': 'switchboard',
    accept: 'application/json',
    // A compressed answer could unpack to any size, so none is asked for.
    'accept-encoding': 'identity',
  }
  if (body !== undefined) named['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers)) named[name.toLowerCase()] = value
  return named
}

/** The body as text, or undefined as soon as it is over the limit; leaving the loop closes the connection. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks, bytes))
}
