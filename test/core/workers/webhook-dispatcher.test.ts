import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { DeliveryOutbox, KeptDelivery } from '../../../src/ports/outbox.ts'
import { RETRY_WAITS_MS, SCHEDULE_MS } from '../../../src/webhooks/retry-schedule.ts'
import { TEMPERS, type Temper } from '../../webhooks/receivers.ts'
import { DispatcherWorld } from './dispatcher-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const tempers = Object.keys(TEMPERS) as Temper[]

/** What must never happen, with any receivers (INV-E2, INV-E3). */
function expectNothingLost(world: DispatcherWorld): void {
  const { receivers, outbox } = world
  expect(receivers.faults).toEqual([])
  expect(world.received('error')).toEqual([])
  expect(receivers.inFlight).toBe(0)
  expect(receivers.inFlightMax).toBeLessThanOrEqual(1_024)
  for (const { temper, inFlightMax } of receivers.all) {
    expect(inFlightMax, `${temper} at once`).toBeLessThanOrEqual(8)
  }
  for (const { subscription } of receivers.all) {
    if (outbox.subscription(subscription.id)?.subscription.disabled) continue
    const rows = [...outbox.deliveries.values()].filter(({ row }) => row.subscription === subscription.id)
    expect(rows.length).toBe(outbox.events.length)
  }
  for (const { row, attempts } of outbox.deliveries.values()) {
    const { temper, thanked } = receivers.all.find(({ subscription }) => subscription.id === row.subscription)!
    if (row.state === 'delivered') {
      expect(thanked.has(row.event.id)).toBe(true)
      continue
    }
    expect(row.state).toBe('dead')
    expect(TEMPERS[temper].isLoyal, `${temper} lost an event: ${row.why}`).toBe(false)
    const triedForMs = (attempts.at(-1)?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)
    const isUsedUp = attempts.length > RETRY_WAITS_MS.length && triedForMs >= SCHEDULE_MS
    const isDisabled = outbox.subscription(row.subscription)?.subscription.disabled !== undefined
    expect(isUsedUp || isDisabled, `${temper} gave up early`).toBe(true)
  }
}

/** Accepted exactly once: only if no dispatcher died and the outbox never failed. */
function expectNoDoubles(world: DispatcherWorld): void {
  for (const { temper, thanked } of world.receivers.all) {
    expect(
      [...thanked.values()].filter((times) => times !== 1),
      temper,
    ).toEqual([])
  }
}

/** The same outbox, whose writes may fail. */
function withKeep(outbox: DeliveryOutbox, befalls: (kept: readonly KeptDelivery[]) => void): DeliveryOutbox {
  return {
    takeLease: (...args) => outbox.takeLease(...args),
    dropLease: (...args) => outbox.dropLease(...args),
    hold: (...args) => outbox.hold(...args),
    due: (...args) => outbox.due(...args),
    disable: (...args) => outbox.disable(...args),
    sweep: (...args) => outbox.sweep(...args),
    keep: async (lease, kept) => {
      befalls(kept)
      await outbox.keep(lease, kept)
    },
  }
}

describe('given receivers of every behaviour', () => {
  const anHour = {
    seed: fc.integer(),
    tempers: fc.array(fc.constantFrom(...tempers), { minLength: 1, maxLength: 6 }),
    bursts: fc.array(
      fc.record({ gapMs: fc.constantFrom(0, 0, 0, 1_000, MINUTE_MS, HOUR_MS), count: fc.integer({ min: 1, max: 30 }) }),
      { minLength: 1, maxLength: 8 },
    ),
  }

  const play = async (world: DispatcherWorld, bursts: readonly { gapMs: number; count: number }[]) => {
    for (const { gapMs, count } of bursts) {
      for (let left = count; left > 0; left--) world.publish()
      await world.pass(gapMs)
    }
    expect(await world.passUntilSettled(30 * DAY_MS, 6 * HOUR_MS)).toBe(true)
  }

  test('no event is lost and none is sent again after a 2xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(anHour), async ({ seed, tempers, bursts }) => {
        const world = new DispatcherWorld(seed, { everyMs: 10 * MINUTE_MS })
        for (const temper of tempers) world.subscribe(temper)
        world.start()
        await play(world, bursts)
        expectNothingLost(world)
        expectNoDoubles(world)
      }),
      { numRuns: 15 },
    )
  })

  test('and dispatchers that die, and an outbox that fails, no event is lost', async () => {
    const trouble = {
      ...anHour,
      diesAfterMs: fc.array(fc.integer({ min: 1, max: 80 * HOUR_MS }), { maxLength: 3 }),
      away: fc.array(fc.record({ from: fc.integer({ max: 80 * HOUR_MS, min: 0 }), forMs: fc.nat(3 * HOUR_MS) }), {
        maxLength: 2,
      }),
      before: fc.constantFrom(0, 0.05),
      after: fc.constantFrom(0, 0.05),
    }
    await fc.assert(
      fc.asyncProperty(fc.record(trouble), async ({ seed, tempers, bursts, diesAfterMs, away, before, after }) => {
        const world = new DispatcherWorld(seed, { everyMs: 10 * MINUTE_MS, faults: { before, after } })
        const bornAtMs = world.clock.nowMs()
        world.outbox.away = away.map(({ from, forMs }) => {
          return { fromAtMs: bornAtMs + from, untilAtMs: bornAtMs + from + forMs }
        })
        for (const temper of tempers) world.subscribe(temper)
        let living = world.start('node 0')
        for (const [index, afterMs] of diesAfterMs.entries()) {
          world.clock.schedule(bornAtMs + afterMs, () => {
            living.kill()
            living = world.start(`node ${index % 2}`)
          })
        }
        await play(world, bursts)
        expectNothingLost(world)
      }),
      { numRuns: 25 },
    )
  })
})

describe('given a receiver that is down', () => {
  test('for 72 hours, it finally gets all of 3,000 events, each accepted once', async () => {
    const world = new DispatcherWorld(72, { everyMs: MINUTE_MS })
    const down = world.subscribe('downFor72Hours')
    world.start()
    for (let hour = 0; hour < 60; hour++) {
      for (let count = 0; count < 50; count++) world.publish()
      await world.pass(HOUR_MS)
    }
    expect(await world.passUntilSettled(10 * DAY_MS, HOUR_MS)).toBe(true)
    expectNothingLost(world)
    expectNoDoubles(world)
    expect(down.thanked.size).toBe(3_000)
    // While the circuit is open there is one probe in ten minutes, and no storm.
    expect(down.posts - down.thanked.size).toBeLessThan(1_500)
  })

  test('for an hour, it loses nothing, and the others get every event within a second', async () => {
    const world = new DispatcherWorld(60)
    const down = world.subscribe('downForAnHour')
    const others = Array.from({ length: 5 }, () => world.subscribe('quick'))
    const { dispatcher } = world.start()
    const publishedAtMs = new Map<string, number>()
    for (let second = 0; second < 3_600; second += 10) {
      for (let count = 0; count < 5; count++) publishedAtMs.set(world.publish().id, world.clock.nowMs())
      dispatcher.wake()
      await world.pass(10_000)
    }
    const latenciesMs = others.flatMap(({ thankedAtMs }) =>
      [...publishedAtMs].map(([id, atMs]) => (thankedAtMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs),
    )
    expect(Math.max(...latenciesMs)).toBeLessThan(1_000)
    expect(await world.passUntilSettled(2 * DAY_MS, HOUR_MS)).toBe(true)
    expectNothingLost(world)
    expectNoDoubles(world)
    expect(down.thanked.size).toBe(publishedAtMs.size)
  })

  test('for ever, its owner is warned after three days and it is disabled after five', async () => {
    const world = new DispatcherWorld(5, { everyMs: 10 * MINUTE_MS })
    const drowsy = world.subscribe('drowsy')
    world.start()
    for (let day = 0; day < 7; day++) {
      for (let count = 0; count < 30; count++) world.publish()
      await world.pass(DAY_MS)
    }
    const told = world.log.filter(({ level }) => level === 'warn').map(({ text }) => text)
    expect(told).toEqual([
      'webhook endpoint fails; it is probed until it answers again',
      'webhook has failed for three days; after five days it is disabled',
      'webhook disabled; its owner can enable it again',
    ])
    expect(world.outbox.subscription(drowsy.subscription.id)?.subscription.disabled?.because).toBe('silent')
    expect(await world.passUntilSettled(DAY_MS, HOUR_MS)).toBe(true)
    expect([...world.outbox.deliveries.values()].every(({ row }) => row.state === 'dead')).toBe(true)
  })
})

test('given 500 receivers that hang, a healthy one gets every event within five seconds', async () => {
  const world = new DispatcherWorld(500)
  for (let count = 0; count < 500; count++) world.subscribe(count % 2 === 0 ? 'drowsy' : 'slow')
  const healthy = world.subscribe('quick')
  world.start()
  const publishedAtMs = new Map<string, number>()
  for (let second = 0; second < 60; second++) {
    publishedAtMs.set(world.publish().id, world.clock.nowMs())
    await world.pass(1_000)
  }
  await world.pass(5_000)
  const latenciesMs = [...publishedAtMs].map(([id, atMs]) => (healthy.thankedAtMs.get(id) ?? Number.NaN) - atMs)
  expect(Math.max(...latenciesMs)).toBeLessThan(5_000)
  expect(world.receivers.inFlightMax).toBeLessThanOrEqual(1_024)
  expect(world.receivers.faults).toEqual([])
})

describe('two dispatchers', () => {
  test('never send the same delivery at once; after the death of one, the other sends the rest', async () => {
    const world = new DispatcherWorld(2)
    const receivers = Array.from({ length: 4 }, () => world.subscribe('slow'))
    const first = world.start('first')
    await world.pass(1_000)
    world.start('second')
    for (let count = 0; count < 40; count++) world.publish()
    await world.pass(10_000)
    first.kill()
    expect(await world.passUntilSettled(10 * MINUTE_MS, 1_000)).toBe(true)
    expectNothingLost(world)
    for (const { thanked } of receivers) expect(thanked.size).toBe(40)
  })

  test('continue at once when one of them stops', async () => {
    const world = new DispatcherWorld(3)
    const quick = world.subscribe('quick')
    const first = world.start('first')
    world.start('second')
    await world.pass(2_000)
    const stopped = first.dispatcher.stop()
    await world.pass(6_000)
    await stopped
    world.publish()
    await world.pass(2_000)
    expect(quick.thanked.size).toBe(1)
  })

  test('of one name: the later one takes over at once, and no write of the earlier one is accepted', async () => {
    const world = new DispatcherWorld(4)
    const slow = world.subscribe('slow')
    const zombie = world.start('same')
    const event = world.publish()
    // It asks the receiver, and then hangs until long after the answer.
    await world.pass(500)
    slow.temper = 'leaving'
    slow.posts = 100
    world.start('same')
    await world.pass(MINUTE_MS)
    const [delivery] = [...world.outbox.deliveries.values()]
    expect(delivery?.row).toMatchObject({ state: 'dead', event: { id: event.id } })
    expect(world.received('warn')).toContain('another webhook dispatcher with this name took over its subscriptions')
    zombie.kill()
  })
})

describe('given an outbox that is away', () => {
  test('held deliveries go out, and are written when the outbox is back; each is sent once', async () => {
    const world = new DispatcherWorld(10)
    const slow = world.subscribe('slow')
    world.start()
    for (let count = 0; count < 16; count++) world.publish()
    await world.pass(500)
    const nowMs = world.clock.nowMs()
    world.outbox.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 20_000 }]
    await world.pass(19_000)
    expect(slow.thanked.size).toBe(8)
    expect([...world.outbox.deliveries.values()].filter(({ row }) => row.state === 'delivered')).toEqual([])
    await world.pass(15_000)
    expect([...world.outbox.deliveries.values()].map(({ row }) => row.state)).toEqual(Array(16).fill('delivered'))
    const about = world.log.filter(({ text }) => text.includes('outbox')).map(({ text }) => text)
    expect(about).toEqual(['outbox unavailable: events wait in it', 'outbox available again'])
    expectNoDoubles(world)
  })

  test('for longer than its lease, a dispatcher starts no post that another may send', async () => {
    const world = new DispatcherWorld(11)
    const slow = world.subscribe('slow')
    world.start()
    for (let count = 0; count < 100; count++) world.publish()
    await world.pass(500)
    const nowMs = world.clock.nowMs()
    world.outbox.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + HOUR_MS }]
    await world.pass(40_000)
    const { posts } = slow
    expect(slow.inFlight).toBe(0)
    await world.pass(10 * MINUTE_MS)
    expect(slow.posts).toBe(posts)
  })
})

test('given writes that fail for a while, nothing is sent again and everything is written in the end', async () => {
  const world = new DispatcherWorld(13)
  const quick = world.subscribe('quick')
  for (let count = 0; count < 30; count++) world.publish()
  let failures = 0
  const { outbox } = world
  const failing = withKeep(outbox, () => {
    if (failures++ < 4) throw new DatabaseUnavailable('not now')
  })
  world.start('one', failing)
  await world.pass(MINUTE_MS)
  expect(quick.posts).toBe(30)
  expect([...outbox.deliveries.values()].filter(({ row }) => row.state !== 'delivered')).toEqual([])
})

test('a row that cannot be written is set aside, is not sent again, and blocks no other', async () => {
  const world = new DispatcherWorld(12)
  const quick = world.subscribe('quick')
  const [bad, ...good] = [world.publish(), world.publish(), world.publish()]
  const { outbox } = world
  const failing = withKeep(outbox, (kept) => {
    if (kept.some(({ row }) => row.event.id === bad!.id)) throw new Error('no such character')
  })
  world.start('one', failing)
  await world.pass(MINUTE_MS)
  expect([...outbox.deliveries.values()].map(({ row }) => row.state)).toEqual(['pending', 'delivered', 'delivered'])
  expect(quick.seen.get(bad!.id)).toBe(1)
  expect(good.map(({ id }) => quick.seen.get(id))).toEqual([1, 1])
  expect(world.received('error')).toEqual(['outcome of a delivery could not be written; the delivery is set aside'])
})

test('a dispatcher that stops starts nothing more, waits for posts in progress, and writes their outcome', async () => {
  const world = new DispatcherWorld(30)
  const receiver = world.subscribe('quick')
  const { dispatcher } = world.start()
  for (let count = 0; count < 20; count++) world.publish()
  await world.pass(15)
  expect(receiver.inFlight).toBe(8)
  const stopped = dispatcher.stop()
  await world.pass(1_000)
  await stopped
  await dispatcher.stop()
  expect(receiver.posts).toBe(8)
  const states = [...world.outbox.deliveries.values()].map(({ row }) => row.state)
  expect(states.filter((state) => state === 'delivered')).toHaveLength(8)
  world.start('next')
  await world.pass(2_000)
  expect(receiver.thanked.size).toBe(20)
  expectNoDoubles(world)
})

test('the health of an endpoint survives a restart: an open circuit stays open', async () => {
  const world = new DispatcherWorld(31)
  const down = world.subscribe('downForAnHour')
  const first = world.start('first')
  for (let count = 0; count < 40; count++) world.publish()
  await world.pass(10_000)
  const stopped = first.dispatcher.stop()
  await world.pass(1_000)
  await stopped
  expect(world.outbox.subscription(down.subscription.id)?.health?.open).toBeDefined()
  const { posts } = down
  world.start('second')
  await world.pass(15_000)
  expect(down.posts).toBe(posts)
})

test('after 30 days events and their attempts are gone', async () => {
  const world = new DispatcherWorld(32, { everyMs: HOUR_MS })
  world.subscribe('quick')
  world.start()
  for (let count = 0; count < 3; count++) world.publish()
  await world.pass(29 * DAY_MS)
  expect(world.outbox.deliveries.size).toBe(3)
  await world.pass(30 * DAY_MS)
  expect([world.outbox.deliveries.size, world.outbox.events.length]).toEqual([0, 0])
})

test('given a 410 of the address before, the subscription stays, and the new address gets the event', async () => {
  const world = new DispatcherWorld(33)
  const receiver = world.subscribe('closing')
  world.start()
  world.publish()
  await world.pass(1_500)
  expect(receiver.inFlight).toBe(1)
  const { id } = receiver.subscription
  const moved = { ...receiver.subscription, url: 'https://moved.example/hook' }
  world.outbox.change(moved)
  const next = world.receivers.add('quick', moved)
  await world.pass(2 * MINUTE_MS)
  expect(world.outbox.subscription(id)?.subscription.disabled).toBeUndefined()
  expect(next.thanked.size).toBe(1)
})
