import type { AtMs } from '../kernel/clock.ts'
import type { Branded } from '../kernel/ids.ts'

export type CorporationId = Branded<number, 'CorporationId'>
export type ExternalSystemId = Branded<number, 'ExternalSystemId'>
export type CampaignId = Branded<number, 'CampaignId'>
export type CallTaskId = Branded<number, 'CallTaskId'>
/** A number as the network dials it: `+` and digits (E.164). */
export type PhoneNumber = Branded<string, 'PhoneNumber'>

/** Where a call task stands (D-10). `ready` and `paused` are read off the clock and the campaign, never stored. */
export type CallTaskStatus = OpenStatus | FinishedStatus
/** Not finished: more attempts may follow. */
export type OpenStatus = 'new' | 'ready' | 'reserved' | 'dialing' | 'inCall' | 'waiting' | 'callback' | 'paused'
/** Finished for good: it never becomes open again (INV-O3). */
export type FinishedStatus =
  | 'answered'
  | 'maxAttempts'
  | 'endedBySystem'
  | 'endedByUser'
  | 'stopped'
  | 'expired'
  | 'noCallableNumber'

/** Every status that is an end. */
export const FINISHED_STATUSES: readonly FinishedStatus[] = [
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

/** One page of a search. Pages count from 0. */
export interface CallTaskSearch {
  readonly filter: CallTaskFilter
  readonly sort: { readonly by: CallTaskSort; readonly descending: boolean }
  readonly page: number
  readonly rowsMax: number
  /** The instant for which `ready` and `waiting` are told apart. */
  readonly atMs: AtMs
}

/** The summary of a call task, as a search finds it. */
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

/** How a field appears in a streamed page: as it is, as ISO 8601 text, or as the code that stands for its word. */
export interface StreamedField {
  readonly of: keyof CallTask
  readonly as?: 'instant' | Readonly<Record<string, number>>
}

/** A long page. Rows come as JSON text, ready to be sent on; they are read as fast as they are taken. */
export interface CallTaskStream {
  readonly foundRows: number
  readonly rows: AsyncIterable<readonly string[]>
}
