import type { CallDistributor } from '../../acd/distributor.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import type { PacingSnapshot } from '../../dialer/pacing/pacer-interface.ts'
import { shiftLeftMs } from '../../dialer/time-left-in-shift.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { AgentAllocation } from './agent-allocation.ts'
import type { LiveAttempt } from './live-attempt.ts'
import { pacingAges } from './pacing-ages.ts'
import { linesLeft, type PacedUse, whyNoMoreLines } from './trunk-limits.ts'

export interface SnapshotSource {
  readonly distributor: CallDistributor
  readonly allocation: AgentAllocation
  readonly attempts: Iterable<LiveAttempt>
  /** Undefined: the configuration has no such trunk. */
  readonly use: PacedUse | undefined
  /** Agents for whom a call of their own is being prepared: no line is placed ahead for them. */
  readonly isKept: (agent: AgentName) => boolean
}

/** What the pacer of a campaign sees now. */
export function pacingSnapshot(run: CampaignRun, source: SnapshotSource, nowMs: AtMs): PacingSnapshot {
  const { distributor, allocation, attempts, use, isKept } = source
  const { team } = run.campaign
  const live = allocation.of(run)
  const needsAgent = [...attempts].filter((one) => !allocation.isBeside(one))
  const all = distributor.sessionsIn(team)
  const sessions = all.filter(({ agent }) => !isKept(agent))
  return {
    agents: distributor.readyIn(team),
    live,
    ledgers: run.ledgers(live, nowMs),
    linesFree: use ? linesLeft(use) : 0,
    linesFreeWhy: use ? whyNoMoreLines(use) : 'noTrunk',
    ...slowedDown(run.campaign, nowMs),
    ...(sessions.length < all.length && { onlyOneToOne: 'callbackDue' as const }),
    ...(distributor.callersNear(team) > 0 && { onlyOneToOne: 'callersWaiting' as const }),
    agentsForCallers: allocation.forCallers(run),
    wantedByHand: 0,
    ages: pacingAges(run, needsAgent, sessions, nowMs),
    shiftLeftMs: shiftLeftMs(run.campaign, nowMs),
  }
}

/** The limits of a campaign, with the order to slow down while it stands. */
function slowedDown({ linesPerAgentMax, slowDown }: Campaign, nowMs: AtMs) {
  if (!slowDown || nowMs >= slowDown.untilAtMs) return { linesPerAgentMax }
  const most = Math.min(linesPerAgentMax, slowDown.linesPerAgentMax ?? linesPerAgentMax)
  return { linesPerAgentMax: most, ...(slowDown.isOneToOne && { onlyOneToOne: 'slowedDown' as const }) }
}
