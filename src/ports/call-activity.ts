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
  OutcomeId,
  TeamId,
} from '../kernel/ids.ts'
import type { AttemptResult } from './attempt.ts'
import type { FieldValue } from './outcome.ts'
import type { TransferMade } from './transfer.ts'

/** Recordings and, later, other files: one number space. */
export type FileId = number
export type RecordingNumber = number

/** Being made; there, to be read; could not be made. A summary that was ready once stays so. */
export type SummaryState = 'pending' | 'ready' | 'failed'

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
  readonly agent: CallAgent | null
  readonly team: { readonly name: string; readonly id: TeamId | null } | null
  readonly externalSystem: { readonly id: ExternalSystemId; readonly code: string } | null
  readonly externalCaseNumber: string | null
  readonly attempt: { readonly id: AttemptId; readonly task: CallTaskId; readonly campaign: CampaignId } | null
  readonly recordings: readonly CallRecording[]
  /** Whom the caller was brought to, in order. */
  readonly transfers: readonly TransferMade[]
  /** What agents said about it, the oldest first. */
  readonly feedback: readonly CallFeedback[]
  readonly hangupCause: number | null
  readonly hungUpBy: 'caller' | 'callee' | 'agent' | 'us' | null
  /** The contact of the call; null if the customer is unknown or is no contact. */
  readonly extension: ExtensionId | null
  /** Null: no summary was begun. */
  readonly summary: SummaryState | null
}

/** An agent, and the user with their name. */
export interface CallAgent {
  readonly name: AgentName
  readonly userId: number | null
  readonly title: string | null
}

/** What an agent said about a call. */
export interface CallFeedback {
  readonly feedbackType: string
  readonly isFinal: boolean
  readonly note: string | null
  readonly agent: CallAgent
  readonly atMs: AtMs
  /** Of the campaign's catalogue; then `feedbackType` is the name that it had. Null: free feedback. */
  readonly outcome: OutcomeId | null
  readonly fields: readonly FieldValue[]
  readonly callbackAtMs: AtMs | null
  /** The agent is to call back themselves. */
  readonly isCallbackOwn: boolean
}

/** One recording of a call. */
export interface CallRecording {
  readonly id: RecordingNumber
  readonly file: FileId
  readonly startedAtMs: AtMs
  readonly endedAtMs: AtMs
  readonly state: 'ready' | 'failed'
  /** The caller left it as a message, alone on the line. */
  readonly isMessage: boolean
}
