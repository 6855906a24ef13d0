import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CorporationId, type ExternalSystemId, makeEventId, type SubscriptionId } from '../../../src/kernel/ids.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import type { KeptSubscription, Outbox } from '../../../src/ports/outbox.ts'
import type { EventType, Subscription, WebhookEvent } from '../../../src/ports/webhook.ts'
import { NEWS_CHANNEL } from '../../../src/store/db/notification-channel.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { FRESH_RUN } from '../../../src/store/webhooks/new-delivery.ts'
import { postgresOutbox } from '../../../src/store/webhooks/outbox.ts'
import { type EventToWrite, writeEvent } from '../../../src/store/webhooks/write-event.ts'
import { newDelivery } from '../../../src/webhooks/delivery.ts'
import { secretOf } from '../../../src/webhooks/sign.ts'
import { disable, enable, wants } from '../../../src/webhooks/subscription.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

const OURS = 1 as CorporationId
const THEIRS = 2 as CorporationId
const DEBTS = 3 as ExternalSystemId
const RENTS = 4 as ExternalSystemId
const NOON = Date.UTC(2026, 0, 2, 12)
const HOUR_MS = 3_600_000
/** Servers start slowly under load. */
const OPENING_MS = 90_000

describe.each(servers)('the outbox on $name', (server) => {
  let database: TestDatabase
  let outbox: Outbox
  const random = seededRandom(1)
  let activity = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
  }, OPENING_MS)
  beforeEach(async () => {
    await database.pools.jobs.query(`
      truncate corporations, courier_leases restart identity cascade;
      insert into corporations (id, name, created_at_ms) values (1, 'Ours', 0), (2, 'Theirs', 0);
      insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'a'), (4, 1, 'RENT', 'b')`)
    outbox = postgresOutbox(database.pools, 'production')
  })
  afterAll(() => database.drop())

  const command = (change: Partial<Subscription> = {}): Omit<Subscription, 'id'> => ({
    corporation: OURS,
    url: 'https://a.example/hook',
    events: ['phone-call.ended'],
    systemCodes: [],
    secrets: [{ secret: secretOf(new Uint8Array(32)) }],
    ...change,
  })
  const subscribe = async (change: Partial<Subscription> = {}): Promise<KeptSubscription> => {
    const kept = await outbox.addSubscription({
      subscription: command(change),
      description: 'mine',
      atMs: NOON,
      subscriptionsMax: 50,
    })
    if (kept === 'too many') throw new Error(kept)
    return kept
  }
  const anEvent = (change: Partial<EventToWrite> = {}): EventToWrite => ({
    eventName: makeEventId(NOON, random),
    type: 'phone-call.ended',
    corporation: OURS,
    activity: ++activity,
    atMs: NOON,
    ...change,
  })
  const publish = async (change: Partial<EventToWrite> = {}): Promise<EventToWrite> => {
    const event = anEvent(change)
    await inTransaction(database.pools.control, (transaction) => writeEvent(transaction, event))
    return event
  }
  const listOf = ({ subscription }: KeptSubscription) =>
    outbox.deliveries({ subscription: subscription.id, corporations: [OURS, THEIRS], offset: 0, rowsMax: 100 })
  const statesOf = async (kept: KeptSubscription) => (await listOf(kept)).deliveries.map(({ row }) => row.state)
  /** Brings every delivery of a subscription into a state, as a dispatcher would. */
  const settle = async (kept: KeptSubscription, state: 'dead' | 'delivered' | 'parked') => {
    const lease = await outbox.takeLease('test', 60_000)
    await outbox.hold(lease, 60_000, [])
    const { deliveries } = await listOf(kept)
    const rows = deliveries.map(({ row }) => ({ row: { ...row, state, nextAtMs: undefined, why: 'so' } }))
    await outbox.keep(lease, rows)
  }

  describe('an event', () => {
    test('has the same first delivery as the webhooks make', async () => {
      const kept = await subscribe()
      await publish()
      const [delivery] = (await listOf(kept)).deliveries
      const fresh = newDelivery(delivery!.row, NOON)
      expect(delivery!.row).toEqual(JSON.parse(JSON.stringify(fresh)))
      expect(FRESH_RUN).toEqual(JSON.parse(JSON.stringify(fresh.saved)))
    })

    test('goes to exactly its subscribers', async () => {
      const summaries: EventType[] = ['phone-call-summary.creation', 'phone-call-summary.update']
      const all = [
        await subscribe(),
        await subscribe({ events: summaries }),
        await subscribe({ events: ['phone-call.ended', ...summaries], systemCodes: ['RENT', 'CARS'] }),
        await subscribe({ systemCodes: ['DEBT'] }),
        await subscribe({ disabled: { because: 'owner', sinceAtMs: NOON } }),
        await subscribe({ corporation: THEIRS }),
      ]
      const events = [
        await publish(),
        await publish({ externalSystem: DEBTS }),
        await publish({ externalSystem: RENTS }),
        await publish({ corporation: THEIRS }),
        await publish({ type: 'phone-call-summary.creation', version: 1, externalSystem: RENTS }),
        await publish({ type: 'phone-call-summary.update', version: 2 }),
      ]
      const codes = new Map([
        [DEBTS, 'DEBT'],
        [RENTS, 'RENT'],
      ])
      for (const kept of all) {
        const expected = events.filter(({ eventName, externalSystem, ...rest }) => {
          const systemCode = externalSystem === undefined ? undefined : codes.get(externalSystem)
          const event = { ...rest, id: eventName, environment: 'production', ...(systemCode && { systemCode }) }
          return wants(kept.subscription, event as unknown as WebhookEvent)
        })
        const found = (await listOf(kept)).deliveries.map(({ row }) => row.event.id as string)
        expect(found.sort()).toEqual(expected.map(({ eventName }) => eventName).sort())
      }
    })

    test('that is rolled back never existed; one that is committed is notified', async () => {
      const kept = await subscribe()
      const ear = new Client(database.connection)
      await ear.connect()
      await ear.query(`listen ${NEWS_CHANNEL}`)
      const heard = new Promise((resolve) => ear.on('notification', ({ payload }) => resolve(payload)))
      const undone = inTransaction(database.pools.control, async (transaction) => {
        await writeEvent(transaction, anEvent())
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await statesOf(kept)).toEqual([])
      await publish()
      expect(await heard).toBe('deliveries')
      await ear.end()
    })

    test('of one fact is written once, under one name', async () => {
      await subscribe()
      const event = await publish()
      await expect(publish({ activity: event.activity })).rejects.toThrow('events_once')
      await expect(publish({ eventName: event.eventName })).rejects.toThrow('events_name_key')
      const summary = { activity: event.activity, type: 'phone-call-summary.update' } as const
      await publish({ ...summary, version: 2 })
      await publish({ ...summary, version: 3 })
      await expect(publish({ ...summary, version: 3 })).rejects.toThrow('events_once')
    })
  })

  describe('subscriptions', () => {
    test('are limited in number, also under concurrency', async () => {
      const all = Array.from({ length: 12 }, () =>
        outbox.addSubscription({ subscription: command(), description: '', atMs: NOON, subscriptionsMax: 5 }),
      )
      const made = (await Promise.all(all)).filter((kept) => kept !== 'too many')
      expect(made).toHaveLength(5)
      expect(await outbox.subscriptions([OURS])).toHaveLength(5)
    })

    test('of others do not exist', async () => {
      const { subscription } = await subscribe({ corporation: THEIRS })
      await publish({ corporation: THEIRS })
      const { id } = subscription
      expect(await outbox.subscriptions([OURS])).toEqual([])
      expect(await outbox.findSubscription(id, [OURS])).toBeUndefined()
      expect(await outbox.removeSubscription(id, [OURS])).toBe(false)
      const page = { subscription: id, corporations: [OURS], offset: 0, rowsMax: 10 }
      expect(await outbox.deliveries(page)).toEqual({ found: 0, deliveries: [] })
      expect(await outbox.recover(id, [OURS], {}, NOON, 10)).toEqual({ outcome: 'no such subscription' })
      const [theirs] = (await outbox.deliveries({ ...page, corporations: [THEIRS] })).deliveries
      expect(await outbox.replay(theirs!.row.id, [OURS], NOON)).toBe('no such delivery')
    })

    test('are returned as they were made, and as they were changed', async () => {
      const kept = await subscribe({ systemCodes: ['DEBT'] })
      expect(await outbox.findSubscription(kept.subscription.id, [OURS])).toEqual(kept)
      const changed = { ...kept, subscription: disable(kept.subscription, 'owner', NOON + 1), description: 'new' }
      const saved = await outbox.saveSubscription(changed, NOON + 1)
      expect(saved).toEqual({ ...changed, version: kept.version + 1, updatedAtMs: NOON + 1 })
      expect(await outbox.saveSubscription(changed, NOON + 2)).toBeUndefined()
      expect(await outbox.findSubscription(kept.subscription.id, [OURS])).toEqual(saved)
    })

    test('that are enabled again, or get a new address, have an endpoint in good health', async () => {
      const [kept, other] = [await subscribe(), await subscribe()]
      const lease = await outbox.takeLease('test', 60_000)
      await outbox.hold(lease, 60_000, [])
      const health = { slots: [], inFlightMax: 1, failingSinceAtMs: 5, isOwnerWarned: true }
      const learn = async ({ subscription, version }: KeptSubscription) => {
        const all = await outbox.hold(lease, 60_000, [{ subscription: subscription.id, version, health }])
        return all!.find((held) => held.subscription.id === subscription.id)!
      }
      const renamed = await outbox.saveSubscription({ ...(await learn(kept)), description: 'x' }, NOON)
      expect(renamed?.health).toEqual(health)
      const off = { ...renamed!, subscription: disable(renamed!.subscription, 'silent', NOON) }
      const disabled = await outbox.saveSubscription(off, NOON)
      expect(disabled?.health).toEqual(health)
      const on = { ...disabled!, subscription: enable(disabled!.subscription) }
      expect(await outbox.saveSubscription(on, NOON)).toMatchObject({ health: undefined })
      const { subscription, ...rest } = await learn(other)
      const moved = { ...rest, subscription: { ...subscription, url: 'https://elsewhere.example/hooks' } }
      expect(await outbox.saveSubscription(moved, NOON)).toMatchObject({ health: undefined })
    })
  })

  describe('deliveries', () => {
    test('are listed newest first, in pages, by state and time, with their attempts', async () => {
      const kept = await subscribe()
      for (let hour = 0; hour < 5; hour++) await publish({ atMs: NOON + hour * HOUR_MS })
      await settle(kept, 'delivered')
      await publish({ atMs: NOON + 5 * HOUR_MS })
      const page = { subscription: kept.subscription.id, corporations: [OURS], offset: 1, rowsMax: 2 }
      const hoursOf = async (change: object) => {
        const { found, deliveries } = await outbox.deliveries({ ...page, ...change })
        return [found, ...deliveries.map(({ row }) => (row.event.atMs - NOON) / HOUR_MS)]
      }
      expect(await hoursOf({})).toEqual([6, 4, 3])
      expect(await hoursOf({ states: ['pending'], offset: 0 })).toEqual([1, 5])
      expect(await hoursOf({ at: { from: NOON + HOUR_MS, to: NOON + 3 * HOUR_MS }, offset: 0 })).toEqual([2, 2, 1])
    })

    test('keep any answer of a receiver, and an invalid one does not block the others', async () => {
      const kept = await subscribe()
      await publish()
      await publish()
      const lease = await outbox.takeLease('test', 60_000)
      const held = await outbox.hold(lease, 60_000, [])
      const rooms = held!.map(({ subscription, version }) => ({ subscription: subscription.id, version, rowsMax: 9 }))
      const rows = await outbox.due(lease, { atMs: NOON, rooms, without: [] })
      const excerpts = ['a\0b\ud83d', 'a " \\ \u2028 \n ø']
      const tried = { atMs: 1, tookMs: 2, outcome: 'answered', status: 500 } as const
      await outbox.keep(
        lease,
        rows.map((row, index) => ({ row, attempt: { ...tried, excerpt: excerpts[index]! } })),
      )
      const { deliveries } = await listOf(kept)
      const found = deliveries.flatMap(({ attempts }) => attempts.map(({ excerpt }) => excerpt))
      expect(found.sort()).toEqual(['a " \\ \u2028 \n ø', 'a\ufffdb\ufffd'])
    })

    test('that are over are sent again with a full schedule; those in progress are left alone', async () => {
      const kept = await subscribe()
      await publish()
      const row = (await listOf(kept)).deliveries[0]!.row
      expect(await outbox.replay(row.id, [OURS], NOON)).toBe('on its way')
      for (const state of ['dead', 'parked', 'delivered'] as const) {
        await settle(kept, state)
        expect(await outbox.replay(row.id, [OURS], NOON + 9)).toBe('queued')
        const [again] = (await listOf(kept)).deliveries
        expect(again?.row).toMatchObject({ state: 'pending', nextAtMs: NOON + 9, saved: FRESH_RUN })
      }
      await settle(kept, 'dead')
      await outbox.saveSubscription({ ...kept, subscription: disable(kept.subscription, 'owner', NOON) }, NOON)
      expect(await outbox.replay(row.id, [OURS], NOON)).toBe('disabled')
    })

    test('that were missed are recovered: dead ones, and events without a delivery', async () => {
      const early = await publish({ atMs: NOON - HOUR_MS })
      const before = await publish()
      const kept = await subscribe()
      await publish({ type: 'phone-call-summary.update', version: 1 })
      await publish({ corporation: THEIRS })
      const dead = await publish({ atMs: NOON + 1 })
      await settle(kept, 'dead')
      const delivered = await publish({ atMs: NOON + 2 })
      const { id } = kept.subscription
      const recover = (rowsMax: number) => outbox.recover(id, [OURS], { from: NOON }, NOON + HOUR_MS, rowsMax)
      expect(await recover(1)).toEqual({ outcome: 'queued', deliveries: 1, isMore: true })
      expect(await recover(10)).toEqual({ outcome: 'queued', deliveries: 1, isMore: false })
      const found = (await listOf(kept)).deliveries.map(({ row }) => [row.event.id, row.state])
      const pending = (event: EventToWrite) => [event.eventName, 'pending']
      expect(found).toEqual([delivered, dead, before].map(pending))
      expect(await outbox.recover(id, [OURS], { to: NOON }, NOON + HOUR_MS, 9)).toMatchObject({ deliveries: 1 })
      expect((await listOf(kept)).deliveries.map(({ row }) => row.event.id)).toContain(early.eventName)
    })

    test('of a test are listed, and in no feed', async () => {
      const kept = await subscribe()
      const event: WebhookEvent = {
        id: makeEventId(NOON, random),
        atMs: NOON,
        corporation: OURS,
        environment: 'production',
        type: 'webhook.test',
      }
      const attempt = { atMs: NOON, tookMs: 3, outcome: 'network', excerpt: 'refused' } as const
      const { id } = kept.subscription
      await outbox.recordTest(id, event, { state: 'dead', why: 'refused' }, attempt)
      await outbox.recordTest(id, { ...event, id: makeEventId(NOON, random) }, { state: 'delivered', why: '' }, attempt)
      const { found, deliveries } = await listOf(kept)
      expect(found).toBe(2)
      expect(deliveries.at(-1)).toMatchObject({ row: { event, state: 'dead', why: 'refused' }, attempts: [attempt] })
      const page = await outbox.feed({ corporations: [OURS], rowsMax: 10 })
      expect(page).toMatchObject({ events: [] })
    })
  })

  test('a removed subscription loses its deliveries, and the events stay', async () => {
    const kept = await subscribe()
    await publish()
    expect(await outbox.removeSubscription(kept.subscription.id, [OURS])).toBe(true)
    expect(await listOf(kept)).toEqual({ found: 0, deliveries: [] })
    const { rows } = await database.pools.api.query('select count(*) as count from events')
    expect(rows).toEqual([{ count: 1 }])
    expect(await outbox.findSubscription(kept.subscription.id as SubscriptionId, [OURS])).toBeUndefined()
  })
})
