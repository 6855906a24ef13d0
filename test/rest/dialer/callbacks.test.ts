/** Promised callbacks: listed, moved, reassigned, cancelled, and ended with the call task that they follow. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentName, CallId, CallTaskId, PhoneNumber } from '../../../src/kernel/ids.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { ANNA, CAMPAIGN, type DialerWorld, debtors, endOf, HOUR_MS, openDialerWorld } from './dialer-world.ts'

const MINUTE_MS = 60_000
let world: DialerWorld
// The claim also asks the database's own clock: the world stands a little in its past.
const clock = new VirtualClock(Date.now() - HOUR_MS)
let places = 0

beforeAll(async () => {
  world = await openDialerWorld({ clock })
})
afterAll(() => world.close())

/** A debtor of their own is dialed. */
async function dialed() {
  const imported = await world.importTasks(debtors(places, ++places), {}, '?returnImportedCallTasks=true')
  const task = imported.body.callTasks[0].itcaId as CallTaskId
  const lease = await world.lease()
  const [attempt] = await world.claim(lease, CAMPAIGN, task)
  return { task, lease, attempt }
}

/** Anna talks to a debtor, and promises to call back: the task, and the one that carries the callback. */
async function promise(atMs: number): Promise<{ task: CallTaskId; callback: CallTaskId; number: string }> {
  const { task, lease, attempt } = await dialed()
  const nowMs = clock.nowMs()
  const answered = { result: 'answered', reach: 'answered', answeredAtMs: nowMs, next: { status: 'answered' } } as const
  await world.dialerRepository.endAttempt(endOf(attempt!, lease, nowMs, answered))
  const request = { task, atMs, askedByContact: true, agent: ANNA, nowMs, attempt: attempt!.id }
  const callback = (await world.dialerRepository.setCallback(request)) as CallTaskId
  return { task, callback, number: attempt!.number }
}

interface Listed {
  readonly itcaId: number
  readonly follows: { readonly itcaId: number } | null
}

const list = async (query = '') => (await world.call('GET', `/dialer/callbacks${query}`)).body
const idsOf = ({ callbacks }: { callbacks: { itcaId: number }[] }) => callbacks.map(({ itcaId }) => itcaId)
const change = (itcaId: number, body: object) => world.call('PUT', `/dialer/callbacks/${itcaId}`, body)
const cancel = (itcaId: number) => world.call('DELETE', `/dialer/callbacks/${itcaId}`)

describe('promised callbacks', () => {
  test('are not moved to when their call task is over', async () => {
    const { callback } = await promise(clock.nowMs() + HOUR_MS)
    const at = (ms: number) => new Date(clock.nowMs() + ms).toISOString()
    const limited = await world.call('PATCH', `/dialer/calltask/${callback}`, { validTo: at(5 * HOUR_MS) })
    expect(limited).toMatchObject({ status: 200 })
    const refused = await change(callback, { callBackTs: at(5 * HOUR_MS) })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'callBackTs' }] } })
    expect(await change(callback, { callBackTs: at(4 * HOUR_MS) })).toMatchObject({ status: 200 })
    expect(await cancel(callback)).toMatchObject({ status: 200 })
  })

  test('are listed by campaign, agent and whether they are due or overdue, with the reason', async () => {
    const nowMs = clock.nowMs()
    const overdue = await promise(nowMs - 6 * MINUTE_MS)
    const due = await promise(nowMs - MINUTE_MS)
    const later = await promise(nowMs + HOUR_MS)
    const found = await list()
    expect(idsOf(found)).toEqual([overdue, due, later].map(({ callback }) => callback))
    expect(found).toMatchObject({ foundRows: 3, firstRow: 1, lastRow: 3 })
    expect(found.callbacks[0]).toMatchObject({
      campaign: { callCode: CAMPAIGN },
      callBackTs: new Date(nowMs - 6 * MINUTE_MS).toISOString(),
      promisedTs: new Date(nowMs).toISOString(),
      userName: ANNA,
      number: overdue.number,
      overdue: true,
      why: 'waits',
    })
    expect(found.callbacks[2]).toMatchObject({ overdue: false, why: 'notDue' })
    expect(idsOf(await list('?state=due'))).toEqual([overdue.callback, due.callback])
    expect(idsOf(await list('?state=overdue'))).toEqual([overdue.callback])
    expect(idsOf(await list(`?callCode=${CAMPAIGN}&userName=${ANNA}`))).toHaveLength(3)
    expect(idsOf(await list('?userName=nobody'))).toEqual([])
    for (const { callback } of [overdue, due, later]) expect((await cancel(callback)).status).toBe(200)
    expect(await list()).toMatchObject({ foundRows: 0 })
  })

  test('are moved and given to another agent or to the team', async () => {
    const nowMs = clock.nowMs()
    const { callback } = await promise(nowMs + HOUR_MS)
    const callBackTs = new Date(nowMs + 2 * HOUR_MS).toISOString()
    expect((await change(callback, { callBackTs, userName: 'ben' })).status).toBe(200)
    expect((await list()).callbacks).toMatchObject([{ callBackTs, nextCallTs: callBackTs, userName: 'ben' }])
    expect((await change(callback, { userName: null })).status).toBe(200)
    expect((await list()).callbacks).toMatchObject([{ callBackTs, userName: null }])
    expect((await change(callback, { callBackTs: new Date(nowMs - MINUTE_MS).toISOString() })).status).toBe(400)
    await cancel(callback)
  })

  test('that keep a place in a queue are listed, and given up: nothing is left to be dialed', async () => {
    const nowMs = clock.nowMs()
    const number = '+4533410009' as PhoneNumber
    const who = { call: 'sb-in-9' as CallId, number, receiverName: number }
    const place = { ...who, priority: 0, skills: [], sinceAtMs: nowMs }
    const asked = { ...place, campaign: CAMPAIGN, corporation: OURS, attemptsMax: 3, nowMs }
    const task = (await world.dialerRepository.keepPlace(asked)) as CallTaskId
    expect((await list('?state=due')).callbacks).toContainEqual(expect.objectContaining({ itcaId: task, number }))
    expect((await cancel(task)).status).toBe(200)
    expect((await world.search({ itcaIds: [task] })).body.callTasks).toMatchObject([{ finished: true }])
  })

  test('are cancelled: nothing is left to be dialed', async () => {
    const { callback } = await promise(clock.nowMs() - MINUTE_MS)
    expect((await cancel(callback)).body).toEqual({ itcaId: callback })
    expect((await world.search({ itcaIds: [callback] })).body.callTasks).toMatchObject([{ finished: true }])
    expect(await world.claim(await world.lease())).toEqual([])
    expect((await cancel(callback)).status).toBe(404)
  })

  test('are not changed while they are called', async () => {
    const { callback } = await promise(clock.nowMs() - MINUTE_MS)
    const lease = await world.lease()
    const [attempt] = await world.claim(lease, CAMPAIGN, callback)
    expect((await list()).callbacks).toMatchObject([{ why: 'calling' }])
    expect((await cancel(callback)).status).toBe(409)
    await world.dialerRepository.endAttempt(endOf(attempt!, lease, clock.nowMs()))
    expect((await list()).callbacks).toMatchObject([{ why: 'notReached' }])
    await cancel(callback)
  })

  test('end with the call task that they follow', async () => {
    const { task, callback } = await promise(clock.nowMs() - MINUTE_MS)
    const ended = await world.call('PUT', `/v1/calltasks/${task}/end`, { reasonCode: 'PAID' })
    expect(ended.body).toMatchObject({ itcaId: task, changed: true, endedFollowers: [callback] })
    expect(await list()).toMatchObject({ foundRows: 0 })
    expect(await world.claim(await world.lease())).toEqual([])
  })

  test('of another corporation do not exist', async () => {
    const { callback } = await promise(clock.nowMs() + HOUR_MS)
    await world.pools.jobs.query('update call_tasks set corporation_id = $2 where id = $1', [callback, THEIRS])
    expect(await list()).toMatchObject({ foundRows: 0 })
    expect((await cancel(callback)).status).toBe(404)
    expect((await change(callback, { userName: null })).status).toBe(404)
  })
})

describe('a callback of an outcome that its agent corrects to one without a date', () => {
  /** Anna, in a talk, says a date with an outcome; `correct` says another outcome. */
  const said = async () => {
    const { task, lease, attempt } = await dialed()
    const { id, activity } = attempt!
    const name = `Call again ${places}`
    const { body } = await world.call('POST', `/dialer/callcode/${CAMPAIGN}/outcomes`, { name })
    const words = { activity, task, attempt: id, agent: ANNA, feedbackType: name, isFinal: false, fields: [] }
    const of = { ...words, outcome: body.outcomeId, corporation: OURS }
    const save = (more: object = {}) => {
      const atMs = clock.nowMs()
      clock.run(1)
      return world.dialerRepository.recordOutcome({ ...of, atMs, eventName: `${name} at ${atMs}`, ...more })
    }
    await world.dialerRepository.attemptConnected({ attempt: id, fence: lease.fence, atMs: clock.nowMs(), agent: ANNA })
    const callback = { atMs: clock.nowMs() + HOUR_MS, askedByContact: true, isForTeam: false }
    expect(await save({ callback })).toBe('recorded')
    const end = (change: object = {}) => {
      const answered = { result: 'answered', reach: 'answered', answeredAtMs: clock.nowMs(), counts: false } as const
      const ended = endOf(attempt!, lease, clock.nowMs(), { ...answered, next: { status: 'answered' }, ...change })
      return world.dialerRepository.endAttempt(ended)
    }
    return { task, attempt: id, end, correct: () => save(), ofBen: () => save({ agent: 'ben' as AgentName }) }
  }
  const open = async (task: CallTaskId) =>
    (await list()).callbacks.filter((one: Listed) => one.itcaId === task || one.follows?.itcaId === task)
  const stateOf = async (task: CallTaskId) => (await world.search({ itcaIds: [task], detail: true })).body.callTasks[0]

  test('during the talk is taken back, and the end of the talk finishes the call task', async () => {
    const { task, end, correct } = await said()
    expect(await open(task)).toHaveLength(1)
    expect(await correct()).toBe('recorded')
    expect(await open(task)).toEqual([])
    await end()
    expect([await open(task), await stateOf(task)]).toMatchObject([[], { finished: true, followedBy: null }])
  })

  test('after the talk is taken back with what was made for it, and may be promised again', async () => {
    const { task, end, correct, ofBen } = await said()
    await end()
    expect(await ofBen()).toBe('recorded')
    const [{ itcaId }] = await open(task)
    expect(await correct()).toBe('recorded')
    expect([await open(task), await stateOf(itcaId)]).toMatchObject([[], { finished: true }])
    const again = { task, atMs: clock.nowMs() + HOUR_MS, askedByContact: true, agent: ANNA, nowMs: clock.nowMs() }
    await world.dialerRepository.setCallback(again)
    expect(await open(task)).toHaveLength(1)
  })

  test('stands where a supervisor has moved it, or where it is being called', async () => {
    const { task, end, correct } = await said()
    await end()
    const [{ itcaId }] = await open(task)
    await change(itcaId, { callBackTs: new Date(clock.nowMs() + 2 * HOUR_MS).toISOString() })
    await correct()
    expect(await open(task)).toHaveLength(1)
    await cancel(itcaId)
    const other = await said()
    await other.end()
    const [{ itcaId: called }] = await open(other.task)
    await world.pools.jobs.query("update call_tasks set status = 'dialing' where id = $1", [called])
    await other.correct()
    expect(await open(other.task)).toMatchObject([{ itcaId: called }])
  })

  test('of a machine leaves the attempts that are left, by their interval', async () => {
    const { task, attempt, end, correct } = await said()
    await end()
    await world.dialerRepository.correctToMachine(attempt, ANNA, clock.nowMs())
    await correct()
    expect(await open(task)).toEqual([])
    const follower = await stateOf((await stateOf(task)).followedBy.itcaId)
    expect(follower).toMatchObject({ finished: false, callAttemptCount: 0 })
    const retried = await said()
    const next = { status: 'waiting', nextCallAtMs: clock.nowMs() + HOUR_MS } as const
    await retried.end({ result: 'voicemail', counts: true, next })
    expect(await open(retried.task)).toHaveLength(1)
    await retried.correct()
    expect([await open(retried.task), await stateOf(retried.task)]).toMatchObject([[], { finished: false }])
  })
})
