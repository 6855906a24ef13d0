/** Verifies and parses received webhooks (contract.md §6, D-26, D-27). */
import { type Clock, RealClock } from '../kernel/clock.ts'
import { readSecret, type Verification, verify } from '../webhooks/sign.ts'
import type { Operations } from './operations.ts'

/** An event, as in the event feed. */
export type WebhookEvent = Operations['GET /rest/core/events']['answer']['events'][number]

/** A genuine event, or why verification failed; respond with 401 then. */
export type Opened =
  | { readonly genuine: true; readonly event: WebhookEvent }
  | { readonly genuine: false; readonly why: Exclude<Verification, 'genuine'> | 'no secret' | 'no event' }

/**
 * Verifies a webhook request. `body` is the raw text; `secrets` are those of the subscription, two during a rotation.
 * Delivery is at least once: deduplicate by the event's `id`. Header names are in lower case, as in Node.
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

/** The server sends no header twice, so a repeated one counts as missing. */
function asText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
