/** Redis messages of a node of ec485bb are understood by a node of this tree beside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestRedis, testRedis } from '../support/redis.ts'
import {
  ask,
  BEFORE,
  type Credential,
  type FixtureService,
  type Installation,
  newCredential,
  restore,
  start,
} from './fixture-service.ts'

interface Key {
  readonly key: string
  readonly ttlMs: number
  readonly value: Readonly<Record<string, string>> | readonly string[]
}

const [first, ...keys] = readFileSync(join(BEFORE, 'redis.jsonl'), 'utf8')
  .split('\n')
  .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
const { readAtMs } = first as { readAtMs: number }

let redis: TestRedis
let installation: Installation
let service: FixtureService
let credential: Credential

beforeAll(async () => {
  redis = await testRedis()
  installation = await restore([])
  credential = await newCredential(installation.env)
  service = await start({ ...installation.env, NODE_NAME: 'node-3', REDIS_URL: redis.url })
})
afterAll(async () => {
  await service?.stop()
  await installation?.remove()
  await redis?.end()
})

/** Publishes it as if it were new: instants are moved, and it expires after its original life. */
async function tell(): Promise<void> {
  const client = new Redis(redis.url)
  const laterMs = Date.now() - readAtMs
  const moved = (text: string) => text.replace(/^\d{13}/, (atMs) => String(Number(atMs) + laterMs))
  for (const { key, ttlMs, value } of keys as readonly Key[]) {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 2) await client.zadd(key, moved(value[at + 1]), value[at])
    } else {
      for (const [field, text] of Object.entries(value)) await client.hset(key, field, moved(text))
    }
    await client.pexpire(key, Math.max(ttlMs, 5_000))
  }
  client.disconnect()
}

test('its agents are listed, and state returns it as a node', async () => {
  const told = (keys as readonly Key[]).find(({ key }) => key.endsWith(':agents'))!.value
  const agents = Object.values(told).map((text) => JSON.parse(text.slice(14)) as Record<string, unknown>)
  expect(agents).toHaveLength(6)
  await tell()
  const users = await ask(service.rest, credential, 'GET', '/rest/core/users')
  const state = await ask(service.signOn, credential, 'GET', '/rest/api/state')
  const shown = users.body as readonly { userName: string; presence: { state: string; sinceTs: string } | null }[]
  const seen = shown.flatMap(({ userName, presence }) => (presence ? [{ agent: userName, ...presence }] : []))
  const expected = agents.map(({ agent, state, sinceAtMs }) => {
    return { agent, state, sinceTs: new Date(sinceAtMs as number).toISOString() }
  })
  expect(seen).toEqual(expect.arrayContaining(expected))
  expect(state.body).toEqual({ endpoint: 'http://127.0.0.1:19401' })
})
