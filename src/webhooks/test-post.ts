import { assert } from '../kernel/assert.ts'
import type { Clock } from '../kernel/clock.ts'
import { makeEventId } from '../kernel/ids.ts'
import type { Random } from '../kernel/random.ts'
import type { Web, WebAnswer } from '../ports/web.ts'
import type { DeliveryAttempt, Subscription, WebhookEvent } from '../ports/webhook.ts'
import { attemptOf, requestOf } from './attempt.ts'
import { judgeAnswer } from './classify-response.ts'
import { payloadOf } from './payload.ts'

/** What a test is made with. */
interface TestDependencies {
  readonly web: Web
  readonly clock: Clock
  readonly random: Random
  readonly environment: WebhookEvent['environment']
  readonly userAgent: string
}

/** A test that was sent, and what came of it. */
interface SentTest {
  readonly event: WebhookEvent
  readonly state: 'delivered' | 'dead'
  readonly why: string
  readonly attempt: DeliveryAttempt
}

/**
 * Sends `webhook.test` to a subscription, once, and waits for the answer (D-25). Our choice: past its queue and its
 * circuit, and also while it is disabled, because that is when its owner wants to know whether it works again.
 */
export async function postTest(subscription: Subscription, dependencies: TestDependencies): Promise<SentTest> {
  const { web, clock, random, environment, userAgent } = dependencies
  const atMs = clock.nowMs()
  const { corporation } = subscription
  const event: WebhookEvent = { id: makeEventId(atMs, random), atMs, corporation, environment, type: 'webhook.test' }
  const payload = payloadOf(event)
  assert(payload.ok, 'a test can be written down')
  const request = requestOf(subscription, event, payload, userAgent, atMs)
  const answer = await new Promise<WebAnswer>((done) => web.request(request, done))
  const { kind, why } = judgeAnswer(answer, clock.nowMs())
  const attempt = attemptOf(answer, atMs, clock.nowMs())
  return { event, state: kind === 'accepted' ? 'delivered' : 'dead', why, attempt }
}
