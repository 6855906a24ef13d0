import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnswerWindow, type CountedCall, KEPT_MS } from '../../src/dialer/answer-window.ts'
import { type LedgerRule, type LedgerWindow, windowBeginAtMs } from '../../src/dialer/ledger.ts'
import type { AttemptId } from '../../src/kernel/ids.ts'
import { capOfThree, HOUR_MS } from './samples.ts'

const timeZone = 'Europe/Copenhagen'
const WINDOWS: readonly LedgerWindow[] = [
  { kind: 'day', timeZone },
  { kind: 'rolling', lengthMs: 24 * HOUR_MS },
  { kind: 'calendarMonth', timeZone },
  { kind: 'successive', days: 30, since: '2026-01-05', timeZone },
]
const ruleOf = (window: LedgerWindow, denominator: LedgerRule['denominator']) => ({
  ...capOfThree,
  window,
  denominator,
})

/** The plain count: every call, looked at each time. */
function counted({ window, denominator }: LedgerRule, calls: readonly CountedCall[], nowMs: number) {
  const inside = calls.filter(({ answeredAtMs }) => answeredAtMs >= windowBeginAtMs(window, nowMs))
  const persons = inside.filter(({ isMachine }) => !isMachine)
  const answered = denominator === 'allAnswered' ? inside.length : persons.length
  return { answered, abandoned: persons.filter(({ isAbandoned }) => isAbandoned).length }
}

const BEGIN_AT_MS = Date.parse('2026-03-27T20:00:00Z')

describe('a page of answered calls', () => {
  test('counts every window like a full scan, across midnights, months and clock changes', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(5 * HOUR_MS), kind: fc.nat(5) }), { maxLength: 60 })
    fc.assert(
      fc.property(steps, (given) => {
        const answerWindow = new AnswerWindow()
        const all: CountedCall[] = []
        let nowMs = BEGIN_AT_MS
        answerWindow.fill({ calls: [], windows: WINDOWS.map((window) => ({ window, earlier: NOTHING })) }, nowMs)
        for (const { waitMs, kind } of given) {
          nowMs += waitMs
          const call = {
            attempt: all.length as AttemptId,
            answeredAtMs: nowMs,
            isMachine: kind === 0,
            isAbandoned: false,
          }
          answerWindow.add(call)
          all.push(call)
          // Of one of the last calls more is known by now.
          const known = all[Math.max(0, all.length - 1 - kind)]!
          answerWindow.without(known)
          if (kind === 1) known.isMachine = true
          if (kind === 2) known.isAbandoned = true
          answerWindow.again(known)
          for (const window of WINDOWS) {
            for (const denominator of ['answeredByPerson', 'allAnswered'] as const) {
              const rule = ruleOf(window, denominator)
              expect(answerWindow.tally(rule, nowMs)).toEqual(counted(rule, all, nowMs))
            }
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  test('starts from history: single calls of the last day, sums before it; no call counts twice', () => {
    const nowMs = BEGIN_AT_MS
    const answerWindow = new AnswerWindow()
    const call = (attempt: number, agoMs: number, isAbandoned = false): CountedCall => ({
      attempt: attempt as AttemptId,
      answeredAtMs: nowMs - agoMs,
      isMachine: false,
      isAbandoned,
    })
    answerWindow.add(call(1, 1_000))
    const [day, , month] = WINDOWS
    expect(answerWindow.tally(ruleOf(day!, 'answeredByPerson'), nowMs)).toBeUndefined()
    const windows = [
      { window: day!, earlier: NOTHING },
      { window: month!, earlier: { persons: 500, machines: 90, abandoned: 7 } },
    ]
    answerWindow.fill({ calls: [call(2, 24.5 * HOUR_MS, true), call(1, 1_000), call(3, HOUR_MS)], windows }, nowMs)
    expect(answerWindow.tally(ruleOf(day!, 'answeredByPerson'), nowMs)).toEqual({ answered: 2, abandoned: 0 })
    expect(answerWindow.tally(ruleOf(month!, 'answeredByPerson'), nowMs)).toEqual({ answered: 503, abandoned: 8 })
    expect(answerWindow.tally(ruleOf(month!, 'allAnswered'), nowMs)).toEqual({ answered: 593, abandoned: 8 })
    expect(answerWindow.knows(WINDOWS[1]!)).toBe(false)
  })

  test('keeps little more than a day of calls, however long it counts', () => {
    const answerWindow = new AnswerWindow()
    answerWindow.fill({ calls: [], windows: WINDOWS.map((window) => ({ window, earlier: NOTHING })) }, BEGIN_AT_MS)
    const everyMs = 12_500
    for (let at = 0; at < (30 * 24 * HOUR_MS) / everyMs; at++) {
      const answeredAtMs = BEGIN_AT_MS + at * everyMs
      answerWindow.add({ attempt: at as AttemptId, answeredAtMs, isMachine: false, isAbandoned: false })
    }
    expect(answerWindow.kept).toBeLessThanOrEqual(Math.ceil((1.1 * KEPT_MS) / everyMs) + 1)
  })
})

const NOTHING = { persons: 0, machines: 0, abandoned: 0 }

test('an answer that is told when the moving window has left it is not counted, and takes nothing away', () => {
  const [window] = [WINDOWS[1]!]
  const rule = ruleOf(window, 'answeredByPerson')
  const answers = new AnswerWindow()
  answers.fill({ calls: [], windows: [{ window, earlier: NOTHING }] }, BEGIN_AT_MS)
  const lateMs = BEGIN_AT_MS + 24 * HOUR_MS + 1_000
  const calls = [BEGIN_AT_MS, lateMs, BEGIN_AT_MS + 500].map((answeredAtMs, attempt): CountedCall => {
    return { attempt: attempt as AttemptId, answeredAtMs, isMachine: false, isAbandoned: false }
  })
  for (const call of calls) answers.add(call)
  for (const nowMs of [lateMs, lateMs + HOUR_MS]) {
    expect(answers.tally(rule, nowMs)).toEqual(counted(rule, calls, nowMs))
  }
})
