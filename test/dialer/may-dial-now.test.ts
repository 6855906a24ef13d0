import { describe, expect, test } from 'vitest'
import type { CallTask } from '../../src/dialer/call-task.ts'
import type { Campaign } from '../../src/dialer/campaign.ts'
import { type DialAnswer, type DialQuestion, mayDialNow, REASONS, type Reason } from '../../src/dialer/may-dial-now.ts'
import type { AgentName, CampaignId } from '../../src/kernel/ids.ts'
import { AARHUS, aCampaign, anAttempt, aTask, COPENHAGEN, capOfThree, HOUR_MS, number } from './samples.ts'

/** A Monday, noon in Copenhagen. */
const NOON = Date.parse('2026-11-23T11:00:00Z')
const MIRIAM = 'miriam' as AgentName

interface Different extends Partial<Omit<DialQuestion, 'task' | 'campaign'>> {
  readonly task?: Partial<CallTask>
  readonly campaign?: Partial<Campaign>
}

/** Everything is right, but for what the test says. */
function ask({ task, campaign, ...different }: Different = {}): DialAnswer {
  const live = { inFlight: 0, waiting: 0, idleAgents: 1 }
  return mayDialNow({
    task: aTask(task),
    campaign: aCampaign(campaign),
    number: COPENHAGEN,
    clocks: clocks(NOON),
    killSwitch: 'off',
    holdsLease: true,
    stops: [],
    placements: 0,
    lastTalk: 'never',
    inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
    trunk: { linesInUse: 0, linesMax: 10, placedLastSecond: 0, perSecondMax: 5 },
    isCallerIdOurs: true,
    reservedAgent: undefined,
    live,
    ledgers: [{ rule: capOfThree, tally: { answered: 0, abandoned: 0 }, live }],
    ...different,
  })
}

function clocks(atMs: number | undefined): DialQuestion['clocks'] {
  return { nowAtMs: atMs, engineNowAtMs: atMs, latestSeenAtMs: atMs }
}

function permitOf(different: Different = {}) {
  const answer = ask(different)
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`)
  return answer.permit
}

test('where everything is right, the permit tells how it came about', () => {
  expect(permitOf()).toEqual({
    task: 81,
    campaign: 7,
    contact: 'crm/4711',
    number: COPENHAGEN,
    callerId: '+4570000000',
    attemptNo: 1,
    rules: 'test-1',
    country: 'DK',
    zones: ['Europe/Copenhagen'],
    zonesFrom: 'number',
    placements: 0,
    reservedAgent: undefined,
    givenAtMs: NOON,
    validUntilAtMs: NOON + 2_000,
  })
})

const unanswered = anAttempt({ claimedAtMs: NOON - HOUR_MS, endedAtMs: NOON - HOUR_MS + 25_000 })
const dropped = anAttempt({ result: 'dropped', reach: 'answered', endedAtMs: NOON - 100 * HOUR_MS })
const trunk = { linesInUse: 0, linesMax: 10, placedLastSecond: 0, perSecondMax: 5 }
const none = { ofTask: 0, ofNumber: 0, ofContact: 0 }
const noIdle = { inFlight: 0, waiting: 0, idleAgents: 0 }

const REFUSALS: readonly (readonly [Reason, string, Different])[] = [
  ['killSwitch', 'it is on', { killSwitch: 'on' }],
  ['killSwitch', 'it is not known', { killSwitch: undefined }],
  ['clockUnknown', 'no database clock', { clocks: { ...clocks(NOON), nowAtMs: undefined } }],
  ['clockUnknown', 'no clock of this engine', { clocks: { ...clocks(NOON), engineNowAtMs: undefined } }],
  ['clockUnknown', 'no high-water mark', { clocks: { ...clocks(NOON), latestSeenAtMs: undefined } }],
  ['clockUnknown', 'a clock that is no number', { clocks: clocks(Number.NaN) }],
  ['clockWentBack', 'later than now was seen', { clocks: { ...clocks(NOON), latestSeenAtMs: NOON + 1 } }],
  ['clocksDiffer', 'this engine is behind', { clocks: { ...clocks(NOON), engineNowAtMs: NOON - 2_001 } }],
  ['clocksDiffer', 'this engine is ahead', { clocks: { ...clocks(NOON), engineNowAtMs: NOON + 2_001 } }],
  ['leaseLost', 'another engine has it', { holdsLease: false }],
  ['leaseLost', 'it is not known', { holdsLease: undefined }],
  ['campaignInactive', 'closed', { campaign: { isActive: false } }],
  ['foreignTask', 'a task of another campaign', { task: { campaign: 8 as CampaignId } }],
  ['taskFinished', 'ended from outside', { task: { end: 'endedBySystem' } }],
  ['taskFinished', 'no attempts left', { task: { attemptsMax: 0 } }],
  ['attemptInFlight', 'its own', { task: { attempts: [{ ...unanswered, result: 'inProgress' }] } }],
  ['attemptInFlight', 'of the task, elsewhere', { inFlight: { ...none, ofTask: 1 } }],
  ['attemptInFlight', 'of the number', { inFlight: { ...none, ofNumber: 1 } }],
  ['attemptInFlight', 'of the person', { inFlight: { ...none, ofContact: 1 } }],
  ['attemptInFlight', 'it is not known', { inFlight: undefined }],
  ['notYet', 'the interval', { task: { attempts: [unanswered] } }],
  ['notYet', 'an interval that is no number', { task: { attempts: [unanswered], attemptIntervalMs: Number.NaN } }],
  ['notItsTurn', 'a number that is not in the list', { number: AARHUS }],
  ['stopped', 'the number', { stops: [{ of: 'number', list: 'ours' }] }],
  ['stopped', 'the person', { stops: [{ of: 'contact', list: 'ours' }] }],
  ['stopped', 'the lists could not be read', { stops: undefined }],
  ['numberRefused', 'premium rate', only('+4590112233')],
  ['numberRefused', 'an emergency number', only('+45112')],
  ['numberRefused', 'no number at all', only('')],
  ['countryNotAllowed', 'an Estonian number', only('+3725123456')],
  ['zoneUnknown', 'a zone that is none', { task: { timeZone: 'Europe/Atlantis' } }],
  ['zoneUnknown', 'no zone', { task: { timeZone: '' } }],
  ['outsideHours', 'evening', { clocks: clocks(Date.parse('2026-11-23T19:00:00Z')) }],
  ['outsideHours', 'no windows', { campaign: { hours: { windows: [], holidays: [] } } }],
  ['frequencyCap', 'as often as the cap allows', { placements: 7 }],
  ['frequencyCap', 'it is not known', { placements: undefined }],
  ['frequencyCap', 'a count that is no number', { placements: Number.NaN }],
  ['frequencyCap', 'a count below nothing', { placements: -1 }],
  ['quietAfterTalk', 'talked yesterday', { ...quiet(7), lastTalk: NOON - 24 * HOUR_MS }],
  ['quietAfterTalk', 'it is not known', { lastTalk: undefined }],
  ['callerIdNotOurs', 'somebody else’s', { isCallerIdOurs: false }],
  ['callerIdNotOurs', 'it is not known', { isCallerIdOurs: undefined }],
  ['trunkFull', 'all lines in use', { trunk: { ...trunk, linesInUse: 10 } }],
  ['trunkFull', 'it is not known', { trunk: undefined }],
  ['trunkFull', 'a maximum that is no number', { trunk: { ...trunk, linesMax: Number.NaN } }],
  ['trunkTooFast', 'five in this second', { trunk: { ...trunk, placedLastSecond: 5 } }],
  ['agentNeeded', 'manual', { campaign: { mode: 'manual' } }],
  ['agentNeeded', 'preview', { campaign: { mode: 'preview' } }],
  ['agentNeeded', 'a person whom we dropped', { task: { attempts: [dropped] } }],
  ['ledgerFull', 'nobody is idle', withLive(noIdle)],
  ['ledgerFull', 'the ledgers are not known', { ledgers: undefined }],
  ['ledgerFull', 'the lines are not known', { live: undefined }],
  ['ledgerFull', 'one ledger of the campaign is missing', { ledgers: [] }],
  ['ledgerFull', 'a ledger that is no number', withLive({ ...noIdle, idleAgents: Number.NaN })],
]

function only(text: string): Different {
  return { number: number(text), task: { numbers: [{ number: number(text), isStopped: false }] } }
}

function quiet(days: number): Different {
  const frequencyCap = { ...aCampaign().frequencyCap, quietAfterTalkMs: days * 24 * HOUR_MS }
  return { campaign: { frequencyCap } }
}

function withLive(live: NonNullable<DialQuestion['live']>): Different {
  return { live, ledgers: [{ rule: capOfThree, tally: { answered: 0, abandoned: 0 }, live }] }
}

describe('refused', () => {
  test.each(REFUSALS)('%s: %s', (reason, _case, different) => {
    expect(ask(different)).toMatchObject({ refused: reason })
  })

  test('every reason of the closed list has a case here, and a sentence', () => {
    expect([...new Set(REFUSALS.map(([reason]) => reason))].sort()).toEqual(Object.keys(REASONS).sort())
    for (const sentence of Object.values(REASONS)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  test('where time alone will mend it, the answer says when', () => {
    expect(ask({ task: { attempts: [unanswered] } })).toEqual({
      refused: 'notYet',
      untilAtMs: unanswered.endedAtMs! + 4 * HOUR_MS,
    })
    expect(ask({ clocks: clocks(Date.parse('2026-11-27T19:00:00Z')) })).toEqual({
      refused: 'outsideHours',
      untilAtMs: Date.parse('2026-11-30T07:00:00Z'),
    })
  })
})

describe('permitted', () => {
  test('a permit ends when the window closes: planned for 19:59:59, not placed at 20:00:01', () => {
    const atMs = Date.parse('2026-11-23T18:59:59Z')
    expect(permitOf({ clocks: clocks(atMs) }).validUntilAtMs).toBe(atMs + 1_000)
  })

  test('the clocks may differ by two seconds, the cap leaves one', () => {
    permitOf({ clocks: { ...clocks(NOON), engineNowAtMs: NOON + 2_000 } })
    expect(permitOf({ placements: 6 }).placements).toBe(6)
  })

  test('with an agent reserved: by hand, after a drop, and beside a full ledger', () => {
    for (const mode of ['manual', 'preview', 'progressive'] as const) {
      const reserved = { campaign: { mode }, task: { attempts: [dropped] }, reservedAgent: MIRIAM, ...withLive(noIdle) }
      expect(permitOf(reserved)).toMatchObject({ attemptNo: 2, reservedAgent: MIRIAM })
    }
  })

  test('credit in the ledger is enough where nobody is idle', () => {
    const credit = { rule: capOfThree, tally: { answered: 34, abandoned: 0 }, live: noIdle }
    permitOf({ live: noIdle, ledgers: [credit] })
  })

  test('a conversation longer ago than the quiet', () => {
    permitOf({ ...quiet(7), lastTalk: NOON - 7 * 24 * HOUR_MS })
  })

  test('where a country has several zones, all of them and the campaign’s own are kept', () => {
    const american = (text: string): Different => {
      return { ...only('+12125551234'), campaign: { allowedCountries: ['US'] }, clocks: clocks(Date.parse(text)) }
    }
    const eightInHonolulu = Date.parse('2026-11-23T18:00:00Z')
    expect(ask(american('2026-11-23T17:30:00Z'))).toEqual({ refused: 'outsideHours', untilAtMs: eightInHonolulu })
    const permit = permitOf(american('2026-11-23T18:30:00Z'))
    expect(ask(american('2026-11-23T19:30:00Z'))).toMatchObject({ refused: 'outsideHours' })
    expect(permit.zonesFrom).toBe('country')
    expect(permit.zones).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu', 'Europe/Copenhagen']))
  })

  test('where the person’s own zone is known, it alone holds', () => {
    const atMs = Date.parse('2026-11-23T21:00:00Z')
    const permit = permitOf({ task: { timeZone: 'America/New_York' }, clocks: clocks(atMs) })
    expect(permit).toMatchObject({ zones: ['America/New_York'], zonesFrom: 'contact' })
  })

  test('of several numbers at once, each has its own place among the attempts', () => {
    const numbers = [COPENHAGEN, AARHUS].map((number) => ({ number, isStopped: false }))
    const both = { task: { numbers }, campaign: { parallelNumbers: 2 } }
    expect(permitOf(both).attemptNo).toBe(1)
    expect(permitOf({ ...both, number: AARHUS }).attemptNo).toBe(2)
  })
})

test('given any single figure of the question missing, the answer is no', () => {
  const figures = [
    'clocks',
    'killSwitch',
    'holdsLease',
    'stops',
    'placements',
    'lastTalk',
    'inFlight',
    'trunk',
  ] as const
  for (const figure of [...figures, 'isCallerIdOurs', 'live', 'ledgers'] as const) {
    const missing = figure === 'clocks' ? clocks(undefined) : undefined
    expect(ask({ [figure]: missing } as Different), figure).toHaveProperty('refused')
  }
})
