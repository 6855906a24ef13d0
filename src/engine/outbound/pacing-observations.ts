/** What lines and agents teach the pacer of their campaign: how long lines ring, people talk and agents wrap up. */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentState, AgentStatus } from '../../ports/agent-desktop.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { LinePhase, LiveAttempt } from './live-attempt.ts'

/** Lines that ended so were answered by nobody, or by a machine. What we took back ourselves would not tell. */
const FAILURES: ReadonlySet<AttemptResult> = new Set([
  ...(['noAnswer', 'busy', 'voicemail', 'lost', 'failed', 'invalidNumber', 'rejected'] as const),
])
/** An agent who leaves, or whose phone is lost, has not said how long a wrap-up lasts. */
const AFTER_WRAP_UP: ReadonlySet<AgentState> = new Set(['ready', 'reserved', 'talking', 'paused'])

/** Mutable state with a lifetime, hence a class. */
export class PacingObservations {
  /** Agents of campaigns whose wrap-up ends by hand, since their conversation ended. */
  readonly #wrappingUp = new Map<AgentName, { readonly campaign: CampaignRun; readonly sinceAtMs: AtMs }>()

  /** A line counts as something else from now on. */
  moved(live: LiveAttempt, from: LinePhase, to: LinePhase, nowMs: AtMs): void {
    const { campaign, seen, agent } = live
    // Where an agent is free, nobody is ever seen to wait.
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

  /** An attempt is over. Only one that was dialed, and that nobody took back, says something about lines. */
  attemptEnded(live: LiveAttempt, { result, facts }: AttemptReport, nowMs: AtMs): void {
    const { seen, campaign } = live
    if (seen.wantsAgentAtMs !== undefined || facts.reach === 'nothing' || !FAILURES.has(result)) return
    const ageMs = ageOf(live, seen.endedAtMs ?? seen.outUntilAtMs ?? nowMs)
    campaign.learn({ type: 'line.failed', ageMs }, nowMs)
  }

  /** An agent does something else. */
  agentSessionChanged({ agent, state, sinceAtMs }: AgentStatus): void {
    const known = this.#wrappingUp.get(agent)
    if (!known || state === 'wrapUp' || sinceAtMs < known.sinceAtMs) return
    this.#wrappingUp.delete(agent)
    if (!AFTER_WRAP_UP.has(state)) return
    known.campaign.learn({ type: 'wrapUp.ended', lengthMs: sinceAtMs - known.sinceAtMs }, sinceAtMs)
  }
}

function ageOf({ seen, claimedAtMs }: LiveAttempt, atMs: AtMs): number {
  return Math.max(0, atMs - (seen.dialedAtMs ?? claimedAtMs))
}
