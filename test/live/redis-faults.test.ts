/** What Redis may do to nodes (faults.md 2.C): nothing hangs or rejects, and a beat afterwards all is as it was. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { type FaultProxy, faultProxy } from '../support/fault-proxy.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import {
  appear,
  askEverything,
  asOperator,
  BOTH,
  beat,
  connectedNode,
  type LoggedNode,
  PATIENCE,
  seenBy,
  toldOf,
} from './redis-nodes.ts'

const FROZEN_MS = 3_000
const ALONE = ['one', 'one-anna']

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.end())

let one: LoggedNode
let two: LoggedNode

/** Both nodes have told what there is. */
async function open(url = redis.url): Promise<void> {
  await asOperator(redis.url, (client) => client.flushall())
  one = await connectedNode(url, 'one')
  two = await connectedNode(redis.url, 'two')
  await appear(one, 'one')
  await appear(two, 'two')
  expect(await seenBy(one)).toEqual(BOTH)
}

afterEach(() => Promise.all([one.live.close(), two.live.close()]))

/** Beats as the service does until both nodes get through to Redis again, and then once more. */
async function recover(): Promise<void> {
  const beaten = async () => {
    await Promise.all([beat(one, 'one'), beat(two, 'two')])
    return [one.live.isConnected(), two.live.isConnected()]
  }
  await expect.poll(beaten, PATIENCE).toEqual([true, true])
  await beaten()
}

describe('given a Redis', () => {
  beforeEach(() => open())

  test('that is killed, each node sees itself; restarted and empty, it has both nodes after a heartbeat', async () => {
    await redis.kill()
    for (let round = 0; round < 5; round++) await Promise.all([askEverything(one), askEverything(two)])
    await expect.poll(() => one.live.isConnected(), PATIENCE).toBe(false)
    expect([await seenBy(one), await seenBy(two)]).toEqual([ALONE, ['one', 'two', 'two-anna']])
    await redis.start()
    await recover()
    expect([await seenBy(one), await seenBy(two)]).toEqual([BOTH, BOTH])
    expect(toldOf(one)).toEqual(['well', 'away', 'well'])
  })

  test('that is killed in the middle of commands, all of them settle', async () => {
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 50 }, () => askEverything(one))
      await redis.kill()
      await Promise.all(asked)
      await redis.start()
      await recover()
    }
    expect(await seenBy(two)).toEqual(BOTH)
  })

  test('that is flushed at any moment, a heartbeat restores the state', async () => {
    const random = seededRandom(7)
    await asOperator(redis.url, async (client) => {
      for (let round = 0; round < 100; round++) {
        const moments: (() => Promise<unknown>)[] = [
          () => beat(one, 'one'),
          () => beat(two, 'two'),
          () => seenBy(one),
          () => askEverything(two),
        ]
        moments.splice(randomInt(random, 0, moments.length), 0, () => client.flushall())
        await Promise.all(moments.map((moment) => moment()))
        await Promise.all([beat(one, 'one'), beat(two, 'two')])
        expect(await seenBy(one)).toEqual(BOTH)
      }
      expect(toldOf(one)).toEqual(['well'])
      await client.script('FLUSH')
    })
    await beat(one, 'one')
    expect(await seenBy(two)).toEqual(BOTH)
  })

  test('that is frozen for three seconds, all commands settle, and presence is known again afterwards', async () => {
    await redis.freeze()
    const thawAtMs = Date.now() + FROZEN_MS
    const isOver = async () => {
      await Promise.all([askEverything(one), askEverything(two)])
      return Date.now() >= thawAtMs
    }
    await expect.poll(isOver, PATIENCE).toBe(true)
    expect(await seenBy(one)).toEqual(ALONE)
    expect(one.live.isConnected()).toBe(false)
    expect(redis.isFrozen()).toBe(true)
    redis.thaw()
    await recover()
    expect([await seenBy(one), await seenBy(two)]).toEqual([BOTH, BOTH])
    expect(toldOf(one)).toEqual(['well', 'away', 'well'])
  })

  test('that is frozen, a flood of board lines is delivered locally and not queued', async () => {
    const LINES = 20_000
    let heard = 0
    one.live.onBoard(() => heard++)
    await redis.freeze()
    for (let n = 0; n < LINES; n++) one.live.publishBoard({ node: 'one', atMs: 1, what: { type: 'flood', n } })
    await askEverything(one)
    expect(redis.isFrozen()).toBe(true)
    redis.thaw()
    await recover()
    expect(heard).toBe(LINES + 1)
    const stats = await asOperator(redis.url, (client) => client.info('commandstats'))
    const published = Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0)
    expect(published).toBeLessThan(LINES / 10)
  })

  test('whose memory is full, nodes log it once, and publish again when there is room', async () => {
    const give = (bytes: string) => asOperator(redis.url, (client) => client.config('SET', 'maxmemory', bytes))
    await give('1')
    for (let round = 0; round < 5; round++) await askEverything(one)
    expect(one.live.isConnected()).toBe(false)
    expect(toldOf(one)).toEqual(['well', 'full'])
    expect(await seenBy(one)).toEqual(BOTH)
    await give('0')
    await recover()
    expect(await seenBy(two)).toEqual(BOTH)
    expect(toldOf(one)).toEqual(['well', 'full', 'well'])
  })

  test('that was unavailable when an agent left, the agent is gone with the next heartbeat', async () => {
    await redis.freeze()
    await one.live.hideAgent((await one.live.agents())[0]!.agent)
    expect(await seenBy(one)).toEqual(['one'])
    redis.thaw()
    await recover()
    expect(await seenBy(two)).toEqual(['one', 'two', 'two-anna'])
    expect(await seenBy(one)).toEqual(['one', 'two', 'two-anna'])
  })

  test('that is unavailable, a stopping node does not wait for it', async () => {
    await redis.freeze()
    await one.live.close()
    expect(redis.isFrozen()).toBe(true)
    redis.thaw()
  })
})

describe('given a connection', () => {
  let proxy: FaultProxy
  beforeEach(async () => {
    proxy = await faultProxy(new URL(redis.url))
    await open(proxy.url.replace('http:', 'redis:'))
  })
  afterEach(() => proxy.close())

  test('that is cut again and again, all commands settle, and board lines arrive afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 10 }, () => askEverything(one))
      proxy.cut()
      await Promise.all(asked)
    }
    await recover()
    expect([await seenBy(one), await seenBy(two)]).toEqual([BOTH, BOTH])
    const heard: unknown[] = []
    one.live.onBoard(({ what }) => heard.push(what.type))
    two.live.publishBoard({ node: 'two', atMs: 1, what: { type: 'after' } })
    await expect.poll(() => heard, PATIENCE).toEqual(['after'])
  })

  test('that fails for a while, the node sees itself, logs it once, and reconnects', async () => {
    proxy.refuse()
    await expect.poll(() => one.live.isConnected(), PATIENCE).toBe(false)
    for (let round = 0; round < 5; round++) await askEverything(one)
    expect(await seenBy(one)).toEqual(ALONE)
    expect(await seenBy(two)).toEqual(BOTH)
    proxy.heal()
    await recover()
    expect(await seenBy(one)).toEqual(BOTH)
    expect(toldOf(one)).toEqual(['well', 'away', 'well'])
  })
})
