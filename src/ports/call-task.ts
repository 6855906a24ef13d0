import type { AtMs } from '../kernel/clock.ts'
import type {
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  OutcomeId,
  PhoneNumber,
  UserId,
} from '../kernel/ids.ts'

/** Where a call task stands (D-10). `ready` and `paused` are read off the clock and the campaign, never stored. */
export type CallTaskStatus = OpenStatus | FinishedStatus
/** Not finished: more attempts may follow. */
export type OpenStatus = 'new' | 'ready' | 'reserved' | 'dialing' | 'inCall' | 'waiting' | 'callback' | 'paused'
/**
 * Finished for good: it never becomes open again (INV-O3). `dialer/next-attempt.ts` decides it after an attempt,
 * `dialer/decide-due-task.ts` for a stop, and `end-call-task` for an operation that ends a task.
 */
export type FinishedStatus =
  | 'answered'
  | 'maxAttempts'
  | 'endedBySystem'
  | 'endedByUser'
  | 'stopped'
  | 'expired'
  | 'noCallableNumber'

const FINISHED_STATUSES: readonly FinishedStatus[] = [
  'answered',
  'maxAttempts',
  'endedBySystem',
  'endedByUser',
  'stopped',
  'expired',
  'noCallableNumber',
]

/** Whether nothing follows. */
export function isFinished(status: CallTaskStatus): status is FinishedStatus {
  return (FINISHED_STATUSES as readonly CallTaskStatus[]).includes(status)
}

/** Any of a list; all of the fields (D-09). An empty filter means everything of the corporations. */
export interface CallTaskFilter {
  readonly corporations: readonly CorporationId[]
  /** Those alone that this agent sees: of their teams' campaigns, or assigned to them. */
  readonly seenBy?: UserId | undefined
  readonly ids?: readonly CallTaskId[]
  readonly campaigns?: readonly CampaignId[]
  readonly externalSystems?: readonly ExternalSystemId[]
  readonly externalCaseNumbers?: readonly string[]
  readonly externalCustomers?: readonly string[]
  readonly numbers?: readonly PhoneNumber[]
  readonly statuses?: readonly CallTaskStatus[]
  readonly answered?: readonly boolean[]
  readonly finished?: readonly boolean[]
  readonly hasCallback?: boolean
  readonly externalSystemCodes?: readonly string[]
  readonly assignedUsers?: readonly number[]
  /** Kinds of feedback that an agent gave about a call of the task. */
  readonly feedbackTypes?: readonly string[]
  /** Outcomes that an agent saved about a call of the task. */
  readonly outcomes?: readonly OutcomeId[]
  readonly importIds?: readonly string[]
  readonly createdAtMs?: Span
  readonly lastCallAtMs?: Span
  readonly nextCallAtMs?: Span
  readonly callbackAtMs?: Span
}

/** From an instant on, and up to but without another. */
export interface Span {
  readonly from?: AtMs
  readonly to?: AtMs
}

/** What call tasks can be sorted by; ties are broken by id. */
export type CallTaskSort =
  | 'id'
  | 'receiverName'
  | 'createdAtMs'
  | 'updatedAtMs'
  | 'nextCallAtMs'
  | 'lastCallAtMs'
  | 'callbackAtMs'
  | 'status'
  | 'attemptsCounted'

/** The last row of a page: its id, and what it was sorted by; of a status the rank. */
export interface CallTaskPlace {
  readonly id: CallTaskId
  readonly value: string | number | null
}

/** One page of a search. Pages count from 0; `after` is a page of its own, whatever the number. */
export interface CallTaskSearch {
  readonly filter: CallTaskFilter
  readonly sort: {
    readonly by: CallTaskSort
    readonly descending: boolean
    /** Of a status: the order of its words, which would be that of the alphabet. */
    readonly rank?: Readonly<Record<CallTaskStatus, number>>
  }
  readonly page: number
  readonly after?: CallTaskPlace
  readonly rowsMax: number
  /** The instant for which `ready` and `waiting` are told apart. */
  readonly atMs: AtMs
}

export interface CallTask {
  readonly id: CallTaskId
  readonly campaign: CampaignId
  readonly receiverName: string
  readonly externalCustomer: string | null
  readonly externalCaseNumber: string | null
  readonly status: CallTaskStatus
  readonly finished: boolean
  readonly answered: boolean
  readonly attemptsCounted: number
  readonly nextCallAtMs: AtMs | null
  readonly lastCallAtMs: AtMs | null
  readonly callbackAtMs: AtMs | null
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
}

/** How a value appears in a streamed row: as it is, as ISO 8601, in whole seconds, or as what stands for its word. */
export interface StreamedField<Of extends string> {
  readonly of: Of
  readonly as?: 'instant' | 'seconds' | Readonly<Record<string, string | number | boolean>>
}

/** Fields together under one name; null where `unless` is null. */
export interface StreamedObject<Of extends string> {
  readonly object: Readonly<Record<string, StreamedField<Of>>>
  readonly unless?: Of
}

/** The asker's names → what stands there. */
export type AttemptShape = Readonly<
  Record<
    string,
    | StreamedField<AttemptField>
    | StreamedObject<AttemptField>
    | {
        readonly list: 'feedback'
        readonly of: Readonly<Record<string, StreamedField<FeedbackField> | StreamedObject<FeedbackField>>>
      }
  >
>

/** The same for call tasks, which have lists within them. */
export type CallTaskShape = Readonly<
  Record<
    string,
    | StreamedField<CallTaskField>
    | StreamedObject<CallTaskField>
    | { readonly list: 'numbers'; readonly of: Readonly<Record<string, StreamedField<TaskNumberField>>> }
    | { readonly list: 'properties'; readonly of: Readonly<Record<string, StreamedField<TaskPropertyField>>> }
    | { readonly list: 'attempts'; readonly of: AttemptShape }
  >
>

/** What a row of a call task can show: its summary, and what only the whole of it has. */
export type CallTaskField =
  | keyof CallTask
  | 'corporation'
  | 'externalSystem'
  | 'externalSystemCode'
  | 'attemptsMax'
  | 'intervalHours'
  | 'priority'
  | 'validFromAtMs'
  | 'validToAtMs'
  | 'assignedUser'
  | 'assignedUserName'
  | 'lastAttempt'
  | 'lastAttemptResult'
  | 'finishedAtMs'
  | 'finishReason'
  | 'waitsFor'
  | 'importId'
  | 'importIndex'
  | 'follows'
  | 'followedBy'
  | 'lastOutcome'
  | 'lastOutcomeName'
  | 'lastOutcomeActivity'
  | 'lastOutcomeAtMs'

/**
 * One number of a call task: as it was given, as it is dialed, its place from 0, whether a stop list has it, since when
 * the network says that it does not exist.
 */
export type TaskNumberField = 'given' | 'number' | 'position' | 'stopped' | 'deadSinceAtMs'
/** An information field of a call task: its id, its name, the value. */
export type TaskPropertyField = 'field' | 'name' | 'value'

/** `result` is a word of `AttemptResult`, or `inProgress`. */
export type AttemptField =
  | 'id'
  | 'task'
  | 'campaign'
  | 'activity'
  | 'attemptNumber'
  | 'number'
  | 'dialedAtMs'
  | 'ringingAtMs'
  | 'answeredAtMs'
  | 'endedAtMs'
  | 'result'
  | 'hangupCause'
  | 'sipStatus'
  | 'agent'
  | 'agentUser'
  | 'agentTitle'
  | 'ringMs'
  | 'talkMs'

/** What agents said about the call of an attempt. */
export type FeedbackField =
  | 'feedbackType'
  | 'isFinal'
  | 'note'
  | 'agentUser'
  | 'agentTitle'
  | 'atMs'
  | 'outcome'
  | 'fields'
  | 'callbackAtMs'
  | 'isCallbackOwn'

/** Any of each list, all of the lists; at least one list. Pages count from 0. */
export interface AttemptSearch {
  readonly corporations: readonly CorporationId[]
  readonly seenBy?: UserId | undefined
  readonly ids?: readonly number[]
  readonly tasks?: readonly CallTaskId[]
  readonly activities?: readonly number[]
  readonly page: number
  readonly rowsMax: number
}

/** A long page. Rows come as JSON text, ready to be sent on; they are read as fast as they are taken. */
export interface RowStream {
  readonly rows: AsyncIterable<readonly string[]>
  /** How many there are on all pages. A question of its own: who has read the only page knows it already. */
  count(): Promise<number>
}

/** A number that an agent wants to dial in a campaign. */
export interface TypedNumber {
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly externalSystem?: ExternalSystemId | undefined
  /** As the agent wrote it. */
  readonly given: string
  readonly number: PhoneNumber
  readonly atMs: AtMs
}

/** `isNew`: made for the number; otherwise it was open before. */
export interface TaskOfNumber {
  readonly task: CallTaskId
  readonly isNew: boolean
}

/** The call task that a caller belongs to (match-caller). */
export interface MatchedTask {
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly receiverName: string
  readonly isFinished: boolean
  readonly externalSystem?: ExternalSystemId
  readonly externalCustomer?: string
  readonly externalCaseNumber?: string
  /** Attempts at this very task or number that ring now: the person who calls in comes first (F-F5). */
  readonly ringing: readonly AttemptId[]
}
