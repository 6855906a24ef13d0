import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { taskAfter } from '../../dialer/decide-due-task.ts'
import { FLOOR_MS, nextAttempt } from '../../dialer/next-attempt.ts'
import { wasPlaced } from '../../dialer/outcome.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { callOf, type Fence } from '../../kernel/ids.ts'
import type { AttemptEnd } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { FinishedCall } from '../../ports/dialer-repository.ts'
import { madeTransfers } from '../made-transfers.ts'
import type { LiveAttempt } from './live-attempt.ts'
import { heardOf } from './who-answered.ts'

/** What the record of an attempt's end needs; more is not known of an attempt that an earlier engine began. */
export type EndedAttempt = Pick<
  LiveAttempt,
  | 'attempt'
  | 'leg'
  | 'activity'
  | 'number'
  | 'claimedAtMs'
  | 'campaign'
  | 'shown'
  | 'group'
  | 'seen'
  | 'agent'
  | 'report'
  | 'recordings'
> &
  Partial<Pick<LiveAttempt, 'isMeasured' | 'heard' | 'greeted' | 'transfers'>>

/**
 * The end of an attempt as the database stores it. Call it when the end itself is among `group.attempts`. `isSpared`:
 * the carrier was down and no phone rang (campaigns-43).
 */
export function attemptEndOf(
  live: EndedAttempt,
  report: AttemptReport,
  fence: Fence,
  atMs: AtMs,
  isSpared = false,
): AttemptEnd {
  const { seen, agent } = live
  const { result, facts, isRingCutShort } = report
  return {
    attempt: live.attempt,
    fence,
    result,
    reach: facts.reach,
    counts: report.counts && !isSpared,
    atMs,
    ...(seen.dialedAtMs !== undefined && { dialedAtMs: seen.dialedAtMs }),
    ...(seen.ringingAtMs !== undefined && { ringingAtMs: seen.ringingAtMs }),
    ...(seen.answeredAtMs !== undefined && { answeredAtMs: seen.answeredAtMs }),
    ...(agent !== undefined && { agent }),
    ...(facts.end?.code !== undefined && { sipStatus: facts.end.code }),
    ...(isRingCutShort && { isRingCutShort }),
    ...(waitMsOf(live, atMs) !== undefined && { waitMs: waitMsOf(live, atMs)! }),
    ...heardOf(live),
    // Also with a promise that is known already: the database gives it to the task that follows (INV-O3).
    next: result === 'answered' ? { status: 'answered' } : nextOf(live, atMs, isSpared),
  }
}

/** The call of an attempt that left the engine; an attempt that was never sent was no call. */
export function finishedCallOf(live: EndedAttempt, end: AttemptEnd, eventName: string): FinishedCall {
  const { seen, shown, group, number, agent, activity, transfers } = live
  const { externalSystem, externalCaseNumber, corporation } = group.task
  const { atMs } = end
  return {
    // One call for each attempt: the call bears the leg's id, which exposes a second writer.
    call: callOf(live.leg),
    activity,
    corporation,
    direction: 'out',
    caller: shown.callerId,
    called: number,
    createdAtMs: seen.dialedAtMs ?? live.claimedAtMs,
    ...(seen.ringingAtMs !== undefined && { ringingAtMs: seen.ringingAtMs }),
    ...(seen.answeredAtMs !== undefined && { answeredAtMs: seen.answeredAtMs }),
    endedAtMs: Math.max(atMs, seen.answeredAtMs ?? 0, seen.dialedAtMs ?? live.claimedAtMs),
    talkMs: seen.connectedAtMs === undefined ? 0 : Math.max(0, atMs - seen.connectedAtMs),
    waitMs: end.waitMs ?? 0,
    result: end.result,
    ...(agent !== undefined && { agent }),
    ...(externalSystem !== undefined && { externalSystem }),
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(live.report && { hungUpBy: hungUpBy(live.report) }),
    team: shown.team,
    recordings: live.recordings,
    ...(transfers && transfers.size > 0 && { transfers: madeTransfers(transfers.values(), atMs) }),
    attempt: end,
    eventName,
  }
}

/** Who ended the call: the first party that did something to end it. */
function hungUpBy({ facts, isEndedByAgent }: AttemptReport): 'agent' | 'us' | 'callee' {
  if (isEndedByAgent) return 'agent'
  return facts.endedByUs || facts.earlyEnd ? 'us' : 'callee'
}

function waitMsOf({ seen: { wantsAgentAtMs, connectedAtMs } }: EndedAttempt, atMs: AtMs): number | undefined {
  return wantsAgentAtMs === undefined ? undefined : Math.max(0, (connectedAtMs ?? atMs) - wantsAgentAtMs)
}

/** D-12. While other numbers of the task are being dialed, the last of them sets the task's next date. */
function nextOf({ attempt, group, campaign }: EndedAttempt, atMs: AtMs, isSpared: boolean): AttemptEnd['next'] {
  const { task } = group
  const attempts = group.attempts.map((one) => (isSpared && one.id === attempt ? { ...one, isSpared } : one))
  const after = taskAfter(task, attempts, atMs, campaign.campaign)
  const next = nextAttempt({ ...after, end: undefined }, campaign.campaign)
  if (next.kind === 'finished' && isFinished(next.end)) return { status: next.end }
  const waiting = attempts.some(({ reach }) => wasPlaced(reach)) ? 'waiting' : 'new'
  if (next.kind !== 'due') return { status: waiting, nextCallAtMs: atMs + FLOOR_MS }
  const status = next.waitsFor === 'callback' ? 'callback' : waiting
  return { status, nextCallAtMs: Number.isFinite(next.fromAtMs) ? next.fromAtMs : atMs + FLOOR_MS }
}
