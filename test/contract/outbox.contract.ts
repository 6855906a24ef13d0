/** What dispatchers may rely on, whatever stores the outbox. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { EventId } from '../../src/kernel/ids.ts'
import type {
  DeliveryOutbox,
  DispatcherLease,
  DueRequest,
  KeptSubscription,
  TriedDelivery,
} from '../../src/ports/outbox.ts'
import type { DeliveryAttempt, DeliveryRow, Subscription } from '../../src/ports/webhook.ts'
import { HEALTHY } from '../../src/webhooks/endpoint-health.ts'
import { disable } from '../../src/webhooks/subscription.ts'

/** An outbox, and its writers. */
export interface OutboxWorld {
  readonly outbox: DeliveryOutbox
  /** The instant at which its events happen. */
  readonly nowMs: number
  /** Lets pending requests finish. */
  done<T>(asked: Promise<T>): Promise<T>
  /** Subscribes to the end of every call. */
  subscribe(): Promise<Subscription>
  change(subscription: Subscription): Promise<void>
  unsubscribe(subscription: Subscription): Promise<void>
  /** A call ended at this instant. */
  publish(atMs: number): Promise<EventId>
  deliveriesOf(subscription: Subscription): Promise<readonly TriedDelivery[]>
  /** The lease expires. */
  expire(lease: DispatcherLease): Promise<void>
}

const LIFE_MS = 60_000
const LONG_AGO_MS = 40 * 24 * 3_600_000

/** Runs the suite on outboxes of a kind; each test gets an empty one. */
export function outboxContract(name: string, open: () => Promise<OutboxWorld>): void {
  describe(`the outbox ${name}`, () => {
    let world: OutboxWorld
    let outbox: DeliveryOutbox
    beforeEach(async () => {
      world = await open()
      outbox = world.outbox
    })

    const take = (dispatcher: string) => world.done(outbox.takeLease(dispatcher, LIFE_MS))
    const hold = (lease: DispatcherLease) => world.done(outbox.hold(lease, LIFE_MS, []))
    const idsOf = (held: readonly KeptSubscription[] | undefined) => held?.map(({ subscription }) => subscription.id)
    const due = (lease: DispatcherLease, held: readonly KeptSubscription[], change: Partial<DueRequest> = {}) => {
      const rooms = held.map(({ subscription, version }) => ({ subscription: subscription.id, version, rowsMax: 10 }))
      return world.done(outbox.due(lease, { atMs: world.nowMs, rooms, without: [], ...change }))
    }
    /** A dispatcher that serves everything. */
    const serve = async (dispatcher = 'one') => {
      const lease = await take(dispatcher)
      return { lease, held: (await hold(lease)) ?? [] }
    }
    const eventsOf = (rows: readonly DeliveryRow[]) => rows.map(({ event }) => event.id)

    const delivered = (row: DeliveryRow): DeliveryRow => ({
      ...row,
      state: 'delivered',
      nextAtMs: undefined,
      why: 'answered 200',
      saved: { ...row.saved, status: 'done' },
    })
    const attempt: DeliveryAttempt = { atMs: 5, tookMs: 7, outcome: 'answered', status: 200, excerpt: 'thanks' }

    describe('subscriptions', () => {
      test('are served by one dispatcher, until it releases them', async () => {
        const one = await world.subscribe()
        const [first, second] = [await take('first'), await take('second')]
        expect(idsOf(await hold(first))).toEqual([one.id])
        const two = await world.subscribe()
        expect(idsOf(await hold(second))).toEqual([two.id])
        expect(idsOf(await hold(first))).toEqual([one.id])
        await world.done(outbox.dropLease(first))
        expect(idsOf(await hold(second))).toEqual([one.id, two.id])
      })

      test('change over when a lease expires, and the former dispatcher learns of it', async () => {
        const one = await world.subscribe()
        const { lease } = await serve('first')
        await world.expire(lease)
        const second = await serve('second')
        expect(idsOf(second.held)).toEqual([one.id])
        expect(await hold(lease)).toBeUndefined()
      })

      test('stay with a dispatcher whose lease expired if no other came', async () => {
        const one = await world.subscribe()
        const { lease } = await serve()
        await world.expire(lease)
        expect(idsOf(await hold(lease))).toEqual([one.id])
      })

      test('go to the later one of two of the same name at once', async () => {
        const one = await world.subscribe()
        const earlier = await serve('same')
        const later = await serve('same')
        expect(later.lease.fence).toBeGreaterThan(earlier.lease.fence)
        expect(idsOf(later.held)).toEqual([one.id])
        expect(await hold(earlier.lease)).toBeUndefined()
        await world.done(outbox.dropLease(earlier.lease))
        expect(idsOf(await hold(later.lease))).toEqual([one.id])
      })

      test('are divided without duplicates among concurrent dispatchers', async () => {
        for (let count = 0; count < 10; count++) await world.subscribe()
        const leases = await world.done(
          Promise.all(['a', 'b', 'c', 'd'].map((name) => outbox.takeLease(name, LIFE_MS))),
        )
        const held = await world.done(Promise.all(leases.map((lease) => outbox.hold(lease, LIFE_MS, []))))
        const ids = held.flatMap((one) => idsOf(one) ?? [])
        expect([ids.length, new Set(ids).size]).toEqual([10, 10])
      })

      test('have the known health of their endpoints, unless their owner changed them since', async () => {
        const [one, two] = [await world.subscribe(), await world.subscribe()]
        const { lease, held } = await serve()
        const health = { ...HEALTHY, failingSinceAtMs: 7, slots: [{ atMs: 7, attempts: 2, errors: 1 }] }
        const learnt = held.map(({ subscription, version }) => ({ subscription: subscription.id, version, health }))
        await world.change({ ...two, url: 'https://new.example/hook' })
        await world.done(outbox.hold(lease, LIFE_MS, learnt))
        const next = await serve()
        expect(next.held.map((kept) => [kept.subscription.id, kept.health])).toEqual([
          [one.id, health],
          [two.id, undefined],
        ])
      })

      test('are disabled by a dispatcher only in the version that it knows', async () => {
        const one = await world.subscribe()
        const { lease, held } = await serve()
        const [known] = held
        await world.change({ ...one, url: 'https://new.example/hook' })
        expect(await world.done(outbox.disable(disable(one, 'gone', 9), known!.version))).toBe('overtaken')
        const [fresh] = (await hold(lease)) ?? []
        expect(await world.done(outbox.disable(disable(one, 'gone', 9), fresh!.version))).toBe('disabled')
        const [after] = (await hold(lease)) ?? []
        expect(after?.subscription.disabled).toEqual({ because: 'gone', sinceAtMs: 9 })
        expect(after?.version).not.toBe(fresh?.version)
        await world.publish(world.nowMs)
        expect(await world.deliveriesOf(one)).toEqual([])
      })
    })

    describe('due deliveries', () => {
      test('come longest overdue first, as many as there is room for, without those already held', async () => {
        await world.subscribe()
        const second = await world.publish(world.nowMs - 1)
        const first = await world.publish(world.nowMs - 2)
        const third = await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const all = await due(lease, held)
        expect(eventsOf(all)).toEqual([first, second, third])
        const [{ subscription, version }] = held as [KeptSubscription]
        const two = { rooms: [{ subscription: subscription.id, version, rowsMax: 2 }] }
        expect(eventsOf(await due(lease, held, two))).toEqual([first, second])
        expect(eventsOf(await due(lease, held, { ...two, without: [all[0]!.id] }))).toEqual([second, third])
      })

      test('exclude those whose time has not come', async () => {
        await world.subscribe()
        await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const [row] = await due(lease, held)
        const later = { ...row!, state: 'waiting', nextAtMs: world.nowMs + 5_000, why: 'answered 500' } as const
        await world.done(outbox.keep(lease, [{ row: later }]))
        expect(await due(lease, held, { atMs: world.nowMs + 4_999 })).toEqual([])
        expect(await due(lease, held, { atMs: world.nowMs + 5_000 })).toMatchObject([{ state: 'waiting', id: row!.id }])
      })

      test('are available only with the lease, and not for a subscription that was changed since', async () => {
        const one = await world.subscribe()
        await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const other = await take('other')
        expect(await due(other, held)).toEqual([])
        await world.change({ ...one, url: 'https://new.example/hook' })
        expect(await due(lease, held)).toEqual([])
        expect(await due(lease, (await hold(lease)) ?? [])).toHaveLength(1)
      })

      test('have their event as it happened, and a machine in its initial state', async () => {
        await world.subscribe()
        const id = await world.publish(world.nowMs)
        const { lease, held } = await serve()
        expect(await due(lease, held)).toMatchObject([
          {
            event: { id, atMs: world.nowMs, type: 'phone-call.ended', environment: 'development' },
            state: 'pending',
            nextAtMs: world.nowMs,
            saved: { value: 'pending', context: { failures: 0 } },
          },
        ])
      })
    })

    describe('a saved delivery', () => {
      test('is stored with its attempts, and saving it again changes nothing', async () => {
        const one = await world.subscribe()
        await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const [row] = await due(lease, held)
        const kept = [{ row: delivered(row!), attempt }]
        await world.done(outbox.keep(lease, kept))
        await world.done(outbox.keep(lease, kept))
        const [found] = await world.deliveriesOf(one)
        expect(found).toMatchObject({ row: { state: 'delivered', why: 'answered 200' }, attempts: [attempt] })
        expect(await due(lease, held)).toEqual([])
      })

      test('of a replaced dispatcher is ignored', async () => {
        const one = await world.subscribe()
        await world.publish(world.nowMs)
        const { lease, held } = await serve('same')
        const [row] = await due(lease, held)
        const next = await serve('same')
        await world.done(outbox.keep(lease, [{ row: delivered(row!), attempt }]))
        expect(await world.deliveriesOf(one)).toMatchObject([{ row: { state: 'pending' }, attempts: [] }])
        expect(await due(next.lease, next.held)).toHaveLength(1)
      })

      test('of a removed subscription is ignored, and the rest of the batch is saved', async () => {
        const [one, two] = [await world.subscribe(), await world.subscribe()]
        await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const rows = await due(lease, held)
        expect(rows).toHaveLength(2)
        await world.unsubscribe(one)
        await world.done(
          outbox.keep(
            lease,
            rows.map((row) => ({ row: delivered(row), attempt })),
          ),
        )
        expect(await world.deliveriesOf(two)).toMatchObject([{ row: { state: 'delivered' } }])
      })

      test('is removed when it is old and over, a few at a time', async () => {
        const one = await world.subscribe()
        for (let count = 0; count < 3; count++) await world.publish(world.nowMs - LONG_AGO_MS)
        await world.publish(world.nowMs)
        const { lease, held } = await serve()
        const rows = await due(lease, held)
        const sweep = (rowsMax: number) => world.done(outbox.sweep(world.nowMs, 1_000, rowsMax))
        expect(await sweep(10)).toBe(0)
        const kept = rows.map((row) => ({ row: delivered(row), attempt }))
        await world.done(outbox.keep(lease, kept))
        expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
        expect(await world.deliveriesOf(one)).toHaveLength(1)
      })
    })
  })
}
