import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { addressGuard, webhookUrls } from '../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../src/adapters/http/http-client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { type CorporationId, type DeliveryId, makeEventId, type SubscriptionId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { WebAnswer } from '../../src/ports/web.ts'
import type { Subscription, WebhookEvent } from '../../src/ports/webhook.ts'
import { newDelivery } from '../../src/webhooks/delivery.ts'
import { DeliveryScheduler } from '../../src/webhooks/delivery-scheduler.ts'
import { secretOf } from '../../src/webhooks/sign.ts'
import { bodyOf, serveHttp } from '../adapters/http/local-server.ts'

/** The standard's own text ("Signature scheme"), implemented again without our code. */
function isGenuine(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

test('given a real receiver, the bytes that arrive are the bytes that were signed', async () => {
  const arrived: { headers: IncomingHttpHeaders; body: string }[] = []
  const { url, place } = await serveHttp(async (request, response) => {
    arrived.push({ headers: request.headers, body: await bodyOf(request) })
    response.writeHead(204).end()
  })
  const clock = new RealClock()
  const guard = addressGuard({ allowedHosts: [place], rules: webhookUrls('development') })
  const web = webOverUndici({ clock, guard, connectTimeoutMs: 5_000, log: silentLog })
  onTestFinished(() => web.close())

  const secret = secretOf(new Uint8Array(32).fill(3))
  const scheduler = new DeliveryScheduler({ random: seededRandom(1), userAgent: 'switchboard/1.2.3' })
  const subscription: Subscription = {
    id: 1 as SubscriptionId,
    corporation: 1 as CorporationId,
    url: `${url}/hook`,
    events: ['phone-call-summary.update'],
    systemCodes: [],
    secrets: [{ secret }],
  }
  scheduler.enlist(subscription, clock.nowMs())
  const atMs = clock.nowMs()
  const id = makeEventId(atMs, seededRandom(2))
  const event: WebhookEvent = {
    id,
    atMs,
    corporation: 1 as CorporationId,
    environment: 'development',
    type: 'phone-call-summary.update',
    activity: 5550,
    version: 3,
  }
  const row = newDelivery({ id: 1 as DeliveryId, subscription: subscription.id, event }, atMs)
  const [post] = scheduler.addDue(row, clock.nowMs())
  if (typeof post !== 'object' || post.type !== 'post') throw new Error('no post was requested')
  const answer = await new Promise<WebAnswer>((done) => web.request(post.request, done))
  expect(scheduler.settle(post.delivery, answer, clock.nowMs())).toMatchObject([
    { type: 'keep', row: { state: 'delivered' } },
  ])

  const [{ headers, body } = { headers: {}, body: '' }] = arrived
  expect(isGenuine(headers, body, secret)).toBe(true)
  expect(isGenuine(headers, `${body} `, secret)).toBe(false)
  expect(headers).toMatchObject({
    'webhook-id': id,
    'user-agent': 'switchboard/1.2.3',
    'content-type': 'application/json',
  })
  expect(JSON.parse(body)).toMatchObject({ type: 'phone-call-summary.update', id, phoneCallId: '5550' })
})
