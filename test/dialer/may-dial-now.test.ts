import { describe, expect, test } from 'vitest'
import type { CallTask } from '../../src/dialer/call-task.ts'
import type { Campaign } from '../../src/dialer/campaign.ts'
import { type DialAnswer, type DialQuestion, mayDialNow, REASONS, type Reason } from '../../src/dialer/may-dial-now.ts'
import type { AgentName, AttemptId, CallTaskId, CampaignId } from '../../src/kernel/ids.ts'
import type { Touch } from '../../src/ports/attempt.ts'
import { AARHUS, aCampaign, anAttempt, aTask, COPENHAGEN, capOfThree, HOUR_MS, number } from './samples.ts'

/** A Monday, noon in Copenhagen. */
const NOON = Date.parse('2026-11-23T11:00:00Z')
const MIRIAM = 'miriam' as AgentName
const ROOM_ABROAD: DialQuestion['abroad'] = { caps: { callsMax: 3, talkMaxMs: 60_000 }, used: [], beside: 0 }
/** Denmark is abroad for a trunk that shows a Swedish number. */
const fromSweden = (abroad: Partial<DialQuestion['abroad']>): Different => ({
  ourCallerIds: [number('+46812345678')],
  abroad: { ...ROOM_ABROAD, ...abroad },
})
const EVERY_DAY = { windows: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], fromMinute: 480, toMinute: 1_200 }], holidays: [] }

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
    touches: [],
    beside: 0,
    lastTalk: 'never',
    isOnOurLine: false,
    lastCalledIn: 'never',
    inFlight: { ofTask: 0, ofNumber: 0, ofContact: 0 },
    trunk: { name: 'main', isFailing: false, linesInUse: 0, linesMax: 10, placedLastSecond: 0, perSecondMax: 5 },
    ourCallerIds: [number('+4570000000')],
    abroad: ROOM_ABROAD,
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

test('a permit carries the figures that it is based on', () => {
  expect(permitOf()).toEqual({
    task: 81,
    campaign: 7,
    contact: 'crm/4711',
    number: COPENHAGEN,
    callerId: '+4570000000',
    team: 'collectors',
    trunk: 'main',
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
const trunk = { name: 'main', isFailing: false, linesInUse: 0, linesMax: 10, placedLastSecond: 0, perSecondMax: 5 }
const none = { ofTask: 0, ofNumber: 0, ofContact: 0 }
const noIdle = { inFlight: 0, waiting: 0, idleAgents: 0 }

const nobodyAnswered: Different = {
  clocks: clocks(NOON + HOUR_MS),
  campaign: { retryPart: { noAnswer: 'next' } },
  task: { attemptIntervalMs: 0, attempts: [anAttempt({ claimedAtMs: NOON, endedAtMs: NOON + 25_000 })] },
}

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
  ['campaignInactive', 'over', { campaign: { endsAtMs: NOON } }],
  ['notStarted', 'it starts in a moment', { campaign: { startsAtMs: NOON + 1 } }],
  ['foreignTask', 'a task of another campaign', { task: { campaign: 8 as CampaignId } }],
  ['taskFinished', 'ended from outside', { task: { end: 'endedBySystem' } }],
  ['taskFinished', 'no attempts left', { task: { attemptsMax: 0 } }],
  ['attemptInFlight', 'its own', { task: { attempts: [{ ...unanswered, result: 'inProgress' }] } }],
  ['attemptInFlight', 'of the task, elsewhere', { inFlight: { ...none, ofTask: 1 } }],
  ['attemptInFlight', 'of the number', { inFlight: { ...none, ofNumber: 1 } }],
  ['attemptInFlight', 'of the person', { inFlight: { ...none, ofContact: 1 } }],
  ['attemptInFlight', 'it is not known', { inFlight: undefined }],
  ['expired', 'its validity is over now', { task: { validToAtMs: NOON } }],
  ['notYetValid', 'its validity begins in a moment', { task: { validFromAtMs: NOON + 1 } }],
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
  ['countrySpent', 'the calls of 24 hours', fromSweden({ used: [{ country: 'DK', calls: 3, talkMs: 0 }] })],
  [
    'countrySpent',
    'with those of this claim',
    fromSweden({ used: [{ country: 'DK', calls: 1, talkMs: 0 }], beside: 2 }),
  ],
  ['countrySpent', 'the minutes', fromSweden({ used: [{ country: 'DK', calls: 1, talkMs: 60_000 }] })],
  ['countrySpent', 'their count is not known', fromSweden({ used: undefined })],
  ['countrySpent', 'no cap is known', fromSweden({ caps: undefined })],
  ['zoneUnknown', 'a zone that is none', { task: { timeZone: 'Europe/Atlantis' } }],
  ['zoneUnknown', 'no zone', { task: { timeZone: '' } }],
  ['outsideHours', 'evening', { clocks: clocks(Date.parse('2026-11-23T19:00:00Z')) }],
  ['outsideHours', 'no windows', { campaign: { hours: { windows: [], holidays: [] } } }],
  ['samePartOfDay', 'nobody answered an hour ago', nobodyAnswered],
  ['frequencyCap', 'as often as the cap allows', { touches: touches(7) }],
  ['frequencyCap', 'as often as the cap allows, with the numbers beside', { touches: touches(6), beside: 1 }],
  ['frequencyCap', 'it is not known', { touches: undefined }],
  ['frequencyCap', 'a count that is no number', { beside: Number.NaN }],
  ['frequencyCap', 'the calls beside are not known', { beside: undefined }],
  ['frequencyCap', 'an instant that is no number', { touches: touches(7, () => Number.NaN) }],
  ['onOurLine', 'they call us', { isOnOurLine: true }],
  ['onOurLine', 'it is not known', { isOnOurLine: undefined }],
  ['afterOurCall', 'they called a minute ago', { lastCalledIn: NOON - 60_000 }],
  ['afterOurCall', 'it is not known', { lastCalledIn: undefined }],
  ['afterOurCall', 'an instant that is no number', { lastCalledIn: Number.NaN }],
  ['quietAfterTalk', 'talked yesterday', { ...quiet(7), lastTalk: NOON - 24 * HOUR_MS }],
  ['quietAfterTalk', 'it is not known', { lastTalk: undefined }],
  ['quietAfterTalk', 'talked after a callback was promised (campaigns-46)', promised(NOON - 24 * HOUR_MS - 1)],
  ['callerIdNotOurs', 'somebody else’s', { ourCallerIds: [number('+4570000001')] }],
  [
    'callerIdNotOurs',
    'one for other callees is not',
    { campaign: { callerIds: [{ number: AARHUS, destinations: ['SE'] }] } },
  ],
  ['callerIdNotOurs', 'it is not known', { ourCallerIds: undefined }],
  ['carrierFailing', 'calls over the trunk fail', { trunk: { ...trunk, isFailing: true } }],
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

/** A talk yesterday within the quiet time, and a callback that is due. */
function promised(promisedAtMs: number): Different {
  const callback = { atMs: NOON - HOUR_MS, askedByContact: true, promisedAtMs }
  return { ...quiet(7), lastTalk: NOON - 24 * HOUR_MS, task: { callback } }
}

function quiet(days: number): Different {
  return { campaign: { quietAfterTalkMs: days * 24 * HOUR_MS } }
}

/** Calls by other tasks, an hour apart, newest first. */
function touches(count: number, atMs = (place: number) => NOON - (place + 5) * HOUR_MS): Touch[] {
  return Array.from({ length: count }, (_, place) => {
    const claimedAtMs = atMs(place)
    const at = { claimedAtMs, endedAtMs: claimedAtMs + 25_000 }
    return { ...anAttempt(at), id: place as AttemptId, task: 9 as CallTaskId, campaign: 8 as CampaignId }
  })
}

function withLive(live: NonNullable<DialQuestion['live']>): Different {
  return { live, ledgers: [{ rule: capOfThree, tally: { answered: 0, abandoned: 0 }, live }] }
}

describe('refused', () => {
  test.each(REFUSALS)('%s: %s', (reason, _case, different) => {
    expect(ask(different)).toMatchObject({ refused: reason })
  })

  test('every refusal reason has a case here and a text', () => {
    expect([...new Set(REFUSALS.map(([reason]) => reason))].sort()).toEqual(Object.keys(REASONS).sort())
    for (const sentence of Object.values(REASONS)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  test('where time alone removes the reason, the answer says when', () => {
    expect(ask({ task: { attempts: [unanswered] } })).toEqual({
      refused: 'notYet',
      untilAtMs: unanswered.endedAtMs! + 4 * HOUR_MS,
    })
    expect(ask({ clocks: clocks(Date.parse('2026-11-27T19:00:00Z')) })).toEqual({
      refused: 'outsideHours',
      untilAtMs: Date.parse('2026-11-30T07:00:00Z'),
    })
    // The seventh newest call was claimed 11 hours ago, dialed up to 5 s later, and leaves the seven days.
    expect(ask({ touches: touches(7) })).toEqual({
      refused: 'frequencyCap',
      untilAtMs: NOON - 11 * HOUR_MS + 5_000 + 7 * 24 * HOUR_MS,
    })
    expect(ask({ ...quiet(7), lastTalk: NOON - HOUR_MS })).toEqual({
      refused: 'quietAfterTalk',
      untilAtMs: NOON - HOUR_MS + 7 * 24 * HOUR_MS,
    })
    expect(ask({ lastCalledIn: NOON - 60_000 })).toEqual({ refused: 'afterOurCall', untilAtMs: NOON + 4 * 60_000 })
  })
})

describe('permitted', () => {
  test('a permit ends when the window closes: planned for 19:59:59, not placed at 20:00:01', () => {
    const atMs = Date.parse('2026-11-23T18:59:59Z')
    expect(permitOf({ clocks: clocks(atMs) }).validUntilAtMs).toBe(atMs + 1_000)
  })

  test('a permit lasts as long by the clock of the engine, which ends it, and no longer where that is behind', () => {
    const atMs = Date.parse('2026-11-23T18:59:59Z')
    const at = (engineNowAtMs: number) => permitOf({ clocks: { ...clocks(atMs), engineNowAtMs } }).validUntilAtMs
    expect([at(atMs - 1_500), at(atMs + 1_500)]).toEqual([atMs - 500, atMs + 1_000])
  })

  test('the quiet time after a talk does not hold the callback that was promised in it', () => {
    expect(permitOf(promised(NOON - 24 * HOUR_MS))).toMatchObject({ givenAtMs: NOON })
  })

  test('the clocks may differ by two seconds, the cap leaves one', () => {
    permitOf({ clocks: { ...clocks(NOON), engineNowAtMs: NOON + 2_000 } })
    expect(permitOf({ touches: touches(6) }).placements).toBe(6)
  })

  test('with a reserved agent: in manual mode, after a drop, and beside a full ledger', () => {
    for (const mode of ['manual', 'preview', 'progressive'] as const) {
      const reserved = { campaign: { mode }, task: { attempts: [dropped] }, reservedAgent: MIRIAM, ...withLive(noIdle) }
      expect(permitOf(reserved)).toMatchObject({ attemptNo: 2, reservedAgent: MIRIAM })
    }
  })

  test('ledger credit is enough when no agent is idle', () => {
    const credit = { rule: capOfThree, tally: { answered: 34, abandoned: 0 }, live: noIdle }
    permitOf({ live: noIdle, ledgers: [credit] })
  })

  test('a conversation that ended before the quiet period', () => {
    permitOf({ ...quiet(7), lastTalk: NOON - 7 * 24 * HOUR_MS })
  })

  test('all zones of the country and the campaign’s zone must be open', () => {
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

  test('a public holiday of the callee’s country closes the day, unless the campaign wants none', () => {
    // The Day of German Unity everywhere; Corpus Christi in Bavaria, not in Berlin.
    const german = (date: string, calleeRegions?: readonly string[]): Different => ({
      ...only('+498932168000'),
      clocks: clocks(Date.parse(`${date}T10:00:00Z`)),
      campaign: {
        allowedCountries: ['DE'],
        hours: { ...EVERY_DAY, ...(calleeRegions && { calleeRegions }) },
      },
    })
    expect(ask(german('2026-10-03', []))).toEqual({
      refused: 'outsideHours',
      untilAtMs: Date.parse('2026-10-04T06:00:00Z'),
    })
    permitOf(german('2026-10-03'))
    permitOf(german('2026-06-04', []))
    expect(ask(german('2026-06-04', ['DE-BY', 'AT-1']))).toMatchObject({ refused: 'outsideHours' })
    permitOf(german('2026-06-04', ['DE-BE', 'AT-1']))
    // Saint Joseph's Day in Uri, which is of another country.
    permitOf(german('2026-03-19', ['DE-BE', 'CH-UR']))
  })

  test('the permit of a task ends with its validity', () => {
    expect(permitOf({ task: { validFromAtMs: NOON, validToAtMs: NOON + 500 } }).validUntilAtMs).toBe(NOON + 500)
  })

  test('only the person’s zone counts when it is known', () => {
    const atMs = Date.parse('2026-11-23T21:00:00Z')
    const permit = permitOf({ task: { timeZone: 'America/New_York' }, clocks: clocks(atMs) })
    expect(permit).toMatchObject({ zones: ['America/New_York'], zonesFrom: 'contact' })
  })

  test('several numbers dialed at once are separate attempts', () => {
    const numbers = [COPENHAGEN, AARHUS].map((number) => ({ number, isStopped: false }))
    const both = { task: { numbers }, campaign: { parallelNumbers: 2 } }
    expect(permitOf(both).attemptNo).toBe(1)
    expect(permitOf({ ...both, number: AARHUS }).attemptNo).toBe(2)
  })
})

test('given any single missing figure, the answer is no', () => {
  const figures = [
    'clocks',
    'killSwitch',
    'holdsLease',
    'stops',
    'touches',
    'beside',
    'lastTalk',
    'isOnOurLine',
    'lastCalledIn',
    'inFlight',
    'trunk',
  ] as const
  for (const figure of [...figures, 'ourCallerIds', 'live', 'ledgers'] as const) {
    const missing = figure === 'clocks' ? clocks(undefined) : undefined
    expect(ask({ [figure]: missing } as Different), figure).toHaveProperty('refused')
  }
})
