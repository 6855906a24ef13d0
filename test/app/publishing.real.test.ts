/** Publishing through the doors of a started service: REST, flow files and the command line, with simulated callers. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { claimService } from '../../src/app/pid-file.ts'
import { applyCommand } from '../../src/cli/apply.ts'
import { flowPublish, flowRevisions, flowRollback } from '../../src/cli/publish-flow.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import { SOON } from '../support/soon.ts'
import { heard, openPublishingPlace } from './publishing-place.ts'

const PUBLISHED = 20
const CALLS = 200
let place: Awaited<ReturnType<typeof openPublishingPlace>>

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

beforeAll(async () => {
  place = await openPublishingPlace(textOf('zero'))
})
afterAll(() => place?.close())

/** What a new caller hears first. */
async function greeting(): Promise<string> {
  const { caller } = place.callIn()
  await heard({ caller }).toContain('Press 1')
  caller.press('1')
  await expect.poll(() => caller.result, SOON).toBeDefined()
  return caller.ear.words
}
const publish = (house: string | number, more: { replaces?: string } = {}) =>
  place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
    params: { flow: 'house' },
    body: { text: textOf(house), note: `house ${house}`, ...more },
  })

test('a publication is what the next caller hears; whoever is on the line keeps theirs', async () => {
  const first = place.callIn()
  await heard(first).toContain('Press 1')
  const published = await publish('one', { replaces: revisionOf('zero') })
  expect(published).toEqual({ flow: 'house', revision: revisionOf('one'), changed: true, takenHere: true })
  expect(await greeting()).toBe('Hello one. | Press 1. | Bye one.')
  first.caller.press('1')
  await heard(first).toBe('Hello zero. | Press 1. | Bye zero.')
})

test('REST: a text is compared with a revision; an error is refused with its places, and changes nothing', async () => {
  const text = textOf('two').replace('menu', 'mneu')
  const checked = await place.client.ask('POST /rest/svcpbx/flows/check', { body: { text } })
  expect(checked).toMatchObject({ ok: false, flow: null, problems: [{ line: 6, severity: 'error' }] })
  const compared = { text: textOf('one').replace('60s', '30s'), comparedTo: revisionOf('one') }
  expect(await place.client.ask('POST /rest/svcpbx/flows/check', { body: compared })).toMatchObject({
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
    place.client.ask('POST /rest/svcpbx/flows/check', { body: { ...compared, comparedTo: 'ffffffffffff' } }),
  ).rejects.toThrow('no revision ffffffffffff')
  const refused = await place.client
    .ask('POST /rest/svcpbx/flows/{flow}/publish', { params: { flow: 'house' }, body: { text } })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SwitchboardProblem)
  expect(JSON.stringify(refused)).toContain('6:')
  expect(await greeting()).toContain('Hello one.')
})

test('REST: a draft is saved, tested in a thread, and published; going back needs no text', async () => {
  const params = { flow: 'house' }
  await place.client.ask('PUT /rest/svcpbx/flows/{flow}/draft', {
    params,
    body: { text: textOf('draft'), note: 'try' },
  })
  const tests = `flow: house
tests:
  - test: hears the house
    call: [{ hear: Hello draft }, { hear: Press 1 }, { press: "1" }, { hear: Bye draft }]
  - test: hears another house
    call: [{ hear: Hello nobody }]
`
  const { text } = await place.client.ask('GET /rest/svcpbx/flows/{flow}/draft', { params })
  const tested = await place.client.ask('POST /rest/svcpbx/flows/test', { body: { text, tests } })
  expect(tested).toMatchObject({ passed: false, problems: [], tests: [{ passed: true }, { passed: false, line: 6 }] })
  expect(await place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', { params, body: {} })).toMatchObject({
    changed: true,
  })
  expect(await greeting()).toContain('Hello draft.')
  await expect(place.client.ask('GET /rest/svcpbx/flows/{flow}/draft', { params })).rejects.toThrow()
  const back = await place.client.ask('POST /rest/svcpbx/flows/{flow}/rollback', { params, body: { note: 'too wild' } })
  expect(back).toEqual({ flow: 'house', revision: revisionOf('one'), changed: true, takenHere: true })
  expect(await greeting()).toContain('Hello one.')
  const { flows, problems } = await place.client.ask('GET /rest/svcpbx/flows', {})
  expect([flows, problems]).toMatchObject([[{ way: 'rollback', note: 'too wild', takenHere: true }], []])
  const stored = await place.client.ask('GET /rest/svcpbx/flows/{flow}/revisions', { params })
  expect(stored.map(({ revision, live }) => [revision, live])).toEqual([
    [revisionOf('one'), true],
    [revisionOf('draft'), false],
    [revisionOf('zero'), false],
  ])
  expect(stored[0]).toMatchObject({ note: 'house one', way: 'rollback', lastNote: 'too wild' })
  const old = { flow: 'house', revision: revisionOf('zero') }
  const read = await place.client.ask('GET /rest/svcpbx/flows/{flow}/revisions/{revision}', { params: old })
  expect(read).toMatchObject({ text: textOf('zero'), author: 'house.yaml on node-1' })
})

test('REST: a flow brings the flows that it goes through; whoever is on the line keeps both', async () => {
  const alone = textOf('parts')
    .replace('next: wait', 'next: part')
    .replace('  wait:', '  part: { subflow: part, next: wait }\n  wait:')
  const { problems } = await place.client.ask('POST /rest/svcpbx/flows/check', { body: { text: alone } })
  expect(problems).toMatchObject([{ line: 5, message: expect.stringContaining('there is no flow "part"') }])
  const withPart = (words: string) =>
    `${alone}--- # subflow part\nflow: part\nstart: ask\nsteps:\n  ask:\n    menu:\n      prompt: Press 2.\n` +
    '      keys: { "2": back }\n      firstDigitTimeout: 60s\n    on: { failed: back }\n' +
    `  back: { hangup: { say: "${words}." } }\n`
  const put = (words: string) =>
    place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
      params: { flow: 'house' },
      body: { text: withPart(words) },
    })
  await put('Old part')
  const first = place.callIn()
  await heard(first).toContain('Press 2')
  await put('New part')
  const second = place.callIn()
  await heard(second).toContain('Press 2')
  for (const [{ caller, number }, words] of [
    [first, 'Old part'],
    [second, 'New part'],
  ] as const) {
    caller.press('2')
    await heard({ caller }).toContain('Press 1')
    caller.press('1')
    await heard({ caller }).toBe(`Hello parts. | Press 2. | ${words}. | Press 1. | Bye parts.`)
    await expect
      .poll(() => place.ended.get(number)?.path, SOON)
      .toEqual(['hello', 'part', 'part.ask', 'part.back', 'wait', 'bye'])
  }
  const tests =
    'flow: house\ntests:\n  - test: comes back\n    call: [{ press: "2" }, { hear: New part }, { press: "1" }]\n'
  const tested = await place.client.ask('POST /rest/svcpbx/flows/test', { body: { text: withPart('New part'), tests } })
  expect(tested).toMatchObject({ passed: true, problems: [], tests: [{ passed: true }] })
  await publish('one')
})

test('a changed file is published by itself; a broken one is told, and the last good revision goes on', async () => {
  writeFileSync(place.file, textOf('file'))
  await expect.poll(greeting, SOON).toContain('Hello file.')
  writeFileSync(place.file, textOf('broken').replace('start: hello', 'start: hallo'))
  const problems = async () => (await place.client.ask('GET /rest/svcpbx/flows', {})).problems.join()
  await expect.poll(problems, SOON).toContain(`${place.file}:2:8 error`)
  const ready = await fetch(`${place.service.core!.rest!.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', flowProblems: 1 }])
  expect(await greeting()).toContain('Hello file.')
  expect(await place.service.reload()).toContain('nothing was changed; correct the errors')
  await place.service.stop()
  await place.start()
  expect(await greeting()).toContain('Hello file.')
  await expect.poll(problems, SOON).toContain(`${place.file}:2:8 error`)
  writeFileSync(place.file, textOf('file'))
  await expect.poll(problems, SOON).toBe('')
})

test('command line: revisions, publish and rollback reach the running service', async () => {
  const lines: string[] = []
  const context = { settings: place.settings, env: place.env, write: (line: string) => void lines.push(line) }
  const claim = claimService(place.settings.dataDir)
  onTestFinished(() => {
    if ('release' in claim) claim.release()
  })
  writeFileSync(join(place.directory, 'other.yaml'), textOf('shell'))
  expect(await flowPublish(join(place.directory, 'other.yaml'), { note: 'by hand' }, context)).toBe(0)
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
  const flowsDir = join(place.directory, 'elsewhere')
  mkdirSync(flowsDir)
  const apply = (house: string) => {
    writeFileSync(join(flowsDir, 'house.yaml'), textOf(house))
    const elsewhere = { ...place.settings, node: 'node-2', flowsDir }
    return applyCommand({ settings: elsewhere, env: place.env, write: (line) => void lines.push(line), dryRun: true })
  }
  const claim = claimService(place.settings.dataDir)
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
  const onLine = Array.from({ length: CALLS }, () => ({ ...place.callIn(), house: 0 }))
  const waits = ({ caller }: { caller: SimCaller }) => expect.poll(() => caller.ear.words, SOON).toContain('Press 1.')
  await Promise.all(onLine.map(waits))
  const all = [...onLine]
  for (let house = 1; house <= PUBLISHED; house++) {
    // Some leave and others come while the revision is published.
    const leaving = onLine.splice(0, CALLS / PUBLISHED)
    for (const { caller } of leaving) caller.press('1')
    await publish(house)
    for (const _ of leaving) {
      const next = { ...place.callIn(), house }
      onLine.push(next)
      all.push(next)
    }
  }
  expect(onLine).toHaveLength(CALLS)
  await Promise.all(onLine.map(waits))
  for (const { caller } of onLine) caller.press('1')
  await expect.poll(() => all.filter(({ number }) => !place.ended.has(number)).length, SOON).toBe(0)
  const undisturbed = (house: number) => ({
    words: `Hello ${house}. | Press 1. | Bye ${house}.`,
    outcome: 'completed',
    revision: revisionOf(house),
    path: ['hello', 'wait', 'bye'],
  })
  const lived = all.map(({ number, caller }) => {
    const { outcome, revision, path } = place.ended.get(number)!
    return { words: caller.ear.words, outcome, revision, path }
  })
  expect(lived).toEqual(all.map(({ house }) => undisturbed(house)))
})
