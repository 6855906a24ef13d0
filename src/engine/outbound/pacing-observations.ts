/** What attempts and agents teach the pacer of their campaign: lengths of ringing, talking and wrap-up. */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentState, AgentStatus } from '../../ports/agent-desktop.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import { type AttemptPhase, answeredLine, type LiveAttempt } from './live-attempt.ts'

/** Results of lines that no person answered. Lines that the engine cancelled teach nothing. */
const FAILURES: ReadonlySet<AttemptResult> = new Set<AttemptResult>([
  'noAnswer',
  'busy',
  'voicemail',
  'lost',
  'failed',
  'invalidNumber',
  'rejected',
])
/** An agent who logs out, or whose phone is lost, does not tell how long a wrap-up lasts. */
const AFTER_WRAP_UP: ReadonlySet<AgentState> = new Set(['ready', 'reserved', 'talking', 'paused'])

/** Collects observations, and passes them to the campaigns. */
export class PacingObservations {
  /** Agents in a wrap-up that ends by hand, since the end of their conversation. */
  readonly #wrappingUp = new Map<AgentName, { readonly campaign: CampaignRun; readonly sinceAtMs: AtMs }>()

  moved(live: LiveAttempt, from: AttemptPhase, to: AttemptPhase, nowMs: AtMs): void {
    const { campaign, seen, agent } = live
    // Where an agent is free, a callee is never seen to wait.
    if (from === 'out' && to !== 'none') {
      campaign.learn({ type: 'line.answered', ageMs: ageOf(live, nowMs) }, nowMs)
    } else if (from === 'out') seen.outUntilAtMs = nowMs
    else if (from === 'connected' && to === 'none' && seen.connectedAtMs !== undefined) {
      campaign.learn({ type: 'talk.ended', lengthMs: Math.max(0, nowMs - seen.connectedAtMs) }, nowMs)
      if (agent !== undefined && campaign.campaign.wrapUp.kind === 'byHand') {
        this.#wrappingUp.set(agent, { campaign, sinceAtMs: nowMs })
      }
    }
  }

  /** Only an attempt that was dialed and not cancelled teaches something. */
  attemptEnded(live: LiveAttempt, { result, facts }: AttemptReport, nowMs: AtMs): void {
    const { seen, campaign } = live
    if (seen.wantsAgentAtMs !== undefined || facts.reach === 'nothing' || !FAILURES.has(result)) return
    const ageMs = ageOf(live, seen.endedAtMs ?? seen.outUntilAtMs ?? nowMs)
    campaign.learn({ type: 'line.failed', ageMs }, nowMs)
  }

  /** An agent's word moves ledgers and hit rate at once, also after the end of the call (campaigns-40). */
  calledMachine(live: Answered, nowMs: AtMs): void {
    const { campaign, seen } = live
    const answered = answeredLine(live)
    if (answered) campaign.calledMachine(answered, ageOf(live, seen.wantsAgentAtMs ?? answered.answeredAtMs), nowMs)
  }

  agentStatusChanged({ agent, state, sinceAtMs }: AgentStatus): void {
    const known = this.#wrappingUp.get(agent)
    if (!known || state === 'wrapUp' || sinceAtMs < known.sinceAtMs) return
    this.#wrappingUp.delete(agent)
    if (!AFTER_WRAP_UP.has(state)) return
    known.campaign.learn({ type: 'wrapUp.ended', lengthMs: sinceAtMs - known.sinceAtMs }, sinceAtMs)
  }
}

type Answered = Pick<LiveAttempt, 'attempt' | 'campaign' | 'shown' | 'seen' | 'claimedAtMs'>

function ageOf({ seen, claimedAtMs }: Pick<LiveAttempt, 'seen' | 'claimedAtMs'>, atMs: AtMs): number {
  return Math.max(0, atMs - (seen.dialedAtMs ?? claimedAtMs))
}
