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
})
