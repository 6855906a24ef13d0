import { REASONS } from '../../dialer/may-dial-now.ts'
import type { DueTask } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'

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
