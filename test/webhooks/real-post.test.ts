import type { IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { addressGuard } from '../../src/services/address-guard.ts'
import { CircuitBreaker } from '../../src/services/circuit-breaker.ts'
import { webOverUndici } from '../../src/services/web.ts'
import { newDelivery } from '../../src/webhooks/delivery.ts'
import { DeliveryDesk } from '../../src/webhooks/delivery-desk.ts'
import { makeEventId } from '../../src/webhooks/event.ts'
import type { PostAnswer } from '../../src/webhooks/judge-answer.ts'
import { secretOf, verify } from '../../src/webhooks/sign.ts'
import type { Subscription, SubscriptionId } from '../../src/webhooks/subscription.ts'
import { bodyOf, serveHttp } from '../services/local-server.ts'

test('given a real receiver, the bytes that arrive are the bytes that were signed', async () => {
  const arrived: { headers: IncomingHttpHeaders; body: string }[] = []
  const { url, place } = await serveHttp(async (request, response) => {
    arrived.push({ headers: request.headers, body: await bodyOf(request) })
    response.writeHead(204).end()
  })
  const clock = new RealClock()
  const guard = addressGuard({ allowedHosts: [place] })
  const web = webOverUndici({ clock, guard, breaker: new CircuitBreaker(clock), log: silentLog })
  onTestFinished(() => web.close())

  const secret = secretOf(new Uint8Array(32).fill(3))
  const desk = new DeliveryDesk({ random: seededRandom(1), userAgent: 'switchboard/1.2.3' })
  const subscription: Subscription = {
    ...{ id: 'one' as SubscriptionId, corporation: 1, url: `${url}/hook` },
    ...{ events: ['phone-call-summary.update'], systemCodes: [], secrets: [{ secret }] },
  }
  desk.enlist(subscription, clock.nowMs())
  const atMs = clock.nowMs()
  const id = makeEventId(atMs, seededRandom(2))
  const row = newDelivery(
    {
      ...{ id, atMs, corporation: 1, environment: 'development' },
      ...{ type: 'phone-call-summary.update', activity: 5550, version: 3 },
    },
    subscription.id,
    atMs,
  )
  const [post] = desk.take(row, clock.nowMs())
  if (typeof post !== 'object' || post.type !== 'post') throw new Error('no post was wished')
  const answer = await new Promise<PostAnswer>((done) => web.request(post.request, done))
  expect(desk.settle(post.delivery, answer, clock.nowMs())).toMatchObject([
    { type: 'keep', row: { state: 'delivered' } },
  ])

  const [{ headers, body } = { headers: {}, body: '' }] = arrived
  expect(verify(headers as Record<string, string>, body, [secret], clock.nowMs())).toBe('genuine')
  expect(headers).toMatchObject({
    'webhook-id': id,
    'user-agent': 'switchboard/1.2.3',
    'content-type': 'application/json',
  })
  expect(JSON.parse(body)).toMatchObject({ type: 'phone-call-summary.update', id, phoneCallId: '5550' })
})
