import type { AttemptCommand, AttemptReport } from '../../dialer/attempt.machine.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { ActivityId, AgentName, AttemptId, BridgeId, LegId, PhoneNumber, TeamName } from '../../kernel/ids.ts'
import type { MachineRun } from '../../kernel/machine.ts'
import type { OfferedTask } from '../../ports/agent-desktop.ts'
import type { Detector, DueTask, EarlierAttempt } from '../../ports/attempt.ts'
import type { OpenRecording, RecordingMade } from '../../ports/call-recordings.ts'
import type { Greeting, PbxEvent, WhoAnswered } from '../../ports/pbx.ts'
import type { TransferProgress } from '../../ports/transfer.ts'
import type { AnsweredLine, CampaignRun } from '../campaigns/campaign-run.ts'
import type { WriteEntry } from '../record-writer.ts'

/** The attempts of one task that are dialed together; usually one. */
export interface AttemptGroup {
  readonly task: DueTask
  /** Earlier attempts, and the ended ones of this group. */
  readonly attempts: EarlierAttempt[]
  readonly open: Set<AttemptId>
}

/** What the permit says of the call; the campaign may change while the line is up. */
export interface ShownCall {
  readonly callerId: PhoneNumber
  readonly team: TeamName
  /** Undefined for a line of an earlier version: the first trunk of the configuration. */
  readonly trunk: string | undefined
}

export interface LiveAttempt {
  readonly attempt: AttemptId
  readonly leg: LegId
  readonly activity: ActivityId
  readonly number: PhoneNumber
  readonly claimedAtMs: AtMs
  /** The dial must begin before this instant. */
  readonly validUntilAtMs: AtMs
  readonly campaign: CampaignRun
  readonly shown: ShownCall
  readonly group: AttemptGroup
  readonly run: MachineRun<AttemptCommand>
  /** The agent who is reserved for this call; no ledger counts it. */
  readonly byHand: AgentName | undefined
  /** The staff that the line relies on: agents who change teams later serve it (`TeamMembership`). */
  readonly staffing: number
  readonly seen: {
    dialedAtMs?: AtMs
    ringingAtMs?: AtMs
    answeredAtMs?: AtMs
    wantsAgentAtMs?: AtMs
    connectedAtMs?: AtMs
    /** From then on the attempt could not be connected with an agent any more. */
    outUntilAtMs?: AtMs
    /** The instant that the call event log told; else the attempt ended when its event arrived. */
    endedAtMs?: AtMs
  }
  /** Whose verdict counts; `isMeasured`: machine detection only listens. */
  readonly deciding: readonly Detector[]
  readonly isMeasured: boolean
  heard: WhoAnswered | undefined
  /** How the callee greeted, and which greeting it is. */
  greeted: { readonly print: string; readonly greeting?: Greeting } | undefined
  agent: AgentName | undefined
  /** The last agent who was in a conversation with the callee. */
  talkedWith: AgentName | undefined
  bridge: BridgeId | undefined
  readonly openRecordings: OpenRecording[]
  readonly recordings: RecordingMade[]
  readonly afterwards: WriteEntry[]
  /** Whom agents asked or connected, by keys. */
  readonly transfers: Map<string, TransferProgress>
  report: AttemptReport | undefined
  timer: (Timer & { readonly atMs: AtMs }) | undefined
}

/** Of an attempt with its permit; an earlier version stored less, and of that the campaign says what it can. */
export function shownBy(permit: object | null, { callerId, team, trunk }: Campaign): ShownCall {
  const { callerId: shown, team: ofTeam, trunk: over } = (permit ?? {}) as Partial<ShownCall>
  return { callerId: shown ?? callerId, team: ofTeam ?? team, trunk: over ?? trunk }
}

/** The call as ledgers count it; undefined before its answer. */
export function answeredLine({
  attempt,
  shown: { callerId },
  seen: { answeredAtMs },
}: Pick<LiveAttempt, 'attempt' | 'shown' | 'seen'>): AnsweredLine | undefined {
  return answeredAtMs === undefined ? undefined : { attempt, callerId, answeredAtMs }
}

/** What an attempt counts as, for pacers and ledgers. `none`: it needs no agent any more. */
export type AttemptPhase = 'out' | 'waiting' | 'connected' | 'none'

const PHASES: Readonly<Record<string, AttemptPhase>> = {
  claimed: 'out',
  dialing: 'out',
  ringing: 'out',
  ringingLong: 'out',
  // The callee may still answer, and finds no agent: the attempt counts until it has ended.
  cancelling: 'out',
  detecting: 'out',
  waitingForAgent: 'waiting',
  waitingForNext: 'waiting',
  withAgent: 'connected',
}

/** The phase of the machine's present state. */
export function phaseOf({ run }: Pick<LiveAttempt, 'run'>): AttemptPhase {
  const { value } = run
  const state = typeof value === 'string' ? value : Object.keys(value as object)[0]!
  return PHASES[state] ?? 'none'
}

/** Whether the callee has not answered, as far as the engine knows. */
export function isUnanswered(live: LiveAttempt): boolean {
  return live.seen.answeredAtMs === undefined && !live.run.isDone
}

/** Whether callee and agent hear each other. */
export function isTalking({ run }: Pick<LiveAttempt, 'run'>): boolean {
  return (run.value as { withAgent?: string }).withAgent === 'talking'
}

/** Notes the first instant of a milestone. */
export function noteSeen({ seen }: LiveAttempt, fact: string, atMs: AtMs): void {
  if (fact === 'leg.ringing') seen.ringingAtMs ??= atMs
  else if (fact === 'leg.answered') seen.answeredAtMs ??= atMs
}

/** What the switch reported of a leg of an earlier engine. */
export type FoundLeg = Pick<Extract<PbxEvent, { type: 'leg.found' }>, 'isUp' | 'isSilent' | 'bridge'>

/** A task as agents' screens show it. */
export function offeredTask(
  task: Pick<DueTask, 'id' | 'campaign' | 'receiverName' | 'externalCaseNumber' | 'externalCustomer'>,
): OfferedTask {
  const { id, campaign, receiverName, externalCaseNumber, externalCustomer } = task
  return {
    task: id,
    campaign,
    receiverName,
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}
