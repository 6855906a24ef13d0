/** Finished call tasks that are called again, by their last result (campaigns-60). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallTaskId, ExternalSystemId } from '../../../src/kernel/ids.ts'
import type { AttemptEnd } from '../../../src/ports/attempt.ts'
import { OURS } from '../rest-world.ts'
import {
  ANNA,
  CAMPAIGN,
  callOf,
  type DialerWorld,
  debtor,
  debtors,
  endOf,
  HOUR_MS,
  numberOf,
  OTHER_CAMPAIGN,
  openDialerWorld,
  THEIR_CAMPAIGN,
} from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

const nowMs = () => world.parts.clock.nowMs()
const recycle = async (body: object, campaign = CAMPAIGN) =>
  world.call('POST', `/dialer/callcode/${campaign}/recycle`, body)
/** Imports debtors, and ends the one attempt of each in its own way. */
const called = async (from: number, ends: readonly Partial<AttemptEnd>[]) => {
  const list = debtors(from, from + ends.length)
  const { body } = await world.importTasks(list, { maxCallAttempts: 1 }, '?returnImportedCallTasks=true')
  const ids: CallTaskId[] = body.callTasks.map(({ itcaId }: { itcaId: CallTaskId }) => itcaId)
  const lease = await world.lease()
  const attempts = await world.claim(lease)
  for (const [place, id] of ids.entries()) {
    const attempt = attempts.find(({ task }) => task.id === id)!
    const end = endOf(attempt, lease, nowMs(), { next: { status: 'maxAttempts' }, ...ends[place] })
    await world.dialerRepository.endAttempt(end)
  }
  return ids
}
const BUSY = { result: 'busy' } as const
const TALKED = { result: 'answered', reach: 'answered', next: { status: 'answered' } } as const

test('tasks come again by their last result, once, and not before their interval', async () => {
  const ids = await called(100, [{}, BUSY, {}, TALKED])
  const order = { results: [2, 1], maxCallAttempts: 5, minCallIntervalHours: 6 }
  const counts = { recycledCount: 2, recycled: [{ result: 2, count: 2 }], skipped: [{ reason: 'TALKED', count: 1 }] }
  expect((await recycle({ ...order, dryRun: true })).body).toEqual({ dryRun: true, ...counts })
  expect((await recycle({ ...order, dryRun: true })).body).toEqual({ dryRun: true, ...counts })
  expect((await recycle(order)).body).toEqual({ dryRun: false, ...counts })
  const again = (await recycle(order)).body
  expect(again).toMatchObject({ recycledCount: 0 })
  expect(again.skipped).toContainEqual({ reason: 'DUPLICATE', count: 2 })
  const { body } = await world.search({ extCustIds: ['c100', 'c101'], finishedList: [false], detail: true })
  expect(body.callTasks).toMatchObject([
    { maxCallAttempts: 5, minCallIntervalHours: 6, callAttemptCount: 0, statusId: 1 },
  ])
  expect(Date.parse(body.callTasks[0].nextCallTs)).toBeGreaterThan(nowMs() + 5 * HOUR_MS)
  expect(ids).not.toContain(body.callTasks[0].itcaId)
  expect(await world.claim(await world.lease())).toEqual([])
})

test('nothing follows what was ended, expired or stopped, and talks only where they are asked for', async () => {
  const FAILED = { result: 'failed' } as const
  const [ended, , , talked] = await called(200, [FAILED, FAILED, FAILED, FAILED])
  await world.pools.jobs.query(`update call_tasks set status = 'endedBySystem' where id = $1`, [ended])
  await world.pools.jobs.query(`update call_tasks set status = 'expired' where external_customer = 'c201'`)
  expect((await world.call('POST', '/dialer/stoplist/numbers', { numbers: [numberOf(202)] })).status).toBe(200)
  const [other] = await called(203, [TALKED])
  expect(other).not.toBe(talked)
  const order = { results: [7], dryRun: true }
  const reasons = ['ENDED', 'EXPIRED', 'STOPPED'].map((reason) => ({ reason, count: 1 }))
  const { body } = await recycle({ results: [7], dryRun: true })
  expect(body.recycledCount).toBe(0)
  expect(body.skipped).toEqual(reasons)
  expect((await recycle({ ...order, finishedTo: new Date(0).toISOString() })).body.skipped).toEqual([])
  expect((await recycle({ results: [1], talked: true, dryRun: true })).body).toMatchObject({ recycledCount: 2 })
  expect(await recycle(order, THEIR_CAMPAIGN)).toMatchObject({ status: 404 })
})

test('whoever talked to us since the import is skipped, at any number of theirs and in any spelling', async () => {
  const rejected = Array.from({ length: 7 }, () => ({ result: 'rejected' }) as const)
  await called(300, rejected)
  const order = { results: [9], dryRun: true }
  expect((await recycle(order)).body).toMatchObject({ recycledCount: 7 })
  const calledIn = async (caller: string, agent = true) => {
    const change = { direction: 'in', caller, called: '+4570001000', ...(agent && { agent: ANNA }) } as const
    await world.dialerRepository.finishCall(callOf(`in-${caller}`, nowMs(), change))
  }
  await calledIn(numberOf(300))
  await calledIn(`00${numberOf(301).slice(1)}`)
  // Another number of the same person, of a call task that has nothing to do with this list.
  const others = [
    debtor(302, { callNumberList: [numberOf(392)] }),
    debtor(393, { callNumberList: [numberOf(303)] }),
    debtor(305, { callNumberList: [numberOf(395)] }),
  ]
  await world.importTasks(others, { callCode: OTHER_CAMPAIGN })
  await calledIn(numberOf(392))
  // Somebody of another customer number, who answered this number; and the person, who answered another number.
  const lease = await world.lease()
  const attempts = await world.claim(lease, OTHER_CAMPAIGN)
  for (const place of [303, 395]) {
    const attempt = attempts.find(({ number }) => number === numberOf(place))!
    await world.dialerRepository.endAttempt(endOf(attempt, lease, nowMs(), TALKED))
  }
  await calledIn(numberOf(304), false)
  expect((await recycle(order)).body).toMatchObject({
    recycledCount: 2,
    skipped: [{ reason: 'TALKED', count: 5 }],
  })
})

test('of a case the latest call task counts, and nothing follows a typed number or what was ended later', async () => {
  const INVALID = { result: 'invalidNumber', reach: 'sent' } as const
  await called(400, [INVALID])
  const [, typed, ended] = await called(400, [BUSY, INVALID, INVALID])
  await world.call('PUT', `/v1/calltasks/${ended}/end`, { reason: 'paid' })
  await world.pools.jobs.query('update call_tasks set is_typed = true where id = $1', [typed])
  const { body } = await recycle({ results: [8], dryRun: true })
  expect(body).toEqual({ dryRun: true, recycledCount: 0, recycled: [], skipped: [{ reason: 'ENDED', count: 2 }] })
})

const waiting = async () => {
  const text = `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`
  return (await world.pools.jobs.query(text)).rows[0].count as number
}
/** What follows a call task, with its numbers. */
const followers = async (id: CallTaskId | undefined) => {
  const text = `select receiver_name as name, finished_at_ms is not null as "isFinished",
      array(select number from call_task_numbers n where n.task_id = t.id) as numbers
    from call_tasks t where follows_task_id = $1`
  return (await world.pools.jobs.query(text, [id])).rows
}

test('a call task that is ended at the moment of the request is not followed', async () => {
  const [id] = await called(410, [{ result: 'voicemail' }])
  const ending = await world.pools.jobs.connect()
  try {
    await ending.query('begin')
    await ending.query('update call_tasks set closed_at_ms = $2 where id = $1', [id, nowMs()])
    const answer = recycle({ results: [4] })
    await expect.poll(waiting).toBe(1)
    await ending.query('commit')
    expect((await answer).body).toMatchObject({ recycledCount: 0 })
  } finally {
    ending.release(true)
  }
  expect((await world.search({ extCustIds: ['c410'], finishedList: [false] })).body).toMatchObject({ foundRows: 0 })
})

test('a call task that follows one of a person who is being erased is erased with them', async () => {
  const [id] = await called(420, [{ result: 'voicemail' }])
  const other = await world.pools.jobs.connect()
  const person = { by: 'customer', externalSystem: 3 as ExternalSystemId, externalCustomer: 'c420' } as const
  const hands = { onTraces: async () => {}, onLeft: async () => {} }
  try {
    await other.query('begin')
    await other.query('select from call_tasks where id = $1 for update', [id])
    const answer = recycle({ results: [4] })
    await expect.poll(waiting).toBe(1)
    const erased = world.parts.privacy.erasePerson({ corporation: OURS, person }, nowMs(), hands)
    await expect.poll(waiting).toBe(2)
    await other.query('rollback')
    expect((await answer).body).toMatchObject({ recycledCount: 1 })
    expect(await erased).toMatchObject({ outcome: 'erased', counts: { tasks: 2 } })
  } finally {
    other.release(true)
  }
  expect(await followers(id)).toEqual([{ name: '', isFinished: true, numbers: [] }])
})

test('nothing follows a call task that is erased at the moment of the request', async () => {
  const [id] = await called(430, [{ result: 'voicemail' }])
  const erasing = await world.pools.jobs.connect()
  try {
    await erasing.query('begin')
    await erasing.query(`update call_tasks set receiver_name = '', erased_at_ms = 1 where id = $1`, [id])
    const answer = recycle({ results: [4] })
    await expect.poll(waiting).toBe(1)
    await erasing.query('delete from call_task_numbers where task_id = $1', [id])
    await erasing.query('commit')
    expect((await answer).body).toMatchObject({ recycledCount: 0 })
  } finally {
    erasing.release(true)
  }
  expect(await followers(id)).toEqual([])
})

test('of a call task that was erased nothing is kept of what an agent says afterwards', async () => {
  const [task] = await called(440, [BUSY])
  const { rows } = await world.pools.jobs.query('select id, activity_id from attempts where task_id = $1', [task])
  const [{ id: attempt, activity_id: activity }] = rows
  const person = { by: 'customer', externalSystem: 3 as ExternalSystemId, externalCustomer: 'c440' } as const
  const hands = { onTraces: async () => {}, onLeft: async () => {} }
  await world.parts.privacy.erasePerson({ corporation: OURS, person }, nowMs(), hands)
  const made = await world.call('POST', `/dialer/callcode/${CAMPAIGN}/outcomes`, { name: 'Said late' })
  const { outcomeId: outcome } = made.body
  const said = { activity, task: task!, attempt, agent: ANNA, feedbackType: 'Said late', isFinal: false, atMs: nowMs() }
  const words = { note: 'c440 is ill', fields: [{ name: 'About', value: 'c440' }], outcome, eventName: 'late-440' }
  expect(await world.dialerRepository.recordOutcome({ ...said, ...words, corporation: OURS })).toBe('recorded')
  const callback = { atMs: nowMs() + HOUR_MS, askedByContact: true, isForTeam: true }
  const again = { ...said, ...words, corporation: OURS, atMs: nowMs() + 1, eventName: 'later-440', callback }
  expect(await world.dialerRepository.recordOutcome(again)).toBe('task ended')
  expect(await followers(task)).toEqual([])
  const kept = 'select outcome_id as outcome, note, fields from feedback where activity_id = $1 order by id limit 1'
  expect((await world.pools.jobs.query(kept, [activity])).rows).toEqual([{ outcome, note: null, fields: null }])
})
