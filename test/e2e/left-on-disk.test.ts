/** What calls leave on the disk: sounds of numbers that were read back, and lines in the log of Asterisk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { callIn, type SippCaller } from '../../demo/sip/sipp-phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Caller } from '../../src/sim/person.ts'
import { becomesTrue } from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'

const LINE = '+4570001000'
const AT_ONCE = 10
const FLOW = `flow: read-back
start: ask
steps:
  ask:
    gather: { prompt: Please enter your case number of eight digits., digits: 8 }
    as: caseNumber
    next: read
    on: { noInput: bye, invalid: bye, failed: bye }
  read: { play: [You entered, { digits: "\${caseNumber}" }], next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const clock = new RealClock()
const random = seededRandom(process.pid)
let place: Place
let engine: EngineProcess

beforeAll(async () => {
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: read-back, language: en }`],
    flows: { 'read-back': FLOW },
    allowedHosts: [],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  engine = startEngine(place)
  await engine.ready
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await place?.remove()
})

function call(person: Caller, called = LINE): Promise<SippCaller> {
  return callIn({
    kit: { sipp: findTree(place.treeDirectory)!.sipp!, clock, random },
    target: place.sip,
    from: place.carrier.host,
    called,
    caller: '+4551000001',
    person,
  })
}

/** During the prompt, which the first key stops. */
const typed = (keys: string) => ({ afterMs: 1_500, keys })

/** Callers with different case numbers, which end with each digit. */
async function readBack(from: number): Promise<void> {
  const phones = Array.from({ length: AT_ONCE }, (_, place) => {
    return call({ presses: [typed(String(from + place * 1_234_561))] })
  })
  for (const phone of phones) {
    expect(await (await phone).result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  }
}

const log = (name: string) => readFileSync(join(place.directory, 'asterisk-run', 'log', name), 'utf8')
const sounds = () => readdirSync(join(place.directory, 'sounds')).sort()

test('case numbers that are read back leave no sounds behind', async () => {
  await readBack(10_000_000)
  const known = sounds()
  await readBack(20_000_000)
  await readBack(30_000_000)
  expect(sounds()).toEqual(known)
})

test('the log of Asterisk shows a refused number, and no ends of prompts', async () => {
  const [typing, leaving] = [await call({ presses: [typed('12345678')] }), await call({ hangsUpAfterMs: 1_500 })]
  expect(await typing.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  expect(await leaving.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  expect(await (await call({}, 'reception')).result).toMatchObject({ outcome: 'refused', code: 404 })
  expect(await becomesTrue(clock, () => log('messages').includes("'reception' rejected"))).toBe(true)
  // Asterisk did write about them.
  expect(log('unfiltered')).toMatch(/Playback stopped for/)
  expect(log('unfiltered')).toMatch(/Playback failed for/)
  expect(log('messages')).not.toContain('Playback')
})
