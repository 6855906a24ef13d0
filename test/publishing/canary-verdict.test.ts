/** The judge of canaries against simulated calls: how often it returns a good one, and how soon a bad one. */
import { describe, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import {
  CANARY_RISKS,
  type CanaryFault,
  type CanaryRisk,
  type Looks,
  type StepSeen,
} from '../../src/ports/flows/flow-canaries.ts'
import { chanceOf, weighCanary } from '../../src/publishing/canary-verdict.ts'

/** With `CANARIES=10000` in the environment this file repeats what flows.md reports. */
const CANARIES = Number(process.env['CANARIES'] ?? 1_000)
const CALLS_MAX = 5_000

type Rates = Readonly<Record<CanaryRisk, number>>

/** A flow of ten steps; callers who hang up come to no further step. */
const LIVE: readonly Rates[] = Array.from({ length: 10 }, (_, step) => ({
  hangup: 0.01 + 0.005 * step,
  noInput: 0.02 * (step % 4),
  failed: step % 3 === 0 ? 0.005 : 0,
}))
const WITH_LOSS = LIVE.map((rates, step) => (step === 4 ? { ...rates, hangup: 0.3 } : rates))

const none = () => ({ calls: 0, hangup: 0, noInput: 0, failed: 0 })

/** Plays calls until the canary is returned. The judge looks after every call, as often as anybody could. */
function life(random: Random, onTrial: readonly Rates[], share: number, callsMax = CALLS_MAX) {
  const seen = LIVE.map((_, step) => ({ step: `s${step}`, onTrial: none(), live: none() }))
  const whole = { step: '', onTrial: none(), live: none() }
  let looks: Readonly<Record<string, Looks>> = {}
  for (let calls = 1; calls <= callsMax; calls++) {
    const arm = random.next() < share ? 'onTrial' : 'live'
    whole[arm].calls++
    if (!walk(random, arm === 'onTrial' ? onTrial : LIVE, (step) => seen[step]![arm])) whole[arm].hangup++
    const found: { looks: typeof looks; fault: CanaryFault | undefined } = weighCanary(
      [whole, ...seen],
      looks,
      LIVE.length,
    )
    looks = found.looks
    if (found.fault) return { calls, fault: found.fault }
  }
  return undefined
}

/** False: the caller has hung up. */
function walk(
  random: Random,
  rates: readonly Rates[],
  of: (step: number) => Record<'calls' | CanaryRisk, number>,
): boolean {
  for (const [step, { hangup, noInput, failed }] of rates.entries()) {
    const counts = of(step)
    counts.calls++
    const chance = random.next()
    if (chance < hangup) counts.hangup++
    if (chance < hangup) return false
    if (chance < hangup + noInput) counts.noInput++
    else if (chance < hangup + noInput + failed) counts.failed++
  }
  return true
}

test("Fisher's exact test gives the chances of the textbook", () => {
  // The lady who tastes tea: all four cups right, three of four right.
  expect(chanceOf({ calls: 4, bad: 4 }, { calls: 4, bad: 0 })).toBeCloseTo(1 / 70, 12)
  expect(chanceOf({ calls: 4, bad: 3 }, { calls: 4, bad: 1 })).toBeCloseTo(17 / 70, 12)
  expect(chanceOf({ calls: 100, bad: 0 }, { calls: 900, bad: 40 })).toBe(1)
  expect(chanceOf({ calls: 100_000, bad: 5_000 }, { calls: 900_000, bad: 45_000 })).toBeCloseTo(0.5, 1)
})

test('a canary that is as good as the live revision stays: one in a hundred at the most is returned', () => {
  const random = seededRandom(1)
  let returned = 0
  for (let canary = 0; canary < CANARIES; canary++) if (life(random, LIVE, 0.2, 2_000)) returned++
  console.info(`${returned} of ${CANARIES} canaries without a difference were returned`)
  expect(returned / CANARIES).toBeLessThanOrEqual(0.01)
})

describe('a canary whose fifth step loses 30 % of its callers, instead of 3 %', () => {
  for (const share of [0.05, 0.1, 0.2, 0.5]) {
    test(`with ${share * 100} % of the calls it is returned, and the step is named`, () => {
      const random = seededRandom(2)
      const lives = Array.from({ length: 500 }, () => life(random, WITH_LOSS, share))
      const calls = lives.map((found) => found?.calls ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
      const named = lives.filter((found) => found?.fault.step === 's4' && found.fault.risk === 'hangup')
      const [median, late] = [calls[250]!, calls[475]!]
      console.info(`${share * 100} %: returned after ${median} calls (median), ${late} (95 of 100)`)
      expect(named.length).toBeGreaterThan(480)
      expect(median * share).toBeLessThan(100)
    })
  }
})

describe('what counts', () => {
  const step = (onTrial: number, of: number, live: number, ofLive: number, risk: CanaryRisk = 'hangup'): StepSeen => ({
    step: 'wait',
    onTrial: { ...none(), calls: of, [risk]: onTrial },
    live: { ...none(), calls: ofLive, [risk]: live },
  })
  const fault = (seen: StepSeen, looks: Readonly<Record<string, Looks>> = {}) => weighCanary([seen], looks, 1).fault

  for (const risk of CANARY_RISKS) {
    test(`${risk}: more of it returns the canary, with both counts`, () => {
      const expected = { step: 'wait', risk, onTrial: { calls: 40, bad: 20 }, live: { calls: 400, bad: 20 } }
      expect(fault(step(20, 40, 20, 400, risk))).toEqual(expected)
    })
  }

  test('less of it, or of the other revision, returns nothing', () => {
    expect(fault(step(0, 40, 200, 400))).toBeUndefined()
    expect(fault(step(2, 40, 20, 400))).toBeUndefined()
  })

  test('fewer than 20 calls on either side say nothing', () => {
    expect(fault(step(19, 19, 0, 400))).toBeUndefined()
    expect(fault(step(400, 400, 0, 19))).toBeUndefined()
    expect(fault(step(20, 20, 0, 20))).toBeDefined()
  })

  test('a rise of less than one percent point is no reason, however certain', () => {
    expect(fault(step(5_900, 100_000, 5_000, 100_000))).toBeUndefined()
    expect(fault(step(6_100, 100_000, 5_000, 100_000))).toBeDefined()
  })

  test('a step is looked at again when its calls have grown by half', () => {
    const { looks } = weighCanary([step(0, 20, 0, 400)], {}, 1)
    expect(looks).toEqual({ wait: { count: 1, calls: 20 } })
    expect(fault(step(20, 29, 0, 400), looks)).toBeUndefined()
    expect(fault(step(20, 30, 0, 400), looks)).toBeDefined()
  })

  test('the whole call is told where no step is', () => {
    const whole = { ...step(20, 40, 20, 400), step: '' }
    expect(weighCanary([whole], {}, 1).fault).toMatchObject({ step: null })
    expect(weighCanary([whole, step(20, 40, 20, 400)], {}, 1).fault).toMatchObject({ step: 'wait' })
  })
})
