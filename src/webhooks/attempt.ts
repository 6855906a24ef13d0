import type { AtMs } from '../kernel/clock.ts'
import type { WebAnswer, WebRequest } from '../ports/web.ts'
import type { DeliveryAttempt, Subscription, WebhookEvent } from '../ports/webhook.ts'
import type { Payload } from './payload.ts'
import { sign } from './sign.ts'
import { secretsInForce } from './subscription.ts'

/** D-27: limits of the whole exchange and of the answer. */
const TIMEOUT_MS = 15_000
const READ_BYTES_MAX = 64 * 1024
/** D-25: bytes of the answer that are stored. */
const EXCERPT_MAX = 1_024

/** The HTTP request of one attempt, signed for this instant with every valid secret. Never log it. */
export function requestOf(
  subscription: Subscription,
  { id }: WebhookEvent,
  { text }: Payload & { ok: true },
  userAgent: string,
  nowMs: AtMs,
): WebRequest {
  const signature = sign({ id, atMs: nowMs, body: text }, secretsInForce(subscription, nowMs))
  const headers = { ...signature, 'content-type': 'application/json', 'user-agent': userAgent }
  return { method: 'POST', url: subscription.url, headers, text, timeoutMs: TIMEOUT_MS, readBytesMax: READ_BYTES_MAX }
}

/** The record of a finished attempt. */
export function attemptOf(answer: WebAnswer, startedAtMs: AtMs, nowMs: AtMs): DeliveryAttempt {
  const { outcome } = answer
  const timed = { atMs: startedAtMs, tookMs: nowMs - startedAtMs, outcome }
  if (outcome !== 'answered') return { ...timed, excerpt: answer.why.slice(0, EXCERPT_MAX) }
  return { ...timed, status: answer.status, excerpt: answer.body.slice(0, EXCERPT_MAX) }
}
