import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExtensionId,
  ExternalSystemId,
  TeamId,
} from '../kernel/ids.ts'
import type { AttemptResult } from './attempt.ts'
import type { AttemptSearch, AttemptShape, CallTaskSearch, CallTaskShape, RowStream } from './call-task.ts'
import type { Campaign, Import, ImportRefusal, ImportResult, Stop } from './dialer-repository.ts'
import type { SummaryState } from './summaries.ts'

/** Imports as far as it can be taken back. */
export type Rehearse = (request: Import) => Promise<ImportResult>

/** May reject with `DatabaseUnavailable`. What belongs to a corporation not asked for does not exist (D-04). */
export interface DialerAdminRepository {
  /** All or none. `decide` gets each campaign locked (undefined: new) and may refuse. Pure: it may be asked again. */
  changeCampaigns<Refusal>(campaignsToSave: CampaignsToSave<Refusal>): Promise<CampaignsChanged<Refusal>>
  findCampaigns(
    search: CampaignSearch,
  ): Promise<{ readonly foundRows: number; readonly campaigns: readonly KeptCampaign[] }>
  /** The use of each budget of a campaign, day by day. A campaign of other corporations has only zeros. */
  budgets(question: BudgetQuestion): Promise<readonly BudgetCounts[]>
  /** The facts behind a forecast; undefined if the campaign belongs to another corporation. */
  forecastFacts(
    corporations: readonly CorporationId[],
    campaign: CampaignId,
    dueBeforeAtMs: AtMs,
  ): Promise<ForecastFacts | undefined>
  /** Call tasks as JSON texts that the database made. An unavailable database rejects. */
  streamCallTasks(search: CallTaskSearch, shape: CallTaskShape): Promise<RowStream>
  streamAttempts(search: AttemptSearch, shape: AttemptShape): Promise<RowStream>
  /** Calls that are over, by id. */
  calls(corporations: readonly CorporationId[], ids: readonly ActivityId[]): Promise<readonly CallActivity[]>
  /** Those of the customers about whom an agent said the last word in this campaign since then (D-07, 204). */
  withFinalFeedback(question: FeedbackQuestion): Promise<ReadonlySet<string>>
  /** Lets `work` import call tasks and rolls all of them back, without notifications (dry run). */
  rehearseImports<T>(work: (rehearse: Rehearse) => Promise<T>): Promise<T>
  /** Keeps an import with its list, to be worked off piece by piece (D-08). */
  queueImport(job: NewImportJob, pieces: Iterable<ImportPiece>): Promise<void>
  /** Keeps what came of an import that was carried out at once, so that it can be asked for as well. */
  keepImport(job: NewImportJob, made: PieceResult): Promise<void>
  /** The next piece of any import, reserved until `untilAtMs`. Undefined: no piece is due. */
  claimImportPiece(atMs: AtMs, untilAtMs: AtMs): Promise<{ job: ImportJob; piece: ImportPiece } | undefined>
  /** The result of a piece. The last one completes the import. Of two results the first stands. */
  settleImportPiece(importId: string, firstIndex: number, result: PieceResult, atMs: AtMs): Promise<void>
  /** Ends an import that cannot go on. */
  failImport(importId: string, why: string, atMs: AtMs): Promise<void>
  findImport(corporations: readonly CorporationId[], importId: string): Promise<ImportJob | undefined>
  /** What was wrong with its call tasks, in their order, a piece at a time. */
  importFaults(importId: string): AsyncIterable<readonly TaskFault[]>
  listImports(search: ImportSearch): Promise<{ readonly foundRows: number; readonly imports: readonly ImportJob[] }>
  /** Remaining call tasks are not imported. The import as it is then; undefined: unknown import. */
  cancelImport(corporations: readonly CorporationId[], importId: string, atMs: AtMs): Promise<ImportJob | undefined>
  /** Removes imports that were over before this instant, a batch at a time. */
  forgetImports(beforeAtMs: AtMs): Promise<void>
  /** No attempt at them begins after this returns. */
  addStops(corporation: CorporationId, stops: readonly Stop[], note: StopNote): Promise<void>
  /** The number of removed entries. */
  removeStops(corporation: CorporationId, stops: readonly Stop[]): Promise<number>
  listStops(search: StopSearch): Promise<{ readonly foundRows: number; readonly stops: readonly KeptStop[] }>
  /** Caller ids of campaigns: they tell in which country a number without `+` is at home. */
  callerIds(corporations: readonly CorporationId[]): Promise<readonly string[]>
  killSwitch(): Promise<KillSwitch>
  /** Remembers a question that must be answered before the kill switch is lifted. It forgets every earlier one. */
  askToLift(question: LiftQuestion): Promise<void>
  /** Lifts it if this very question was asked and is not too old; a question is good for one answer. */
  lift(question: LiftQuestion, by: string): Promise<boolean>
  /** The file of a recording that can be heard. */
  recordingFile(corporations: readonly CorporationId[], file: FileId): Promise<RecordingFile | undefined>
}

/** A file that is kept: recordings now, other files later, in one number space. */
export type FileId = number
export type RecordingNumber = number

/** Which campaigns are to be made (`undefined`) or changed, and what they become. */
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
  /** Why it paused itself; null while it is active, or when it was paused by hand. */
  readonly pausedReason: string | null
  readonly externalSystemCode: string | null
  readonly teamId: TeamId | null
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
}

export interface ForecastFacts {
  /** What the node keeps that has learnt most; null: none keeps anything. The dialer's own, it says its shape. */
  readonly kept: object | null
  /** Open call tasks that are due before the instant asked for. */
  readonly dueTasks: number
  /** Agents of its team who are active; 0 also where it has no team. */
  readonly agents: number
}

/** Which campaigns to list, by id. Pages count from 0. */
interface CampaignSearch {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly CampaignId[]
  readonly active?: boolean
  /** A part of the name, in capitals or not. */
  readonly name?: string
  readonly page: number
  readonly rowsMax: number
}

/** Of which campaign, and where its days begin, the oldest first; the last goes on. */
interface BudgetQuestion {
  readonly corporations: readonly CorporationId[]
  readonly campaign: CampaignId
  readonly daysFromAtMs: readonly AtMs[]
}

/** What a day's calls that are over drew on: abandonment, machine detection, rings cut short (dialing-rules.md 0.4). */
export interface BudgetCounts {
  readonly personsAnswered: number
  readonly abandoned: number
  /** The detector said so. */
  readonly machineVerdicts: number
  /** Taken for people, until an agent said that it was a machine. */
  readonly correctedByAgents: number
  readonly ringsCutShort: number
}

/** A call that is over (contract.md §2.4). */
export interface CallActivity {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly direction: 'in' | 'out'
  readonly caller: string
  readonly called: string
  readonly createdAtMs: AtMs
  readonly ringingAtMs: AtMs | null
  readonly answeredAtMs: AtMs | null
  readonly endedAtMs: AtMs
  readonly talkMs: number
  readonly waitMs: number
  readonly result: AttemptResult | null
  readonly agent: { readonly name: AgentName; readonly userId: number | null; readonly title: string | null } | null
  readonly team: { readonly name: string; readonly id: TeamId | null } | null
  readonly externalSystem: { readonly id: ExternalSystemId; readonly code: string } | null
  readonly externalCaseNumber: string | null
  readonly attempt: { readonly id: AttemptId; readonly task: CallTaskId; readonly campaign: CampaignId } | null
  readonly recordings: readonly CallRecording[]
  readonly hangupCause: number | null
  readonly hungUpBy: 'caller' | 'callee' | 'agent' | 'us' | null
  /** The contact whose call it is; null where the customer is unknown, or no contact. */
  readonly extension: ExtensionId | null
  /** Null: none was begun. */
  readonly summary: SummaryState | null
}

export interface CallRecording {
  readonly id: RecordingNumber
  readonly file: FileId
  readonly startedAtMs: AtMs
  readonly endedAtMs: AtMs
  readonly state: 'ready' | 'failed'
}

/** Where a recording lies; `name` is a plain file name. */
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

/** What is wrong with one call task of a list; `text` never repeats a number. */
export interface TaskFault {
  readonly index: number
  readonly kinds: readonly TaskFaultKind[]
  readonly text: string
}

type ImportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

/** An import as it was asked for: the same for all of its call tasks. */
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

/** Some call tasks of an import, as they were given; the first has this place in the whole list. */
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
  readonly status?: ImportStatus
  readonly page: number
  readonly rowsMax: number
}

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
}

/** Which entries to list, in the order of their keys. Pages count from 0. */
interface StopSearch {
  readonly corporations: readonly CorporationId[]
  readonly kind: Stop['kind']
  readonly page: number
  readonly rowsMax: number
}

/** Whether all dialing is stopped, who said so last, and when. */
export interface KillSwitch {
  readonly isOn: boolean
  readonly by: string | null
  readonly atMs: AtMs | null
}

/** The first of the two steps that lift the kill switch. `tokenSha256` because what lies in a database is read. */
interface LiftQuestion {
  readonly credential: string
  readonly tokenSha256: Buffer
  readonly atMs: AtMs
  /** From then on it is too old. */
  readonly untilAtMs: AtMs
}
