/** Publishing through the doors of a started service: REST, flow files and the command line, with simulated callers. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { claimService } from '../../src/app/pid-file.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings } from '../../src/app/settings.ts'
import { applyCommand } from '../../src/cli/apply.ts'
import { flowPublish, flowRevisions, flowRollback } from '../../src/cli/publish-flow.ts'
import type { Client } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import type { CallRecord } from '../../src/flow/model/call-messages.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { integratorOf } from '../e2e/campaign-live.ts'

const LINE = '+4570001000'
const SOON = { interval: 50, timeout: 30_000 }
const PUBLISHED = 20
const CALLS = 200
const clock = new RealClock()
const directory = mkdtempSync(join(tmpdir(), 'switchboard-publishing-'))
const file = join(directory, 'flows/house.yaml')
const env = {
  DATA_DIR: join(directory, 'data'),
  SETUP_FILE: join(directory, 'switchboard.yaml'),
  FLOWS_DIR: join(directory, 'flows'),
  PBX: 'simulated',
  ENVIRONMENT: 'development',
  HTTP_PORT: String(await freePort('tcp', '127.0.0.1')),
  SSO_PORT: String(await freePort('tcp', '127.0.0.1')),
  LOG_LEVEL: 'silent',
  USER: 'ops',
}
const settings = readSettings(env).settings!
const ended = new Map<string, CallRecord>()
let pbx: SimPbx
let service: Service
let client: Client

/** The caller hears the house, waits for a person's key, and hears the house again. */
const textOf = (house: string | number) => `flow: house
start: hello
steps:
  hello: { play: "Hello ${house}.", next: wait }
  wait:
    menu: { prompt: "Press 1.", keys: { "1": bye }, firstDigitTimeout: 60s, tries: 9 }
    on: { failed: bye }
  bye: { hangup: { say: "Bye ${house}." } }
`
const revisionOf = (house: string | number) => readFlow('', textOf(house)).flow!.revision

async function start(): Promise<void> {
  const random = seededRandom(1)
  pbx = new SimPbx({ clock, random })
  const onLine = () => {}
  const started = await startService({ settings, env, clock, random, log: silentLog, onLine, pbx, speech: simSpeech() })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
  service.engine.onCallEnded((record) => ended.set(record.caller!, record))
  client = await integratorOf(service.repositories!, clock, service.core!.rest!.ssoUrl!)
}

beforeAll(async () => {
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  for (const folder of ['data', 'flows']) mkdirSync(join(directory, folder))
  writeFileSync(env.SETUP_FILE, `numbers: { "${LINE}": { flow: house } }\n`)
  writeFileSync(file, textOf('zero'))
  await start()
})
afterAll(async () => {
  await service?.stop()
  rmSync(directory, { recursive: true, force: true })
})

let callers = 0
async function callIn(): Promise<{ number: string; caller: SimCaller }> {
  const number = `+4551${String(++callers).padStart(6, '0')}`
  return { number, caller: pbx.callIn({ called: LINE, caller: number, person: { waitsMaxMs: 600_000 } }) }
}
const heard = (caller: SimCaller) => expect.poll(() => caller.ear.words, SOON)
/** What a new caller hears first. */
async function greeting(): Promise<string> {
  const { caller } = await callIn()
  await heard(caller).toContain('Press 1')
  caller.press('1')
  await expect.poll(() => caller.result, SOON).toBeDefined()
  return caller.ear.words
}
const publish = (house: string | number, more: { replaces?: string } = {}) =>
  client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
    params: { flow: 'house' },
    body: { text: textOf(house), note: `house ${house}`, ...more },
  })

test('a publication is what the next caller hears; whoever is on the line keeps theirs', async () => {
  const first = await callIn()
  await heard(first.caller).toContain('Press 1')
  const published = await publish('one', { replaces: revisionOf('zero') })
  expect(published).toEqual({ flow: 'house', revision: revisionOf('one'), changed: true, takenHere: true })
  expect(await greeting()).toBe('Hello one. | Press 1. | Bye one.')
  first.caller.press('1')
  await heard(first.caller).toBe('Hello zero. | Press 1. | Bye zero.')
})

test('REST: a text is compared with a revision; an error is refused with its places, and changes nothing', async () => {
  const text = textOf('two').replace('menu', 'mneu')
  const checked = await client.ask('POST /rest/svcpbx/flows/check', { body: { text } })
  expect(checked).toMatchObject({ ok: false, flow: null, problems: [{ line: 6, severity: 'error' }] })
  const compared = { text: textOf('one').replace('60s', '30s'), comparedTo: revisionOf('one') }
  expect(await client.ask('POST /rest/svcpbx/flows/check', { body: compared })).toMatchObject({
    ok: true,
    changes: [
      {
        step: 'wait',
        what: 'changed',
        oldName: null,
        changes: [{ before: expect.stringContaining('1m'), after: expect.stringContaining('30s') }],
      },
    ],
  })
  await expect(
    client.ask('POST /rest/svcpbx/flows/check', { body: { ...compared, comparedTo: 'ffffffffffff' } }),
  ).rejects.toThrow('no revision ffffffffffff')
  const refused = await client
    .ask('POST /rest/svcpbx/flows/{flow}/publish', { params: { flow: 'house' }, body: { text } })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SwitchboardProblem)
  expect(JSON.stringify(refused)).toContain('6:')
  expect(await greeting()).toContain('Hello one.')
})

test('REST: a draft is saved, tested in a thread, and published; going back needs no text', async () => {
  const params = { flow: 'house' }
  await client.ask('PUT /rest/svcpbx/flows/{flow}/draft', { params, body: { text: textOf('draft'), note: 'try' } })
  const tests = `flow: house
tests:
  - test: hears the house
    call: [{ hear: Hello draft }, { hear: Press 1 }, { press: "1" }, { hear: Bye draft }]
  - test: hears another house
    call: [{ hear: Hello nobody }]
`
  const { text } = await client.ask('GET /rest/svcpbx/flows/{flow}/draft', { params })
  const tested = await client.ask('POST /rest/svcpbx/flows/test', { body: { text, tests } })
  expect(tested).toMatchObject({ passed: false, problems: [], tests: [{ passed: true }, { passed: false, line: 6 }] })
  expect(await client.ask('POST /rest/svcpbx/flows/{flow}/publish', { params, body: {} })).toMatchObject({
    changed: true,
  })
  expect(await greeting()).toContain('Hello draft.')
  await expect(client.ask('GET /rest/svcpbx/flows/{flow}/draft', { params })).rejects.toThrow()
  const back = await client.ask('POST /rest/svcpbx/flows/{flow}/rollback', { params, body: { note: 'too wild' } })
  expect(back).toEqual({ flow: 'house', revision: revisionOf('one'), changed: true, takenHere: true })
  expect(await greeting()).toContain('Hello one.')
  const { flows, problems } = await client.ask('GET /rest/svcpbx/flows', {})
  expect([flows, problems]).toMatchObject([[{ way: 'rollback', note: 'too wild', takenHere: true }], []])
  const stored = await client.ask('GET /rest/svcpbx/flows/{flow}/revisions', { params })
  expect(stored.map(({ revision, live }) => [revision, live])).toEqual([
    [revisionOf('one'), true],
    [revisionOf('draft'), false],
    [revisionOf('zero'), false],
  ])
  expect(stored[0]).toMatchObject({ note: 'house one', way: 'rollback', lastNote: 'too wild' })
  const old = { flow: 'house', revision: revisionOf('zero') }
  const read = await client.ask('GET /rest/svcpbx/flows/{flow}/revisions/{revision}', { params: old })
  expect(read).toMatchObject({ text: textOf('zero'), author: 'house.yaml on node-1' })
})

test('REST: a flow brings the flows that it goes through; whoever is on the line keeps both', async () => {
  const alone = textOf('parts')
    .replace('next: wait', 'next: part')
    .replace('  wait:', '  part: { subflow: part, next: wait }\n  wait:')
  const { problems } = await client.ask('POST /rest/svcpbx/flows/check', { body: { text: alone } })
  expect(problems).toMatchObject([{ line: 5, message: expect.stringContaining('there is no flow "part"') }])
  const withPart = (words: string) =>
    `${alone}--- # subflow part\nflow: part\nstart: ask\nsteps:\n  ask:\n    menu:\n      prompt: Press 2.\n` +
    '      keys: { "2": back }\n      firstDigitTimeout: 60s\n    on: { failed: back }\n' +
    `  back: { hangup: { say: "${words}." } }\n`
  const put = (words: string) =>
    client.ask('POST /rest/svcpbx/flows/{flow}/publish', { params: { flow: 'house' }, body: { text: withPart(words) } })
  await put('Old part')
  const first = await callIn()
  await heard(first.caller).toContain('Press 2')
  await put('New part')
  const second = await callIn()
  await heard(second.caller).toContain('Press 2')
  for (const [{ caller, number }, words] of [
    [first, 'Old part'],
    [second, 'New part'],
  ] as const) {
    caller.press('2')
    await heard(caller).toContain('Press 1')
    caller.press('1')
    await heard(caller).toBe(`Hello parts. | Press 2. | ${words}. | Press 1. | Bye parts.`)
    await expect
      .poll(() => ended.get(number)?.path, SOON)
      .toEqual(['hello', 'part', 'part.ask', 'part.back', 'wait', 'bye'])
  }
  const tests =
    'flow: house\ntests:\n  - test: comes back\n    call: [{ press: "2" }, { hear: New part }, { press: "1" }]\n'
  const tested = await client.ask('POST /rest/svcpbx/flows/test', { body: { text: withPart('New part'), tests } })
  expect(tested).toMatchObject({ passed: true, problems: [], tests: [{ passed: true }] })
  await publish('one')
})

test('a changed file is published by itself; a broken one is told, and the last good revision goes on', async () => {
  writeFileSync(file, textOf('file'))
  await expect.poll(greeting, SOON).toContain('Hello file.')
  writeFileSync(file, textOf('broken').replace('start: hello', 'start: hallo'))
  const problems = async () => (await client.ask('GET /rest/svcpbx/flows', {})).problems.join()
  await expect.poll(problems, SOON).toContain(`${file}:2:8 error`)
  const ready = await fetch(`${service.core!.rest!.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', flowProblems: 1 }])
  expect(await greeting()).toContain('Hello file.')
  expect(await service.reload()).toContain('nothing was changed; correct the errors')
  await service.stop()
  await start()
  expect(await greeting()).toContain('Hello file.')
  await expect.poll(problems, SOON).toContain(`${file}:2:8 error`)
  writeFileSync(file, textOf('file'))
  await expect.poll(problems, SOON).toBe('')
})

test('command line: revisions, publish and rollback reach the running service', async () => {
  const lines: string[] = []
  const context = { settings, env, write: (line: string) => void lines.push(line) }
  const claim = claimService(settings.dataDir)
  onTestFinished(() => {
    if ('release' in claim) claim.release()
  })
  writeFileSync(join(directory, 'other.yaml'), textOf('shell'))
  expect(await flowPublish(join(directory, 'other.yaml'), { note: 'by hand' }, context)).toBe(0)
  await expect.poll(greeting, SOON).toContain('Hello shell.')
  expect(await flowRollback('house', undefined, { json: true }, context)).toBe(0)
  expect(JSON.parse(lines.at(-1)!)).toEqual({ flow: 'house', revision: revisionOf('file'), changed: true })
  await expect.poll(greeting, SOON).toContain('Hello file.')
  expect(await flowRollback('house', 'ffffffffffff', {}, context)).toBe(1)
  expect(lines.at(-1)).toContain('house has no revision ffffffffffff')
  lines.splice(0)
  expect(await flowRevisions('house', {}, context)).toBe(0)
  expect(lines[0]).toMatch(
    new RegExp(`^\\* house@${revisionOf('file')} .* rollback by ops; first .* by house.yaml on node-1$`),
  )
  expect(lines[1]).toMatch(new RegExp(`^  house@${revisionOf('shell')} .* publish by ops: by hand$`))
})

test('apply names the flows that will be published, and those whose files stay unpublished', async () => {
  const lines: string[] = []
  // The folder of a node that is not running: no look publishes it meanwhile.
  const flowsDir = join(directory, 'elsewhere')
  mkdirSync(flowsDir)
  const apply = (house: string) => {
    writeFileSync(join(flowsDir, 'house.yaml'), textOf(house))
    const elsewhere = { ...settings, node: 'node-2', flowsDir }
    return applyCommand({ settings: elsewhere, env, write: (line) => void lines.push(line), dryRun: true })
  }
  const claim = claimService(settings.dataDir)
  onTestFinished(() => {
    if ('release' in claim) claim.release()
  })
  expect([await apply('next'), lines.at(-1)]).toEqual([
    0,
    `~ flow house: ${revisionOf('file')} → ${revisionOf('next')}`,
  ])
  expect([await apply('shell'), lines.at(-1)]).toEqual([
    0,
    `  flow house stays ${revisionOf('file')} (rollback by ops) until its file changes`,
  ])
})

test(`${CALLS} calls are in progress while ${PUBLISHED} revisions are published: no call is disturbed`, async () => {
  await publish(0)
  const onLine = await Promise.all(Array.from({ length: CALLS }, async () => ({ ...(await callIn()), house: 0 })))
  const waits = ({ caller }: { caller: SimCaller }) => expect.poll(() => caller.ear.words, SOON).toContain('Press 1.')
  await Promise.all(onLine.map(waits))
  const all = [...onLine]
  for (let house = 1; house <= PUBLISHED; house++) {
    // Some leave and others come while the revision is published.
    const leaving = onLine.splice(0, CALLS / PUBLISHED)
    for (const { caller } of leaving) caller.press('1')
    await publish(house)
    for (const _ of leaving) {
      const next = { ...(await callIn()), house }
      onLine.push(next)
      all.push(next)
    }
  }
  expect(onLine).toHaveLength(CALLS)
  await Promise.all(onLine.map(waits))
  for (const { caller } of onLine) caller.press('1')
  await expect.poll(() => all.filter(({ number }) => !ended.has(number)).length, SOON).toBe(0)
  const undisturbed = (house: number) => ({
    words: `Hello ${house}. | Press 1. | Bye ${house}.`,
    outcome: 'completed',
    revision: revisionOf(house),
    path: ['hello', 'wait', 'bye'],
  })
  const lived = all.map(({ number, caller }) => {
    const { outcome, revision, path } = ended.get(number)!
    return { words: caller.ear.words, outcome, revision, path }
  })
  expect(lived).toEqual(all.map(({ house }) => undisturbed(house)))
})
