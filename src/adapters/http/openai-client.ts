/** A request to a service of the OpenAI protocol, and whether a failed one should be retried. */
import type { Clock } from '../../kernel/clock.ts'
import type { NotDone } from '../../ports/recordings/transcribe.ts'
import type { Web, WebAnswer, WebRequest } from '../../ports/web.ts'

interface ServicePlace {
  /** Up to the version, such as `https://api.openai.com/v1`, without a slash at the end. */
  readonly url: string
  /** Sent as a bearer token; local services often need none. */
  readonly key: string | undefined
  readonly model: string
}

/** `web` guards addresses: the configured service may be internal, but redirects are not followed. */
export interface ServiceClient {
  readonly place: ServicePlace
  readonly web: Web
  readonly clock: Clock
}

/** The answer as JSON. `said`: the text of a refusal, for the log only. */
export type ServiceAnswer =
  | { readonly outcome: 'answered'; readonly json: unknown }
  | (NotDone & { readonly said?: string })

/** Limit for a service's `Retry-After`. */
const AFTER_MAX_MS = 3_600_000

/** The request itself is wrong. All others may pass, also 401 and 404, which an operator corrects (our choice). */
const CONDEMNING: readonly number[] = [400, 413, 415, 422]

type ServiceRequest = Pick<WebRequest, 'body' | 'bytes' | 'headers' | 'timeoutMs' | 'answerBytesMax'>

/** One request whose answer is JSON. Never rejects. */
export async function askService(
  client: ServiceClient,
  path: string,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const answer = await sendTo(client, path, request, signal)
  return answer.outcome === 'answered' ? asJson(answer.body) : answer
}

/** One request, and a successful answer as it came. Never rejects. */
export async function sendTo(
  { place, web, clock }: ServiceClient,
  path: string,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<(WebAnswer & { outcome: 'answered' }) | (NotDone & { readonly said?: string })> {
  const { url, key } = place
  const headers = { ...request.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  const answer = await once(web, { ...request, method: 'POST', url: `${url}${path}`, headers }, signal)
  if (answer === 'given up') return { outcome: 'later', why: 'the service stopped' }
  if (answer.outcome !== 'answered') return { outcome: 'later', why: answer.why }
  const { status, body, retryAfter } = answer
  if (status >= 200 && status < 300) return answer
  const why = `the service answered with HTTP ${status}`
  if (CONDEMNING.includes(status)) return { outcome: 'never', why, said: body }
  const afterMs = afterMsOf(retryAfter, clock.nowMs())
  return { outcome: 'later', why, ...(afterMs !== undefined && { afterMs }) }
}

function once(web: Web, request: WebRequest, signal: AbortSignal): Promise<WebAnswer | 'given up'> {
  if (signal.aborted) return Promise.resolve('given up')
  return new Promise((resolve) => {
    const asked = web.request(request, (answer) => {
      signal.removeEventListener('abort', giveUp)
      resolve(answer)
    })
    function giveUp() {
      asked.cancel()
      resolve('given up')
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** A malformed answer may come from a failing server, so it is retried. */
function asJson(body: string): ServiceAnswer {
  try {
    return { outcome: 'answered', json: JSON.parse(body) as unknown }
  } catch {
    return { outcome: 'later', why: NONSENSE }
  }
}

/** The reason for an answer that does not follow the protocol. */
export const NONSENSE = 'the service answered with something else than its protocol says'

/** `Retry-After` (RFC 9110 §10.2.3): seconds, or an instant. */
function afterMsOf(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), AFTER_MAX_MS)
}
