import type { AttemptCommand, AttemptReport } from '../../dialer/attempt.machine.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { ActivityId, AgentName, AttemptId, BridgeId, LegId, PhoneNumber, RecordingId } from '../../kernel/ids.ts'
import type { MachineRun } from '../../kernel/machine.ts'
import type { OfferedTask } from '../../ports/agent-desktop.ts'
import type { DueTask, EarlierAttempt } from '../../ports/attempt.ts'
import type { RecordingMade } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { Entry } from '../record-writer.ts'

/** The numbers of one task that are dialed together; most often it is one. */
export interface AttemptGroup {
  readonly task: DueTask
  /** Earlier attempts and those of this group that have ended. */
  readonly attempts: EarlierAttempt[]
  readonly open: Set<AttemptId>
}

/** One attempt that has not been written as ended. */
export interface LiveAttempt {
  readonly attempt: AttemptId
  readonly leg: LegId
  readonly activity: ActivityId
  readonly number: PhoneNumber
  readonly claimedAtMs: AtMs
  /** Nothing is dialed after it. */
  readonly validUntilAtMs: AtMs
  readonly campaign: CampaignRun
  readonly group: AttemptGroup
  readonly run: MachineRun<AttemptCommand>
  /** The agent who stands by for this very call; no ledger is touched by it. */
  readonly byHand: AgentName | undefined
  /** When things happened, as the switch told them. */
  readonly seen: {
    dialedAtMs?: AtMs
    ringingAtMs?: AtMs
    answeredAtMs?: AtMs
    wantsAgentAtMs?: AtMs
    connectedAtMs?: AtMs
    /** Nobody could be put through to an agent any more from then on. */
    outUntilAtMs?: AtMs
    /** Where somebody else saw it end, and when; else it ended when we heard of it. */
    endedAtMs?: AtMs
  }
  agent: AgentName | undefined
  bridge: BridgeId | undefined
  recording: { readonly id: RecordingId; readonly startedAtMs: AtMs } | undefined
  readonly recordings: RecordingMade[]
  /** What is to be written behind its end. */
  readonly afterwards: Entry[]
  report: AttemptReport | undefined
  timer: (Timer & { readonly atMs: AtMs }) | undefined
}

/** What a line counts as, for pacers and ledgers. `none`: nobody of ours can be missing on it any more. */
export type LinePhase = 'out' | 'waiting' | 'connected' | 'none'

const PHASES: Readonly<Record<string, LinePhase>> = {
  claimed: 'out',
  dialing: 'out',
  ringing: 'out',
  ringingLong: 'out',
  // Somebody may still answer, and then finds nobody: it counts until it has ended.
  cancelling: 'out',
  detecting: 'out',
  waitingForAgent: 'waiting',
  withAgent: 'connected',
}

/** Reads the phase off the machine. */
export function phaseOf({ run }: Pick<LiveAttempt, 'run'>): LinePhase {
  const { value } = run
  const state = typeof value === 'string' ? value : Object.keys(value as object)[0]!
  return PHASES[state] ?? 'none'
}

/** Whether nobody has answered it, as far as we know. */
export function isUnanswered(live: LiveAttempt): boolean {
  return live.seen.answeredAtMs === undefined && !live.run.isDone
}

/** Whether callee and agent hear each other. */
export function isTalking({ run }: Pick<LiveAttempt, 'run'>): boolean {
  return (run.value as { withAgent?: string }).withAgent === 'talking'
}

/** Remembers when the switch first told a milestone. */
export function noteSeen({ seen }: LiveAttempt, fact: string, atMs: AtMs): void {
  if (fact === 'leg.ringing') seen.ringingAtMs ??= atMs
  else if (fact === 'leg.answered') seen.answeredAtMs ??= atMs
}

/** The name of a line's next recording, after so many: found again by whoever takes over. */
export function recordingOf(leg: LegId, before: number): RecordingId {
  return `${leg}-${before}` as RecordingId
}

/** As the switch names it in its folder (ports/pbx.ts). */
export function fileOf(recording: RecordingId): string {
  return `${recording}.wav`
}

/** What the switch said of a leg of the past. */
export type FoundLeg = Pick<Extract<PbxEvent, { type: 'leg.found' }>, 'isUp' | 'isSilent' | 'bridge'>

/** A task as screens show it. */
export function offeredTask(task: DueTask): OfferedTask {
  const { id, campaign, receiverName, externalCaseNumber, externalCustomer } = task
  return {
    ...{ task: id, campaign, receiverName },
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}
