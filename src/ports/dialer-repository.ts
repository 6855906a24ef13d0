import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  BridgeId,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  LegId,
  PhoneNumber,
  TeamName,
} from '../kernel/ids.ts'
import type {
  AbroadUse,
  AnsweredAttempt,
  AnsweredSums,
  Attempt,
  AttemptConnected,
  AttemptEnd,
  AttemptQuery,
  AttemptResult,
  AttemptToCancel,
  AttemptTransfers,
  AttemptWrite,
  Claim,
  ClaimResult,
  CountedScope,
  DetectionCounts,
  DueTask,
  LearntGreeting,
  MachineWord,
  NodeLease,
  Reservation,
  TriedAttempt,
} from './attempt.ts'
import type { FileId } from './call-activity.ts'
import type { RecordingMade } from './call-recordings.ts'
import type { FinishedStatus, MatchedTask, TaskOfNumber, TypedNumber } from './call-task.ts'
import type { CampaignLearning } from './campaign-learning.ts'
import type { CallTraffic } from './flows/flow-traffic.ts'
import type { LeftCall, OpenCall } from './open-call.ts'
import type { Outcome, OutcomeRecords } from './outcome.ts'
import type { CallbackRefusal, KeepPlace, PlaceInQueue } from './queue-place.ts'
import type { TransferMade } from './transfer.ts'

/**
 * The database is unavailable, or too slow; dialing stops meanwhile (R8). Every write is idempotent: repeat it with the
 * same ids. `mayBeDone`: a commit got no answer (files-and-activities-08). The name is older and stored in logs.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'RecordsUnavailable'
  mayBeDone = false
}

/** A campaign as the claim needs it. `settings` is the rest of D-14, kept as it was given. */
export interface Campaign {
  readonly id: CampaignId
  readonly corporation: CorporationId
  readonly name: string
  readonly active: boolean
  readonly externalSystem?: ExternalSystemId
  /** The team whose agents take its calls, by the name it has in the configuration. */
  readonly team?: TeamName
  readonly settings: Readonly<Record<string, unknown>>
}

export interface StoredCampaign extends Campaign {
  /** Grows each time it is made active again: what was tried before does not count any more. */
  readonly activeSinceAtMs: AtMs
  /** There exactly while it is not active because it paused itself. */
  readonly pausedReason?: string
  /** Grows with each change of settings, team or activity. */
  readonly settingsVersion?: number
  /** Its catalogue in order, retired outcomes included; absent: it never had one. */
  readonly outcomes?: readonly Outcome[]
}

/** A campaign pauses itself (F-F7) for its results since `activeSinceAtMs`, unless it was activated again since. */
export interface CampaignPause {
  readonly campaign: CampaignId
  readonly activeSinceAtMs: AtMs
  readonly why: string
  readonly atMs: AtMs
}

export interface TaskProperty {
  readonly field: number
  readonly value: string
}

/** One call task to be imported; shape, numbers and fields have been checked. */
export interface NewCallTask {
  /** Place in the submitted list. */
  readonly index: number
  readonly receiverName: string
  /** In dialing order; `given` is what the customer wrote. At least one, 20 at the most (D-30). */
  readonly numbers: readonly { readonly given: string; readonly number: PhoneNumber }[]
  readonly externalCustomer?: string
  /** `receiverName` without what was added to it: the name of the contact (cases-13). Absent: the same. */
  readonly contactName?: string
  /** The language of that contact, BCP 47, where the customer's system says it. */
  readonly language?: string
  readonly externalCaseNumber?: string
  readonly properties: readonly TaskProperty[]
  /** The task is dialed from then on, and up to but without `validToAtMs` (campaigns-58). */
  readonly validFromAtMs?: AtMs
  readonly validToAtMs?: AtMs
  /** Higher first, -100 to 100; absent: 0. */
  readonly priority?: number
}

/** An import. `importId` is chosen by the caller: the same id is carried out once, however often it is asked for. */
export interface Import {
  readonly importId: string
  readonly campaign: CampaignId
  readonly externalSystem: ExternalSystemId
  readonly attemptsMax: number
  readonly intervalMs: number
  /** What becomes of a number on the stop list: the task is rejected, or made without it (D-07, 203). */
  readonly stoppedNumbers: 'reject' | 'drop'
  readonly callTasks: readonly NewCallTask[]
  readonly atMs: AtMs
}

/** Why one call task was not made (D-07: 201, 202, 203). */
export type ImportRefusal = 'duplicate' | 'personStopped' | 'numberStopped'

/** One transaction: either all that is listed as imported is there, or nothing. */
export type ImportResult =
  | {
      readonly outcome: 'imported'
      readonly imported: readonly { readonly index: number; readonly id: CallTaskId }[]
      readonly refused: readonly { readonly index: number; readonly why: readonly ImportRefusal[] }[]
    }
  | { readonly outcome: 'no such campaign' }

/**
 * D-13. `activeCall`: the activity of a conversation that goes on. `cancel`: attempts to take back. Both also of the
 * tasks that follow it; `followers`: those that were still open and are ended now. `ended`: at least one task is.
 */
export type EndCallTaskResult =
  | {
      readonly outcome: 'ended' | 'already finished'
      readonly status: FinishedStatus
      readonly answered: boolean
      readonly finishedAtMs: AtMs
      readonly activeCall: ActivityId | null
      readonly cancel: readonly AttemptId[]
      readonly followers: readonly CallTaskId[]
    }
  | { readonly outcome: 'no such call task' }

export type Stop =
  | { readonly kind: 'number'; readonly number: PhoneNumber }
  | { readonly kind: 'person'; readonly externalSystem: ExternalSystemId; readonly externalCustomer: string }

/** A call that is over. Written together with the end of its attempt and with the event about it (R7). */
export interface FinishedCall {
  readonly call: CallId
  /** The caller's leg, which tells recorded calls from unseen ones. Absent for an outbound call: it has its name. */
  readonly leg?: LegId
  /** The id promised at the claim; absent for a call that came in. */
  readonly activity?: ActivityId
  readonly corporation: CorporationId
  readonly direction: 'in' | 'out'
  readonly caller: string
  readonly called: string
  readonly createdAtMs: AtMs
  readonly ringingAtMs?: AtMs
  /** Set exactly when a person or a machine answered (contract.md §2.4). */
  readonly answeredAtMs?: AtMs
  readonly endedAtMs: AtMs
  readonly talkMs: number
  readonly waitMs: number
  readonly result?: AttemptResult
  readonly agent?: AgentName
  readonly externalSystem?: ExternalSystemId
  /** Instead of its id: the code that the configuration gives the called number. One of another client counts not. */
  readonly externalSystemCode?: string
  readonly externalCaseNumber?: string
  readonly hangupCause?: number
  readonly recordings: readonly RecordingMade[]
  readonly transfers?: readonly TransferMade[]
  /** Who ended it, where that was seen. */
  readonly hungUpBy?: 'caller' | 'callee' | 'agent' | 'us'
  readonly team?: TeamName
  readonly attempt?: AttemptEnd
  /** Of a call in a flow: how it went, for the sums. */
  readonly traffic?: CallTraffic
  /** Names the event that tells of it, for ever and at every receiver; the caller chooses it (INV-E3). */
  readonly eventName: string
}

/** `already recorded`: asked twice, and nothing changed; or settled by another node without us, and amended. */
export type FinishCallResult =
  | { readonly outcome: 'recorded' | 'already recorded'; readonly activity: ActivityId }
  | { readonly outcome: 'refused'; readonly why: Exclude<AttemptWrite, 'written' | 'already ended'> }

/** An agent who is logged in, with what an engine needs to find their phone again after a restart. */
export interface SavedAgentSession {
  readonly agent: AgentName
  readonly leg: LegId
  readonly bridge: BridgeId
  /** The state of their machine, plain JSON. */
  readonly saved: object
}

/** The person asked in a call not to be called again. */
export interface DoNotCall {
  readonly corporation: CorporationId
  readonly number: PhoneNumber
  /** The dialed task: its person is stopped too. Absent for a caller, whose number proves no identity. */
  readonly task?: CallTaskId
  readonly call: CallId
  readonly activity?: ActivityId
  readonly by: string
  readonly reason: string
  readonly atMs: AtMs
}

/** A date for the next call. A task that is finished stays so: a new one follows it (INV-O3). */
export interface CallbackRequest {
  readonly task: CallTaskId
  readonly atMs: AtMs
  readonly askedByContact: boolean
  readonly agent: AgentName
  /** Any agent of the team is to call, not who promised it. */
  readonly isForTeam?: boolean
  readonly nowMs: AtMs
  /** The talk in which it was promised: its number is dialed, and its own quiet time does not hold the callback. */
  readonly attempt?: AttemptId
}

/** A callback whose date has come; the call may be put off to `nextCallAtMs`. */
export interface DueCallback {
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly atMs: AtMs
  readonly nextCallAtMs: AtMs
  /** Who promised it, or who is to keep it. */
  readonly agent?: AgentName
  /** There where a caller left a queue to be called back: the callback is made in the caller's turn. */
  readonly place?: PlaceInQueue & { readonly number: PhoneNumber }
}

/** What has changed; the listener reads the new state itself. Some kinds are also sent periodically. */
export type DatabaseNotification = 'orders' | 'tasks' | 'deliveries' | 'access' | 'flowEvents' | 'flows'

/** A method is one transaction. May reject with `DatabaseUnavailable`; any other rejection is a programming error. */
export interface DialerRepository extends OutcomeRecords {
  /**
   * A new lease for this node. The one it had is worth nothing from now on; its open attempts are moved to the new one.
   * Rejects with `LeaseHeldElsewhere`.
   */
  takeLease(node: string, lifeMs: number, instance?: string): Promise<NodeLease>
  /** Undefined: the lease is gone; take a new one. Stores the instant as seen (F-G2), up to `seenMaxMs`. */
  renewLease(lease: NodeLease, lifeMs: number, seenMaxMs?: AtMs): Promise<NodeLease | undefined>
  /** Gives the lease back: another node need not wait for its end. */
  dropLease(lease: NodeLease): Promise<void>
  /**
   * Moves open attempts of engines whose lease is gone to this one, to be settled before any dialing, and frees their
   * reserved tasks. Another node's lease is gone `graceMs` after its end: it may be cut off. Undefined: ours is gone.
   */
  adoptAttempts(lease: NodeLease, graceMs?: number): Promise<readonly Attempt[] | undefined>
  /** The attempts of this lease that have not ended, also those of a claim whose answer was lost (F-D7). */
  openAttempts(lease: NodeLease): Promise<readonly Attempt[]>
  /** Attempts of this lease that are not answered yet and have to be cancelled. */
  attemptsToCancel(lease: NodeLease): Promise<readonly AttemptToCancel[]>
  /** Activating a campaign lifts the pause that it took itself. */
  saveCampaign(campaign: Campaign, atMs: AtMs): Promise<void>
  /** Every campaign, also inactive ones. */
  campaigns(): Promise<readonly StoredCampaign[]>
  /** `not active`: the campaign was paused or activated again meanwhile; nothing changed. Calls under way go on. */
  pauseCampaign(pause: CampaignPause): Promise<'paused' | 'not active'>
  /** Its latest attempts that were claimed since then, were placed and are over: 100 at the most, oldest first. */
  triedAttempts(campaign: CampaignId, sinceAtMs: AtMs): Promise<readonly TriedAttempt[]>
  /** Calls that were answered since then and are over, for the ledgers. */
  answeredCalls(of: CountedScope, sinceAtMs: AtMs): Promise<readonly AnsweredAttempt[]>
  /** The same as sums: calls that were answered from the first instant on and before the second. */
  answeredSums(of: CountedScope, fromAtMs: AtMs, beforeAtMs: AtMs): Promise<AnsweredSums>
  /** Of calls that were answered since then, are over, and had an agent. */
  detectionCounts(campaign: CampaignId, sinceAtMs: AtMs): Promise<DetectionCounts>
  /** Keeps it for the node of this lease, unless a newer lease of the node did; silent where the campaign is gone. */
  keepLearning(lease: Pick<NodeLease, 'node' | 'fence'>, learning: CampaignLearning): Promise<void>
  /** What the node has kept; where it has nothing, what any node kept last. */
  keptLearning(campaign: CampaignId, node: string): Promise<object | undefined>
  setKillSwitch(isOn: boolean, by: string, atMs: AtMs): Promise<void>
  isKillSwitchOn(): Promise<boolean>
  usedAbroad(): Promise<readonly AbroadUse[]>
  importCallTasks(request: Import): Promise<ImportResult>
  claimDueTasks(claim: Claim): Promise<ClaimResult>
  /** `nothing due`: no task that the gate lets pass. */
  reserveTask(command: Reservation): Promise<DueTask | 'nothing due' | 'no lease'>
  /** Lets go of a reserved task; it comes again at `nextCallAtMs`. Silent when it is not reserved. */
  releaseTask(task: CallTaskId, nextCallAtMs: AtMs, waitsFor?: 'skipped'): Promise<void>
  /** Frees tasks reserved under this lease before then, longer than agents look: the claim's answer was lost (F-D7). */
  releaseForgotten(lease: Pick<NodeLease, 'node' | 'fence'>, beforeAtMs: AtMs): Promise<void>
  /** Tasks as a claim would see them, whatever their status: for attempts that an earlier engine began. */
  describeTasks(ids: readonly CallTaskId[], dialedSinceAtMs: AtMs): Promise<readonly DueTask[]>
  attemptConnected(event: AttemptConnected): Promise<AttemptWrite>
  attemptTransfers(transfers: AttemptTransfers): Promise<AttemptWrite>
  endAttempt(end: AttemptEnd): Promise<AttemptWrite>
  findAttempts(by: AttemptQuery): Promise<readonly Attempt[]>
  endCallTask(command: EndCallTask): Promise<EndCallTaskResult>
  /** What rings or talks goes on; the gate reads the change before the next call of the task (campaigns-59). */
  changeCallTask(command: ChangeCallTask): Promise<ChangeCallTaskResult>
  /** Finishes the tasks whose validity is over, and typed numbers that a service has left; returns how many. */
  expireTasks(atMs: AtMs): Promise<number>
  isStopped(corporation: CorporationId, stop: Stop): Promise<boolean>
  /**
   * Stores an inbound call, and how far it came, until `finishCall` of the same name (INV-O5). One without progress
   * changes nothing. Beginning and end are not written at once: a beginning that overlaps the end may stay for ever.
   */
  callBegan(node: string, call: OpenCall): Promise<void>
  /** Calls that came in at this node and have no end yet, by its name. */
  openCalls(node: string): Promise<readonly OpenCall[]>
  /** The oldest 1,000 of nodes that have no lease. None without a lease of ours. */
  leftCalls(lease: NodeLease): Promise<readonly LeftCall[]>
  /** Those of these callers' legs that belong to no open and to no finished call. */
  unknownLegs(legs: readonly LegId[]): Promise<readonly LegId[]>
  finishCall(call: FinishedCall): Promise<FinishCallResult>
  /**
   * Stops the number and the person of the task, with the call as evidence, and ends the task, the open tasks of the
   * person, and those without a number that may be dialed. Returns the ended tasks; a repetition ends nothing more.
   */
  doNotCall(request: DoNotCall): Promise<readonly CallTaskId[]>
  /** The task that carries the date: the same task, or the successor of a finished task. */
  setCallback(callbackRequest: CallbackRequest): Promise<CallTaskId | CallbackRefusal>
  /** The call task that keeps the place; a repetition changes nothing. `no such campaign`: also one that rests. */
  keepPlace(request: KeepPlace): Promise<CallTaskId | 'stopped' | 'no such campaign'>
  /** The open call task of the campaign with the number, or a new one with one attempt. `not allowed`: or inactive. */
  taskOfNumber(request: TypedNumber): Promise<TaskOfNumber | 'stopped' | 'not allowed'>
  /** Ends a call task that `taskOfNumber` made, for this reason, unless it was dialed. */
  takeBackTask(task: CallTaskId, reason: string, atMs: AtMs): Promise<void>
  /** Callbacks of these campaigns whose date has come and that wait to be called: the oldest 1,000. */
  dueCallbacks(campaigns: readonly CampaignId[], atMs: AtMs): Promise<readonly DueCallback[]>
  /** Kept beside the result (INV-O2), with the greeting, also a new one. It counts; a finished task is followed. */
  correctToMachine(...word: MachineWord): Promise<'corrected' | 'no such attempt'>
  /** The latest greetings of the corporation, the oldest first. Calls that were answered since then tell of each. */
  greetings(corporation: CorporationId, sinceAtMs: AtMs): Promise<readonly LearntGreeting[]>
  /** A number for a file whose row is written later; it is never given again. */
  fileNumber(): Promise<FileId>
  /** The corporation's task of this caller's number that is active, or was most recently. Never a proof of identity. */
  matchCaller(corporation: CorporationId, number: PhoneNumber): Promise<MatchedTask | undefined>
  saveAgentSession(lease: NodeLease, session: SavedAgentSession): Promise<void>
  removeAgentSession(lease: NodeLease, agent: AgentName): Promise<void>
  /** Agent sessions of this node, by its name: they outlive its leases. */
  agentSessions(node: string): Promise<readonly SavedAgentSession[]>
  /** Calls `listener` when something changed, from now until the answer is called. Never the only way to know. */
  onNotification(listener: (notification: DatabaseNotification) => void): () => void
}

/** An integrator or user ends a call task: the debt is paid, withdrawn, disputed. */
export interface EndCallTask {
  readonly task: CallTaskId
  readonly corporations: readonly CorporationId[]
  readonly status: Extract<FinishedStatus, 'endedBySystem' | 'endedByUser' | 'stopped'>
  readonly reason?: string
  readonly atMs: AtMs
}

/** A change of an open call task. An absent field stays; null removes a limit. */
export interface ChangeCallTask {
  readonly task: CallTaskId
  readonly corporations: readonly CorporationId[]
  readonly change: {
    readonly attemptsMax?: number
    readonly intervalMs?: number
    readonly priority?: number
    /** In dialing order, checked. */
    readonly numbers?: NewCallTask['numbers']
    readonly validFromAtMs?: AtMs | null
    readonly validToAtMs?: AtMs | null
  }
  /** As at an import. */
  readonly stoppedNumbers: Import['stoppedNumbers']
  readonly atMs: AtMs
}

export type ChangeCallTaskResult =
  /** `isInCall`: a line of the task is up, and the change concerns the next one. */
  | { readonly outcome: 'changed'; readonly isInCall: boolean }
  | { readonly outcome: 'finished'; readonly status: FinishedStatus }
  | { readonly outcome: 'refused'; readonly why: Extract<ImportRefusal, 'duplicate' | 'numberStopped'> }
  | { readonly outcome: 'validity is empty' }
  | { readonly outcome: 'no such call task' }
