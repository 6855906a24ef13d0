import { expect, test } from 'vitest'
import { drawFutures, lookAheadPacer, riskByFutures } from '../../bench/look-ahead.ts'
import { nothingLearnt } from '../../src/dialer/pacing/learned-distributions.ts'
import { NO_AGES, type PacingSnapshot } from '../../src/dialer/pacing/pacer-interface.ts'
import { exactRiskOfNext, spareAgentDistribution } from '../../src/dialer/pacing/spare-agent-distribution.ts'
import { tablesOf } from '../../src/dialer/pacing/tables.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import { capOfThree } from '../dialer/samples.ts'

const CAMPAIGN = { capBasisPoints: 300, waitMs: 2_000, wrapUp: { kind: 'byHand' } } as const
const { inUse: distributions } = nothingLearnt()
const HIT_RATE = 0.4
const LINES_MAX = 12

function aSnapshot(random: Random, live: Partial<PacingSnapshot['live']> = {}): PacingSnapshot {
  const agents = randomInt(random, 3, 10)
  const idleAgents = randomInt(random, 0, 2)
  const wrapping = Math.min(agents - idleAgents, randomInt(random, 0, 2))
  const many = (count: number, maxMs: number) => Array.from({ length: count }, () => randomInt(random, 0, maxMs))
  const linesMs = many(randomInt(random, 0, 5), 20_000)
  const talksMs = many(agents - idleAgents - wrapping, 240_000)
  const seen = { inFlight: linesMs.length, waiting: 0, idleAgents, ...live }
  return {
    agents,
    live: seen,
    linesFree: 100,
    linesPerAgentMax: 6,
    wantedByHand: 0,
    shiftLeftMs: 4 * 3_600_000,
    ledgers: [{ rule: capOfThree, tally: { answered: 2_000, abandoned: 30 }, live: seen }],
    ages: { ...NO_AGES, linesMs, talksMs, wrapUpsMs: many(wrapping, 20_000) },
  }
}

/** Lines for which the risk stays below a price, starting with the first uncovered line. */
function linesBelow(riskMax: number, riskOf: (placed: number) => number): number {
  let lines = 0
  while (lines < LINES_MAX && riskOf(lines) <= riskMax) lines++
  return lines
}

test('policy E and futures agree within a line on all small teams', () => {
  const random = seededRandom(5)
  const futures = drawFutures(random)
  const tables = tablesOf(distributions, CAMPAIGN)
  const apart = Array.from({ length: 60 }, () => {
    const snapshot = aSnapshot(random)
    const riskMax = [0.02, 0.05, 0.1][randomInt(random, 0, 2)]!
    const at = { ...CAMPAIGN, snapshot, laws: distributions, hitRate: HIT_RATE }
    const distribution = spareAgentDistribution(
      snapshot,
      tables,
      { hitRate: HIT_RATE, waitMs: CAMPAIGN.waitMs },
      LINES_MAX,
    )
    const byPrice = linesBelow(riskMax, (placed) => exactRiskOfNext(distribution, tables, placed))
    const byFutures = linesBelow(riskMax, (placed) => riskByFutures(at, futures, placed).own)
    return { byPrice, byFutures, riskMax, live: snapshot.live }
  })
  const disagree = apart.filter(({ byPrice, byFutures }) => Math.abs(byPrice - byFutures) > 1)
  expect(disagree).toEqual([])
})

test('no callee is lost with an agent for each, and every callee is lost without agents', () => {
  const futures = drawFutures(seededRandom(1), 50)
  const base = aSnapshot(seededRandom(2))
  const of = (live: PacingSnapshot['live'], placed: number) => {
    const snapshot = { ...base, live, ages: NO_AGES }
    return riskByFutures({ ...CAMPAIGN, snapshot, laws: distributions, hitRate: HIT_RATE }, futures, placed)
  }
  expect(of({ inFlight: 0, waiting: 0, idleAgents: 5 }, 4)).toEqual({ own: 0, others: 0 })
  expect(of({ inFlight: 0, waiting: 0, idleAgents: 0 }, 0)).toEqual({ own: 1, others: 0 })
})

test('the pacer never exceeds the ledger, and always places one line for each idle agent', () => {
  const random = seededRandom(3)
  const pacer = lookAheadPacer(CAMPAIGN, random)
  for (let times = 0; times < 10; times++) {
    const snapshot = aSnapshot(random)
    const empty = { ...snapshot, ledgers: [{ ...snapshot.ledgers[0]!, tally: { answered: 0, abandoned: 0 } }] }
    const covered = Math.max(0, snapshot.live.idleAgents - snapshot.live.inFlight)
    expect(pacer.place(empty, pacer.begin()).lines).toBe(covered)
    expect(pacer.place(snapshot, pacer.begin()).lines).toBeGreaterThanOrEqual(covered)
  }
})
