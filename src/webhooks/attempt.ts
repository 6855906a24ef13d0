import type { AtMs } from '../kernel/clock.ts'
import type { WebRequest } from '../ports/web.ts'
import type { WebhookEvent } from './event.ts'
import type { PostAnswer } from './judge-answer.ts'
import type { Payload } from './payload.ts'
import { sign } from './sign.ts'
import { type Subscription, secretsInForce } from './subscription.ts'

/** One attempt, as the owner of the subscription sees it (D-25). */
export interface Attempt {
  readonly atMs: AtMs
  readonly tookMs: number
  readonly outcome: PostAnswer['outcome']
  /** The HTTP status; absent when there was no answer. */
  readonly status?: number
  /** The first 1,024 characters of the answer, or why there was none. */
  readonly excerpt: string
}

/** D-27: the whole exchange. */
const TIMEOUT_MS = 15_000
const EXCERPT_MAX = 1_024

/** What is asked of the web port for one attempt, signed for this instant with every secret in force. Never log it. */
export function requestOf(
  subscription: Subscription,
  { id }: WebhookEvent,
  { body, text }: Payload & { ok: true },
  userAgent: string,
  nowMs: AtMs,
): WebRequest {
  const signature = sign({ id, atMs: nowMs, body: text }, secretsInForce(subscription, nowMs))
  const headers = { ...signature, 'content-type': 'application/json', 'user-agent': userAgent }
  return { method: 'POST', url: subscription.url, headers, body, timeoutMs: TIMEOUT_MS }
}

/** What is written down of an attempt when it is over. */
export function attemptOf(answer: PostAnswer, startedAtMs: AtMs, nowMs: AtMs): Attempt {
  const { outcome } = answer
  const timed = { atMs: startedAtMs, tookMs: nowMs - startedAtMs, outcome }
  if (outcome !== 'answered') return { ...timed, excerpt: answer.why.slice(0, EXCERPT_MAX) }
  return { ...timed, status: answer.status, excerpt: answer.body.slice(0, EXCERPT_MAX) }
}
