/** Every policy that the benchmark compares: our own, the referee that no campaign dials with, and other dialers. */
import { campaignOf, POLICY_NAMES, policyNamed, taught } from '../src/pacing-sim/policies.ts'
import { type PolicyFactory, pacedBy } from '../src/pacing-sim/policy.ts'
import { lookAheadPacer } from './look-ahead.ts'
import { PEER_NAMES, peerNamed } from './peers/peers.ts'

/** Algorithm C (dialing-rules.md 3.4b), with what it has learnt after a day. */
const lookAhead: PolicyFactory = (setting) =>
  pacedBy('c', lookAheadPacer(campaignOf(setting), setting.random), { begin: taught('c') })(setting)

/** The names of all of them; numbers stand for all of their kind. */
export const ALL_POLICY_NAMES: readonly string[] = [...POLICY_NAMES, 'c', ...PEER_NAMES]

/** The policy of that name; undefined when there is none. */
export function anyPolicyNamed(name: string): PolicyFactory | undefined {
  return name === 'c' ? lookAhead : (policyNamed(name) ?? peerNamed(name))
}
