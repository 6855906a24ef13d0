import { REASONS } from '../../dialer/may-dial-now.ts'
import { type AgentName, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { DueTask } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'

const OFFERED = 'The call task is offered to another agent.'

/**
 * Why a task cannot be dialed by hand at all, as a sentence for the agent; undefined: the gate decides. A claim finds
 * only waiting tasks and the agent's own offer, and says nothing of the others.
 */
export function whyNotByHand(
  { status }: Pick<DueTask, 'status'>,
  { isActive, isOfferedToThem }: { readonly isActive: boolean; readonly isOfferedToThem: boolean },
): string | undefined {
  if (isFinished(status)) return REASONS.taskFinished
  if (status === 'dialing' || status === 'inCall') return REASONS.attemptInFlight
  if (status === 'reserved' && !isOfferedToThem) return OFFERED
  return isActive ? undefined : REASONS.campaignInactive
}

/** An agent can only dial in campaigns of their own teams and corporation (D-04). */
export function isTheirs(
  { staff }: Pick<EngineContext, 'staff'>,
  { campaign, stored }: Pick<CampaignRun, 'campaign' | 'stored'>,
  agent: AgentName,
): boolean {
  return stored.corporation === FIRST_CORPORATION && staff().teams.get(campaign.team)?.agents.includes(agent) === true
}
