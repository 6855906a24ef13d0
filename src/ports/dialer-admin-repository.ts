import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  PhoneNumber,
  TeamId,
  TeamName,
  UserId,
} from '../kernel/ids.ts'
import type { AttemptResult } from './attempt.ts'
import type { CallActivity, FileId, RecordingNumber } from './call-activity.ts'
import type {
  AttemptSearch,
  AttemptShape,
  CallTaskSearch,
  CallTaskShape,
  CallTaskStatus,
  RowStream,
} from './call-task.ts'
import type { Campaign, Import, ImportRefusal, ImportResult, Stop } from './dialer-repository.ts'
import type { OutcomeCatalogues } from './outcome.ts'

/** Imports in a transaction that `rehearseImports` rolls back. */
export type Rehearse = (request: Import) => Promise<ImportResult>

/**
 * The database as the API and the CLI use it; engines do not. Every method may reject with `DatabaseUnavailable`.
 * Objects of corporations that are not named in the request do not exist (D-04).
 */
export interface DialerAdminRepository extends OutcomeCatalogues {
  /**
   * Creates and changes campaigns, all or none. `decide` gets the present state of each locked campaign (undefined: to
   * be created) and returns its new state, or a refusal, which becomes the answer. It must be pure: it may run again.
   */
  changeCampaigns<Refusal>(campaignsToSave: CampaignsToSave<Refusal>): Promise<CampaignsChanged<Refusal>>
  findCampaigns(
    search: CampaignSearch,
  ): Promise<{ readonly foundRows: number; readonly campaigns: readonly KeptCampaign[] }>
  /** The use of each budget of a campaign, day by day. A campaign of other corporations has only zeros. */
  budgets(question: BudgetQuestion): Promise<readonly BudgetCounts[]>
  /** Where its call tasks and calls stand now; undefined if the campaign belongs to another corporation. */
  campaignTally(
    corporations: readonly CorporationId[],
    campaign: CampaignId,
    atMs: AtMs,
  ): Promise<CampaignTally | undefined>
  /** The facts behind a forecast; undefined if the campaign belongs to another corporation. */
  forecastFacts(
    corporations: readonly CorporationId[],
    campaign: CampaignId,
    dueBeforeAtMs: AtMs,
  ): Promise<ForecastFacts | undefined>
  /** Call tasks as JSON texts that the database made. An unavailable database rejects. */
  streamCallTasks(search: CallTaskSearch, shape: CallTaskShape): Promise<RowStream>
  streamAttempts(search: AttemptSearch, shape: AttemptShape): Promise<RowStream>
  /** Calls that are over, by id; those alone that this agent sees. */
  calls(among: Seen, ids: readonly ActivityId[]): Promise<readonly CallActivity[]>
  /** The customers for whom an agent recorded final feedback in this campaign since then (D-07, 204). */
  withFinalFeedback(question: FeedbackQuestion): Promise<ReadonlySet<string>>
  /** Lets `work` import call tasks and rolls all of them back, without notifications (dry run). */
  rehearseImports<T>(work: (rehearse: Rehearse) => Promise<T>): Promise<T>
  /** Makes followers of finished call tasks of a campaign, or counts them (campaigns-60). */
  recycleCallTasks(order: RecycleOrder): Promise<Recycled>
  /** Stores an import with its list; pieces of it are imported later (D-08). */
  queueImport(job: NewImportJob, pieces: Iterable<ImportPiece>): Promise<void>
  /** Stores the result of an import that ran at once; `findImport` finds it like the others. */
  keepImport(job: NewImportJob, made: PieceResult): Promise<void>
  /** The next piece of any import, reserved until `untilAtMs`. Undefined: no piece is due. */
  claimImportPiece(atMs: AtMs, untilAtMs: AtMs): Promise<{ job: ImportJob; piece: ImportPiece } | undefined>
  /** The result of a piece. The last one completes the import. Of two results the first stands. */
  settleImportPiece(importId: string, firstIndex: number, result: PieceResult, atMs: AtMs): Promise<void>
  /** Ends an import that cannot go on. */
  failImport(importId: string, why: string, atMs: AtMs): Promise<void>
  findImport(corporations: readonly CorporationId[], importId: string): Promise<ImportJob | undefined>
  /** The faults of its call tasks, in their order, a piece at a time. */
  importFaults(importId: string): AsyncIterable<readonly TaskFault[]>
  listImports(search: ImportSearch): Promise<{ readonly foundRows: number; readonly imports: readonly ImportJob[] }>
  /** Cancels the rest of an import and returns its state; undefined: unknown import. */
  cancelImport(corporations: readonly CorporationId[], importId: string, atMs: AtMs): Promise<ImportJob | undefined>
  /** Removes imports that finished before this instant, a batch at a time. */
  forgetImports(beforeAtMs: AtMs): Promise<void>
  /** No attempt at these numbers or persons begins after this returns. */
  addStops(corporation: CorporationId, stops: readonly Stop[], note: StopNote): Promise<void>
  /** Returns the number of removed entries. */
  removeStops(corporation: CorporationId, stops: readonly Stop[]): Promise<number>
  /** Promised callbacks that are still open, the oldest first. */
  listCallbacks(
    search: CallbackSearch,
  ): Promise<{ readonly foundRows: number; readonly callbacks: readonly KeptCallback[] }>
  /** `under way`: the call is being made, so nothing changed. */
  changeCallback(change: CallbackChange): Promise<'changed' | 'no such callback' | 'under way' | 'over by then'>
  listStops(search: StopSearch): Promise<{ readonly foundRows: number; readonly stops: readonly KeptStop[] }>
  /** What callees did with each caller id, in calls of a campaign placed since this instant. */
  callerIdCounts(
    corporations: readonly CorporationId[],
    campaign: CampaignId,
    sinceAtMs: AtMs,
  ): Promise<readonly CallerIdCounts[]>
  /** Caller ids of campaigns. They tell the country of a number without `+`. */
  callerIds(corporations: readonly CorporationId[]): Promise<readonly string[]>
  killSwitch(): Promise<KillSwitch>
  /** Stores the question that must be answered before the kill switch is lifted. It replaces every earlier question. */
  askToLift(question: LiftQuestion): Promise<void>
  /** Lifts the kill switch if somebody else has just stored this question. A question can be answered once. */
  lift(question: LiftQuestion): Promise<boolean>
  /** The file of a playable recording. */
  recordingFile(among: Seen, file: FileId): Promise<RecordingFile | undefined>
}

/** Call tasks: `finished`, `underWay`, and all others, each of which has one of the `reasons`. */
export interface CampaignTally {
  readonly isActive: boolean
  readonly tasks: number
  readonly finished: number
  readonly underWay: number
  readonly reasons: Readonly<Record<string, number>>
  /** Those whose date has come, whether or not the campaign is active. */
  readonly due: number
  /** Calls that are placed and not answered, and those that are answered and not over. */
  readonly ringing: number
  readonly answered: number
}

/** Whose records are looked for. `boundTo`: those alone that this agent sees. */
export interface Seen {
  readonly corporations: readonly CorporationId[]
  readonly boundTo: UserId | undefined
}

/** The campaigns to create (`undefined`) or change, and their new states. */
export interface CampaignsToSave<Refusal> {
  readonly corporations: readonly CorporationId[]
  readonly ids: readonly (CampaignId | undefined)[]
  readonly atMs: AtMs
  readonly decide: (present: KeptCampaign | undefined, place: number) => CampaignDecision<Refusal>
}

/** The new state of one campaign; its id is the requested one or a new one. */
export type CampaignDecision<Refusal> =
  | { readonly ok: true; readonly campaign: Omit<Campaign, 'id'> }
  | { readonly ok: false; readonly why: Refusal }

/** The result of a change. `not yours`: the code belongs to another corporation. */
export type CampaignsChanged<Refusal> =
  | { readonly outcome: 'kept'; readonly campaigns: readonly KeptCampaign[] }
  | { readonly outcome: 'refused'; readonly why: Refusal }
  | { readonly outcome: 'not yours'; readonly id: CampaignId }

export interface KeptCampaign extends Campaign {
  /** Why the campaign paused itself; null while it is active, or if a user paused it. */
  readonly pausedReason: string | null
  readonly externalSystemCode: string | null
  readonly teamId: TeamId | null
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
}

/** Which finished call tasks are called again, and how. */
export interface RecycleOrder {
  readonly campaign: CampaignId
  readonly corporations: readonly CorporationId[]
  /** Of the last attempt. */
  readonly results: readonly AttemptResult[]
  readonly fromAtMs?: AtMs
  readonly toAtMs?: AtMs
  readonly attemptsMax?: number
  readonly intervalMs?: number
  /** Also persons who talked to an agent since the call task was created. */
  readonly alsoTalked: boolean
  readonly isDryRun: boolean
  readonly atMs: AtMs
}

/** Why a finished call task is not called again; the first that applies. */
export type RecycleSkip = 'ended' | 'expired' | 'duplicate' | 'stopped' | 'talked'

export interface Recycled {
  readonly recycled: Readonly<Partial<Record<AttemptResult, number>>>
  readonly skipped: Readonly<Partial<Record<RecycleSkip, number>>>
}

export interface ForecastFacts {
  /** The learnt data of the node that has learnt most; null: no node has any. Only the dialer reads it. */
  readonly kept: object | null
  /** Open call tasks that are due before the requested instant. */
  readonly dueTasks: number
  /** Active agents of its team; 0 without a team. */
  readonly agents: number
}

/** Which campaigns to list, by id. Pages count from 0. */
interface CampaignSearch {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly CampaignId[]
  /** Of these teams alone. */
  readonly teams?: readonly TeamName[]
  readonly active?: boolean
  /** A part of the name, in capitals or not. */
  readonly name?: string
  readonly page: number
  readonly rowsMax: number
}

/** The campaign and the begins of the days, oldest first; the last day is not over. */
interface BudgetQuestion {
  readonly corporations: readonly CorporationId[]
  readonly campaign: CampaignId
  readonly daysFromAtMs: readonly AtMs[]
}

/** What finished calls of a day used of each budget: abandonment, detection, rings cut short (dialing-rules.md 0.4). */
export interface BudgetCounts {
  readonly personsAnswered: number
  readonly abandoned: number
  /** Machines by the verdict of the detector. */
  readonly machineVerdicts: number
  /** Machines taken for persons until an agent corrected it. */
  readonly correctedByAgents: number
  readonly ringsCutShort: number
}

/** Finished calls of a campaign that showed this number. */
export interface CallerIdCounts {
  readonly callerId: string
  readonly calls: number
  readonly personsAnswered: number
  /** Calls whose person then asked not to be called. */
  readonly complaints: number
}

/** The file of a recording; `name` is a plain file name. */
export interface RecordingFile {
  readonly recording: RecordingNumber
  readonly name: string
}

interface FeedbackQuestion {
  readonly campaign: CampaignId
  readonly externalSystem: ExternalSystemId
  readonly customers: readonly string[]
  readonly sinceAtMs: AtMs
}

/** Why a call task was not imported, in the order of the contract's codes (D-07). */
export type TaskFaultKind =
  | 'unexpected'
  | 'propertyWrong'
  | 'nameMissing'
  | 'numbersMissing'
  | 'numberInvalid'
  | ImportRefusal
  | 'finalFeedback'

/** The fault of one call task of a list; `text` never repeats a phone number. */
export interface TaskFault {
  readonly index: number
  readonly kinds: readonly TaskFaultKind[]
  readonly text: string
}

type ImportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

/** An import as requested: the fields that all of its call tasks share. */
export interface NewImportJob {
  readonly importId: string
  readonly corporation: CorporationId
  readonly campaign: CampaignId
  readonly externalSystem: ExternalSystemId
  readonly attemptsMax: number
  readonly intervalMs: number
  readonly submitted: number
  readonly createdAtMs: AtMs
}

export interface ImportJob extends NewImportJob {
  readonly externalSystemCode: string
  readonly status: ImportStatus
  readonly imported: number
  readonly failed: number
  readonly startedAtMs: AtMs | null
  readonly finishedAtMs: AtMs | null
  readonly why: string | null
}

/** Some call tasks of an import, as submitted; `firstIndex` is the place of the first one in the whole list. */
export interface ImportPiece {
  readonly firstIndex: number
  readonly callTasks: readonly unknown[]
}

export interface PieceResult {
  readonly imported: number
  readonly faults: readonly TaskFault[]
}

/** Which imports to list, the newest first. Pages count from 0. */
interface ImportSearch {
  readonly corporations: readonly CorporationId[]
  /** Into campaigns of these teams alone. */
  readonly teams?: readonly TeamName[]
  readonly status?: ImportStatus
  readonly page: number
  readonly rowsMax: number
}

/** Which callbacks to list: those of an agent, those promised for then or before. Pages count from 0. */
interface CallbackSearch {
  readonly corporations: readonly CorporationId[]
  readonly seenBy?: UserId | undefined
  readonly campaigns?: readonly CampaignId[]
  readonly agent?: AgentName
  readonly beforeAtMs?: AtMs
  readonly page: number
  readonly rowsMax: number
}

export interface KeptCallback {
  readonly task: CallTaskId
  /** The finished task that this one goes on from, mostly that of the talk in which it was promised. */
  readonly follows: CallTaskId | null
  readonly corporation: CorporationId
  readonly campaign: CampaignId
  readonly status: CallTaskStatus
  readonly receiverName: string
  readonly atMs: AtMs
  readonly promisedAtMs: AtMs | null
  readonly nextCallAtMs: AtMs | null
  readonly lastCallAtMs: AtMs | null
  readonly agent: AgentName | null
  readonly number: PhoneNumber | null
  readonly askedByContact: boolean
}

/** `agent: null` gives the callback to the team; an absent field stays. */
export type CallbackChange = {
  readonly corporations: readonly CorporationId[]
  readonly task: CallTaskId
  readonly nowMs: AtMs
} & (
  | { readonly what: 'move'; readonly atMs?: AtMs; readonly agent?: AgentName | null }
  /** How the task ends that was made for the callback alone. */
  | { readonly what: 'cancel'; readonly status: 'endedBySystem' | 'endedByUser' }
)

interface StopNote {
  readonly by: string
  readonly reason: string | null
  readonly atMs: AtMs
}

export interface KeptStop {
  readonly corporation: CorporationId
  readonly stop: Stop
  readonly externalSystemCode: string | null
  readonly by: string | null
  readonly reason: string | null
  readonly addedAtMs: AtMs
  /** The call in which the person said it, and its activity. */
  readonly call: CallId | null
  readonly activity: ActivityId | null
}

/** Which entries to list, in the order of their keys. Pages count from 0; one `after` an entry has no number. */
interface StopSearch {
  readonly corporations: readonly CorporationId[]
  readonly kind: Stop['kind']
  readonly page: number
  readonly after?: Pick<KeptStop, 'corporation' | 'stop'>
  readonly rowsMax: number
}

/** Whether all dialing is stopped, who changed it last, and when. */
export interface KillSwitch {
  readonly isOn: boolean
  readonly by: string | null
  readonly atMs: AtMs | null
}

/** The first of the two steps that lift the kill switch. The database stores a hash, because people read databases. */
interface LiftQuestion {
  /** Who asks, or answers: the name of a user, or the credential of a system. */
  readonly person: string
  readonly tokenSha256: Buffer
  readonly atMs: AtMs
  /** The end of the time in which the question can be answered. */
  readonly untilAtMs: AtMs
}
