/** The receiving side of webhooks: whether a message is genuine, and what it says (contract.md §6, D-26, D-27). */
import { type Clock, RealClock } from '../kernel/clock.ts'
import { readSecret, type Verification, verify } from '../webhooks/sign.ts'
import type { Operations } from './operations.ts'

/** An event, as the feed tells it as well. */
export type WebhookEvent = Operations['GET /rest/core/events']['answer']['events'][number]

/** A genuine event, or why the message is not believed: answer 401 then, and do nothing. */
export type Opened =
  | { readonly genuine: true; readonly event: WebhookEvent }
  | { readonly genuine: false; readonly why: Exclude<Verification, 'genuine'> | 'no secret' | 'no event' }

/**
 * Opens a message: `body` is the text as it came, byte for byte; `secrets` those of the subscription, two while one is
 * changed. The same event may come twice: know it by its `id`. Names of headers are in lower case, as Node has them.
 */
export function openWebhook(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  secrets: readonly string[],
  clock: Clock = new RealClock(),
): Opened {
  const known = secrets.flatMap((secret) => readSecret(secret) ?? [])
  if (known.length === 0) return { genuine: false, why: 'no secret' }
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asText(value)]))
  const verdict = verify(plain, body, known, clock.nowMs())
  if (verdict !== 'genuine') return { genuine: false, why: verdict }
  const event = eventOf(body)
  return event ? { genuine: true, event } : { genuine: false, why: 'no event' }
}

function eventOf(body: string): WebhookEvent | undefined {
  try {
    const event = JSON.parse(body) as WebhookEvent | null
    return typeof event?.type === 'string' && typeof event.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

/** A header that came twice is none that we sent. */
function asText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
