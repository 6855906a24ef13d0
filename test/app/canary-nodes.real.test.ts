/** A canary on two nodes with one database: each draws the same callers, and an end of the trial reaches both. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { makeDatabase, servers, type TestDatabase } from '../store/db/database.ts'
import { type TestRedis, testRedis } from '../support/redis.ts'
import { SOON } from '../support/soon.ts'
import { heard, openPublishingPlace } from './publishing-place.ts'

const params = { flow: 'house' }
const textOf = (house: string) => `flow: house
start: ask
steps:
  ask:
    menu: { prompt: "${house}. Press 1.", keys: { "1": bye }, firstDigitTimeout: 60s, tries: 9 }
    on: { failed: bye }
  bye: { hangup: { say: "Bye." } }
`
const revisionOf = (house: string) => readFlow('', textOf(house)).flow!.revision
let database: TestDatabase
let redis: TestRedis
let nodes: Awaited<ReturnType<typeof openPublishingPlace>>[] = []

beforeAll(async () => {
  redis = await testRedis()
  database = await makeDatabase(servers[0]!, false)
  const { user, password, host, database: name } = database.connection
  const url = `postgres://${user}:${password ?? ''}@localhost/${name}?host=${encodeURIComponent(String(host))}`
  for (const NODE_NAME of ['node-1', 'node-2']) {
    nodes.push(await openPublishingPlace(textOf('old'), { NODE_NAME, DATABASE_URL: url, REDIS_URL: redis.url }))
  }
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  nodes = []
  await database?.drop()
  await redis?.end()
})

const onTrial = (node: number) => async () => {
  const { flows } = await nodes[node]!.client.ask('GET /rest/svcpbx/flows', {})
  return flows[0]!.canary?.takenHere ?? null
}
/** The same forty numbers call this node, and each call ends as `press` says. */
async function served(node: number, press = true) {
  const calls = Array.from({ length: 40 }, (_, index) => nodes[node]!.callIn(`+4552${String(index).padStart(6, '0')}`))
  await Promise.all(calls.map((call) => heard(call).toContain('Press 1')))
  for (const { caller } of calls) press || caller.ear.words.startsWith('old') ? caller.press('1') : caller.hangUp()
  await expect.poll(() => calls.filter(({ number }) => !nodes[node]!.ended.has(number)).length, SOON).toBe(0)
  return calls.map(({ number }) => nodes[node]!.ended.get(number)?.revision)
}

test('both nodes draw the same callers, and withdrawing on one node reaches the other', async () => {
  const body = { text: textOf('new'), canary: { percent: 50 } }
  await nodes[0]!.client.ask('POST /rest/svcpbx/flows/{flow}/publish', { params, body })
  for (const node of [0, 1]) await expect.poll(onTrial(node), SOON).toBe(true)
  const [first, second] = [await served(0), await served(1)]
  expect(new Set(first)).toEqual(new Set([revisionOf('old'), revisionOf('new')]))
  expect(second).toEqual(first)
  await nodes[1]!.client.ask('POST /rest/svcpbx/flows/{flow}/withdraw', { params })
  // The list is that of the database, and says so a moment before the node hears of it.
  await expect.poll(onTrial(0), SOON).toBeNull()
  await expect.poll(async () => new Set(await served(0)), SOON).toEqual(new Set([revisionOf('old')]))
})

test('calls of both nodes count together: a bad canary returns on both', async () => {
  const body = { text: textOf('bad'), canary: { percent: 50 } }
  await nodes[0]!.client.ask('POST /rest/svcpbx/flows/{flow}/publish', { params, body })
  await expect.poll(onTrial(1), SOON).toBe(true)
  // Neither node alone has the twenty calls of each revision that a test needs.
  await served(0, false)
  await served(1, false)
  const ended = async () => (await nodes[0]!.client.ask('GET /rest/svcpbx/flows/{flow}/canaries', { params }))[0]
  await expect.poll(async () => (await ended())?.ended, SOON).toBe('returned')
  expect((await ended())?.fault).toMatchObject({ step: 'ask', risk: 'hangup', onTrial: { rate: 1 } })
  await expect.poll(onTrial(0), SOON).toBeNull()
  await expect.poll(onTrial(1), SOON).toBeNull()
})
