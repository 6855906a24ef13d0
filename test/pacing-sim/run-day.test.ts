import { expect, test } from 'vitest'
import { meanOf } from '../../src/pacing-sim/distributions.ts'
import { Floor, IDLE, ON_BREAK, TALKING, TIMED_WRAP_UP } from '../../src/pacing-sim/floor.ts'
import { knownDistributions } from '../../src/pacing-sim/known-distributions.ts'
import { occupancyPctOf, runDays } from '../../src/pacing-sim/over-days.ts'
import { policyNamed } from '../../src/pacing-sim/policies.ts'
import type { PolicyFactory } from '../../src/pacing-sim/policy.ts'
import { REFERENCE_CAMPAIGN, referenceScenario } from '../../src/pacing-sim/reference.ts'
import { runDay } from '../../src/pacing-sim/run-day.ts'
import type { Scenario } from '../../src/pacing-sim/scenario.ts'

const oneToOne = policyNamed('one-to-one')!
const ratioWithLedger = policyNamed('a')!

function withHitRate(rate: number, agents: number): Scenario {
  const hit = { levels: [{ fromMs: 0, rate }], sineShare: 0, spells: [] }
  return { ...referenceScenario(agents), campaigns: [{ ...REFERENCE_CAMPAIGN, hit }] }
}

/** S/(S+I) of dialing-rules.md 3.2, from the distributions themselves. */
function closedFormPct(rate: number): number {
  const distributions = knownDistributions(REFERENCE_CAMPAIGN, referenceScenario(1))
  const servedMs = meanOf(distributions.talk) + meanOf(distributions.wrapUp!)
  const idleMs = (meanOf(distributions.failureAge) * (1 - rate)) / rate + meanOf(distributions.answerAge)
  return (100 * servedMs) / (servedMs + idleMs)
}

test.each([0.2, 0.4, 0.6])('one line for each idle agent gives the closed form at a hit rate of %d', (rate) => {
  const { occupancyPct, abandonedPct } = runDays(withHitRate(rate, 30), {
    name: 'one-to-one',
    policy: oneToOne,
    days: 4,
    seed: 7,
  })
  expect(Math.abs(occupancyPct - closedFormPct(rate))).toBeLessThan(1)
  expect(abandonedPct).toBe(0)
})

test('the ratio behind the ledger uses agents better and is never above the cap', () => {
  const plan = { days: 4, seed: 7 }
  const plain = runDays(referenceScenario(30), { ...plan, name: 'one-to-one', policy: oneToOne })
  const steered = runDays(referenceScenario(30), { ...plan, name: 'a', policy: ratioWithLedger })
  expect(steered.occupancyPct - plain.occupancyPct).toBeGreaterThan(7)
  expect(steered.timeAboveCapPct).toBe(0)
  expect(steered.abandonedPct).toBeGreaterThan(1.5)
})

test('no policy changes an outcome: the n-th dial of a day has the same result', () => {
  const fatesUnder = (policy: PolicyFactory) => {
    const fates: string[] = []
    const onDial = (_campaign: number, dial: number, isPerson: boolean, ageMs: number) =>
      void fates.push(`${dial} ${isPerson} ${ageMs}`)
    runDay(referenceScenario(10), policy, { seed: 3, day: 1, onDial })
    return fates
  }
  const [few, many] = [fatesUnder(oneToOne), fatesUnder(ratioWithLedger)]
  expect(few.length).toBeGreaterThan(1000)
  expect(many.length).toBeGreaterThan(few.length)
  expect(many.slice(0, few.length)).toEqual(few)
})

test('two runs of one seed are the same to the last bit; another day is another', () => {
  const day = (number: number) => runDay(referenceScenario(10), ratioWithLedger, { seed: 3, day: number })
  const plan = { name: 'e', policy: policyNamed('e')!, days: 2, seed: 3 }
  const runs = [runDays(referenceScenario(5), plan), runDays(referenceScenario(5), plan)]
  expect(JSON.stringify(runs[0])).toBe(JSON.stringify(runs[1]))
  expect(JSON.stringify(day(2))).toBe(JSON.stringify(day(2)))
  expect(occupancyPctOf(day(3))).not.toBe(occupancyPctOf(day(2)))
})

test('skipped ticks change nothing', () => {
  const alwaysAsked: PolicyFactory = (setting) => {
    const { standsUntilEvent: _, ...policy } = ratioWithLedger(setting)
    return policy
  }
  const [skipping, asking] = [ratioWithLedger, alwaysAsked].map((policy) => {
    const { decisions, ...figures } = runDay(referenceScenario(5), policy, { seed: 3, day: 0 })
    return { decisions, figures: JSON.stringify(figures) }
  })
  expect(skipping!.figures).toBe(asking!.figures)
  expect(skipping!.decisions).toBeLessThan(asking!.decisions / 10)
})

test('calls of earlier days that the ledger still counts lend credit to the morning', () => {
  const base = referenceScenario(30)
  const carrying = { ...base, campaigns: [{ ...REFERENCE_CAMPAIGN, carriedPerAgent: 10 }] }
  const [empty, carried] = [base, carrying].map((scenario) =>
    runDay({ ...scenario, dayMs: 3_600_000 }, ratioWithLedger, { seed: 3, day: 0 }),
  )
  expect(occupancyPctOf(carried!)).toBeGreaterThan(occupancyPctOf(empty!) + 0.5)
  expect(carried!.campaigns[0]!.aboveCapMs).toBe(0)
})

test('an agent who asks for a break is not forecast as free, but the end of the wrap-up counts', () => {
  const floor = new Floor(2)
  for (const agent of [0, 1]) floor.become(agent, TALKING, 0)
  floor.requestBreak(0, 60_000)
  expect(floor.talks.list).toEqual([1])
  for (const agent of [0, 1]) {
    floor.endsAtMs[agent] = 5_000
    floor.become(agent, TIMED_WRAP_UP, 1_000)
  }
  expect(floor.timedWrapUps.list).toEqual([1])
  expect([floor.wrappedUpBy(4_999), floor.wrappedUpBy(5_000)]).toEqual([0, 2])
  floor.become(0, IDLE, 5_000)
  floor.become(0, ON_BREAK, 5_000)
  expect([floor.counts[IDLE], floor.counts[ON_BREAK], floor.timedWrapUps.size]).toEqual([0, 1, 1])
})
