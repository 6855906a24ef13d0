/**
 * Whether a canary does worse than the live revision (calls-and-flows-68). Each step is tested for each risk with
 * Fisher's exact test, one-sided. The tests of one canary together reject a revision that is as good as the live one
 * in at most `FALSE_RETURNS_MAX` of all cases, however often somebody looks.
 */
import {
  CANARY_RISKS,
  type CanaryFault,
  type CanaryRisk,
  type Looks,
  type RiskCounts,
  type StepSeen,
} from '../ports/flows/flow-canaries.ts'

/** Of canaries that are as good as the live revision. Our choice: one in a hundred is repeated by hand. */
const FALSE_RETURNS_MAX = 0.01
/** Calls of each revision at a step before its first test; our choice. With fewer one caller decides. */
const CALLS_MIN = 20
/** A step is tested again when the calls of the canary have grown so much: tests in between tell little more. */
const GROWTH = 1.5
/** A smaller rise is no reason to return, however certain it is; our choice. */
const RISE_MIN = 0.01

/** `steps`: of the flow on trial; the whole call is tested besides. */
export function weighCanary(
  seen: readonly StepSeen[],
  looks: Readonly<Record<string, Looks>>,
  steps: number,
): { readonly looks: Readonly<Record<string, Looks>>; readonly fault: CanaryFault | undefined } {
  const due = seen.filter(({ step, onTrial, live }) => {
    const calls = looks[step]?.calls
    const isEnough = onTrial.calls >= CALLS_MIN && live.calls >= CALLS_MIN
    return isEnough && (calls === undefined || onTrial.calls >= calls * GROWTH)
  })
  const made = due.map(({ step, onTrial }) => {
    return [step, { count: (looks[step]?.count ?? 0) + 1, calls: onTrial.calls }] as const
  })
  const faults = due.flatMap((counts) => {
    const level = levelOf(looks[counts.step]?.count ?? 0, steps)
    return CANARY_RISKS.flatMap((risk) => faultOf(counts, risk, level) ?? [])
  })
  // A step names the place; the whole call is told only where no step is.
  const fault = faults.find(({ step }) => step !== null) ?? faults[0]
  return { looks: { ...looks, ...Object.fromEntries(made) }, fault }
}

/** The levels of all looks, steps and risks together sum up to `FALSE_RETURNS_MAX`: 1/2 + 1/6 + 1/12 + … = 1. */
function levelOf(looksBefore: number, steps: number): number {
  return FALSE_RETURNS_MAX / ((looksBefore + 1) * (looksBefore + 2)) / ((steps + 1) * CANARY_RISKS.length)
}

function faultOf({ step, onTrial, live }: StepSeen, risk: CanaryRisk, level: number): CanaryFault | undefined {
  const [ours, theirs] = [countsOf(onTrial, risk), countsOf(live, risk)]
  if (ours.bad / ours.calls - theirs.bad / theirs.calls < RISE_MIN) return undefined
  if (chanceOf(ours, theirs) > level) return undefined
  return { step: step === '' ? null : step, risk, onTrial: ours, live: theirs }
}

function countsOf(counts: StepSeen['live'], risk: CanaryRisk): RiskCounts {
  return { calls: counts.calls, bad: counts[risk] }
}

/** The chance of so many bad calls or more on trial, if the revision makes no difference: Fisher's exact test. */
export function chanceOf(onTrial: RiskCounts, live: RiskCounts): number {
  const [calls, bad] = [onTrial.calls + live.calls, onTrial.bad + live.bad]
  let chance = 0
  for (let count = onTrial.bad; count <= Math.min(bad, onTrial.calls); count++) {
    const ways = logChoose(onTrial.calls, count) + logChoose(live.calls, bad - count)
    const share = Math.exp(ways - logChoose(calls, bad))
    chance += share
    // Beyond the largest term they fall ever faster.
    if (share < chance * 1e-12) break
  }
  return Math.min(1, chance)
}

function logChoose(all: number, some: number): number {
  return some < 0 || some > all
    ? Number.NEGATIVE_INFINITY
    : logFactorial(all) - logFactorial(some) - logFactorial(all - some)
}

/** Stirling's series; below 20 by multiplication, where the series is not exact enough. */
function logFactorial(n: number): number {
  if (n >= 20) return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3)
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return Math.log(product)
}
