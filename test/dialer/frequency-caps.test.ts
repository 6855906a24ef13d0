import { expect, test } from 'vitest'
import type { FrequencyCap } from '../../src/dialer/campaign.ts'
import { callsWithin, capsFreeAtMs, touchesSinceAtMs } from '../../src/dialer/frequency-caps.ts'
import type { AttemptId, CallTaskId, CampaignId } from '../../src/kernel/ids.ts'
import { TOUCHES_MAX, type Touch } from '../../src/ports/attempt.ts'
import { anAttempt, HOUR_MS } from './samples.ts'

const DAY_MS = 24 * HOUR_MS
/** A Monday, noon in Copenhagen. */
const NOON = Date.parse('2026-11-23T11:00:00Z')
const zones = ['Europe/Copenhagen']
const task = { id: 81 as CallTaskId, externalCaseNumber: 'case 1' }

const threeADay: FrequencyCap = { callsMax: 3, windowMs: DAY_MS, per: 'person', window: 'rolling' }
const sevenAWeek: FrequencyCap = { ...threeADay, callsMax: 7, windowMs: 7 * DAY_MS }

/** A call whose INVITE went out at that instant at the latest. */
function touch(placedAtMs: number, different: Partial<Touch> = {}): Touch {
  const claimedAtMs = placedAtMs - 5_000
  const of = { id: 1 as AttemptId, task: 82 as CallTaskId, campaign: 7 as CampaignId, externalCaseNumber: 'case 2' }
  return { ...anAttempt({ claimedAtMs, endedAtMs: claimedAtMs + 20_000 }), ...of, ...different }
}

function freeAtMs(caps: readonly FrequencyCap[], touches: readonly Touch[], beside = 0, where = zones) {
  return capsFreeAtMs(caps, { touches, beside, task, zones: where })
}

test('a cap lets the next call pass when the oldest of its calls leaves the window', () => {
  const touches = [2, 5, 20].map((hours) => touch(NOON - hours * HOUR_MS))
  expect(freeAtMs([threeADay], touches)).toBe(NOON + 4 * HOUR_MS)
  expect(freeAtMs([threeADay], touches.slice(1))).toBe(0)
  expect(freeAtMs([threeADay], touches.slice(1), 1)).toBe(NOON + 4 * HOUR_MS)
  expect(callsWithin(threeADay, { touches, beside: 0, task, zones }, NOON)).toBe(3)
  expect(callsWithin(threeADay, { touches, beside: 0, task, zones }, NOON + 4 * HOUR_MS)).toBe(2)
})

test('of several caps the strictest counts: 3 in 24 h and 7 in 7 days', () => {
  const week = [1, 25, 49, 73, 97, 121, 145].map((hours) => touch(NOON - hours * HOUR_MS))
  expect(freeAtMs([threeADay, sevenAWeek], week)).toBe(NOON + 23 * HOUR_MS)
  const day = [1, 2, 3].map((hours) => touch(NOON - hours * HOUR_MS))
  expect(freeAtMs([threeADay, sevenAWeek], day)).toBe(NOON + 21 * HOUR_MS)
})

test('a cap per case counts the case and the task itself', () => {
  const perCase: FrequencyCap = { ...threeADay, callsMax: 2, per: 'case' }
  const other = touch(NOON - HOUR_MS)
  const mine = touch(NOON - 2 * HOUR_MS, { externalCaseNumber: 'case 1' })
  const own = touch(NOON - 3 * HOUR_MS, { task: task.id })
  expect(freeAtMs([perCase], [other, mine])).toBe(0)
  expect(freeAtMs([perCase], [other, mine, own])).toBe(NOON + 21 * HOUR_MS)
})

test('where the list of calls is cut, older calls about the case may be missing', () => {
  const perCase: FrequencyCap = { ...sevenAWeek, callsMax: 2, per: 'case' }
  const others = Array.from({ length: TOUCHES_MAX }, (_, place) => touch(NOON - place * 60_000))
  expect(freeAtMs([perCase], others)).toBe(NOON - (TOUCHES_MAX - 1) * 60_000 + 7 * DAY_MS)
  expect(freeAtMs([perCase], others.slice(1))).toBe(0)
})

test('a calendar day begins and ends at midnight where the callee lives, in every zone that it may be', () => {
  const one: FrequencyCap = { ...threeADay, callsMax: 1, window: 'calendarDay' }
  const evening = touch(Date.parse('2026-11-22T22:30:00Z'))
  expect(freeAtMs([one], [evening])).toBe(Date.parse('2026-11-22T23:00:00Z'))
  const week = freeAtMs([{ ...one, windowMs: 7 * DAY_MS }], [evening])
  expect(week).toBe(Date.parse('2026-11-28T23:00:00Z'))
  const everywhere = ['America/New_York', 'Pacific/Honolulu']
  expect(freeAtMs([one], [evening], 0, everywhere)).toBe(Date.parse('2026-11-23T10:00:00Z'))
  // The night on which summer time ends has an hour more.
  const october = touch(Date.parse('2026-10-25T10:00:00Z'))
  expect(freeAtMs([one], [october])).toBe(Date.parse('2026-10-25T23:00:00Z'))
})

test('a weekly cap of a list counts the calls of the task from Monday on, where the callee lives', () => {
  const weekly: FrequencyCap = { ...sevenAWeek, callsMax: 2, per: 'task', window: 'calendarWeek' }
  const of = (text: string, id = task.id) => touch(Date.parse(text), { task: id, externalCaseNumber: 'case 1' })
  // Monday just after midnight, and the Sunday before, in Copenhagen.
  const [monday, sunday, friday] = ['2026-11-22T23:05:00Z', '2026-11-22T22:55:00Z', '2026-11-27T12:00:00Z']
  const nextMonday = Date.parse('2026-11-29T23:00:00Z')
  expect(freeAtMs([weekly], [of(friday), of(monday)])).toBe(nextMonday)
  expect(freeAtMs([weekly], [of(friday), of(sunday)])).toBe(Date.parse('2026-11-22T23:00:00Z'))
  expect(freeAtMs([weekly], [of(friday), of(monday, 82 as CallTaskId)])).toBe(0)
})

test('a cap of nothing, and one below the numbers that ring beside, never lets a call pass', () => {
  expect(freeAtMs([{ ...threeADay, callsMax: 0 }], [])).toBeNaN()
  expect(freeAtMs([threeADay], [], 3)).toBeNaN()
})

test('a claim asks for the longest window, for the quiet after a drop, and for the times by result', () => {
  const retryAfterMs = {}
  expect(touchesSinceAtMs({ frequencyCaps: [threeADay], retryAfterMs }, NOON)).toBe(NOON - 72 * HOUR_MS - 5_000)
  const calendar = { ...sevenAWeek, window: 'calendarDay' } as const
  expect(touchesSinceAtMs({ frequencyCaps: [threeADay, calendar], retryAfterMs }, NOON)).toBe(NOON - 8 * DAY_MS - 5_000)
  const slow = { frequencyCaps: [threeADay, calendar], retryAfterMs: { busy: HOUR_MS, noAnswer: 14 * DAY_MS } }
  expect(touchesSinceAtMs(slow, NOON)).toBe(NOON - 17 * DAY_MS - 5_000)
})
