/** Policies by name, for the command line and forecasts; the benchmark has more (`bench/policies.ts`). */
import { marginalRiskPacer } from '../dialer/pacing/marginal-risk.ts'
import type { Pacer } from '../dialer/pacing/pacer-interface.ts'
import { powerPacer } from '../dialer/pacing/power.ts'
import { type PacedCampaign, pricedRiskPacer } from '../dialer/pacing/priced-risk.ts'
import { progressivePacer } from '../dialer/pacing/progressive.ts'
import { predictivePacer } from '../dialer/pacing/ratio.ts'
import { seededRandom } from '../kernel/random.ts'
import { type KnownDistributions, teach } from './known-distributions.ts'
import { type PacedOptions, type PolicyFactory, type PolicySetting, pacedBy } from './policy.ts'

/** For pacers whose decision depends on counts alone. */
const ALWAYS = () => true

/** Without weighed risks, a risk pacer's decision depends on counts alone, unless a timed wrap-up is under way. */
const UNWEIGHED: NonNullable<PacedOptions<unknown>['isTimeless']> = ({ weighed }, { ages }) =>
  weighed === undefined && ages.wrapUpsLeftMs.length === 0

const NAMED: Readonly<Record<string, PolicyFactory>> = {
  'one-to-one': pacedBy('one-to-one', progressivePacer, { isTimeless: ALWAYS }),
  e: (setting) =>
    pacedBy('e', pricedRiskPacer(campaignOf(setting)), { isTimeless: UNWEIGHED, begin: taught('e') })(setting),
  'e-cold': (setting) => pacedBy('e-cold', pricedRiskPacer(campaignOf(setting)), { isTimeless: UNWEIGHED })(setting),
  b: (setting) =>
    pacedBy('b', marginalRiskPacer(campaignOf(setting), setting.agents), { isTimeless: UNWEIGHED, begin: taught('b') })(
      setting,
    ),
  a: (setting) => pacedBy('a', predictivePacer(setting.capBasisPoints), { isTimeless: ALWAYS })(setting),
}

/** About as many as ten agents dial in a day. */
const TAUGHT_DIALS = 4_000

/** What forecasting pacers know of the campaign. */
export function campaignOf({ capBasisPoints, waitMs, knownDistributions }: PolicySetting): PacedCampaign {
  const lengthMs = knownDistributions?.timedWrapUpMs
  return { capBasisPoints, waitMs, wrapUp: lengthMs === undefined ? { kind: 'byHand' } : { kind: 'timed', lengthMs } }
}

/** A cache of taught states by distributions and policy: the same for every day, and expensive to make. */
const taughtOf = new WeakMap<KnownDistributions, Map<string, unknown>>()

/** A pacer's state as after a day of learning; empty without known distributions. Each day uses the same seed. */
export function taught(name: string) {
  return <Memory>({ knownDistributions }: PolicySetting, pacer: Pacer<Memory>): Memory => {
    if (!knownDistributions) return pacer.begin()
    const known = taughtOf.get(knownDistributions) ?? new Map<string, unknown>()
    taughtOf.set(knownDistributions, known)
    if (!known.has(name))
      known.set(name, teach(pacer, pacer.begin(), knownDistributions, TAUGHT_DIALS, seededRandom(1)))
    return known.get(name) as Memory
  }
}

const RATIO = /^ratio-(\d+(?:\.\d+)?)$/

/** The names for help texts; `ratio-1.5` stands for every ratio. */
export const POLICY_NAMES: readonly string[] = [...Object.keys(NAMED), 'ratio-1.5']

/** The policy if none is named. */
export const DEFAULT_POLICY = 'e'

/** The policy of that name; undefined for an unknown name. */
export function policyNamed(name: string): PolicyFactory | undefined {
  const ratio = RATIO.exec(name)?.[1]
  if (ratio !== undefined) return pacedBy(name, powerPacer(Number(ratio)), { isTimeless: ALWAYS })
  return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
}
