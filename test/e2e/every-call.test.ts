/** Every call that comes in leaves one true activity and one event, whatever the caller, the engine or the switch does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import type { OpenDatabase } from '../../src/app/repositories.ts'
import type { Client } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { cancelledCall, runSipp } from '../asterisk/sipp.ts'
import { integratorOf, makeSystem, type Receiver, startReceiver } from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'

const LINE = '+4570003000'
const FLOW = `flow: greeting
start: hello
steps:
  hello: { play: "Welcome. All our offices are open from eight to five, and we are glad that you called.", next: hello }
`

const clock = new RealClock()
const treeDirectory = process.env['SWITCHBOARD_TEST_TREE']!
const { sipp } = findTree(treeDirectory)!
let receiver: Receiver
let place: Place
let database: OpenDatabase
let engine: EngineProcess
let client: Client

beforeAll(async () => {
  receiver = await startReceiver(clock)
  place = await makePlace({
    agents: ['anna'],
    treeDirectory,
    numbers: [`"${LINE}": { flow: greeting, language: en }`],
    flows: { greeting: FLOW },
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  database = await place.openDatabaseFor()
  engine = startEngine(place)
  await engine.ready
  client = await integratorOf(database, clock, `http://127.0.0.1:${place.settings.ssoPort}`)
  await makeSystem(client, receiver)
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await receiver?.close()
  await database?.database.close()
  await place?.remove()
})

test('callers who give up at once are no longer on the line: what is known of them can be erased', async () => {
  const number = '+4556000100'
  const calls = 200
  await runSipp(
    { sipp: sipp!, from: place.carrier.host, to: place.sip, service: LINE, calls },
    cancelledCall(number, 10),
  )
  await expect.poll(() => receiver.heard.size).toBe(calls)
  const body = { number, reason: 'erasure request 1' }
  expect(await client.ask('POST /rest/core/persons/erase', { body })).toMatchObject({ calls })
})
