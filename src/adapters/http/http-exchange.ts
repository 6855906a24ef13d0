import type { Dispatcher } from 'undici'
import { FORBIDDEN_CODE } from './guarded-connector.ts'
import { type NetworkFailure, networkFailure } from './network-error.ts'

/** Limit for the body of an answer (the rule of WebAnswer; F-E3). */
export const BODY_BYTES_MAX = 256 * 1024

/** The result of one HTTP exchange, whatever its status. */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: string
      readonly contentType: string
      /** With `answerBytesMax` only; `body` is then empty. */
      readonly bytes?: Uint8Array
      readonly retryAfter: string | undefined
    }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'forbidden'; readonly why: string }
  | ({ readonly kind: 'failed' } & NetworkFailure)

/** The URL has passed the guard. */
interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** JSON unless `headers` say otherwise. */
  readonly body: string | Uint8Array | undefined
  /** Reads this much and ignores the rest; when absent, more than `BODY_BYTES_MAX` is `tooLarge`. */
  readonly readBytesMax?: number | undefined
  /** The answer is wanted as bytes, at most so many. */
  readonly answerBytesMax?: number | undefined
  /** Aborts the exchange; its result is then `failed`. */
  readonly signal: AbortSignal
}

/** One request and its whole answer. Redirects are answers. Never rejects. */
export async function exchange(over: Dispatcher, request: ExchangeRequest): Promise<Exchange> {
  const { method, url, signal, body, readBytesMax, answerBytesMax } = request
  try {
    const response = await over.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: headersOf(request),
      signal,
      body: body ?? null,
    })
    const bytesMax = answerBytesMax ?? readBytesMax ?? BODY_BYTES_MAX
    const bytes = await readBytes(response.body, bytesMax, readBytesMax !== undefined)
    if (bytes === undefined) return { kind: 'tooLarge' }
    const { 'content-type': contentType = '', 'retry-after': retryAfter } = response.headers
    return {
      kind: 'answered',
      status: response.statusCode,
      body: answerBytesMax === undefined ? decoderFor(String(contentType)).decode(bytes) : '',
      ...(answerBytesMax !== undefined && { bytes }),
      contentType: String(contentType),
      retryAfter: retryAfter?.toString(),
    }
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
    // A compressed answer could unpack to any size.
    'accept-encoding': 'identity',
  }
  if (body !== undefined) named['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers)) named[name.toLowerCase()] = value
  return named
}

/** The body; beyond the limit its beginning, or undefined. Leaving the loop closes the connection. */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  mayBeCut: boolean,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    chunks.push(chunk)
    if (bytes > bytesMax) {
      if (!mayBeCut) return undefined
      break
    }
  }
  return Buffer.concat(chunks, Math.min(bytes, bytesMax))
}

/** The encoding that the answer declares (RFC 9110 8.3.1); UTF-8 without one, and for one that nobody knows. */
function decoderFor(contentType: string): { decode(bytes: Uint8Array): string } {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
