import type { TaskDecision } from '../../dialer/decide-due-task.ts'
import { touchesSinceAtMs } from '../../dialer/frequency-caps.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ClaimMoment, DueTask, NodeLease, Verdict } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { type CampaignRun, decidedBy } from '../campaigns/campaign-run.ts'

/** The task may be dialed as soon as an agent and a line are free. */
export const WAITS_FOR_ROOM: ReadonlySet<Reason | 'unavailable'> = new Set(['trunkFull', 'trunkTooFast', 'ledgerFull'])

interface Look {
  readonly dialerRepository: DialerRepository
  readonly lease: NodeLease
  readonly run: CampaignRun
  readonly judge: (task: DueTask, moment: ClaimMoment) => TaskDecision
  readonly nowMs: AtMs
}

/** Whether a task is due that waits for nothing but an agent and a line. Dials nothing; refused tasks are put off. */
export function lookForDueTask({ dialerRepository, lease, run, judge, nowMs }: Look, done: (isDue: boolean) => void) {
  let isDue = false
  const decide = (task: DueTask, moment: ClaimMoment): Verdict => {
    const judged = judge(task, moment)
    const waitsForRoom = 'refused' in judged && WAITS_FOR_ROOM.has(judged.refused)
    if (judged.verdict.verdict !== 'dial' && !waitsForRoom) return judged.verdict
    isDue = true
    return { verdict: 'leaveAll' }
  }
  const dialedSinceAtMs = touchesSinceAtMs(run.campaign, nowMs)
  const asked = { lease, campaign: run.campaign.id, tasksMax: 1, atMs: nowMs, dialedSinceAtMs }
  const command = { ...asked, ...decidedBy(run), decide }
  // Nothing was to be dialed: a look that fails leaves no doubt.
  dialerRepository.claimDueTasks(command).then(
    () => done(isDue),
    () => {},
  )
}
