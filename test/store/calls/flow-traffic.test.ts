/** Ended calls become sums of their flows, each once, and what a canary counts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallId, CanaryId, CorporationId, FlowName } from '../../../src/kernel/ids.ts'
import type { DialerRepository, FinishedCall } from '../../../src/ports/dialer-repository.ts'
import type { FlowCanaries, StepSeen } from '../../../src/ports/flows/flow-canaries.ts'
import type { FlowRevisions } from '../../../src/ports/flows/flow-revisions.ts'
import type { CallTraffic, FlowTraffic } from '../../../src/ports/flows/flow-traffic.ts'
import { postgresFlowCanaries } from '../../../src/store/calls/flow-canaries.ts'
import { postgresFlowRevisions } from '../../../src/store/calls/flow-revisions.ts'
import { postgresFlowTraffic } from '../../../src/store/calls/flow-traffic.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, NOON, openShop } from '../shop.ts'

const FLOW = 'house' as FlowName
const HOUR_MS = 3_600_000
const SIGNED = { author: 'anna', note: null, atMs: NOON }

describe.each(servers)('traffic of flows on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let revisions: FlowRevisions
  let canaries: FlowCanaries
  let traffic: FlowTraffic
  let calls = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
    const { pools } = database
    dialerRepository = await openShop(pools)
    ;[revisions, canaries, traffic] = [
      postgresFlowRevisions(pools),
      postgresFlowCanaries(pools),
      postgresFlowTraffic(pools),
    ]
    await revisions.publish({ flow: FLOW, revision: 'aaaaaaaaaaaa', text: 'old', ...SIGNED })
  })
  afterAll(() => database?.drop())
  beforeEach(() => database.pools.jobs.query('delete from flow_traffic; delete from flow_canary_counts'))

  const ended = (change: Partial<CallTraffic> = {}): FinishedCall => ({
    call: `call-${++calls}` as CallId,
    corporation: CORPORATION as CorporationId,
    direction: 'in',
    caller: '+4520000001',
    called: '+4570001000',
    createdAtMs: NOON,
    endedAtMs: NOON + 1_000,
    talkMs: 0,
    waitMs: 0,
    recordings: [],
    eventName: `event-${calls}`,
    traffic: {
      flow: FLOW,
      revision: 'aaaaaaaaaaaa',
      atMs: NOON + 1_000,
      outcome: 'completed',
      marks: ['asked'],
      ends: { ask: { noInput: 2, done: 1 } },
      ...change,
    },
  })
  const day = { flow: FLOW, fromAtMs: NOON - 24 * HOUR_MS, toAtMs: NOON + HOUR_MS }
  const sums = async () => {
    const found = await traffic.read(day)
    return Object.fromEntries(
      found.map(({ what, name, ended, calls, times }) => [`${what} ${name} ${ended}`.trim(), [calls, times]]),
    )
  }

  test('a note for the live revision leaves the trial alone; another revision ends it', async () => {
    const live = { flow: FLOW, revision: 'aaaaaaaaaaaa', text: 'old', ...SIGNED }
    await canaries.begin({ ...live, revision: 'cccccccccccc', text: 'tried', percent: 10 })
    const tried = async () => (await canaries.list(FLOW))[0]?.ended
    expect(await revisions.publish({ ...live, note: 'why' })).toBe('already live')
    await revisions.goBack(FLOW, live.revision, { ...SIGNED, note: 'again' })
    expect([(await canaries.running()).length, await tried()]).toEqual([1, null])
    await revisions.publish({ ...live, revision: 'dddddddddddd', text: 'other' })
    expect([(await canaries.running()).length, await tried()]).toEqual([0, 'replaced'])
    await revisions.goBack(FLOW, live.revision, SIGNED)
  })

  test('a call that is written twice counts once, whoever folds', async () => {
    const call = ended()
    await Promise.all([dialerRepository.finishCall(call), dialerRepository.finishCall(call)])
    await dialerRepository.finishCall(ended({ outcome: 'abandoned', marks: [], ends: { ask: { done: 1 } } }))
    await Promise.all([traffic.fold(NOON), traffic.fold(NOON), traffic.fold(NOON)])
    expect(await sums()).toEqual({
      call: [2, 2],
      'end ask done': [2, 2],
      'end ask noInput': [1, 2],
      'mark asked': [1, 1],
      'outcome abandoned': [1, 1],
      'outcome completed': [1, 1],
      'step ask': [2, 4],
    })
    await dialerRepository.finishCall(ended())
    await traffic.fold(NOON)
    expect(await sums()).toMatchObject({ call: [3, 3], 'step ask': [3, 7] })
  })

  test('hours and revisions are told apart; sums of 400 days ago are gone', async () => {
    await dialerRepository.finishCall(ended({ atMs: NOON - 2 * HOUR_MS, revision: 'bbbbbbbbbbbb' }))
    await dialerRepository.finishCall(ended())
    await traffic.fold(NOON)
    const only = await traffic.read({ ...day, revision: 'bbbbbbbbbbbb' })
    expect(new Set(only.map(({ revision }) => revision))).toEqual(new Set(['bbbbbbbbbbbb']))
    expect(await traffic.read({ ...day, fromAtMs: NOON, toAtMs: NOON, revision: 'bbbbbbbbbbbb' })).toEqual([])
    expect(await traffic.read({ ...day, flow: 'other' as FlowName })).toEqual([])
    await traffic.fold(NOON + 401 * 24 * HOUR_MS)
    expect(await sums()).toEqual({})
  })

  test('a canary counts the calls of both revisions, and a look is remembered', async () => {
    await canaries.begin({ flow: FLOW, revision: 'cccccccccccc', text: 'new', percent: 10, ...SIGNED })
    const { id } = (await canaries.running())[0]!
    const counted = (isNew: boolean, risks: readonly ('hangup' | 'failed')[]) =>
      ended({
        canary: {
          id,
          isNew,
          steps: [
            { step: '', risks: [] },
            { step: 'ask', risks },
          ],
        },
      })
    for (const call of [counted(true, ['hangup']), counted(true, []), counted(false, ['failed'])]) {
      await dialerRepository.finishCall(call)
    }
    // One of a canary that nobody knows is no reason to lose the others.
    await dialerRepository.finishCall(
      ended({ canary: { id: 999 as CanaryId, isNew: true, steps: [{ step: 'ask', risks: [] }] } }),
    )
    await traffic.fold(NOON)
    let seen: readonly StepSeen[] = []
    const looks = { ask: { count: 1, calls: 2 } }
    const watch = (now: readonly StepSeen[], before: object) => {
      seen = now
      expect(before).toEqual({})
      return { looks, fault: undefined }
    }
    expect(await canaries.weigh(id, watch, NOON)).toBeUndefined()
    expect([...seen].sort((a, b) => a.step.localeCompare(b.step))).toEqual([
      {
        step: '',
        onTrial: { calls: 2, hangup: 0, noInput: 0, failed: 0 },
        live: { calls: 1, hangup: 0, noInput: 0, failed: 0 },
      },
      {
        step: 'ask',
        onTrial: { calls: 2, hangup: 1, noInput: 0, failed: 0 },
        live: { calls: 1, hangup: 0, noInput: 0, failed: 1 },
      },
    ])
    const fault = { step: 'ask', risk: 'hangup' as const, onTrial: { calls: 2, bad: 1 }, live: { calls: 1, bad: 0 } }
    const found = await canaries.weigh(
      id,
      (_, before) => {
        expect(before).toEqual(looks)
        return { looks, fault }
      },
      NOON + 5,
    )
    expect(found).toEqual(fault)
    expect(await canaries.running()).toEqual([])
    expect((await canaries.list(FLOW))[0]).toMatchObject({ ended: 'returned', endedAtMs: NOON + 5, fault })
    expect(await canaries.weigh(id, () => ({ looks: {}, fault }), NOON)).toBeUndefined()
    expect(await canaries.end(id, 'promoted', SIGNED)).toBeUndefined()
  })
})
