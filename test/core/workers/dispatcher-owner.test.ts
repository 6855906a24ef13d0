import { describe, expect, test } from 'vitest'
import { disable, enable } from '../../../src/webhooks/subscription.ts'
import { DispatcherWorld } from './dispatcher-world.ts'

const MINUTE_MS = 60_000

describe('changes by the owner of a subscription', () => {
  test('disabling stops deliveries within seconds, and enabling starts them again', async () => {
    const world = new DispatcherWorld(20)
    const quick = world.subscribe('quick')
    const { dispatcher } = world.start()
    await world.pass(3_000)
    world.outbox.change(disable(quick.subscription, 'owner', world.clock.nowMs()))
    dispatcher.wake()
    await world.pass(1_000)
    world.publish()
    await world.pass(5_000)
    expect(quick.posts).toBe(0)
    world.outbox.change(enable(quick.subscription))
    world.publish()
    await world.pass(6_000)
    expect(quick.thanked.size).toBe(1)
  })

  test('removing it ends them, and leaves nothing behind', async () => {
    const world = new DispatcherWorld(21)
    const drowsy = world.subscribe('drowsy')
    world.start()
    for (let count = 0; count < 20; count++) world.publish()
    await world.pass(1_000)
    world.outbox.unsubscribe(drowsy.subscription.id)
    await world.pass(MINUTE_MS)
    expect(world.outbox.deliveries.size).toBe(0)
    expect(drowsy.posts).toBeLessThanOrEqual(8)
    expect(world.received('error')).toEqual([])
  })

  test('a replay is sent again, even if it was delivered before', async () => {
    const world = new DispatcherWorld(22)
    const quick = world.subscribe('quick')
    world.start()
    const event = world.publish()
    await world.pass(2_000)
    const [id] = world.outbox.deliveries.keys()
    world.outbox.replay(id!)
    await world.pass(2_000)
    expect(quick.thanked.get(event.id)).toBe(2)
    expect(world.outbox.deliveries.get(id!)).toMatchObject({ row: { state: 'delivered' }, attempts: [{}, {}] })
  })

  test('410 disables it; after a new address the recovered events arrive', async () => {
    const world = new DispatcherWorld(23)
    const leaving = world.subscribe('leaving')
    world.start()
    for (let count = 0; count < 10; count++) world.publish()
    await world.pass(10_000)
    const kept = world.outbox.subscription(leaving.subscription.id)
    expect(kept?.subscription.disabled?.because).toBe('gone')
    leaving.temper = 'quick'
    world.outbox.change(enable(kept!.subscription))
    for (const [id, { row }] of world.outbox.deliveries) if (row.state === 'dead') world.outbox.replay(id)
    await world.pass(10_000)
    expect(leaving.thanked.size).toBe(10)
  })

  test('a new address stays, and gets what is owed, where a 410 of the old one comes before it is known', async () => {
    const world = new DispatcherWorld(24)
    const closing = world.subscribe('closing')
    const slow = { ms: 0 }
    const due = world.outbox.due.bind(world.outbox)
    world.outbox.due = async (...asked) => {
      const { ms } = slow
      if (ms > 0) await new Promise<void>((done) => world.clock.schedule(world.clock.nowMs() + ms, done))
      return due(...asked)
    }
    world.start()
    world.publish()
    await world.pass(12_500)
    expect(closing.inFlight).toBe(1)
    // The round in which the 410 comes lasts longer than a change may stay unknown: the next one learns of it first.
    slow.ms = 8_000
    await world.pass(1_000)
    const moved = { ...closing.subscription, url: 'https://moved.example/hook' }
    world.outbox.change(moved)
    world.publish()
    const next = world.receivers.add('quick', moved)
    await world.pass(8_000)
    slow.ms = 0
    await world.pass(2 * MINUTE_MS)
    expect(closing.posts).toBe(1)
    expect(world.outbox.subscription(moved.id)?.subscription.disabled).toBeUndefined()
    expect(next.thanked.size).toBe(2)
  })

  test('several that are with the old address then all go to the new one, however they come back', async () => {
    const world = new DispatcherWorld(25)
    const closing = world.subscribe('closing')
    world.start()
    await world.pass(1_000)
    for (const _ of [1, 2, 3, 4]) {
      world.publish()
      await world.pass(100)
    }
    await world.pass(13_000)
    expect(closing.inFlight).toBe(4)
    const moved = { ...closing.subscription, url: 'https://moved.example/hook' }
    world.outbox.change(moved)
    const next = world.receivers.add('quick', moved)
    await world.pass(2 * MINUTE_MS)
    expect(next.thanked.size).toBe(4)
    expect(closing.posts).toBe(4)
    expect(world.outbox.subscription(moved.id)?.subscription.disabled).toBeUndefined()
  })
})
