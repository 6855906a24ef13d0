import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import {
  type CallHours,
  hoursMeet,
  nextOpenAtMs,
  openForAtMs,
  openSpanAt,
  openSpansOfDay,
} from '../../src/dialer/call-window.ts'
import { zonesOfCountry } from '../../src/dialer/phone-zone.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const MINUTE_MS = 60_000
const at = (text: string) => Date.parse(text)

function hours(from: string, to: string, different: { weekdays?: number[]; holidays?: string[] } = {}): CallHours {
  const { weekdays = EVERY_DAY, holidays = [] } = different
  return { windows: [{ weekdays, fromMinute: minuteOf(from), toMinute: minuteOf(to) }], holidays }
}

function minuteOf(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * 60 + minute!
}

function isOpen(open: CallHours, zones: readonly string[], text: string): boolean {
  return openSpanAt(open, zones, at(text)) !== undefined
}

describe('ordinary days', () => {
  const working = hours('08:00', '20:00', { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-12-25', '2028-02-29'] })
  const CASES: readonly (readonly [string, boolean, string])[] = [
    ['2026-11-23T06:59:59.999Z', false, 'a millisecond before eight in Copenhagen'],
    ['2026-11-23T07:00:00Z', true, 'eight'],
    ['2026-11-23T18:59:59.999Z', true, 'a millisecond before eight in the evening'],
    ['2026-11-23T19:00:00Z', false, 'eight in the evening: closed already'],
    ['2026-11-22T12:00:00Z', false, 'a Sunday'],
    ['2026-12-25T12:00:00Z', false, 'a holiday'],
    ['2028-02-29T12:00:00Z', false, 'a holiday on the leap day'],
    ['2027-12-31T12:00:00Z', true, 'the last day of a year'],
  ]
  test.each(CASES)('%s: %s, %s', (text, isOpenThen) => {
    expect(isOpen(working, ['Europe/Copenhagen'], text)).toBe(isOpenThen)
  })

  test('a window up to midnight ends there', () => {
    const late = hours('20:00', '24:00')
    expect(openSpanAt(late, ['Europe/Tallinn'], at('2026-11-23T21:00:00Z'))).toEqual({
      fromAtMs: at('2026-11-23T18:00:00Z'),
      toAtMs: at('2026-11-23T22:00:00Z'),
    })
  })

  test('the next opening passes over the weekend and the holidays', () => {
    expect(nextOpenAtMs(working, ['Europe/Copenhagen'], at('2026-12-24T19:00:00Z'))).toBe(at('2026-12-28T07:00:00Z'))
    expect(nextOpenAtMs(working, ['Europe/Copenhagen'], at('2026-12-24T12:00:00Z'))).toBe(at('2026-12-24T12:00:00Z'))
  })
})

describe('so many hours with open windows', () => {
  const working = hours('08:00', '16:00', { weekdays: [1, 2, 3, 4, 5], holidays: ['2026-11-25'] })
  const never = hours('08:00', '16:00', { weekdays: [] })
  const CASES: readonly (readonly [string, number, string | undefined, string])[] = [
    ['2026-11-23T09:00:00Z', 3, '2026-11-23T12:00:00Z', 'of today'],
    ['2026-11-23T09:00:00Z', 10, '2026-11-24T11:00:00Z', 'on into tomorrow: nights do not count'],
    ['2026-11-23T19:00:00Z', 1, '2026-11-24T08:00:00Z', 'asked in the evening'],
    ['2026-11-24T14:00:00Z', 2, '2026-11-26T08:00:00Z', 'over a holiday'],
    ['2026-11-27T14:00:00Z', 1.5, '2026-11-30T07:30:00Z', 'over a weekend'],
    ['2026-11-23T09:00:00Z', 0, '2026-11-23T09:00:00Z', 'nothing is left'],
    ['2026-11-23T09:00:00Z', 1_000, undefined, 'further than anybody sees'],
  ]
  test.each(CASES)('%s and %d hours: %s, %s', (from, open, until) => {
    const found = openForAtMs(working, 'Europe/Copenhagen', at(from), open * 60 * MINUTE_MS)
    expect(found).toBe(until && at(until))
  })

  test('never, where no window opens', () => {
    expect(openForAtMs(never, 'Europe/Copenhagen', at('2026-11-23T09:00:00Z'), MINUTE_MS)).toBeUndefined()
  })
})

describe('several zones', () => {
  const america = ['America/New_York', 'America/Los_Angeles']

  test('the call window must be open in all of them', () => {
    const open = hours('08:00', '21:00')
    expect(openSpanAt(open, america, at('2026-07-01T20:00:00Z'))).toEqual({
      fromAtMs: at('2026-07-01T15:00:00Z'),
      toAtMs: at('2026-07-02T01:00:00Z'),
    })
    expect(isOpen(open, america, '2026-07-01T14:00:00Z')).toBe(false)
    expect(nextOpenAtMs(open, america, at('2026-07-01T12:00:00Z'))).toBe(at('2026-07-01T15:00:00Z'))
  })

  test('where it is never open in all of them, no callee is ever dialed', () => {
    const open = hours('09:00', '10:00')
    expect(nextOpenAtMs(open, america, at('2026-07-01T12:00:00Z'))).toBeUndefined()
  })
})

describe('unknown hours and zones count as closed', () => {
  const open = hours('00:00', '24:00')
  const noon = at('2026-07-01T12:00:00Z')
  test.each([[[]], [['Europe/Atlantis']], [['+02:00']], [['']], [['Europe/Copenhagen', 'Mars/Base']]])(
    '%j',
    (zones) => {
      expect(openSpanAt(open, zones, noon)).toBeUndefined()
      expect(nextOpenAtMs(open, zones, noon)).toBeUndefined()
    },
  )

  test('hours without a window, with an impossible one, or at no instant', () => {
    const zone = ['Europe/Copenhagen']
    const window = { weekdays: EVERY_DAY, fromMinute: 0, toMinute: 1440 }
    expect(openSpanAt({ windows: [], holidays: [] }, zone, noon)).toBeUndefined()
    expect(nextOpenAtMs({ windows: [], holidays: [] }, zone, noon)).toBeUndefined()
    for (const wrong of [
      { fromMinute: -1 },
      { toMinute: 1441 },
      { fromMinute: 1000, toMinute: 10 },
      { toMinute: 0.5 },
    ]) {
      expect(openSpanAt({ windows: [{ ...window, ...wrong }], holidays: [] }, zone, noon)).toBeUndefined()
    }
    expect(openSpanAt(open, zone, Number.NaN)).toBeUndefined()
    expect(nextOpenAtMs(open, zone, Number.NaN)).toBeUndefined()
  })
})

describe('the night on which the clocks change', () => {
  const spring = '2026-03-29'
  const autumn = '2026-10-25'
  const CASES: readonly (readonly [string, string, string, string | undefined, string | undefined])[] = [
    [spring, '02:00', '03:00', undefined, undefined],
    [spring, '02:15', '02:45', undefined, undefined],
    [spring, '01:00', '02:30', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
    [spring, '02:30', '04:00', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z'],
    [autumn, '02:00', '03:00', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z'],
    [autumn, '02:15', '02:45', '2026-10-25T00:15:00Z', '2026-10-25T00:45:00Z'],
    [autumn, '01:00', '02:30', '2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z'],
    [autumn, '02:30', '04:00', '2026-10-25T01:30:00Z', '2026-10-25T03:00:00Z'],
    [autumn, '01:00', '04:00', '2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z'],
  ]
  test.each(CASES)('%s, window %s to %s in Copenhagen: from %s to %s', (date, from, to, opens, closes) => {
    const open = hours(from, to, { weekdays: [7] })
    const midnight = Temporal.PlainDate.from(date).toZonedDateTime('Europe/Copenhagen').epochMilliseconds
    const fromAtMs = nextOpenAtMs(open, ['Europe/Copenhagen'], midnight)!
    if (opens === undefined || closes === undefined) expect(fromAtMs).toBeGreaterThan(midnight + 6 * 86_400_000)
    else {
      const span = { fromAtMs: at(opens), toAtMs: at(closes) }
      expect(openSpanAt(open, ['Europe/Copenhagen'], fromAtMs)).toEqual(span)
    }
  })
})

/** With changes at every kind of hour, of half an hour too, and some that ended or began in these years. */
const ZONES = [
  ...['Europe/Copenhagen', 'Europe/London', 'Europe/Lisbon', 'Atlantic/Azores', 'Europe/Helsinki', 'Europe/Chisinau'],
  ...['America/New_York', 'America/Los_Angeles', 'America/St_Johns', 'America/Havana', 'America/Santiago'],
  ...['America/Asuncion', 'America/Nuuk', 'Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Chatham'],
  ...['Asia/Jerusalem', 'Asia/Beirut', 'Africa/Cairo', 'Africa/Casablanca'],
]

/** Independent of what we test: the runtime's own formatter. */
function wallClock(zone: string): (atMs: number) => { date: string; minute: number } {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('sv-SE', options)
  return (atMs) => {
    const [date, time] = format.format(atMs).split(' ') as [string, string]
    return { date, minute: minuteOf(time) }
  }
}

function changesOf(zone: string): Temporal.ZonedDateTime[] {
  const changes: Temporal.ZonedDateTime[] = []
  const begin = Temporal.PlainDate.from('2020-01-01').toZonedDateTime(zone)
  for (let next = begin.getTimeZoneTransition('next'); next && next.year <= 2040; ) {
    changes.push(next)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** Windows that end, begin, or lie in the hour that is missing or doubled, or around it. */
function windowsAround(change: Temporal.ZonedDateTime): CallHours[] {
  const before = change.subtract({ minutes: 1 }).toPlainDateTime().add({ minutes: 1 })
  const minutes = [before, change.toPlainDateTime()].map(({ hour, minute }) => hour * 60 + minute)
  const [low, high] = [Math.min(...minutes), Math.max(...minutes)]
  const ends = [
    [low, high],
    [low + 15, high - 15],
    [low - 60, low + 15],
    [high - 15, high + 60],
    [low - 30, high + 30],
  ] as const
  return ends
    .filter(([from, to]) => from >= 0 && to <= 1440 && from < to && to - from < 240)
    .map(([fromMinute, toMinute]) => ({
      windows: [{ weekdays: EVERY_DAY, fromMinute, toMinute }],
      holidays: [],
    }))
}

test.each(ZONES)('%s: at every change until 2040 a window is open only within its wall time, and once', (zone) => {
  const changes = changesOf(zone)
  expect(changes.length).toBeGreaterThan(0)
  const wall = wallClock(zone)
  const STEPS = [...Array(33).keys()].map((step) => (step - 16) * 15 * MINUTE_MS)
  for (const change of changes) {
    for (const open of windowsAround(change)) {
      const { fromMinute, toMinute } = open.windows[0]!
      const samples = STEPS.map((stepMs) => {
        const atMs = change.epochMilliseconds + stepMs
        const { date, minute } = wall(atMs)
        const isWithin = minute >= fromMinute && minute < toMinute
        return { date, isWithin, isOpen: openSpanAt(open, [zone], atMs) !== undefined }
      })
      for (const day of new Set(samples.map(({ date }) => date))) {
        const ofDay = samples.filter(({ date }) => date === day)
        const where = `${zone} ${change} ${fromMinute}–${toMinute} on ${day}`
        expect(
          ofDay.filter(({ isOpen, isWithin }) => isOpen && !isWithin),
          where,
        ).toEqual([])
        const openings = ofDay.filter(({ isOpen }, place) => isOpen && !ofDay[place - 1]?.isOpen)
        expect(openings.length, where).toBe(ofDay.some(({ isWithin }) => isWithin) ? 1 : 0)
      }
    }
  }
})

test('the spans of a day are sorted, overlapping spans are merged, and a holiday has none', () => {
  const windows = (['15:00 18:00', '08:00 10:00', '09:30 12:00', '12:00 12:30'] as const).map((span) => {
    const [from = '', to = ''] = span.split(' ')
    return { weekdays: EVERY_DAY, fromMinute: minuteOf(from), toMinute: minuteOf(to) }
  })
  const open: CallHours = { windows, holidays: ['2026-11-24'] }
  expect(openSpansOfDay(open, 'Europe/Copenhagen', at('2026-11-23T22:59:00Z'))).toEqual([
    { fromAtMs: at('2026-11-23T07:00:00Z'), toAtMs: at('2026-11-23T11:30:00Z') },
    { fromAtMs: at('2026-11-23T14:00:00Z'), toAtMs: at('2026-11-23T17:00:00Z') },
  ])
  expect(openSpansOfDay(open, 'Europe/Copenhagen', at('2026-11-23T23:01:00Z'))).toEqual([])
})

describe('a large country', () => {
  const zones = [...zonesOfCountry('US'), 'Europe/Copenhagen']
  const now = at('2026-11-25T12:00:00Z')

  test('has no hour that is one of the working day everywhere and far away, in no month', () => {
    const working = hours('09:00', '17:00')
    expect(nextOpenAtMs(working, zones, now)).toBeUndefined()
    expect(hoursMeet(working, zones, now)).toBe(false)
    expect(hoursMeet(hours('00:00', '24:00'), zones, now)).toBe(true)
  })

  test('tells the same hour whether it was asked before or not', () => {
    const working = hours('09:00', '21:00')
    const asked = Array.from({ length: 60 }, (_, hour) => now + hour * 60 * MINUTE_MS)
    const answers = (fresh: boolean) =>
      asked.map((atMs) => nextOpenAtMs(fresh ? { ...working } : working, zonesOfCountry('US'), atMs))
    expect(answers(false)).toEqual(answers(true))
    expect(answers(false).every((open) => open !== undefined)).toBe(true)
  })
})
