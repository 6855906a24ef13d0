/** Webhooks tell of the calls of all teams: a supervisor who belongs to teams has none of them (rest-50). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressGuard, webhookUrls } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { UserId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { webhookRoutes } from '../../../src/rest/webhooks/subscriptions.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { postgresOutbox } from '../../../src/store/webhooks/outbox.ts'
import { writeEvent } from '../../../src/store/webhooks/write-event.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const HOOK = { url: 'https://debt.example.com/events', events: ['phone-call.ended'] }
const EVENT = { eventName: 'ev_1', type: 'phone-call.ended', corporation: OURS, activity: 1, atMs: 0 } as const
let world: RestWorld
let webhookWeb: ReturnType<typeof webOverUndici>

beforeAll(async () => {
  const guard = addressGuard({ allowedHosts: [], rules: webhookUrls('development') })
  webhookWeb = webOverUndici({ clock: new RealClock(), guard, log: silentLog, connectTimeoutMs: 5_000 })
  world = await openRestWorld({
    routes: (dependencies) => webhookRoutes(dependencies),
    parts: (pools) => ({ outbox: postgresOutbox(pools, 'development'), webhookWeb }),
  })
  await world.pools.jobs.query(`
    insert into users (id, corporation_id, user_name, name, roles, created_at_ms) values
      (43, 1, 'vera', 'Vera', '{supervisor}', 0), (44, 1, 'otto', 'Otto', '{supervisor}', 0);
    insert into teams (id, corporation_id, name, title) values (12, 1, 'help', 'Help');
    insert into team_members (team_id, user_id) values (12, 43)`)
})
afterAll(async () => {
  await world.close()
  await webhookWeb.close()
})

const supervisor = (id: number, userName: string) =>
  world.credential(['dialer:write', 'webhooks:write', 'calls:read'], [OURS], {
    user: { id: id as UserId, userName, active: true, teams: [] },
  })

test('she neither sees nor changes them; a supervisor without teams does', async () => {
  const [vera, otto] = [await supervisor(43, 'vera'), await supervisor(44, 'otto')]
  const { webhookId } = (await world.call('POST', '/core/webhooks', HOOK, { as: otto })).body
  await inTransaction(world.pools.control, (transaction) => writeEvent(transaction, EVENT as never))
  const path = `/core/webhooks/${webhookId}`
  const [{ deliveryId }] = (await world.call('GET', `${path}/deliveries`, undefined, { as: otto })).body
  for (const [method, place, body] of [
    ['POST', '/core/webhooks', HOOK],
    ['GET', '/core/webhooks'],
    ['GET', path],
    ['PATCH', path, { url: 'https://else.example.com/events' }],
    ['POST', `${path}/rotate-secret`, {}],
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/recover`, { from: 0 }],
    ['POST', `${path}/test`],
    ['POST', `/core/deliveries/${deliveryId}/replay`],
    ['DELETE', path],
    ['GET', '/core/events'],
  ] as const) {
    const { status } = await world.call(method, place, body, { as: vera })
    expect([method, place, status]).toEqual([method, place, 403])
  }
  expect((await world.call('GET', path, undefined, { as: otto })).body).toMatchObject({ url: HOOK.url, active: true })
})
