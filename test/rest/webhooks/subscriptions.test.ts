import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addressGuard, webhookUrls } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { makeEventId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { webhookRoutes } from '../../../src/rest/webhooks/subscriptions.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { postgresOutbox } from '../../../src/store/webhooks/outbox.ts'
import { type EventToWrite, writeEvent } from '../../../src/store/webhooks/write-event.ts'
import { bodyOf, serveHttp } from '../../adapters/http/local-server.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const NOON = Date.UTC(2026, 0, 2, 12)
const HOOK = { url: 'https://debt.example.com/events', events: ['phone-call.ended'] }
const random = seededRandom(1)
const clock = new RealClock()
let world: RestWorld
let theirs: CredentialValues
let webhookWeb: ReturnType<typeof webOverUndici>
let activity = 0

beforeAll(async () => {
  const guard = addressGuard({ allowedHosts: [], rules: webhookUrls('development') })
  webhookWeb = webOverUndici({ clock, guard, log: silentLog, connectTimeoutMs: 5_000 })
  world = await openRestWorld({
    routes: (dependencies) => webhookRoutes(dependencies),
    parts: (pools) => ({ outbox: postgresOutbox(pools, 'development'), webhookWeb }),
  })
  theirs = await world.credential(['webhooks:write', 'calls:read'], [THEIRS])
})
beforeEach(async () => {
  await world.pools.jobs.query(`
    truncate webhook_subscriptions, events restart identity cascade;
    insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'a'), (4, 2, 'RENT', 'b')
      on conflict do nothing`)
})
afterAll(async () => {
  await world.close()
  await webhookWeb.close()
})

const add = async (change: object = {}, as?: CredentialValues) => {
  const reply = await world.call('POST', '/rest/core/webhooks', { ...HOOK, ...change }, as ? { as } : {})
  expect(reply.status).toBe(201)
  return reply.body
}

const publish = async (change: Partial<EventToWrite> = {}) => {
  const event: EventToWrite = {
    eventName: makeEventId(NOON, random),
    type: 'phone-call.ended',
    corporation: OURS,
    activity: ++activity,
    atMs: NOON,
    ...change,
  }
  await inTransaction(world.pools.control, (transaction) => writeEvent(transaction, event))
  return event
}

const setState = (state: string) =>
  world.pools.jobs.query('update deliveries set state = $1, next_at_ms = null', [state])

describe('a webhook', () => {
  test('is created with an id and a secret that is shown once', async () => {
    const reply = await world.call('POST', '/rest/core/webhooks', {
      ...HOOK,
      description: 'debts',
      systemCodes: ['DEBT'],
    })
    expect(reply).toMatchObject({
      status: 201,
      headers: { location: `/rest/core/webhooks/${reply.body.webhookId}` },
      body: {
        ...HOOK,
        description: 'debts',
        systemCodes: ['DEBT'],
        corporation: { corpId: OURS },
        active: true,
        disabledBecause: null,
        disabledTs: null,
        failingSinceTs: null,
        isPaused: false,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    })
    const { secret, ...shown } = reply.body
    expect((await world.call('GET', reply.headers['location']!)).body).toEqual(shown)
    const list = await world.call('GET', '/core/webhooks')
    expect([list.body, list.headers['svc-total-found'], list.headers['totalfound']]).toEqual([[shown], '1', '1'])
    expect(list.text).not.toContain(secret)
  })

  test.each<[string, string]>([
    ['http://debt.example.com/events', 'it must be https'],
    ['https://user:word@debt.example.com/', 'user name or password'],
    ['https://debt.example.com/#here', 'fragment'],
    ['https://debt.example.com:8080/', 'port 8080 is not one of 443, 8443'],
    ['https://10.1.2.3/', 'must not be asked'],
    ['https://[::ffff:169.254.169.254]/', 'must not be asked'],
    ['https://2130706433/', 'must not be asked'],
    ['ftp://debt.example.com/', 'not http or https'],
    ['events', 'not a URL'],
  ])('is refused at %s', async (url, why) => {
    const reply = await world.call('POST', '/core/webhooks', { ...HOOK, url })
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'url', message: expect.stringContaining(why) }] },
    })
  })

  test.each<[string, object, string]>([
    ['no event', { events: [] }, 'events'],
    ['an event that there is not', { events: ['phone-call.began'] }, 'events'],
    ['an external system that there is not', { systemCodes: ['DEBT', 'CARS'] }, 'systemCodes[1]'],
    ['an external system of others', { systemCodes: ['RENT'] }, 'systemCodes[0]'],
    ['a corporation of others', { corporation: { corpId: THEIRS } }, 'corporation.corpId'],
    ['a secret of its own', { secret: 'whsec_aaaa' }, 'secret'],
  ])('is refused with %s', async (_, change, path) => {
    const reply = await world.call('POST', '/core/webhooks', { ...HOOK, ...change })
    expect(reply.status).toBe(400)
    expect(reply.body.errors[0].path).toContain(path)
  })

  test('is one of fifty at most', async () => {
    await world.pools.jobs.query(`
      insert into webhook_subscriptions (corporation_id, url, event_types, secrets, created_at_ms, updated_at_ms)
      select 1, 'https://a.example/', '{phone-call.ended}', '[]', 0, 0 from generate_series(1, 49)`)
    await add()
    const reply = await world.call('POST', '/core/webhooks', HOOK)
    const detail = 'the corporation has 50 webhooks already; remove one first'
    expect(reply).toMatchObject({ status: 409, body: { detail } })
    await add({}, theirs)
  })

  test('changes in the given fields only', async () => {
    const { secret: _, ...made } = await add({ description: 'debts', systemCodes: ['DEBT'] })
    const path = `/rest/core/webhooks/${made.webhookId}`
    const off = await world.call('PATCH', path, { active: false, systemCodes: null })
    const changed = { ...made, active: false, disabledBecause: 'owner', systemCodes: [] }
    expect(off.body).toEqual({ ...changed, disabledTs: expect.any(String), updateTs: expect.any(String) })
    const on = await world.call('PATCH', path, { active: true, description: null, url: 'https://new.example.com/' })
    const again = {
      active: true,
      disabledBecause: null,
      disabledTs: null,
      description: '',
      url: 'https://new.example.com/',
    }
    expect(on.body).toEqual({ ...changed, ...again, updateTs: expect.any(String) })
    expect((await world.call('PATCH', path, { url: 'http://new.example.com/' })).status).toBe(400)
    expect((await world.call('PATCH', path, { secret: 'x' })).status).toBe(400)
  })

  test('given a new secret, signs with both for a while', async () => {
    const made = await add()
    const path = `/rest/core/webhooks/${made.webhookId}/rotate-secret`
    const reply = await world.call('POST', path, { overlapHours: 1 })
    expect(reply.status).toBe(200)
    expect(reply.body.secret).not.toBe(made.secret)
    const { rows } = await world.pools.api.query<{ secrets: { secret: string; untilAtMs?: number }[] }>(
      'select secrets from webhook_subscriptions',
    )
    expect(rows[0]?.secrets).toEqual([
      { secret: reply.body.secret },
      { secret: made.secret, untilAtMs: expect.any(Number) },
    ])
    expect((await world.call('POST', path)).status).toBe(200)
    expect(await world.call('POST', path)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('in force') },
    })
    expect((await world.call('POST', path, { overlapHours: 169 })).status).toBe(400)
  })

  test('that is removed is gone', async () => {
    const { webhookId } = await add()
    const path = `/rest/core/webhooks/${webhookId}`
    expect((await world.call('DELETE', path)).status).toBe(204)
    expect((await world.call('DELETE', path)).status).toBe(404)
    expect((await world.call('GET', path)).status).toBe(404)
  })

  test('of another corporation is not found, by any operation', async () => {
    const { webhookId } = await add({}, theirs)
    await publish({ corporation: THEIRS })
    const { rows } = await world.pools.api.query<{ id: number }>('select id from deliveries')
    const path = `/core/webhooks/${webhookId}`
    const asked: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { active: false }],
      ['DELETE', path],
      ['POST', `${path}/rotate-secret`],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/recover`, { from: NOON }],
      ['POST', `/core/deliveries/${rows[0]?.id}/replay`],
    ]
    for (const [method, at, body] of asked) expect((await world.call(method, at, body)).status, at).toBe(404)
    expect((await world.call('GET', '/core/webhooks')).body).toEqual([])
    expect((await world.call('GET', '/core/events')).body.events).toEqual([])
    expect((await world.call('GET', path, undefined, { as: theirs })).status).toBe(200)
  })

  test('is inaccessible without its scope', async () => {
    const reader = await world.credential(['calls:read'])
    const writer = await world.credential(['webhooks:write'])
    expect((await world.call('GET', '/core/webhooks', undefined, { as: reader })).status).toBe(403)
    expect((await world.call('GET', '/core/events', undefined, { as: writer })).status).toBe(403)
    expect((await world.call('GET', '/core/events', undefined, { as: reader })).status).toBe(200)
  })
})

describe('a test of a webhook', () => {
  const receive = async (status: number, before: () => Promise<unknown>) => {
    const arrived: { headers: IncomingHttpHeaders; body: string }[] = []
    const server = await serveHttp(async (request, response) => {
      arrived.push({ headers: request.headers, body: await bodyOf(request) })
      await before()
      response.writeHead(status, { location: 'https://elsewhere.example/' }).end('x'.repeat(100_000))
    })
    return { ...server, arrived }
  }
  const withReceiver = async (status: number, before: () => Promise<unknown> = async () => {}) => {
    const { url, place, arrived } = await receive(status, before)
    const guard = addressGuard({ allowedHosts: [place], rules: webhookUrls('development') })
    const web = webOverUndici({ clock, guard, log: silentLog, connectTimeoutMs: 5_000 })
    const own = await openRestWorld({
      routes: (dependencies) => webhookRoutes(dependencies),
      parts: (pools) => ({ outbox: postgresOutbox(pools, 'development'), webhookWeb: web }),
    })
    onTestFinished(async () => {
      await own.close()
      await web.close()
    })
    const made = await own.call('POST', '/core/webhooks', { ...HOOK, url: `${url}/hook`, active: false })
    expect(made.status).toBe(201)
    const path = `/core/webhooks/${made.body.webhookId}`
    return { own, arrived, path, secret: made.body.secret as string }
  }

  test('arrives signed, even if the webhook is disabled, and reports the receiver’s answer', async () => {
    const { own, arrived, path, secret } = await withReceiver(200)
    const reply = await own.call('POST', `${path}/test`)
    expect(reply).toMatchObject({
      status: 200,
      body: {
        eventType: 'webhook.test',
        status: 'delivered',
        reason: 'answered 200',
        nextTs: null,
        attempts: [{ outcome: 'answered', code: 200, answer: 'x'.repeat(1_024) }],
      },
    })
    const [{ headers, body }] = arrived as [(typeof arrived)[0]]
    expect(headers['webhook-id']).toBe(reply.body.eventId)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect((await own.call('GET', `${path}/deliveries`)).body).toEqual([reply.body])
  })

  test('that is redirected has failed, and the redirect is not followed', async () => {
    const { own, path } = await withReceiver(302)
    const { body } = await own.call('POST', `${path}/test`)
    expect(body).toMatchObject({ status: 'dead', reason: 'answered 302', attempts: [{ code: 302 }] })
  })

  test('that is removed before its receiver answers is gone', async () => {
    let remove: () => Promise<unknown> = async () => {}
    const { own, path } = await withReceiver(200, () => remove())
    remove = () => own.call('DELETE', path)
    expect((await own.call('POST', `${path}/test`)).status).toBe(404)
    expect((await own.pools.jobs.query('select from events')).rowCount).toBe(0)
  })
})

describe('deliveries', () => {
  test('are listed with their attempts, and can be filtered', async () => {
    const { webhookId } = await add()
    const event = await publish()
    const path = `/core/webhooks/${webhookId}/deliveries`
    const reply = await world.call('GET', path)
    expect(reply.headers['totalfound']).toBe('1')
    expect(reply.body).toEqual([
      {
        deliveryId: expect.any(Number),
        webhookId,
        eventId: event.eventName,
        eventType: 'phone-call.ended',
        eventTs: '2026-01-02T12:00:00.000Z',
        status: 'pending',
        reason: 'not sent yet',
        nextTs: '2026-01-02T12:00:00.000Z',
        attempts: [],
      },
    ])
    expect((await world.call('GET', `${path}?status=dead,parked`)).body).toEqual([])
    expect((await world.call('GET', `${path}?status=pending&from=2026-01-02T12:00:00Z`)).body).toHaveLength(1)
    expect((await world.call('GET', `${path}?to=2026-01-02T12:00:00Z`)).body).toEqual([])
    for (const query of ['status=gone', 'from=yesterday', `from=${NOON}&to=${NOON}`, 'colour=red', 'size=1001']) {
      expect((await world.call('GET', `${path}?${query}`)).status, query).toBe(400)
    }
  })

  test('are sent again on request, unless no receiver is left', async () => {
    const { webhookId } = await add()
    await publish()
    await setState('dead')
    const [{ deliveryId }] = (await world.call('GET', `/core/webhooks/${webhookId}/deliveries`)).body
    const path = `/rest/core/deliveries/${deliveryId}/replay`
    for (let times = 0; times < 2; times++) {
      expect(await world.call('POST', path)).toMatchObject({ status: 202, body: { deliveryId, status: 'pending' } })
    }
    await setState('dead')
    await world.call('PATCH', `/core/webhooks/${webhookId}`, { active: false })
    expect((await world.call('POST', path)).status).toBe(409)
    expect((await world.call('POST', '/core/deliveries/999999/replay')).status).toBe(404)
  })

  test('of a period are recovered, also of events from before the webhook', async () => {
    await publish()
    const { webhookId } = await add()
    const path = `/core/webhooks/${webhookId}/recover`
    const reply = await world.call('POST', path, { from: '2026-01-02T13:00:00+02:00' })
    expect(reply).toMatchObject({ status: 202, body: { queued: 1, more: false } })
    expect((await world.call('POST', path, { from: NOON + 1 })).body).toEqual({ queued: 0, more: false })
    expect((await world.call('POST', path, {})).status).toBe(400)
    await world.call('PATCH', `/core/webhooks/${webhookId}`, { active: false })
    expect((await world.call('POST', path, { from: NOON })).status).toBe(409)
  })
})

describe('the feed', () => {
  test('shows events as their webhooks do, and continues at its cursor', async () => {
    const ended = await publish({ externalSystem: 3 as EventToWrite['externalSystem'] & number })
    await publish({ type: 'phone-call-summary.creation', version: 1, activity: ended.activity })
    const all = () => world.call('GET', '/rest/core/events?limit=10')
    await expect.poll(async () => (await all()).body.events.length).toBe(2)
    const first = await world.call('GET', '/core/events?limit=1')
    const phoneCallId = String(ended.activity)
    expect(first.body).toMatchObject({
      events: [
        {
          type: 'phone-call.ended',
          id: ended.eventName,
          timestamp: '2026-01-02T12:00:00.000Z',
          phoneCallId,
          data: { phoneCallId, corpId: OURS, environment: 'development' },
        },
      ],
      more: true,
    })
    const second = await world.call('GET', `/core/events?after=${first.body.next}`)
    expect(second.body).toMatchObject({ events: [{ phoneCallId, phoneCallSummaryId: phoneCallId }], more: false })
    const third = await world.call('GET', `/core/events?after=${second.body.next}&types=phone-call.ended`)
    expect(third.body).toMatchObject({ events: [], more: false })
    const summaries = await world.call(
      'GET',
      '/core/events?types=phone-call-summary.creation,phone-call-summary.update',
    )
    expect(summaries.body.events).toHaveLength(1)
  })

  test('refuses a foreign cursor, and unknown types', async () => {
    const reply = await world.call('GET', '/core/events?after=somewhere')
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: 'after', code: 'cursor' }] } })
    expect((await world.call('GET', '/core/events?types=call.ended')).status).toBe(400)
    expect((await world.call('GET', '/core/events?limit=0')).status).toBe(400)
  })
})
