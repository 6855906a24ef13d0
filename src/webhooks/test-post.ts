import { assert } from '../kernel/assert.ts'
import type { Clock } from '../kernel/clock.ts'
import { makeEventId } from '../kernel/ids.ts'
import type { Random } from '../kernel/random.ts'
import type { Web, WebAnswer } from '../ports/web.ts'
import type { DeliveryAttempt, Subscription, WebhookEvent } from '../ports/webhook.ts'
import { attemptOf, requestOf } from './attempt.ts'
import { classifyResponse } from './classify-response.ts'
import { payloadOf } from './payload.ts'

interface TestDependencies {
  readonly web: Web
  readonly clock: Clock
  readonly random: Random
  readonly environment: WebhookEvent['environment']
  readonly userAgent: string
}

interface SentTest {
  readonly event: WebhookEvent
  readonly state: 'delivered' | 'dead'
  readonly why: string
  readonly attempt: DeliveryAttempt
}

/**
 * Sends `webhook.test` to a subscription once and waits for the answer (D-25). Our choice: it bypasses queue and
 * circuit and also works for a disabled subscription, whose owner wants to know whether the endpoint works again.
 */
export async function postTest(subscription: Subscription, dependencies: TestDependencies): Promise<SentTest> {
  const { web, clock, random, environment, userAgent } = dependencies
  const atMs = clock.nowMs()
  const { corporation } = subscription
  const event: WebhookEvent = { id: makeEventId(atMs, random), atMs, corporation, environment, type: 'webhook.test' }
  const payload = payloadOf(event)
  assert(payload.ok, 'a test event can be serialized')
  const request = requestOf(subscription, event, payload, userAgent, atMs)
  const answer = await new Promise<WebAnswer>((done) => web.request(request, done))
  const { kind, why } = classifyResponse(answer, clock.nowMs())
  const attempt = attemptOf(answer, atMs, clock.nowMs())
  return { event, state: kind === 'accepted' ? 'delivered' : 'dead', why, attempt }
}
