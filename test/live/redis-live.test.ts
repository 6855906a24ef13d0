import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, RealClock } from '../../src/kernel/clock.ts'
import type { AgentName } from '../../src/kernel/ids.ts'
import { readRedisAddress } from '../../src/live/redis-address.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import {
  appear,
  askEverything,
  asOperator,
  BOTH,
  beat,
  connectedNode,
  type LoggedNode,
  newNode,
  PATIENCE,
  seenBy,
  toldOf,
} from './redis-nodes.ts'

const LONG_MS = 60_000
const HOUR_MS = 3_600_000

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.end())

describe('two nodes on one Redis', () => {
  let one: LoggedNode
  let two: LoggedNode
  beforeEach(async () => {
    await asOperator(redis.url, (client) => client.flushall())
    one = await connectedNode(redis.url, 'one')
    two = await connectedNode(redis.url, 'two')
  })
  afterEach(() => Promise.all([one.live.close(), two.live.close()]))

  test('see each other and each other’s agents', async () => {
    await appear(one, 'one')
    await appear(two, 'two')
    expect(await seenBy(one)).toEqual(BOTH)
    expect(await seenBy(two)).toEqual(BOTH)
    const bare = ({ live }: LoggedNode) => live.agents().then((agents) => agents.find(({ node }) => node === 'two'))
    expect(await bare(one)).toEqual(await bare(two))
  })

  test('receive each other’s board lines, each line once', async () => {
    const heard: Record<'one' | 'two', unknown[]> = { one: [], two: [] }
    one.live.onBoard(({ what }) => heard.one.push(what['n']))
    two.live.onBoard(({ what }) => heard.two.push(what['n']))
    for (const n of [1, 2, 3]) one.live.publishBoard({ node: 'one', atMs: 1, what: { type: 'test', n } })
    await expect.poll(() => heard.two, PATIENCE).toEqual([1, 2, 3])
    two.live.publishBoard({ node: 'two', atMs: 1, what: { type: 'test', n: 4 } })
    await expect.poll(() => heard, PATIENCE).toEqual({ one: [1, 2, 3, 4], two: [1, 2, 3, 4] })
  })

  test('given one that stops, the other at once no longer sees it or its agents', async () => {
    await appear(one, 'one')
    await appear(two, 'two')
    await two.live.close()
    expect(await seenBy(one)).toEqual(['one', 'one-anna'])
  })

  test('given one that crashes, its agents disappear with it, however long their entries were to last', async () => {
    await two.live.beat({ node: 'two', endpoint: 'https://two.example' }, 300)
    const anna = { agent: 'anna' as AgentName, node: 'two', state: 'ready', sinceAtMs: 1 }
    await two.live.showAgent(anna, LONG_MS)
    expect(await seenBy(one)).toEqual(['anna', 'two'])
    await expect.poll(() => seenBy(one), PATIENCE).toEqual([])
  })

  test('given an agent who moved, the latest node shows the agent, and the other cannot remove the entry', async () => {
    const anna = { agent: 'anna' as AgentName, state: 'ready' }
    await one.live.showAgent({ ...anna, node: 'one', sinceAtMs: 1 }, LONG_MS)
    await two.live.showAgent({ ...anna, node: 'two', sinceAtMs: 2 }, LONG_MS)
    await beat(one, 'one')
    expect(await one.live.agents()).toMatchObject([{ node: 'two' }])
    await one.live.hideAgent(anna.agent)
    expect(await one.live.agents()).toMatchObject([{ node: 'two' }])
    await two.live.hideAgent(anna.agent)
    expect(await one.live.agents()).toEqual([])
  })

  test('given a node whose clock is an hour wrong, its last heartbeat is still recent', async () => {
    const real = new RealClock()
    const wrong: Clock = {
      nowMs: () => real.nowMs() - HOUR_MS,
      schedule: (atMs, action) => real.schedule(atMs + HOUR_MS, action),
    }
    const late = await connectedNode(redis.url, 'late', wrong)
    const beforeMs = real.nowMs()
    await beat(late, 'late')
    const [seen] = await one.live.nodes()
    expect(seen?.node).toBe('late')
    // The milliseconds of the servers' clocks may be cut differently.
    expect(seen?.seenAtMs).toBeGreaterThanOrEqual(beforeMs - 2)
    await late.live.close()
  })

  test('given invalid entries of other writers, they are ignored', async () => {
    await appear(two, 'two')
    const heard: unknown[] = []
    one.live.onBoard((line) => heard.push(line))
    const untilAtMs = Date.now() + LONG_MS
    const rubbish = ['', '1', 'null', '1 null', '1 {}', '1 []', '1 {"node":3}', '1 {"node":"x","endpoint":{}}', '{']
    await asOperator(redis.url, async (client) => {
      for (const [index, text] of rubbish.entries()) {
        for (const key of ['switchboard:live:nodes', 'switchboard:live:agents']) {
          await client.hset(key, `rubbish-${index}`, text)
          await client.zadd(`${key}:until`, untilAtMs, `rubbish-${index}`)
        }
        await client.publish('switchboard:live:board:0', text)
        await client.publish('switchboard:live:board:0', text.slice(2))
      }
    })
    expect(await seenBy(one)).toEqual(['two', 'two-anna'])
    two.live.publishBoard({ node: 'two', atMs: 1, what: { type: 'last' } })
    await expect.poll(() => heard, PATIENCE).toEqual([{ node: 'two', atMs: 1, what: { type: 'last' } }])
  })

  test('given another installation in another database of that Redis, neither sees the other', async () => {
    const stranger = await connectedNode(`${redis.url}/3`, 'stranger')
    const heard: string[] = []
    one.live.onBoard(({ what }) => heard.push(what.type))
    stranger.live.publishBoard({ node: 'stranger', atMs: 1, what: { type: 'of the stranger' } })
    await appear(stranger, 'stranger')
    await appear(two, 'two')
    two.live.publishBoard({ node: 'two', atMs: 1, what: { type: 'of two' } })
    await expect.poll(() => heard, PATIENCE).toEqual(['of two'])
    expect(await seenBy(one)).toEqual(['two', 'two-anna'])
    expect(await seenBy(stranger)).toEqual(['stranger', 'stranger-anna'])
    await stranger.live.close()
  })

  test('leave no key in Redis without an expiry', async () => {
    await appear(one, 'one')
    await one.live.beat({ node: 'one', endpoint: 'https://one.example' }, LONG_MS)
    const lives = await asOperator(redis.url, async (client) => {
      const keys = await client.keys('*')
      return Promise.all(keys.map(async (key) => [key, await client.pttl(key)] as const))
    })
    expect(lives.length).toBeGreaterThan(0)
    expect(lives.filter(([key, leftMs]) => !key.startsWith('switchboard:live:') || leftMs <= 0)).toEqual([])
  })
})

describe('a node whose REDIS_URL is wrong', () => {
  const SECRET = 'do-not-log-me'

  test('logs once that Redis is unreachable, sees itself, and connects when Redis starts', async () => {
    const late = await testRedis()
    await late.kill()
    const node = newNode(late.url)
    await appear(node)
    for (let round = 0; round < 5; round++) await askEverything(node)
    expect(await seenBy(node)).toEqual(['one', 'one-anna'])
    expect(node.live.isConnected()).toBe(false)
    await expect.poll(() => toldOf(node), PATIENCE).toEqual(['away'])
    await late.start()
    await expect.poll(() => node.live.isConnected(), PATIENCE).toBe(true)
    expect(toldOf(node)).toEqual(['away', 'well'])
    await node.live.close()
    await late.end()
  })

  test('logs once that the password is wrong, never its value, and continues when it is right', async () => {
    const locked = await testRedis('--requirepass', 'another')
    const node = newNode(locked.url.replace('//', `//:${SECRET}@`))
    await appear(node)
    await expect.poll(() => toldOf(node), PATIENCE).toEqual(['locked'])
    for (let round = 0; round < 5; round++) await askEverything(node)
    expect(await seenBy(node)).toEqual(['one', 'one-anna'])
    expect(node.live.isConnected()).toBe(false)
    await asOperator(locked.url.replace('//', '//:another@'), (client) => client.config('SET', 'requirepass', SECRET))
    await expect.poll(() => node.live.isConnected(), PATIENCE).toBe(true)
    expect(toldOf(node)).toEqual(['locked', 'well'])
    expect(node.log[0]).toMatchObject({ place: locked.url.replace('redis://', ''), code: 'WRONGPASS' })
    expect(JSON.stringify(node.log)).not.toContain(SECRET)
    await node.live.close()
    await locked.end()
  })

  test('logs an invalid address, and works alone', async () => {
    const node = newNode(`redis://:${SECRET}%zz@somewhere`)
    await appear(node)
    await askEverything(node)
    expect(await seenBy(node)).toEqual(['one', 'one-anna'])
    expect([node.live.kind, node.live.isConnected()]).toEqual(['shared', false])
    expect(toldOf(node)).toEqual(['noAddress'])
    expect(JSON.stringify(node.log)).not.toContain(SECRET)
    await node.live.close()
  })
})

describe('an address of a Redis', () => {
  test.each([
    ['redis://localhost', { place: 'localhost:6379', host: 'localhost', port: 6379, db: 0 }],
    ['redis://10.0.0.7:7000/2', { place: '10.0.0.7:7000', host: '10.0.0.7', port: 7000, db: 2 }],
    ['redis://[::1]:7000/', { place: '[::1]:7000', host: '::1', port: 7000, db: 0 }],
    ['redis://:p%40ss@h', { place: 'h:6379', host: 'h', port: 6379, db: 0, password: 'p@ss' }],
    ['rediss://u:p@h', { place: 'h:6379', host: 'h', port: 6379, db: 0, username: 'u', password: 'p', tls: {} }],
  ])('%s is read, and its place tells no secret', (text, address) => {
    expect(readRedisAddress(text)).toEqual(address)
  })

  test.each([
    '',
    'localhost:6379',
    'http://localhost',
    'redis://',
    'redis:///2',
    'redis://h:0',
    'redis://h:70000',
    'redis://h/two',
    'redis://h/1/2',
    'redis://h/99999',
    'redis://u:%zz@h',
  ])('%j is none', (text) => {
    expect(readRedisAddress(text)).toBeUndefined()
  })

  test('options in its query change nothing', () => {
    expect(readRedisAddress('redis://h?enableOfflineQueue=true')).toEqual(readRedisAddress('redis://h'))
  })
})
