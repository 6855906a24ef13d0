import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forecast } from '../../../src/dialer/pacing/forecast.ts'
import { nothingLearnt } from '../../../src/dialer/pacing/learned-distributions.ts'
import { NO_AGES, type PacingAges, type PacingSnapshot } from '../../../src/dialer/pacing/pacer-interface.ts'
import { riskOfNext } from '../../../src/dialer/pacing/risk.ts'
import { areFew, exactRiskOfNext, spareAgentDistribution } from '../../../src/dialer/pacing/spare-agent-distribution.ts'
import { agentAgeAt, hitsAt, lineAgeAt, shareBehind, tablesOf } from '../../../src/dialer/pacing/tables.ts'

const WAIT_MS = 2_000
const { inUse: distributions } = nothingLearnt()
const tables = tablesOf(distributions, { waitMs: WAIT_MS, wrapUp: { kind: 'byHand' } })

function snapshot(ages: Partial<PacingAges>, idleAgents: number, waiting = 0): PacingSnapshot {
  const live = { inFlight: ages.linesMs?.length ?? 0, waiting, idleAgents }
  const limits = { linesFree: 100, linesPerAgentMax: 6, wantedByHand: 0, shiftLeftMs: 3_600_000 }
  return { agents: 10, live, ledgers: [], ...limits, ages: { ...NO_AGES, ...ages } }
}

/** Every way in which chances may come true or not, one by one. */
function bruteRisk(seen: PacingSnapshot, hitRate: number, placed: number): number {
  const { columns, talkFree, wrapUpFree, answeredBy, answerBy, answerIn } = tables
  const { linesMs, talksMs, wrapUpsMs, wrapUpsLeftMs } = seen.ages
  let risk = 0
  for (let column = 0; column < columns; column++) {
    const frees = [
      ...Array.from(talksMs, (ms) => talkFree[2 * (agentAgeAt(ms) * columns + column)]!),
      ...Array.from(wrapUpsMs, (ms) => wrapUpFree[2 * (agentAgeAt(ms) * columns + column)]!),
      ...Array.from(wrapUpsLeftMs, (ms) => shareBehind(tables, column, (ms - WAIT_MS) / 1_000)),
    ]
    const answers = [
      ...Array.from(linesMs, lineAgeAt).map(
        (age) => hitsAt(tables, hitRate, age) * answeredBy[age * columns + column]!,
      ),
      ...Array.from({ length: placed }, () => hitRate * answerBy[column]!),
    ]
    const noneSpare = (spare: number, [first, ...others]: readonly (readonly [number, number])[]): number => {
      if (!first) return spare <= 0 ? 1 : 0
      const [share, change] = first
      return share * noneSpare(spare + change, others) + (1 - share) * noneSpare(spare, others)
    }
    const chances = [...frees.map((share) => [share, 1] as const), ...answers.map((share) => [share, -1] as const)]
    risk += answerIn[column]! * noneSpare(seen.live.idleAgents - seen.live.waiting, chances)
  }
  return risk
}

describe('the exact distribution of spare agents', () => {
  test('equals the enumeration of every outcome', () => {
    const ages = fc.record({
      linesMs: fc.array(fc.nat(40_000), { maxLength: 4 }),
      talksMs: fc.array(fc.nat(900_000), { maxLength: 3 }),
      wrapUpsMs: fc.array(fc.nat(60_000), { maxLength: 1 }),
      wrapUpsLeftMs: fc.array(fc.nat(30_000), { maxLength: 1 }),
    })
    const rates = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(ages, fc.nat(3), fc.nat(2), rates, fc.nat(3), (of, idle, waiting, hitRate, placed) => {
        const seen = snapshot(of, idle, waiting)
        const distribution = spareAgentDistribution(seen, tables, { hitRate, waitMs: WAIT_MS }, placed)
        expect(exactRiskOfNext(distribution, tables, placed)).toBeCloseTo(bruteRisk(seen, hitRate, placed), 7)
      }),
      { numRuns: 100 },
    )
  })

  test('rises with every line, and does not depend on how many more lines are considered', () => {
    const seen = snapshot({ linesMs: [1_000, 9_000], talksMs: [30_000, 90_000, 200_000] }, 2)
    const riskOf = (placed: number, most: number) =>
      exactRiskOfNext(spareAgentDistribution(seen, tables, { hitRate: 0.4, waitMs: WAIT_MS }, most), tables, placed)
    const risks = Array.from({ length: 12 }, (_, placed) => riskOf(placed, 20))
    expect(risks).toEqual([...risks].sort((a, b) => a - b))
    for (const [placed, risk] of risks.entries()) expect(riskOf(placed, placed)).toBeCloseTo(risk, 12)
    expect(risks[0]).toBeGreaterThan(0)
    expect(risks.at(-1)).toBeLessThan(1)
  })

  test('meets the normal distribution at its largest size', () => {
    const talksMs = Array.from({ length: 20 }, (_, place) => 10_000 * place)
    const linesMs = Array.from({ length: 12 }, (_, place) => 1_800 * place)
    const seen = snapshot({ talksMs, linesMs }, 5)
    expect(areFew(seen)).toBe(true)
    expect(areFew(snapshot({ talksMs: [...talksMs, 0], linesMs }, 5))).toBe(false)
    const distribution = spareAgentDistribution(seen, tables, { hitRate: 0.4, waitMs: WAIT_MS }, 20)
    const exact = Array.from({ length: 20 }, (_, placed) => exactRiskOfNext(distribution, tables, placed))
    const moments = forecast(seen, tables, 0.4, WAIT_MS)
    for (const [placed, risk] of exact.entries()) {
      expect(Math.abs(risk - riskOfNext(moments, tables, placed))).toBeLessThan(0.01)
    }
  })

  test('a wrap-up that ends within a column is free for part of it', () => {
    const at = (column: number, fromS: number) => shareBehind(tables, column, tables.aheadS[column]! + fromS)
    expect([at(3, -2), at(3, -1), at(3, 0), at(3, 0.5), at(3, 1), at(3, 4)]).toEqual([1, 1, 0.5, 0.25, 0, 0])
  })
})
