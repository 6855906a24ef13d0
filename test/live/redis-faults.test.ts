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

  test('that is killed, each node sees itself; started again and empty, both are there after a beat', async () => {
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

  test('that is flushed at any moment, a beat puts it right', async () => {
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

  test('that is frozen for three seconds, everything settles meanwhile, and who is there is known again', async () => {
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

  test('that is frozen, a flood of board lines is heard here and not kept for later', async () => {
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

  test('whose memory is full, nodes say so once, and tell again when there is room', async () => {
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

  test('that was away when an agent left, she is gone with the first beat after', async () => {
    await redis.freeze()
    await one.live.hideAgent((await one.live.agents())[0]!.agent)
    expect(await seenBy(one)).toEqual(['one'])
    redis.thaw()
    await recover()
    expect(await seenBy(two)).toEqual(['one', 'two', 'two-anna'])
    expect(await seenBy(one)).toEqual(['one', 'two', 'two-anna'])
  })

  test('that is away, the end of a node does not wait for it', async () => {
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

  test('that is cut again and again, everything settles, and board lines are heard after it', async () => {
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

  test('that cannot be made for a while, the node sees itself, says so once, and comes back', async () => {
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
