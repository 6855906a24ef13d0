import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithin, type LedgerState, linesCovered } from '../../../src/dialer/ledger.ts'
import { nothingLearnt } from '../../../src/dialer/pacing/learned-distributions.ts'
import { soonIdle } from '../../../src/dialer/pacing/lines-to-place.ts'
import { marginalRiskPacer } from '../../../src/dialer/pacing/marginal-risk.ts'
import { NO_AGES, type PacingSnapshot } from '../../../src/dialer/pacing/pacer-interface.ts'
import { pricedRiskPacer, priceOf } from '../../../src/dialer/pacing/priced-risk.ts'
import { tablesOf } from '../../../src/dialer/pacing/tables.ts'
import { capOfThree } from '../samples.ts'

const campaign = { capBasisPoints: 300, waitMs: 2_000, wrapUp: { kind: 'byHand' } } as const
const pacer = pricedRiskPacer(campaign)
const learnt = nothingLearnt()
const HOURS = 3_600_000

interface Seen {
  readonly idle?: number
  readonly waiting?: number
  readonly linesMs?: readonly number[]
  readonly talksMs?: readonly number[]
  readonly leftMs?: readonly number[]
  readonly answered?: number
  readonly abandoned?: number
  readonly linesFree?: number
  readonly shiftLeftMs?: number
}

function snapshot(seen: Seen): PacingSnapshot {
  const { idle = 0, waiting = 0, linesMs = [], talksMs = [], leftMs = [], answered = 0, abandoned = 0 } = seen
  const live = { inFlight: linesMs.length, waiting, idleAgents: idle }
  const ledgers: LedgerState[] = [{ rule: capOfThree, tally: { answered, abandoned }, live }]
  const ages = { ...NO_AGES, linesMs, talksMs, wrapUpsLeftMs: leftMs }
  const agents = idle + talksMs.length + leftMs.length
  const limits = { linesFree: seen.linesFree ?? 500, linesPerAgentMax: 6, wantedByHand: 0 }
  return { agents, live, ledgers, ...limits, ages, shiftLeftMs: seen.shiftLeftMs ?? 4 * HOURS }
}

const place = (seen: Seen) => pacer.place(snapshot(seen), learnt)
const many = (count: number, valueMs: number) => Array.from({ length: count }, () => valueMs)

describe('pacing by priced risk', () => {
  test('one line for each idle agent, whatever the ledger says', () => {
    expect(place({ idle: 3, answered: 0 }).lines).toBe(3)
    expect(place({ idle: 3, answered: 10, abandoned: 10 })).toMatchObject({ lines: 3 })
  })

  test('credit allows more lines, and the placing reports the figures behind it', () => {
    const placing = place({ idle: 10, talksMs: many(20, 100_000), answered: 3_000, abandoned: 10 })
    expect(placing.lines).toBeGreaterThan(10)
    expect(placing.weighed?.credit).toBeCloseTo(80)
    expect(placing.weighed?.room).toBeGreaterThanOrEqual(placing.lines)
  })

  test('lines are placed for agents who become free soon', () => {
    const seen = { answered: 3_000, abandoned: 30 }
    const busy = place({ ...seen, leftMs: many(30, 19_000) }).lines
    const soon = place({ ...seen, leftMs: many(30, 4_000) }).lines
    expect(soon).toBeGreaterThan(busy)
    expect(soon).toBeGreaterThan(20)
  })

  test('lines already out count by their probability of an answer', () => {
    const seen = { idle: 10, answered: 3_000, abandoned: 30 }
    const young = place({ ...seen, linesMs: many(12, 3_000) }).lines
    const old = place({ ...seen, linesMs: many(12, 27_500) }).lines
    expect(old).toBeGreaterThan(young)
  })

  test('no credit, no line beyond the idle agents; full trunks; unknown figures', () => {
    expect(place({ idle: 2, talksMs: many(20, 300_000), answered: 30 })).toEqual({ lines: 2, why: 'oneToOne' })
    expect(place({ idle: 9, answered: 3_000, linesFree: 4 })).toMatchObject({ lines: 4, why: 'trunkFull' })
    expect(place({ idle: 9, linesFree: Number.NaN })).toEqual({ lines: 0, why: 'notKnown' })
    expect(place({ talksMs: many(3, 50_000) })).toEqual({ lines: 0, why: 'noIdleAgent' })
  })

  test('the price falls with the credit, and the rest is used before the end of the shift', () => {
    const tables = tablesOf(learnt.inUse, campaign)
    const priceAt = (answered: number, abandoned: number, shiftLeftMs: number) => {
      const seen = snapshot({ idle: 2, talksMs: many(28, 60_000), answered, abandoned, shiftLeftMs })
      return priceOf(seen.ledgers[0]!, seen, tables, 0.4).riskMax
    }
    expect(priceAt(2_000, 59, 4 * HOURS)).toBeLessThan(priceAt(2_000, 20, 4 * HOURS))
    expect(priceAt(2_000, 20, HOURS / 10)).toBeGreaterThan(priceAt(2_000, 20, 4 * HOURS))
  })

  test('an automatic wrap-up that ends within the wait counts as an idle agent for the ledger only', () => {
    expect(soonIdle(snapshot({ leftMs: [1_750, 1_751, 0] }), 2_000)).toBe(2)
    const placing = place({ leftMs: many(5, 500), answered: 0 })
    expect(placing.lines).toBeLessThanOrEqual(5)
    expect(placing.lines).toBeGreaterThan(0)
  })
})

test('given any snapshot, neither B nor E places a line that the ledger does not allow', () => {
  const figures = fc.record({
    idle: fc.nat(30),
    waiting: fc.nat(3),
    linesMs: fc.array(fc.nat(70_000), { maxLength: 60 }),
    talksMs: fc.array(fc.nat(3_000_000), { maxLength: 60 }),
    answered: fc.nat(3_000),
    abandoned: fc.nat(90),
    linesFree: fc.nat(200),
    shiftLeftMs: fc.nat(8 * HOURS),
  })
  const b = marginalRiskPacer(campaign, 30)
  fc.assert(
    fc.property(figures, fc.double({ min: -1, max: 0.6, noNaN: true }), (seen, riskMax) => {
      const now = snapshot(seen)
      const ledger = now.ledgers[0]!
      for (const { lines } of [pacer.place(now, learnt), b.place(now, { learnt, riskMax })]) {
        expect(Number.isInteger(lines) && lines >= 0 && lines <= seen.linesFree).toBe(true)
        const live = { ...now.live, inFlight: now.live.inFlight + lines }
        if (lines > linesCovered(now.live)) expect(isWithin({ ...ledger, live })).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('B raises its threshold a little per served answer, and lowers it much per abandoned answer', () => {
  const b = marginalRiskPacer(campaign, 30)
  const after = (isAbandoned: boolean) => b.learn(b.begin(), { type: 'answer.resolved', isAbandoned }, 0).riskMax
  expect(after(false)).toBeCloseTo(0.012 + 0.001 * 0.03, 9)
  expect(after(true)).toBeCloseTo(0.012 - 0.001 * 0.97, 9)
})
