/**
 * Attempts and inbound calls that an earlier engine left open. Each is settled before anything is dialed: alive on the
 * switch: taken over; gone: ended as the call event log says; unknown to both: counts as an attempt (R3, R4).
 */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { countsAsAttempt, type LegFacts, outcomeOf } from '../../dialer/outcome.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AttemptId, CallTaskId, Fence } from '../../kernel/ids.ts'
import type { Attempt, DueTask, EarlierAttempt } from '../../ports/attempt.ts'
import type { RecordingMade } from '../../ports/call-recordings.ts'
import type { LoggedLeg } from '../../ports/pbx.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import { endedWithCall } from '../leg-recordings.ts'
import type { PastEnd } from '../outbound/attempt-end.ts'
import { type AttemptGroup, shownBy } from '../outbound/live-attempt.ts'

export interface PastAttempt {
  readonly attempt: Attempt
  readonly campaign: CampaignRun
  readonly group: AttemptGroup
}

/** Joins attempts with their tasks; attempts of one task that were dialed together share a group. */
export function pastAttempts(
  attempts: readonly Attempt[],
  tasks: readonly DueTask[],
  campaignOf: (attempt: Attempt) => CampaignRun,
): PastAttempt[] {
  const open = new Set(attempts.map(({ id }) => id))
  const groups = new Map<CallTaskId, AttemptGroup>(
    tasks.map((task) => [
      task.id,
      { task, attempts: task.attempts.filter(({ id }) => !open.has(id)), open: new Set<AttemptId>() },
    ]),
  )
  return attempts.flatMap((attempt) => {
    const group = groups.get(attempt.task)
    if (!group) return []
    group.open.add(attempt.id)
    return [{ attempt, campaign: campaignOf(attempt), group }]
  })
}

/** The end of an attempt that is gone, as far as it is known. Its group is updated. */
export function endOfPast(
  past: PastAttempt,
  logged: LoggedLeg | undefined,
  nowMs: AtMs,
  recordings?: readonly RecordingMade[],
): PastEnd {
  const { attempt, campaign, group } = past
  const facts = factsOf(attempt, logged)
  const result = outcomeOf(facts)
  // No event and no log tells the end: the latest possible instant (INV-D2).
  const atMs = logged?.endedAtMs ?? nowMs
  const report = {
    attempt: attempt.id,
    result,
    counts: countsAsAttempt(result, facts.reach),
    facts,
    isRingCutShort: false,
    isEndedByAgent: false,
  }
  group.open.delete(attempt.id)
  group.attempts.push(earlier(attempt, report, atMs))
  // A callee who talked to an agent had answered (INV-O5), even if no event told when.
  const answeredAtMs = attempt.answeredAtMs ?? logged?.answeredAtMs ?? attempt.connectedAtMs ?? undefined
  return {
    atMs,
    report,
    attempt: {
      attempt: attempt.id,
      leg: attempt.leg,
      activity: attempt.activity,
      number: attempt.number,
      claimedAtMs: attempt.claimedAtMs,
      campaign,
      shown: shownBy(attempt.permit, campaign.campaign),
      group,
      report,
      recordings: endedWithCall(recordings, atMs),
      agent: attempt.agent ?? undefined,
      transfers: new Map(Object.entries(attempt.transfers ?? {})),
      seen: {
        dialedAtMs: attempt.dialedAtMs ?? attempt.claimedAtMs,
        ...(attempt.ringingAtMs !== null && { ringingAtMs: attempt.ringingAtMs }),
        ...(answeredAtMs !== undefined && { answeredAtMs }),
        ...(attempt.connectedAtMs !== null && { connectedAtMs: attempt.connectedAtMs }),
      },
    },
  }
}

/** By its claim. Whoever adopts an attempt gives it a fence of theirs, though another node has dialed it. */
export function isClaimedUnder({ permit }: Attempt, fences: readonly Fence[]): boolean {
  const { fence } = (permit ?? {}) as { readonly fence?: Fence }
  return fence !== undefined && fences.includes(fence)
}

/** The end of an attempt that was committed and certainly never dialed: the claim's answer was lost (F-D7). */
export function unsent(past: PastAttempt, nowMs: AtMs): PastEnd {
  const ended = endOfPast(past, undefined, nowMs)
  const facts: LegFacts = { ...ended.report.facts, isBlocked: true, reach: 'nothing' }
  const report: AttemptReport = { ...ended.report, facts, result: 'blocked', counts: false }
  past.group.attempts.splice(-1, 1, earlier(past.attempt, report, nowMs))
  return { ...ended, report, attempt: { ...ended.attempt, report, seen: {} } }
}

function factsOf(attempt: Attempt, logged: LoggedLeg | undefined): LegFacts {
  const wasAnswered =
    attempt.answeredAtMs !== null || attempt.connectedAtMs !== null || logged?.answeredAtMs !== undefined
  const agentConnected = attempt.connectedAtMs !== null
  return {
    isBlocked: false,
    reach: wasAnswered ? 'answered' : attempt.ringingAtMs !== null ? 'rang' : 'sent',
    earlyEnd: undefined,
    agentConnected,
    isMachine: attempt.isMarkedMachine,
    // The callee answered while no engine was there: abandoned by us.
    endedByUs: wasAnswered && !agentConnected,
    end: logged?.endedAtMs === undefined ? undefined : { reason: logged.reason, code: logged.code },
  }
}

function earlier(attempt: Attempt, { result, facts }: AttemptReport, endedAtMs: AtMs): EarlierAttempt {
  const { id, number, claimedAtMs } = attempt
  return { id, number, result, reach: facts.reach, claimedAtMs, endedAtMs }
}
