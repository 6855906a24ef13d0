/** Policies by name, for the command line and the benchmark. */
import { powerPacer } from '../dialer/pacing/power.ts'
import { predictivePacer } from '../dialer/pacing/predictive-a.ts'
import { progressivePacer } from '../dialer/pacing/progressive.ts'
import { PEER_NAMES, peerNamed } from './peers/peers.ts'
import { type PolicyFactory, pacedBy } from './policy.ts'

/** Those with a fixed name. */
const NAMED: Readonly<Record<string, PolicyFactory>> = {
  'one-to-one': pacedBy('one-to-one', progressivePacer, { isTimeless: true }),
  a: (setting) => pacedBy('a', predictivePacer(setting.capBasisPoints), { isTimeless: true })(setting),
}

const RATIO = /^ratio-(\d+(?:\.\d+)?)$/

/** What may be asked for, to be told to people; `ratio-1.5` stands for all of its kind. */
export const POLICY_NAMES: readonly string[] = [...Object.keys(NAMED), 'ratio-1.5', ...PEER_NAMES]

/** What is simulated unless another is asked for. */
export const DEFAULT_POLICY = 'a'

/** The policy of that name; undefined when there is none. */
export function policyNamed(name: string): PolicyFactory | undefined {
  const ratio = RATIO.exec(name)?.[1]
  if (ratio !== undefined) return pacedBy(name, powerPacer(Number(ratio)), { isTimeless: true })
  return Object.hasOwn(NAMED, name) ? NAMED[name] : peerNamed(name)
}
