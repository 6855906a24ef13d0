/** The outcome of call tasks: ending them, their attempts, their calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallTaskId, TeamName } from '../../../src/kernel/ids.ts'
import type { AttemptResult } from '../../../src/ports/attempt.ts'
import { ATTEMPT_RESULTS } from '../../../src/rest/dialer/call-attempt-schema.ts'
import { THEIRS } from '../rest-world.ts'
import { ANNA, CAMPAIGN, callOf, type DialerWorld, debtors, endOf, openDialerWorld, SYSTEM } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

let nextPlace = 0
const newTasks = async (count: number): Promise<CallTaskId[]> => {
  nextPlace += count
  const list = debtors(nextPlace - count, nextPlace)
  const { body } = await world.importTasks(list, {}, '?returnImportedCallTasks=true')
  return body.callTasks.map(({ itcaId }: { itcaId: CallTaskId }) => itcaId)
}
const newTask = async () => (await newTasks(1))[0]!
const end = (itcaId: unknown, body?: object) => world.call('PUT', `/v1/calltasks/${itcaId}/end`, body)
const nowMs = () => world.parts.clock.nowMs()
const dialed = async (task: CallTaskId) => {
  const lease = await world.lease()
  const [attempt] = await world.claim(lease, CAMPAIGN, task)
  return { lease, attempt: attempt! }
}

describe('ending a call task', () => {
  test('finishes it, with and without a body, at both spellings of the path', async () => {
    const [first, second] = await newTasks(2)
    const { status, body } = await end(first, { reasonCode: 'PAID', reason: 'paid in full' })
    expect(status).toBe(200)
    expect(body).toEqual({
      itcaId: first,
      statusId: 22,
      finished: true,
      answered: false,
      finishedTs: expect.any(String),
      changed: true,
      endedFollowers: [],
      activeCall: null,
    })
    expect((await world.call('PUT', `/rest/v1/calltasks/${second}/end`)).body).toMatchObject({ changed: true })
    const found = await world.search({ itcaIds: [first, second], detail: true })
    expect(found.body.callTasks).toMatchObject([
      { finished: true, finishReason: 'PAID: paid in full' },
      { finished: true, finishReason: null },
    ])
  })

  test('twice is a success that reports no change', async () => {
    const task = await newTask()
    const first = await end(task)
    const again = await end(task, { reasonCode: 'OTHER' })
    expect(again.body).toEqual({ ...first.body, changed: false })
  })

  test('of an answered one returns its true state', async () => {
    const task = await newTask()
    const { lease, attempt } = await dialed(task)
    const answered = {
      result: 'answered',
      reach: 'answered',
      answeredAtMs: nowMs(),
      next: { status: 'answered' },
    } as const
    await world.dialerRepository.endAttempt(endOf(attempt, lease, nowMs(), answered))
    expect((await end(task)).body).toMatchObject({ statusId: 20, answered: true, changed: false })
  })

  test('while it rings notifies the engine; during a conversation, the call continues and is named', async () => {
    const task = await newTask()
    const { lease, attempt } = await dialed(task)
    expect((await end(task)).body).toMatchObject({ changed: true, activeCall: null })
    expect(await world.dialerRepository.attemptsToCancel(lease)).toEqual([{ attempt: attempt.id, why: 'taskEnded' }])
    const other = await newTask()
    const talking = await dialed(other)
    const event = { attempt: talking.attempt.id, fence: talking.lease.fence, atMs: nowMs(), agent: ANNA }
    await world.dialerRepository.attemptConnected(event)
    expect((await end(other)).body).toMatchObject({ changed: true, activeCall: talking.attempt.activity })
  })

  test('by a person is distinguished from an end by a system', async () => {
    const as = await world.credential(['dialer:write'], [1 as never], {
      user: { id: 41 as never, userName: 'anna', active: true, teams: [] },
    })
    const task = await newTask()
    const { body } = await world.call('PUT', `/v1/calltasks/${task}/end`, {}, { as })
    expect(body.statusId).toBe(23)
  })

  test('that is unknown or foreign is 404, and an invalid id is 400', async () => {
    const task = await newTask()
    const as = await world.credential(['dialer:write'], [THEIRS])
    expect((await world.call('PUT', `/v1/calltasks/${task}/end`, {}, { as })).status).toBe(404)
    expect((await end(999_999)).status).toBe(404)
    for (const id of ['seven', '1.5', '-1', '9007199254740993']) expect((await end(id)).status).toBe(400)
    expect((await end(task, { reason: 'x'.repeat(201) })).status).toBe(400)
    expect((await end(task, { reasonCode: 'BORED' })).status).toBe(400)
    expect((await world.search({ itcaIds: [task] })).body.callTasks).toMatchObject([{ finished: false }])
  })

  test('there is no other path with a version', async () => {
    expect((await world.call('POST', '/v1/dialer/calltaskget', {})).status).toBe(404)
  })
})

describe('searching attempts', () => {
  const search = (body: object) => world.call('POST', '/svcdialer/calltaskcallattempts/search', body)

  test('a blocked one names no activity: there was no call, and no event tells of it', async () => {
    const { lease, attempt } = await dialed(await newTask())
    const end = endOf(attempt, lease, nowMs(), { result: 'blocked', reach: 'nothing', counts: false })
    await world.dialerRepository.endAttempt(end)
    const { body } = await search({ iccaIds: [attempt.id] })
    expect(body.callAttempts).toMatchObject([{ resultName: 'BLOCKED', eactId: null }])
    const events = await world.call('GET', '/rest/core/events')
    expect(events.body).not.toContainEqual(expect.objectContaining({ phoneCallId: String(attempt.activity) }))
  })

  test('by the id of an attempt, of a call task, of an activity', async () => {
    const { lease, attempt } = await dialed(await newTask())
    const { body: running } = await search({ iccaIds: [attempt.id] })
    expect(running).toMatchObject({ foundRows: 1, firstRow: 1, lastRow: 1, pageCount: 1 })
    expect(running.callAttempts).toMatchObject([
      {
        iccaId: attempt.id,
        itcaId: attempt.task.id,
        callCode: CAMPAIGN,
        result: 0,
        resultName: 'IN_PROGRESS',
        endTs: null,
      },
    ])
    const times = { ringingAtMs: nowMs() - 14_000, answeredAtMs: nowMs(), sipStatus: 200, hangupCause: 16 }
    await world.dialerRepository.endAttempt(
      endOf(attempt, lease, nowMs(), { result: 'voicemail', reach: 'answered', ...times }),
    )
    for (const command of [
      { iccaId: attempt.id },
      { itcaIds: [attempt.task.id] },
      { eactIds: [String(attempt.activity)] },
    ]) {
      const { body } = await search(command)
      expect(body.callAttempts).toEqual([
        {
          iccaId: attempt.id,
          itcaId: attempt.task.id,
          callCode: CAMPAIGN,
          eactId: attempt.activity,
          attemptNo: 1,
          callNumber: attempt.number,
          dialTs: expect.any(String),
          ringTs: expect.any(String),
          startTs: expect.any(String),
          endTs: expect.any(String),
          result: 4,
          resultName: 'VOICEMAIL',
          answered: false,
          voicemail: true,
          dropped: false,
          lost: false,
          hangupCause: 16,
          sipStatus: 200,
          agent: null,
          feedback: [],
          ringSeconds: 14,
          talkSeconds: 0,
        },
      ])
    }
  })

  const results = Object.entries(ATTEMPT_RESULTS).filter(([result]) => result !== 'inProgress')
  test.each(results)('%s has its code, and at most one of the four words is true', async (result, [code, name]) => {
    const { lease, attempt } = await dialed(await newTask())
    const reach = ['answered', 'voicemail', 'dropped', 'lost'].includes(result) ? 'answered' : 'rang'
    await world.dialerRepository.endAttempt(endOf(attempt, lease, nowMs(), { result: result as AttemptResult, reach }))
    const { body } = await search({ iccaIds: [attempt.id] })
    const [{ answered, voicemail, dropped, lost, ...shown }] = body.callAttempts
    expect(shown).toMatchObject({ result: code, resultName: name })
    const words = { answered, voicemail, dropped, lost }
    expect(words).toEqual({
      answered: false,
      voicemail: false,
      dropped: false,
      lost: false,
      ...(result in words && { [result]: true }),
    })
  })

  test('an agent who talked is named', async () => {
    const { lease, attempt } = await dialed(await newTask())
    await world.dialerRepository.attemptConnected({
      attempt: attempt.id,
      fence: lease.fence,
      atMs: nowMs() - 9_000,
      agent: ANNA,
    })
    const talked = {
      result: 'answered',
      reach: 'answered',
      agent: ANNA,
      answeredAtMs: nowMs() - 9_000,
      next: { status: 'answered' },
    } as const
    await world.dialerRepository.endAttempt(endOf(attempt, lease, nowMs(), talked))
    const { body } = await search({ iccaIds: [attempt.id] })
    expect(body.callAttempts).toMatchObject([{ agent: { userId: 41, name: 'Anna Berg' }, talkSeconds: 9 }])
  })

  test('what agents said is with the attempt, its call task and its call, oldest first', async () => {
    const { lease, attempt } = await dialed(await newTask())
    const about = { activity: attempt.activity, task: attempt.task.id, agent: ANNA }
    const said = { ...about, feedbackType: 'promisedToPay', isFinal: false, note: 'on Friday', atMs: nowMs() - 5_000 }
    const gone = { ...about, agent: 'dora' as never, feedbackType: 'hasPaid', isFinal: true, atMs: nowMs() }
    await world.dialerRepository.recordFeedback(gone)
    await world.dialerRepository.recordFeedback(said)
    const ended = endOf(attempt, lease, nowMs(), {
      result: 'answered',
      reach: 'answered',
      next: { status: 'answered' },
    })
    await world.dialerRepository.finishCall(callOf('said', nowMs(), { activity: attempt.activity, attempt: ended }))
    const shown = ({ feedbackType, isFinal: final, atMs }: typeof said | typeof gone) => {
      return { feedbackType, final, creationTs: new Date(atMs).toISOString() }
    }
    const free = { outcome: null, fields: [], callBackTs: null, callBackForMe: false }
    const feedback = [
      { ...shown(said), ...free, note: 'on Friday', agent: { userId: 41, name: 'Anna Berg' } },
      { ...shown(gone), ...free, note: null, agent: { userId: null, name: 'dora' } },
    ]
    expect((await search({ iccaIds: [attempt.id] })).body.callAttempts[0].feedback).toEqual(feedback)
    const tasks = await world.search({ itcaIds: [attempt.task.id], detail: true })
    expect(tasks.body.callTasks[0].callAttempts[0].feedback).toEqual(feedback)
    const calls = await world.call('POST', '/svcems/calls/search', { eactIds: [attempt.activity] })
    expect(calls.body).toMatchObject([{ feedback }])
  })

  test('returns pages, and never attempts of another corporation', async () => {
    const iccaIds: number[] = []
    for (const task of await newTasks(3)) iccaIds.push((await dialed(task)).attempt.id)
    const { body } = await search({ iccaIds, limit: 2, pageNumber: 2 })
    expect(body).toMatchObject({
      foundRows: 3,
      firstRow: 3,
      lastRow: 3,
      pageCount: 2,
      callAttempts: [{ iccaId: iccaIds[2] }],
    })
    const as = await world.credential(['dialer:read'], [THEIRS])
    const theirs = await world.call('POST', '/svcdialer/calltaskcallattempts/search', { iccaIds }, { as })
    expect(theirs.body).toMatchObject({ callAttempts: [], foundRows: 0 })
  })

  test('without a filter, or by an unknown field, is 400', async () => {
    for (const body of [{}, { iccaIds: [] }, { iccaId: null }, { attemptIds: [1] }, { iccaIds: ['x'] }]) {
      expect((await search(body)).status).toBe(400)
    }
    expect((await search({ iccaIds: [999_999] })).body.callAttempts).toEqual([])
  })
})

describe('searching calls', () => {
  const search = (eactIds: unknown) => world.call('POST', '/svcems/calls/search', { eactIds })
  const finished = async (...call: Parameters<typeof callOf>) => {
    const result = await world.dialerRepository.finishCall(callOf(...call))
    if (result.outcome === 'refused') throw new Error(result.why)
    return result.activity
  }

  test('a call of a task has attempt, system, case, recordings', async () => {
    const { lease, attempt } = await dialed(await newTask())
    const atMs = nowMs()
    const talked = {
      result: 'answered',
      reach: 'answered',
      agent: ANNA,
      answeredAtMs: atMs - 9_000,
      next: { status: 'answered' },
    } as const
    const times = { startTs: expect.any(String), endTs: expect.any(String) }
    const fileId = await world.dialerRepository.fileNumber()
    const eactId = await finished('talk', atMs, {
      activity: attempt.activity,
      called: attempt.number,
      ringingAtMs: atMs - 20_000,
      answeredAtMs: atMs - 9_000,
      talkMs: 8_600,
      waitMs: 400,
      result: 'answered',
      agent: ANNA,
      team: 'collectors' as TeamName,
      externalSystem: SYSTEM,
      externalCaseNumber: 'case 1',
      hangupCause: 16,
      hungUpBy: 'agent',
      recordings: [
        { file: 'sb-rec-1.wav', startedAtMs: atMs - 9_000, endedAtMs: atMs, state: 'ready', isMessage: true, fileId },
        { file: 'sb-rec-2.wav', startedAtMs: atMs - 9_000, endedAtMs: atMs, state: 'failed', why: 'disk full' },
      ],
      attempt: endOf(attempt, lease, atMs, talked),
    })
    expect(eactId).toBe(attempt.activity)
    const { status, body, headers } = await search([String(eactId)])
    expect([status, headers['svc-total-found'], headers['totalfound']]).toEqual([200, '1', '1'])
    expect(body).toEqual([
      {
        eactId,
        activityType: { eatyId: 10 },
        direction: 2,
        callNumber: '+4570001000',
        calledNumber: attempt.number,
        creationTs: expect.any(String),
        ringTs: expect.any(String),
        startTs: new Date(atMs - 9_000).toISOString(),
        endTs: new Date(atMs).toISOString(),
        talkSeconds: 9,
        transfers: [],
        waitSeconds: 0,
        result: 1,
        resultName: 'ANSWERED',
        agent: { userId: 41, name: 'Anna Berg' },
        queue: { ucquId: 12, name: 'collectors' },
        corporation: { corpId: 1 },
        entityExtension: { eeexId: expect.any(Number) },
        externalSystem: { itsyId: 3, systemCode: 'DEBT' },
        systemLookupCode: 'case 1',
        callAttempt: { iccaId: attempt.id, itcaId: attempt.task.id, callCode: CAMPAIGN },
        recordings: [
          { pcreId: expect.any(Number), ...times, cfreId: fileId, voicemail: true },
          { pcreId: expect.any(Number), ...times, cfreId: null, voicemail: false },
        ],
        feedback: [],
        hangupCause: 16,
        hangupBy: 'agent',
        summaryStatus: 'none',
      },
    ])
  })

  test('without a task it has neither attempt nor system; unanswered, it has no start', async () => {
    const eactId = await finished('in', nowMs(), { direction: 'in', caller: '', called: '100' })
    const [call] = (await search([eactId])).body
    expect(call).toMatchObject({
      direction: 1,
      startTs: null,
      systemLookupCode: null,
      agent: null,
      queue: null,
      recordings: [],
    })
    expect(call).not.toHaveProperty('callAttempt')
    expect(call).not.toHaveProperty('externalSystem')
  })

  test('a typed case number is returned', async () => {
    const eactId = await finished('typed', nowMs(), {
      direction: 'in',
      answeredAtMs: nowMs(),
      externalCaseNumber: '4711',
    })
    expect((await search([eactId])).body).toMatchObject([{ systemLookupCode: '4711', startTs: expect.any(String) }])
  })

  test('a case that was typed at a number of an external system is of that system, in call and event', async () => {
    const typed = { direction: 'in', answeredAtMs: nowMs(), externalCaseNumber: '4711' } as const
    const ours = await finished('ours', nowMs(), { ...typed, externalSystemCode: 'DEBT' })
    const foreign = await finished('foreign', nowMs(), { ...typed, externalSystemCode: 'THEIRS' })
    const [call, other] = (await search([ours, foreign])).body
    expect(call).toMatchObject({ externalSystem: { itsyId: 3, systemCode: 'DEBT' }, systemLookupCode: '4711' })
    expect(other).not.toHaveProperty('externalSystem')
    const { rows } = await world.pools.jobs.query(
      'select system_code as "systemCode" from events where activity_id = any($1) order by activity_id',
      [[ours, foreign]],
    )
    expect(rows).toEqual([{ systemCode: 'DEBT' }, { systemCode: null }])
  })

  test('ids are texts, as in events, or numbers; unknown ones are omitted', async () => {
    const mine = await finished('mine', nowMs())
    const theirs = await finished('theirs', nowMs(), { corporation: THEIRS })
    const { body, headers } = await search([mine, String(mine), theirs, 999_999])
    expect(body).toMatchObject([{ eactId: mine }])
    expect((await search([String(mine)])).body).toEqual(body)
    expect(headers['svc-total-found']).toBe('1')
    expect((await search([999_999])).body).toEqual([])
  })

  test('no ids, too many, or invalid ids are 400', async () => {
    const tooMany = Array.from({ length: 1_001 }, (_, place) => place + 1)
    for (const eactIds of [undefined, null, [], 'all', ['x'], [1.5], tooMany]) {
      expect((await search(eactIds)).status).toBe(400)
    }
  })
})
