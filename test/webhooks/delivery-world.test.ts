import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RETRY_WAITS_MS, SCHEDULE_MS } from '../../src/webhooks/retry-schedule.ts'
import { TEMPERS, type Temper, WebhookWorld } from './receivers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const tempers = Object.keys(TEMPERS) as Temper[]

/** What may never be, whatever the receivers do. */
function expectNothingLost(world: WebhookWorld, postsMax: number): void {
  expect(world.faults).toEqual([])
  expect(world.alarms).toEqual([])
  expect(world.inFlight).toBe(0)
  expect(world.inFlightMax).toBeLessThanOrEqual(postsMax)
  for (const { temper, inFlightMax } of world.receivers.values()) {
    expect(inFlightMax, `${temper} at once`).toBeLessThanOrEqual(8)
  }
  for (const row of world.rows.values()) {
    const { temper, subscription, thanked } = world.receivers.get(row.subscription)!
    expect([row.state, thanked.get(row.event.id) ?? 0]).toBeOneOf([
      ['delivered', 1],
      ['dead', 0],
    ])
    if (row.state === 'delivered') continue
    expect(TEMPERS[temper].isLoyal, `${temper} lost an event: ${row.why}`).toBe(false)
    const attempts = world.attempts.get(row.id) ?? []
    const triedForMs = (attempts.at(-1)?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)
    const isUsedUp = attempts.length > RETRY_WAITS_MS.length && triedForMs >= SCHEDULE_MS
    expect(isUsedUp || subscription.disabled !== undefined, `${temper} gave up early`).toBe(true)
  }
}

test('given receivers of every temper and restarts, no event is lost and none is sent again after a 2xx', () => {
  const gapMs = fc.constantFrom(0, 0, 0, 1_000, 60_000, HOUR_MS)
  const anHour = {
    seed: fc.integer(),
    tempers: fc.array(fc.constantFrom(...tempers), { minLength: 1, maxLength: 6 }),
    bursts: fc.array(fc.record({ gapMs, count: fc.integer({ min: 1, max: 30 }) }), { minLength: 1, maxLength: 8 }),
    restartsAfterMs: fc.array(fc.integer({ min: 0, max: 80 * HOUR_MS }), { maxLength: 3 }),
    postsMax: fc.constantFrom(2, 16, 1_024),
  }
  fc.assert(
    fc.property(fc.record(anHour), ({ seed, tempers, bursts, restartsAfterMs, postsMax }) => {
      const world = new WebhookWorld(seed, postsMax)
      for (const temper of tempers) world.add(temper)
      const bornAtMs = world.clock.nowMs()
      for (const afterMs of restartsAfterMs) world.clock.schedule(bornAtMs + afterMs, () => world.restart())
      for (const { gapMs, count } of bursts) {
        for (let left = count; left > 0; left--) world.publish()
        world.clock.run(gapMs)
      }
      expect(world.clock.runUntilIdle(30 * DAY_MS)).toBe(true)
      expectNothingLost(world, postsMax)
    }),
    { numRuns: 60 },
  )
})

test('given a receiver that is down for 72 hours, it gets all of 3,000 events in the end, each accepted once', () => {
  const world = new WebhookWorld(72)
  const down = world.add('downFor72Hours')
  for (let hour = 0; hour < 60; hour++) {
    for (let count = 0; count < 50; count++) world.publish()
    world.clock.run(HOUR_MS)
  }
  expect(world.clock.runUntilIdle(30 * DAY_MS)).toBe(true)
  expectNothingLost(world, 1_024)
  expect(down.thanked.size).toBe(3_000)
  // While the circuit is open there is one probe in ten minutes, not a storm.
  expect(down.posts - down.thanked.size).toBeLessThan(1_500)
})

test('given a receiver that never answers, its owner is warned after three days and it is disabled after five', () => {
  const world = new WebhookWorld(5)
  const drowsy = world.add('drowsy')
  for (let day = 0; day < 7; day++) {
    for (let count = 0; count < 30; count++) world.publish()
    world.clock.run(DAY_MS)
  }
  expect(world.clock.runUntilIdle(30 * DAY_MS)).toBe(true)
  expect(world.warnings).toEqual([drowsy.subscription.id])
  expect(drowsy.subscription.disabled?.because).toBe('silent')
  expectNothingLost(world, 1_024)
})

test('given 500 receivers that hang, a healthy one gets every event within five seconds of virtual time', () => {
  const world = new WebhookWorld(500)
  for (let count = 0; count < 500; count++) world.add(count % 2 === 0 ? 'drowsy' : 'slow')
  const healthy = world.add('quick')
  for (let count = 0; count < 10; count++) world.publish()
  for (let second = 0; second < 60; second++) {
    for (let count = 0; count < 10; count++) world.publish(healthy)
    world.clock.run(1_000)
  }
  expect(healthy.latenciesMs.length).toBe(610)
  expect(Math.max(...healthy.latenciesMs)).toBeLessThan(5_000)
  expect(world.inFlightMax).toBeLessThanOrEqual(1_024)
  expect(world.faults).toEqual([])
})
