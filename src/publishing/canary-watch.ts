/** Adds ended calls to the sums of their flows, and withdraws canaries that do worse than the live revision. */
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { Periodic } from '../kernel/periodic.ts'
import type { CanaryFault, FlowCanaries, FlowCanary, RiskCounts } from '../ports/flows/flow-canaries.ts'
import type { FlowTraffic } from '../ports/flows/flow-traffic.ts'
import { weighCanary } from './canary-verdict.ts'
import type { PublishedFlows } from './published-flows.ts'

interface CanaryWatchOptions {
  readonly canaries: Pick<FlowCanaries, 'running' | 'weigh'>
  readonly traffic: Pick<FlowTraffic, 'fold'>
  readonly published: Pick<PublishedFlows, 'onTrial' | 'follow'>
  readonly clock: Clock
  readonly log: Log
}

/** Our choice: a bad canary gets no more calls than those of some seconds; a quiet node asks for two statements. */
const EVERY_MS = 2_000

const WORDS = { hangup: 'hung up', noInput: 'said nothing', failed: 'ended in a failure' } as const

/** Several nodes may each run one: each call counts once, and each look is made once. */
export function canaryWatch(options: CanaryWatchOptions): Periodic {
  let isFailing = false
  const work = async () => {
    try {
      await watch(options)
      isFailing = false
    } catch (error) {
      if (!isFailing) options.log.warn({ why: String(error) }, 'calls of flows could not be counted; trying again')
      isFailing = true
    }
  }
  return new Periodic({ clock: options.clock, pauseMs: () => EVERY_MS, work })
}

async function watch({ canaries, traffic, published, clock, log }: CanaryWatchOptions): Promise<void> {
  await traffic.fold(clock.nowMs())
  for (const canary of await canaries.running()) {
    const trial = published.onTrial(canary.flow)
    // A node that does not have the flow does not know how many tests there will be.
    if (trial?.id !== canary.id) continue
    const steps = trial.flow.steps.size
    const fault = await canaries.weigh(canary.id, (seen, looks) => weighCanary(seen, looks, steps), clock.nowMs())
    if (!fault) continue
    const { flow, revision, against } = canary
    log.warn({ flow, revision, against, ...fault }, `the canary was withdrawn: ${whyOf(canary, fault)}`)
    await published.follow()
  }
}

/** `at the step "wait" 12 of 40 calls hung up (30 %); of the live revision 20 of 400 (5 %)`. */
function whyOf({ against }: FlowCanary, { step, risk, onTrial, live }: CanaryFault): string {
  const where = step === null ? 'altogether' : `at the step "${step}"`
  return `${where} ${shareOf(onTrial)} of its callers ${WORDS[risk]}, of ${against} ${shareOf(live)}`
}

function shareOf({ calls, bad }: RiskCounts): string {
  return `${bad} of ${calls} (${((100 * bad) / calls).toFixed(1)} %)`
}
