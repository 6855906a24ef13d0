/**
 * What an earlier engine left behind: attempts that were open when it died, and calls that had come in. Each of them
 * is settled before anybody is dialed: alive on the switch → taken over; gone → by what the switch wrote down; else
 * unknown, which counts as an attempt (R3, R4).
 */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { countsAsAttempt, type LegFacts, outcomeOf } from '../../dialer/outcome.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AttemptId, CallTaskId } from '../../kernel/ids.ts'
import type { Attempt, DueTask, EarlierAttempt } from '../../ports/attempt.ts'
import type { FinishedCall, OpenCall, RecordingMade } from '../../ports/dialer-repository.ts'
import type { LoggedCallEnd } from '../../ports/pbx.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EndedLine } from '../outbound/attempt-outcome.ts'
import type { AttemptGroup } from '../outbound/live-attempt.ts'

/** What the switch wrote down of a leg: nothing, that it began, or how it ended. */
export type LoggedLeg = LoggedCallEnd | 'seen' | undefined

/** An attempt of the past, with its task and its campaign. */
export interface PastLine {
  readonly attempt: Attempt
  readonly campaign: CampaignRun
  readonly group: AttemptGroup
}

/** Joins attempts with their tasks; those of one task that were dialed together share a group. */
export function pastLines(
  attempts: readonly Attempt[],
  tasks: readonly DueTask[],
  campaignOf: (attempt: Attempt) => CampaignRun,
): PastLine[] {
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

/** The end of an attempt that is gone, as far as anybody can know it. Its group hears of it. */
export function endOfPast(
  past: PastLine,
  told: LoggedLeg,
  nowMs: AtMs,
  recording?: Omit<RecordingMade, 'endedAtMs'>,
): { line: EndedLine; report: AttemptReport; atMs: AtMs } {
  const { attempt, campaign, group } = past
  const loggedEnd = typeof told === 'object' ? told : undefined
  const facts = factsOf(attempt, loggedEnd)
  const result = outcomeOf(facts)
  // Nobody saw it end: the latest instant at which it can have ended (INV-D2).
  const atMs = loggedEnd?.endedAtMs ?? nowMs
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
  // Whoever talked to an agent had answered (INV-O5), even if nobody wrote down when.
  const answeredAtMs = attempt.answeredAtMs ?? loggedEnd?.answeredAtMs ?? attempt.connectedAtMs ?? undefined
  return {
    atMs,
    report,
    line: {
      ...{ attempt: attempt.id, leg: attempt.leg, activity: attempt.activity, number: attempt.number },
      ...{ claimedAtMs: attempt.claimedAtMs, campaign, group, report },
      recordings: recording ? [{ ...recording, endedAtMs: Math.max(atMs, recording.startedAtMs) }] : [],
      agent: attempt.agent ?? undefined,
      seen: {
        dialedAtMs: attempt.dialedAtMs ?? attempt.claimedAtMs,
        ...(attempt.ringingAtMs !== null && { ringingAtMs: attempt.ringingAtMs }),
        ...(answeredAtMs !== undefined && { answeredAtMs }),
        ...(attempt.connectedAtMs !== null && { connectedAtMs: attempt.connectedAtMs }),
      },
    },
  }
}

/** The end of an attempt that was committed and for certain never dialed: the claim's answer was lost (F-D7). */
export function unsent(past: PastLine, nowMs: AtMs): { line: EndedLine; report: AttemptReport; atMs: AtMs } {
  const ended = endOfPast(past, undefined, nowMs)
  const facts: LegFacts = { ...ended.report.facts, isBlocked: true, reach: 'nothing' }
  const report: AttemptReport = { ...ended.report, facts, result: 'blocked', counts: false }
  past.group.attempts.splice(-1, 1, earlier(past.attempt, report, nowMs))
  return { ...ended, report, line: { ...ended.line, report, seen: {} } }
}

function factsOf(attempt: Attempt, loggedEnd: LoggedCallEnd | undefined): LegFacts {
  const wasAnswered =
    attempt.answeredAtMs !== null || attempt.connectedAtMs !== null || loggedEnd?.answeredAtMs !== undefined
  const agentConnected = attempt.connectedAtMs !== null
  return {
    isBlocked: false,
    reach: wasAnswered ? 'answered' : attempt.ringingAtMs !== null ? 'rang' : 'sent',
    earlyEnd: undefined,
    agentConnected,
    isMachine: false,
    // Whoever answered while nobody of ours was there to hear it was let down by us.
    endedByUs: wasAnswered && !agentConnected,
    end: loggedEnd && { reason: loggedEnd.reason, code: loggedEnd.code },
  }
}

function earlier(attempt: Attempt, { result, facts }: AttemptReport, endedAtMs: AtMs): EarlierAttempt {
  const { id, number, claimedAtMs } = attempt
  return { id, number, result, reach: facts.reach, claimedAtMs, endedAtMs }
}

/** A call that had come in and is gone, told as far as it is known. */
export function pastCall(open: OpenCall, told: LoggedLeg, eventName: string, nowMs: AtMs): FinishedCall {
  const loggedEnd = typeof told === 'object' ? told : undefined
  const { call, corporation, caller, called, createdAtMs } = open
  const endedAtMs = Math.max(createdAtMs, loggedEnd?.endedAtMs ?? nowMs)
  const answeredAtMs = loggedEnd?.answeredAtMs
  return {
    ...{ call, corporation, direction: 'in', caller, called, createdAtMs, endedAtMs },
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...{ talkMs: 0, waitMs: 0, recordings: [], eventName },
  }
}
