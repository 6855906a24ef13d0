/** Weeks pass over cases as people leave them: what retention takes, what it leaves, and what it says before. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseExpired } from '../../../src/core/workers/retention-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { urlOf } from '../../app/service-place.ts'
import { switchboard } from '../../app/service-process.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, type WholeWorld } from '../whole-world.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = { recordings: 90, transcripts: 90, tasks: 730, calls: 730, contacts: 730, audit: 1_900 }
/** The dry run reads the clock of the machine: the weeks of this test end now. */
const clock = new VirtualClock(Date.now() - 77 * DAY_MS)

let world: WholeWorld

beforeAll(async () => {
  world = await openWholeWorld(true, { clock })
})
afterAll(() => world.close())

/** A credential ends before the test does. */
const ask = async (method: string, path: string, body?: unknown) => {
  const as = await world.credential(['cases:read', 'cases:write', 'admin', 'calls:read', 'files:read', 'files:write'])
  const reply = await world.call(method, path, body, { as })
  if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.text}`)
  return reply.body
}
const save = (body: object) => ask('POST', '/svcems/case', body)
const comment = (eactId: number, text: string) => ask('POST', '/svcems/activitytexts', { text, activity: { eactId } })
const mail = async (eactId: number, subject: string): Promise<number> =>
  (
    await ask('POST', '/svcems/emails', {
      activity: { eactId },
      to: [{ address: 'p@debtor.example' }],
      subject,
      text: 't',
    })
  ).eactId
const shown = async (eactId: number) => {
  const [found] = await ask('POST', '/svcems/cases/search', { eactIds: [eactId] })
  return [found.description, ...found.texts.map(({ text }: { text: string }) => text)]
}
const subjectOf = async (eactId: number) => (await ask('GET', `/svcems/activities?eactId=${eactId}`))[0].subject

async function open(description: string): Promise<number> {
  const { eactId } = await save({ description, status: 1, corporation: { corpId: OURS } })
  await comment(eactId, `about ${description}`)
  return eactId
}

async function expire(activities = 7) {
  const { privacy, audit, flowEvents, keptBytes } = world.parts
  const anchors = { keep: () => 0, read: () => [] }
  await eraseExpired({
    privacy,
    audit,
    flowEvents,
    anchors,
    bytes: keptBytes,
    days: { ...DAYS, activities },
    log: silentLog,
    clock,
  })
}

test('only what is over goes: closed cases, by their latest time, with what is linked to them', async () => {
  const cases = {
    open: await open('open'),
    waiting: await open('waiting'),
    mailed: await open('mailed'),
    part: await open('part'),
    merged: await open('merged'),
    closed: await open('closed'),
    spam: await open('spam'),
    held: await open('held'),
  }
  const { open: whole, waiting, mailed, part, merged, closed, spam, held } = cases
  const [ofOpen, ofClosed] = [await mail(whole, 'to the open one'), await mail(closed, 'to the closed one')]
  await save({ eactId: waiting, status: 8, onHoldToTs: new Date(clock.nowMs() + 150 * DAY_MS).toISOString() })
  await ask('PUT', '/svcems/activitylinks', { type: 16, from: { eactId: part }, to: { eactId: whole } })
  await save({ eactId: merged, mergedTo: { eactId: whole } })
  for (const eactId of [mailed, part, closed, held]) await save({ eactId, status: 2 })
  await save({ eactId: spam, status: 6 })
  const { holdId } = await ask('POST', '/core/legalholds', { eactId: held, reason: 'suit' })
  clock.run(8 * DAY_MS)
  // Changes no time of the case itself: forms of agents would be out of date.
  const lately = await mail(mailed, 'lately')
  const untouched = Object.fromEntries(await Promise.all(Object.values(cases).map(async (id) => [id, await shown(id)])))

  const url = urlOf(world.pools.connection('dry run') as never)
  const env = { DATABASE_URL: url, RETENTION_CASE_DAYS: String(7 + 69) }
  clock.run(68 * DAY_MS)
  const said = await switchboard(['retention', '--dry-run'], env)
  expect(said).toMatch(/cases, conversations and emails .* before .*RETENTION_CASE_DAYS=76\): 4 would be erased/)
  expect(said).toContain('are kept: they belong to an open case, or what is linked to them is newer')
  expect(said).toContain('1 are kept: they are under a legal hold')
  const kinds: { kind: string; ids: number[] }[] = JSON.parse(
    await switchboard(['retention', '--dry-run', '--json'], env),
  )
  const told = kinds.find(({ kind }) => kind === 'activities')!.ids
  expect(told).toEqual(expect.arrayContaining([closed, spam, ofClosed]))
  for (const [id, words] of Object.entries(untouched)) expect(await shown(Number(id))).toEqual(words)

  await expire(75)
  for (const eactId of [closed, spam]) expect(await shown(eactId)).toEqual(['', ''])
  expect(await subjectOf(ofClosed)).toBe('')
  for (const eactId of [whole, waiting, mailed, part, held]) expect(await shown(eactId)).toEqual(untouched[eactId])
  expect([await subjectOf(ofOpen), await subjectOf(lately)]).toEqual([
    expect.stringContaining('to the open one'),
    expect.stringContaining('lately'),
  ])
  expect((await shown(merged))[0]).toBe('merged')
  await ask('DELETE', `/core/legalholds/${holdId}`)
  await expire(75)
  expect(await shown(held)).toEqual(['', ''])
})

test('what is written into an erased case goes again when its time has come', async () => {
  const eactId = await open('twice')
  await save({ eactId, status: 2 })
  clock.run(8 * DAY_MS)
  await expire()
  expect(await shown(eactId)).toEqual(['', ''])
  await comment(eactId, 'a name again')
  await expire()
  expect(await shown(eactId)).toEqual(['', '', 'a name again'])
  clock.run(8 * DAY_MS)
  await expire()
  expect(await shown(eactId)).toEqual(['', '', ''])
})

test('sessions of agents at a node that is gone are taken away after 30 days, and at no other', async () => {
  const { dialerRepository } = world.parts
  const session = (agent: string) => ({ agent, leg: `leg of ${agent}`, bridge: 'bridge', saved: {} }) as never
  const [gone, here] = [
    await dialerRepository.takeLease('gone', DAY_MS),
    await dialerRepository.takeLease('here', DAY_MS),
  ]
  for (const agent of ['anna', 'bo']) await dialerRepository.saveAgentSession(gone, session(agent))
  await dialerRepository.saveAgentSession(here, session('cy'))
  await dialerRepository.dropLease(gone)
  await world.pools.jobs.query(`update seats set saved_at = now() - interval '31 days' where agent in ('anna', 'cy')`)
  await expire()
  const agents = async (node: string) => (await dialerRepository.agentSessions(node)).map(({ agent }) => agent)
  expect([await agents('gone'), await agents('here')]).toEqual([['bo'], ['cy']])
  await world.pools.jobs.query(`update seats set saved_at = now() - interval '31 days'`)
  await dialerRepository.saveAgentSession(here, session('cy'))
  await dialerRepository.dropLease(here)
  await expire()
  expect([await agents('gone'), await agents('here')]).toEqual([[], ['cy']])
})
