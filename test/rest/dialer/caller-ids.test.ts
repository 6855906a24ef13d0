import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOf as callName } from '../../../src/kernel/ids.ts'
import type { AttemptEnd, ClaimedAttempt, NodeLease } from '../../../src/ports/attempt.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS } from '../rest-world.ts'
import {
  ANNA,
  CAMPAIGN,
  callOf,
  type DialerWorld,
  debtors,
  endOf,
  openDialerWorld,
  THEIR_CAMPAIGN,
} from './dialer-world.ts'

const DAY_MS = 24 * 3_600_000
const NOON = Date.UTC(2026, 2, 29, 12)
const [MAIN, DANISH, GERMAN] = ['+4570001000', '+4511111111', '+49301234567'] as const
const CALLER_IDS = [
  { number: DANISH, destinations: ['+45'] },
  { number: GERMAN, destinations: ['+4930', 'DE'] },
]

const CARRIER = { name: 'carrier', callerIds: [MAIN, DANISH, GERMAN] as readonly string[] }

let trunks: readonly { readonly name: string; readonly callerIds: readonly string[] }[] = [CARRIER]
let world: DialerWorld
let clock: VirtualClock

beforeAll(async () => {
  clock = new VirtualClock(NOON)
  world = await openDialerWorld({ clock, parts: { trunks: () => trunks } })
})
afterAll(() => world.close())

const save = (change: object) => world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, ...change })
const shown = (query = '', campaign = CAMPAIGN) => world.call('GET', `/dialer/callcode/${campaign}/callerids${query}`)

/** An ended attempt with its activity, as the engine writes it. */
async function ended(attempt: ClaimedAttempt, lease: NodeLease, caller: string, change: Partial<AttemptEnd> = {}) {
  const { activity, leg, number: called } = attempt
  const atMs = clock.nowMs() + 60_000
  const end = endOf(attempt, lease, atMs, change)
  const { answeredAtMs } = end
  const answered = answeredAtMs === undefined ? {} : { answeredAtMs }
  const call = { activity, caller, called, result: end.result, attempt: end, ...answered }
  expect(await world.dialerRepository.finishCall(callOf(callName(leg), atMs, call))).toMatchObject({
    outcome: 'recorded',
  })
}

test('the setting is kept as given; a wrong entry is refused with its place; null removes it', async () => {
  expect((await save({ callerIds: CALLER_IDS })).body).toMatchObject({ callerIds: CALLER_IDS, ready: true })
  const wrong = [CALLER_IDS[0], { number: '30 1234567', destinations: ['DE', 'XX'] }]
  const { status, body } = await save({ callerIds: wrong })
  expect(status).toBe(400)
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'callerIds[1].number',
    'callerIds[1].destinations[1]',
  ])
  const ledger = await save({ ledgers: [{ maxAbandonRate: 0.03, scope: 'callerId' }] })
  expect(ledger.body.errors).toMatchObject([{ path: 'ledgers[0].scope' }])
  expect((await save({ callerIds: null })).body).not.toHaveProperty('callerIds')
})

describe('a campaign with a caller id that is not on its trunk', () => {
  const [OTHER, THIRD] = [
    { name: 'other', callerIds: [] },
    { name: 'third', callerIds: [MAIN, DANISH] },
  ]
  const wrong = (setting: string, number: string, trunk: string) =>
    `${setting} (${number} is not one of the callerIds of the trunk ${trunk})`
  const ALL = [CARRIER, OTHER, THIRD]
  afterAll(async () => {
    trunks = [CARRIER]
    await save({ callerId: MAIN, callerIds: null, trunk: null, trunks: null })
  })

  test.each([
    [{}, [CARRIER], []],
    [{}, [OTHER, CARRIER], [wrong('callerId', MAIN, 'other')]],
    [{ callerIds: CALLER_IDS }, [THIRD], [wrong('callerIds[1].number', GERMAN, 'third')]],
    [{ trunk: 'carrier' }, ALL, []],
    [{ trunk: 'other' }, ALL, [wrong('callerId', MAIN, 'other')]],
    [{ trunk: 'other', trunks: ['carrier'] }, ALL, [wrong('callerId', MAIN, 'other')]],
    [{ trunks: ['third', 'carrier'], callerIds: CALLER_IDS }, ALL, [wrong('callerIds[1].number', GERMAN, 'third')]],
    [{ trunk: 'gone' }, ALL, ['trunk (the configuration has no trunk gone with the caller ids of the campaign)']],
    [{ trunk: 'gone', trunks: ['third'] }, ALL, []],
    [{}, [], ['trunk (the configuration has no trunk)']],
  ])('%j beside these trunks says so', async (settings, configured, missing) => {
    trunks = configured
    const whole = { callerId: MAIN, callerIds: null, trunk: null, trunks: null, ...settings }
    const { body } = await save(whole)
    expect(body).toMatchObject({ ready: missing.length === 0, missing })
    const listed = await world.call('GET', `/dialer/callcode?callCode=${CAMPAIGN}`)
    expect(listed.body.callCodes).toEqual([body])
  })

  test('accepts call tasks, and is ready when the configuration has the number', async () => {
    trunks = [OTHER]
    const { body } = await world.importTasks(debtors(100, 101))
    expect(body).toMatchObject({ importedCount: 1 })
    trunks = [CARRIER]
    const listed = await world.call('GET', `/dialer/callcode?callCode=${CAMPAIGN}`)
    expect(listed.body.callCodes).toMatchObject([{ ready: true, missing: [] }])
    const [task] = (await world.search({ callCodes: [CAMPAIGN] })).body.callTasks
    await world.call('PUT', `/v1/calltasks/${task.itcaId}/end`)
  })
})

test('answers and complaints are counted by the id that was shown', async () => {
  await save({ callerIds: CALLER_IDS })
  await world.importTasks(debtors(0, 8))
  const lease = await world.lease()
  const attempts = await world.claim(lease)
  const talk: Partial<AttemptEnd> = { result: 'answered', reach: 'answered', agent: ANNA, answeredAtMs: NOON }
  const over = { ...talk, next: { status: 'answered' } } as const
  await ended(attempts[0]!, lease, DANISH, over)
  await ended(attempts[1]!, lease, DANISH, over)
  await ended(attempts[2]!, lease, DANISH, { ...over, result: 'voicemail' })
  await ended(attempts[3]!, lease, DANISH)
  await ended(attempts[4]!, lease, MAIN, { ...over, result: 'dropped' })
  await ended(attempts[5]!, lease, '+4599999999', over)
  // An agent's word: it was a machine.
  await world.dialerRepository.correctToMachine(attempts[5]!.id, ANNA, NOON + 90_000)
  // Refused at the last moment: nobody saw anything. The last attempt goes on.
  const blocked = { result: 'blocked', reach: 'nothing', counts: false } as const
  await world.dialerRepository.endAttempt(endOf(attempts[6]!, lease, NOON + 60_000, blocked))
  for (const { activity, leg, number, task } of attempts.slice(0, 2)) {
    const evidence = { call: callName(leg), activity, by: ANNA, reason: 'leave me alone', atMs: NOON + 90_000 }
    await world.dialerRepository.doNotCall({ corporation: OURS, number, task: task.id, ...evidence })
  }

  const none = { calls: 0, personsAnswered: 0, answerRate: null, complaints: 0, complaintRate: null }
  const { status, body } = await shown('?days=2')
  expect(status).toBe(200)
  expect(body).toEqual({
    callCode: CAMPAIGN,
    from: '2026-03-28',
    callerIds: [
      { callerId: MAIN, calls: 1, personsAnswered: 1, answerRate: 1, complaints: 0, complaintRate: 0 },
      { callerId: DANISH, calls: 4, personsAnswered: 2, answerRate: 0.5, complaints: 2, complaintRate: 1 },
      { ...none, callerId: GERMAN },
      { ...none, callerId: '+4599999999', calls: 1, answerRate: 0 },
    ],
  })
  // A stop of the number or the person alone is the same complaint; a removed one is none any more.
  const allow = (place: number, of: 'numbers' | 'persons') => {
    const { number, task } = attempts[place]!
    const what =
      of === 'numbers' ? `numbers=${encodeURIComponent(number)}` : `systemCode=DEBT&extCustId=${task.externalCustomer}`
    return world.call('DELETE', `/dialer/stoplist/${of}?${what}`)
  }
  await allow(0, 'numbers')
  await allow(1, 'persons')
  expect((await shown()).body.callerIds[1]).toMatchObject({ complaints: 2 })
  await allow(0, 'persons')
  expect((await shown()).body.callerIds[1]).toMatchObject({ complaints: 1 })
  await allow(1, 'numbers')
  expect((await shown()).body.callerIds[1]).toMatchObject({ complaints: 0 })
  clock.run(2 * DAY_MS)
  expect((await shown('?days=2')).body.callerIds.map(({ calls }: { calls: number }) => calls)).toEqual([0, 0, 0])
})

test('a campaign of another corporation is not found, and days are from 1 to 366', async () => {
  expect((await shown('', THEIR_CAMPAIGN)).status).toBe(404)
  expect((await shown('?days=0')).status).toBe(400)
  expect((await shown('?days=367')).status).toBe(400)
})
