/** Canaries through the doors of a started service: REST, the command line, and simulated callers. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { claimService } from '../../src/app/pid-file.ts'
import { flowCanaries, flowPromote, flowWithdraw } from '../../src/cli/flow-canary.ts'
import { flowPublish } from '../../src/cli/publish-flow.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { SOON } from '../support/soon.ts'
import { heard, type OnLine, openPublishingPlace } from './publishing-place.ts'

const PERCENT = 20
const CALLS = 100
const params = { flow: 'house' }
let place: Awaited<ReturnType<typeof openPublishingPlace>>

const textOf = (house: string) => `flow: house
start: hello
steps:
  hello: { play: "Hello ${house}.", next: wait }
  wait:
    menu: { prompt: "Press 1.", keys: { "1": bye }, firstDigitTimeout: 60s, tries: 9 }
    on: { failed: bye }
    mark: asked
  bye: { hangup: { say: "Bye." } }
`
const revisionOf = (house: string) => readFlow('', textOf(house)).flow!.revision
/** The rule in words of its own: the first 32 bits of the hash, as a share. */
const isDrawn = (house: string, number: string, percent = PERCENT) =>
  Number.parseInt(
    createHash('sha256')
      .update(`${revisionOf(house)} ${number}`)
      .digest('hex')
      .slice(0, 8),
    16,
  ) /
    2 ** 32 <
  percent / 100

beforeAll(async () => {
  place = await openPublishingPlace(textOf('old'))
})
afterAll(() => place?.close())

const publish = (house: string, percent?: number) =>
  place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
    params,
    body: { text: textOf(house), ...(percent !== undefined && { canary: { percent } }) },
  })
const canaries = () => place.client.ask('GET /rest/svcpbx/flows/{flow}/canaries', { params })
const live = async () => (await place.client.ask('GET /rest/svcpbx/flows', {})).flows[0]!
const traffic = () => place.client.ask('GET /rest/svcpbx/flows/{flow}/traffic', { params })
const asked = (calls: readonly OnLine[]) => Promise.all(calls.map((call) => heard(call).toContain('Press 1')))
async function over(calls: readonly OnLine[]): Promise<(string | undefined)[]> {
  await expect.poll(() => calls.filter(({ number }) => !place.ended.has(number)).length, SOON).toBe(0)
  return calls.map(({ number }) => place.ended.get(number)?.revision)
}
async function served(calls: readonly OnLine[]) {
  await asked(calls)
  for (const { caller } of calls) caller.press('1')
  return over(calls)
}
const many = (count: number) => Array.from({ length: count }, () => place.callIn())
const expected = (house: string, other: string, calls: readonly OnLine[], percent?: number) =>
  calls.map(({ number }) => revisionOf(isDrawn(house, number, percent) ? house : other))

test(`${CALLS} calls are split as drawn; a number gets the same again, also after a restart`, async () => {
  const before = many(3)
  await asked(before)
  expect(await publish('new', PERCENT)).toEqual({
    ...params,
    revision: revisionOf('new'),
    changed: true,
    takenHere: true,
  })
  expect(await publish('new', PERCENT)).toMatchObject({ changed: false })
  const calls = many(CALLS)
  expect(await served(calls)).toEqual(expected('new', 'old', calls))
  const onTrial = calls.filter(({ number }) => isDrawn('new', number))
  expect(onTrial.length).toBeGreaterThan(10)
  expect(onTrial[0]!.caller.ear.words).toBe('Hello new. | Press 1. | Bye.')
  expect(await live()).toMatchObject({
    revision: revisionOf('old'),
    canary: { revision: revisionOf('new'), percent: PERCENT, takenHere: true },
  })
  expect(await served(before)).toEqual(before.map(() => revisionOf('old')))
  await place.service.stop()
  await place.start()
  const again = calls.slice(0, 30).map(({ number }) => place.callIn(number))
  expect(await served(again)).toEqual(expected('new', 'old', again))
})

test('traffic: calls, visits and ends of each step, by revision', async () => {
  const leaving = place.callIn()
  await asked([leaving])
  leaving.caller.hangUp()
  await over([leaving])
  const all = async () => {
    const { revisions } = await traffic()
    return revisions.map(({ calls }) => calls).reduce((sum, calls) => sum + calls, 0)
  }
  await expect.poll(all, SOON).toBe(CALLS + 3 + 30 + 1)
  const { revisions } = await traffic()
  const left = place.ended.get(leaving.number)!.revision
  const found = revisions.find(({ revision }) => revision === left)!
  expect(found.steps.map(({ step }) => step)).toEqual(['bye', 'hello', 'wait'])
  expect(found.steps[2]).toEqual({
    step: 'wait',
    calls: found.calls,
    visits: found.calls,
    ends: [
      { end: 'hangup', calls: 1, visits: 1 },
      { end: 'key:1', calls: found.calls - 1, visits: found.calls - 1 },
    ],
  })
  expect(found.outcomes).toEqual([
    { outcome: 'abandoned', calls: 1 },
    { outcome: 'completed', calls: found.calls - 1 },
  ])
  const only = { params, query: { revision: revisionOf('new') } }
  const { revisions: one } = await place.client.ask('GET /rest/svcpbx/flows/{flow}/traffic', only)
  expect(one.map(({ revision }) => revision)).toEqual([revisionOf('new')])
})

test('promoted, all calls take it; running calls keep theirs', async () => {
  const running = many(20)
  await asked(running)
  const promoted = await place.client.ask('POST /rest/svcpbx/flows/{flow}/promote', { params, body: { note: 'good' } })
  expect(promoted).toEqual({ ...params, revision: revisionOf('new'), changed: true, takenHere: true })
  const next = many(10)
  expect(await served(next)).toEqual(next.map(() => revisionOf('new')))
  expect(await served(running)).toEqual(expected('new', 'old', running))
  expect((await canaries())[0]).toMatchObject({ ended: 'promoted', endedNote: 'good', fault: null })
  await expect(place.client.ask('POST /rest/svcpbx/flows/{flow}/promote', { params })).rejects.toThrow('on trial')
})

test('a bad canary returns by itself, and says where; next calls take the old one, running ones stay', async () => {
  await publish('bad', 50)
  const staying = many(8)
  await asked(staying)
  // Whoever hears the bad revision hangs up while it asks.
  for (let calls = 0; calls < 4; calls++) {
    const batch = many(20)
    await asked(batch)
    for (const { caller, number } of batch) isDrawn('bad', number, 50) ? caller.hangUp() : caller.press('1')
    await over(batch)
  }
  await expect.poll(async () => (await canaries())[0]?.ended, SOON).toBe('returned')
  const [canary] = await canaries()
  expect(canary).toMatchObject({ revision: revisionOf('bad'), against: revisionOf('new'), endedBy: 'switchboard' })
  const { onTrial, live: theirs, ...fault } = canary!.fault!
  expect([fault, onTrial.rate, theirs.rate]).toEqual([{ step: 'wait', risk: 'hangup' }, 1, 0])
  expect(onTrial.calls).toBeGreaterThanOrEqual(20)
  await expect.poll(async () => (await live()).canary, SOON).toBeNull()
  const next = many(20)
  expect(await served(next)).toEqual(next.map(() => revisionOf('new')))
  expect(await served(staying)).toEqual(expected('bad', 'new', staying, 50))
  expect(place.lines.join('\n')).toMatch(/the canary was withdrawn: at the step \\"wait\\" .* hung up, of \w+ 0 of /)
})

test('command line: a canary is begun, listed, withdrawn and promoted, and reaches the running service', async () => {
  const lines: string[] = []
  const context = { settings: place.settings, env: place.env, write: (line: string) => void lines.push(line) }
  const claim = claimService(place.settings.dataDir)
  onTestFinished(() => {
    if ('release' in claim) claim.release()
  })
  const file = join(place.directory, 'other.yaml')
  writeFileSync(file, textOf('shell'))
  expect(await flowPublish(file, { canary: '100' }, context)).toBe(1)
  expect(lines.at(-1)).toBe('--canary 100: write 1 to 99')
  expect(await flowPublish(file, { canary: '90', note: 'try' }, context)).toBe(0)
  expect(lines.at(-1)).toBe(`house: 90 % of the new calls take revision ${revisionOf('shell')}`)
  await expect.poll(async () => (await live()).canary?.takenHere, SOON).toBe(true)
  const calls = many(20)
  expect(await served(calls)).toEqual(expected('shell', 'new', calls, 90))
  expect(await flowWithdraw('house', { note: 'enough' }, context)).toBe(0)
  await expect.poll(async () => (await live()).canary, SOON).toBeNull()
  expect(await served([place.callIn(calls[0]!.number)])).toEqual([revisionOf('new')])
  lines.splice(0)
  expect(await flowCanaries('house', {}, context)).toBe(0)
  expect(lines[0]).toMatch(/^ {2}house@\w+ {2}90 % .* ops: try; withdrawn .* by ops: enough$/)
  expect(lines[1]).toMatch(
    /; returned .* by switchboard: hangup at wait \d+\/\d+ \(100\.0 %\), live 0\/\d+ \(0\.0 %\)$/,
  )
  expect(await flowPromote('house', {}, context)).toBe(1)
  expect(lines.at(-1)).toBe('no revision of house is on trial; "flow canaries house" lists what was')
  await flowPublish(file, { canary: '1' }, context)
  expect(await flowPromote('house', { json: true }, context)).toBe(0)
  expect(JSON.parse(lines.at(-1)!)).toEqual({ flow: 'house', revision: revisionOf('shell'), changed: true })
  await expect.poll(async () => (await live()).revision, SOON).toBe(revisionOf('shell'))
})

test('a publication ends the trial; a rollback by itself never leads to what was only on trial', async () => {
  await publish('never', 10)
  await publish('next')
  expect((await canaries())[0]).toMatchObject({ revision: revisionOf('never'), ended: 'replaced' })
  expect((await live()).canary).toBeNull()
  const back = await place.client.ask('POST /rest/svcpbx/flows/{flow}/rollback', { params })
  expect(back).toMatchObject({ revision: revisionOf('shell') })
  const refused = place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
    params,
    body: { text: textOf('shell'), canary: { percent: 5 } },
  })
  await expect(refused).rejects.toThrow('there is nothing to try out')
  const nowhere = place.client.ask('POST /rest/svcpbx/flows/{flow}/publish', {
    params: { flow: 'elsewhere' },
    body: { text: textOf('x').replace('flow: house', 'flow: elsewhere'), canary: { percent: 5 } },
  })
  await expect(nowhere).rejects.toThrow('publish it without a canary')
})
