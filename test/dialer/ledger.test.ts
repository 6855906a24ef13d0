import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isWithin,
  type LedgerWindow,
  type LiveLines,
  linesAllowed,
  linesAllowedByAll,
  linesAtRisk,
  linesCovered,
  mayAgentLeave,
  windowBeginAtMs,
  windowEndAtMs,
} from '../../src/dialer/ledger.ts'
import { proveLedger } from './ledger-sequences.ts'
import { capOfThree, HOUR_MS } from './samples.ts'

const live = (inFlight: number, waiting: number, idleAgents: number): LiveLines => ({ inFlight, waiting, idleAgents })
const ledger = (answered: number, abandoned: number, lines: LiveLines) => {
  return { rule: capOfThree, tally: { answered, abandoned }, live: lines }
}

describe('how many lines a ledger allows', () => {
  const CASES: readonly (readonly [string, number, number, LiveLines, number])[] = [
    ['an empty ledger: one for each idle agent', 0, 0, live(0, 0, 5), 5],
    ['agents whom lines that are out may need are not counted twice', 0, 0, live(3, 1, 5), 1],
    ['nobody idle and no credit', 0, 0, live(0, 0, 0), 0],
    ['99 answers: 2.97 of a credit, and the next answer brings what is missing', 99, 0, live(0, 0, 0), 3],
    ['98 answers and two lines out', 98, 0, live(2, 0, 0), 1],
    ['32 answers: 0.99 of a credit with the next one is none', 32, 0, live(0, 0, 0), 0],
    ['33 answers: one credit with the next one', 33, 0, live(0, 0, 0), 1],
    ['34 answers: one credit', 34, 0, live(0, 0, 0), 1],
    ['a call is abandoned for which the answer of a line that is out has yet to pay', 33, 1, live(1, 0, 5), 4],
    ['somebody waits for whom there is no credit: lines to come do not pay for them', 20, 0, live(0, 1, 0), 0],
    ['a credit that an abandoned call has used', 34, 1, live(0, 0, 0), 0],
    ['a credit that is at risk', 34, 0, live(1, 0, 0), 0],
    ['covered lines beside a debt', 34, 9, live(0, 0, 2), 2],
    ['the exact hundred', 100, 0, live(0, 0, 1), 4],
    ['a figure that is not a number', Number.NaN, 0, live(0, 0, 5), 0],
    ['a figure below nothing', 100, -1, live(0, 0, 5), 0],
    ['lines below nothing', 100, 0, live(-5, 0, 0), 0],
    ['lines that are not known', 100, 0, live(Number.NaN, 0, 5), 0],
  ]
  test.each(CASES)('%s (%i answered, %i abandoned, %j) allows %i', (_name, answered, abandoned, lines, allowed) => {
    expect(linesAllowed(ledger(answered, abandoned, lines))).toBe(allowed)
  })

  test('the tightest of several ledgers decides; without a ledger there is no credit', () => {
    const rich = ledger(1_000, 0, live(0, 0, 2))
    expect(linesAllowedByAll([rich, ledger(34, 0, live(0, 0, 2))], live(0, 0, 2))).toBe(3)
    expect(linesAllowedByAll([], live(1, 0, 3))).toBe(2)
    expect(linesAllowedByAll([], live(1, 0, Number.NaN))).toBe(0)
    expect(linesCovered(live(5, 0, 3))).toBe(0)
  })

  test('an idle agent may leave only while no line depends on them', () => {
    expect(mayAgentLeave(ledger(0, 0, live(1, 0, 2)))).toBe(true)
    expect(mayAgentLeave(ledger(0, 0, live(2, 0, 2)))).toBe(false)
    expect(mayAgentLeave(ledger(34, 0, live(2, 0, 2)))).toBe(true)
    expect(linesAtRisk(live(2, 0, 1))).toBe(1)
  })
})

describe('the windows', () => {
  const now = Date.parse('2026-03-29T10:00:00Z')
  const WINDOWS: readonly (readonly [LedgerWindow, string])[] = [
    [{ kind: 'day', timeZone: 'Europe/Copenhagen' }, '2026-03-28T23:00:00Z'],
    [{ kind: 'calendarMonth', timeZone: 'Europe/Copenhagen' }, '2026-02-28T23:00:00Z'],
    [{ kind: 'rolling', lengthMs: 24 * HOUR_MS }, '2026-03-28T10:00:00Z'],
    [{ kind: 'successive', days: 30, since: '2026-01-05', timeZone: 'Europe/Copenhagen' }, '2026-03-05T23:00:00Z'],
    [{ kind: 'successive', days: 30, since: '2026-03-29', timeZone: 'Europe/Copenhagen' }, '2026-03-28T23:00:00Z'],
    [{ kind: 'successive', days: 30, since: '2026-03-30', timeZone: 'Europe/Copenhagen' }, '2026-02-27T23:00:00Z'],
  ]
  test.each(WINDOWS)('%j begins at %s', (window, begin) => {
    expect(new Date(windowBeginAtMs(window, now)).toISOString()).toBe(begin.replace('Z', '.000Z'))
  })

  test('a 30-day window ends when the next one begins, also across a clock change', () => {
    const window = { kind: 'successive', days: 30, since: '2026-01-05', timeZone: 'Europe/Copenhagen' } as const
    const endAtMs = windowEndAtMs(window, now)
    expect(new Date(endAtMs).toISOString()).toBe('2026-04-04T22:00:00.000Z')
    expect(windowBeginAtMs(window, endAtMs - 1)).toBe(windowBeginAtMs(window, now))
    expect(windowBeginAtMs(window, endAtMs)).toBe(endAtMs)
  })
})

test('given 100,000 hostile sequences of ordinary events, the ratio is never above the cap', () => {
  expect(proveLedger({ sequences: 100_000, withBreakers: false })).toEqual({
    'agent.left': 0,
    'agent.failed': 0,
    'window.moved': 0,
  })
})

test('given agents who leave, phones that fail and windows that move, every excess has its named cause', () => {
  const broken = proveLedger({ sequences: 20_000, withBreakers: true })
  // The property would be empty if nothing had ever been broken.
  expect(Object.values(broken).every((count) => count > 0)).toBe(true)
})

test('the ledger allows exactly as many lines as the invariant', () => {
  const figures = fc.record({
    answered: fc.nat(500),
    abandoned: fc.nat(10),
    inFlight: fc.nat(20),
    waiting: fc.nat(5),
    idleAgents: fc.nat(20),
  })
  fc.assert(
    fc.property(figures, ({ answered, abandoned, ...lines }) => {
      const now = ledger(answered, abandoned, lines)
      const allowed = linesAllowed(now)
      const after = (count: number) => ({ ...now, live: { ...lines, inFlight: lines.inFlight + count } })
      if (isWithin(now)) expect(isWithin(after(allowed))).toBe(true)
      expect(isWithin(after(allowed + 1))).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})
