import { afterAll, beforeAll } from 'vitest'
import { asOperator, connectedNode } from '../live/redis-nodes.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import { liveContract } from './live.contract.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis.end())

liveContract('on Redis', async () => {
  await asOperator(redis.url, (client) => client.flushall())
  const { live } = await connectedNode(redis.url)
  return { live, nowMs: () => Date.now(), pass: () => {}, end: () => live.close() }
})
