import { describe, expect, test } from 'vitest'
import { readSettings } from '../../src/dialer/campaign-settings.ts'
import { holidaysOf } from '../../src/dialer/holidays.ts'
import { campaignOf, settingsOf } from '../../src/dialer/stored-campaign.ts'
import type { CampaignId, CorporationId, TeamName } from '../../src/kernel/ids.ts'
import type { Campaign as StoredCampaign } from '../../src/ports/dialer-repository.ts'
import { aCampaign } from './samples.ts'

const WINDOW = { days: [1, 2], from: '08:00', to: '24:00', timeZone: 'Europe/Copenhagen' }
const DAY_MS = 24 * 3_600_000
const ENOUGH = { callerId: '+4570001000', callWindows: [WINDOW] }

function stored(settings: object, change: Partial<StoredCampaign> = {}): StoredCampaign {
  const identity = { id: 7 as CampaignId, corporation: 1 as CorporationId, name: 'Reminders', active: true }
  return { ...identity, team: 'collectors' as TeamName, settings: { ...settings }, ...change }
}

function read(settings: object, change: Partial<StoredCampaign> = {}) {
  const reading = campaignOf(stored(settings, change))
  if ('missing' in reading) throw new Error(reading.missing.join())
  return reading.campaign
}

describe('a stored campaign', () => {
  test('needs a team, a caller id and hours; names the missing ones', () => {
    const { team: _, ...teamless } = stored({})
    expect(campaignOf(teamless)).toEqual({ missing: ['team', 'callerId', 'callWindows'] })
    expect(campaignOf(stored({ ...ENOUGH, callWindows: [] }))).toEqual({ missing: ['callWindows'] })
  })

  test('dials as little as possible by default', () => {
    expect(read(ENOUGH)).toMatchObject({
      mode: 'preview',
      parallelNumbers: 1,
      linesPerAgent: 1,
      ringTimeoutMs: 25_000,
      minRingMs: 15_000,
      agentWaitMs: 2_000,
      machineDetection: 'off',
      recording: { mode: 'off' },
      wrapUp: { kind: 'timed', lengthMs: 20_000 },
      allowedCountries: ['DK'],
      frequencyCaps: [{ callsMax: 7, windowMs: 7 * 24 * 3_600_000, per: 'person', window: 'rolling' }],
      quietAfterTalkMs: 0,
      quietAfterInboundMs: 5 * 60_000,
      voicemailMessagesMax: 1,
      afterDropped: 'quietAndAgent',
      trunk: undefined,
      hours: { windows: [{ weekdays: [1, 2], fromMinute: 480, toMinute: 1_440 }] },
    })
    expect(read(ENOUGH).ledgers).toEqual([
      {
        name: 'maxAbandonRate',
        capBasisPoints: 300,
        window: { kind: 'day', timeZone: 'Europe/Copenhagen' },
        scope: 'campaign',
        denominator: 'answeredByPerson',
      },
    ])
  })

  test('keeps all its caps on calls: the first one, and further ones beside it', () => {
    const frequencyCaps = [
      { calls: 3, hours: 24 },
      { calls: 2, days: 1, per: 'case', window: 'calendarDay' },
    ]
    const settings = { ...ENOUGH, frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 2 }, frequencyCaps }
    const campaign = read(settings)
    expect(campaign).toMatchObject({ quietAfterTalkMs: 2 * DAY_MS })
    expect(campaign.frequencyCaps).toEqual([
      { callsMax: 7, windowMs: 7 * DAY_MS, per: 'person', window: 'rolling' },
      { callsMax: 3, windowMs: DAY_MS, per: 'person', window: 'rolling' },
      { callsMax: 2, windowMs: DAY_MS, per: 'case', window: 'calendarDay' },
    ])
    expect(read(settingsOf(campaign)).frequencyCaps).toEqual(campaign.frequencyCaps)
  })

  test('keeps an abandon cap that is no whole number of basis points', () => {
    const capOf = (maxAbandonRate: number) => read({ ...ENOUGH, maxAbandonRate }).ledgers[0]?.capBasisPoints
    expect([0.03, 0.0299, 0.02999, 0.0003, 0.00009, 0].map(capOf)).toEqual([300, 299, 299, 3, 0, 0])
  })

  test('is under every ledger that is set; the daily limit applies beside them only if set', () => {
    const ledgers = [
      { maxAbandonRate: 0.01, window: '30days', since: '2026-01-05', waitSeconds: 1.5 },
      { maxAbandonRate: 0.03, window: '24hours', scope: 'client', denominator: 'allAnswered' },
      { maxAbandonRate: 0.025, window: 'month', scope: 'callerId' },
    ]
    const [timeZone, denominator] = ['Europe/Copenhagen', 'answeredByPerson']
    const window = { kind: 'successive', days: 30, since: '2026-01-05', timeZone }
    const rules = [
      { name: 'ledgers[0]', capBasisPoints: 100, window, scope: 'campaign', denominator },
      {
        name: 'ledgers[1]',
        capBasisPoints: 300,
        window: { kind: 'rolling', lengthMs: 86_400_000 },
        scope: 'client',
        denominator: 'allAnswered',
      },
      {
        name: 'ledgers[2]',
        capBasisPoints: 250,
        window: { kind: 'calendarMonth', timeZone },
        scope: 'callerId',
        denominator,
      },
    ]
    const campaign = read({ ...ENOUGH, ledgers })
    expect([campaign.ledgers, campaign.agentWaitMs]).toEqual([rules, 1_500])
    expect(read(settingsOf(campaign)).ledgers).toEqual(rules)
    const both = read({ ...ENOUGH, ledgers: ledgers.slice(1), maxAbandonRate: 0.02 }).ledgers
    expect(both.map(({ name, capBasisPoints }) => [name, capBasisPoints])).toEqual([
      ['maxAbandonRate', 200],
      ['ledgers[0]', 300],
      ['ledgers[1]', 250],
    ])
  })

  test('keeps its caller ids by destination; only callerId says the country of its numbers and days', () => {
    const callerIds = [{ number: '+49301234567', destinations: ['+4930', 'DE'] }]
    const campaign = read({ ...ENOUGH, callerIds })
    expect(campaign).toMatchObject({ callerIds, allowedCountries: ['DK'] })
    expect(read(settingsOf(campaign)).callerIds).toEqual(callerIds)
    expect(settingsOf(read(ENOUGH))).not.toHaveProperty('callerIds')
  })

  test('takes country, holidays and time zone from its caller id where they are unambiguous', () => {
    const { timeZone: _, ...zoneless } = WINDOW
    const danish = read({ callerId: '+4570001000', callWindows: [zoneless] })
    expect(danish).toMatchObject({ timeZone: 'Europe/Copenhagen', allowedCountries: ['DK'] })
    expect(danish.hours.holidays).toContain('2026-12-25')
    const american = campaignOf(stored({ callerId: '+12025550123', callWindows: [zoneless] }))
    expect(american).toEqual({ missing: ['callWindows[0].timeZone'] })
    const swedish = read({ callerId: '+46812345678', callWindows: [WINDOW] })
    expect([swedish.allowedCountries, swedish.hours.holidays]).toEqual([['SE'], []])
  })

  test('can disable the calendar and add its own dates', () => {
    expect(read({ ...ENOUGH, holidayCalendar: 'none', holidays: ['2026-07-01'] }).hours.holidays).toEqual([
      '2026-07-01',
    ])
    expect(read({ ...ENOUGH, holidays: ['2026-07-01'] }).hours.holidays).toEqual(
      expect.arrayContaining(['2026-07-01', '2026-12-25']),
    )
  })

  test('has the texts that callees hear, in the set language', () => {
    const { messages } = read({ ...ENOUGH, messages: { dropped: { text: 'Beklager.', language: 'da' } } })
    expect(messages.dropped).toEqual({ text: 'Beklager.', language: 'da' })
    expect(messages.voicemail.language).toBe('en')
  })

  test('does not dial with invalid settings; settings of a later version are ignored', () => {
    expect(campaignOf(stored({ ...ENOUGH, ringTimeoutSeconds: 1 }))).toEqual({
      missing: [expect.stringContaining('ringTimeoutSeconds')],
    })
    expect(read({ ...ENOUGH, somethingNew: 1 }).mode).toBe('preview')
  })

  test('is unchanged after storing and reading', () => {
    const machine = { text: 'Hello machine', language: 'da' }
    for (const change of [
      {},
      { mode: 'manual' as const, parallelNumbers: 3, trunk: 'carrier', wrapUp: { kind: 'byHand' as const } },
      { machineDetection: 'leaveMessage' as const, recording: { mode: 'always' as const, announcement: machine } },
      { machineDetection: 'hangUp' as const, afterDropped: 'quietOrAgent' as const, allowedCountries: ['SE', 'DK'] },
    ]) {
      const campaign = aCampaign({ rules: 'switchboard-1', ...change })
      const [ledger] = read(settingsOf(campaign)).ledgers
      const again = read(settingsOf(campaign), { name: campaign.name, team: campaign.team })
      expect({ ...again, ledgers: campaign.ledgers }).toEqual(campaign)
      expect(ledger?.capBasisPoints).toBe(300)
    }
  })
})

describe('settings', () => {
  const pathsOf = (settings: unknown) => {
    const reading = readSettings(settings)
    return 'problems' in reading ? reading.problems.map(({ path }) => path) : []
  }

  test('have no problems when valid, and problems with their places when invalid', () => {
    expect(pathsOf({})).toEqual([])
    expect(pathsOf({ ringTimeoutSeconds: 15, maxAbandonRate: 0.03 })).toEqual([])
    expect(pathsOf({ ringTimeoutSeconds: 14 })).toEqual(['ringTimeoutSeconds'])
    expect(pathsOf({ maxAbandonRate: 0.031 })).toEqual(['maxAbandonRate'])
    const ledgers = (...given: object[]) => pathsOf({ ledgers: given.map((one) => ({ maxAbandonRate: 0.03, ...one })) })
    expect(ledgers({}, { window: '30days', since: '2026-01-05' })).toEqual([])
    expect(ledgers()).toEqual([])
    expect(read({ ...ENOUGH, ledgers: [] }).ledgers.map(({ name }) => name)).toEqual(['maxAbandonRate'])
    expect(ledgers({ maxAbandonRate: 0.04 })).toEqual(['ledgers[0].maxAbandonRate'])
    expect(ledgers({}, { window: '30days' })).toEqual(['ledgers[1].since'])
    expect(ledgers({ window: '30days', since: '2026-02-30' })).toEqual(['ledgers[0].since'])
    expect(ledgers({ window: 'day', since: '2026-02-03' })).toEqual(['ledgers[0].since'])
    const fromAnswer = { ledgers: [{ maxAbandonRate: 0.03, waitFrom: 'answer' }] }
    expect(pathsOf(fromAnswer)).toEqual([])
    expect(pathsOf({ ...fromAnswer, machineDetection: { enabled: true } })).toEqual(['ledgers[0].waitFrom'])
    expect(pathsOf({ frequencyCap: { calls: 7 } })).toEqual(['frequencyCap'])
    const caps = [{ calls: 1 }, { calls: 1, hours: 1, days: 1 }, { calls: 1, hours: 24, window: 'calendarDay' }]
    expect(pathsOf({ frequencyCaps: caps })).toEqual([0, 1, 2].map((place) => `frequencyCaps[${place}]`))
    expect(pathsOf({ messages: { dropped: { text: '' } } })).toEqual(['messages.dropped.text'])
    expect(pathsOf([])).toEqual(['the settings'])
    expect(pathsOf(null)).toEqual(['the settings'])
  })
})

describe('Danish holidays', () => {
  test('move with Easter', () => {
    const holidays = holidaysOf('DK')!
    const of = (year: number) => holidays.filter((date) => date.startsWith(`${year}-`)).map((date) => date.slice(5))
    const fixed = ['06-05', '12-24', '12-25', '12-26', '12-31']
    expect(of(2026)).toEqual(['01-01', '04-02', '04-03', '04-05', '04-06', '05-14', '05-24', '05-25', ...fixed])
    // Easter Sundays: the earliest and the latest of the span, and two that are easily got wrong.
    for (const easter of ['2035-03-25', '2038-04-25', '2049-04-18', '2076-04-19']) expect(holidays).toContain(easter)
  })

  test('are the only known holidays', () => {
    expect(holidaysOf('XX')).toBeUndefined()
    expect(holidaysOf('constructor')).toBeUndefined()
  })
})
