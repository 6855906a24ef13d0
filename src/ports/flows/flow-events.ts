import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'

/** `payment.completed`. */
export const EVENT_NAME = '^[a-zA-Z][A-Za-z0-9.-]{0,59}$'
/** A case number, the id of a payment: no white space and no control characters, so that both sides spell it alike. */
export const EVENT_KEY = '^[^\\u0000-\\u0020\\u007f-\\u009f]{1,100}$'

/** JSON of another system: what a flow reads as `${payment.amount}`. */
export type EventData = Readonly<Record<string, unknown>>

/** What an event is about: its kind, and whom it concerns. */
export interface EventName {
  readonly event: string
  readonly of: string
}

/** Something that happened outside, and that a wait step of a flow may wait for: a payment came. */
export interface NewFlowEvent extends EventName {
  readonly corporation: CorporationId
  readonly data: EventData
  readonly atMs: AtMs
  readonly keptUntilAtMs: AtMs
}

export interface KeptFlowEvent extends EventName {
  /** Grows; a call takes each event once. */
  readonly id: number
  readonly data: EventData
}

export interface PostedFlowEvent {
  readonly id: number
  /** False: the same event with the same data is kept already, since `atMs`. */
  readonly isNew: boolean
  readonly atMs: AtMs
  readonly keptUntilAtMs: AtMs
  /** Calls of the corporation that wait for it now, on all nodes. */
  readonly waitingCalls: number
}

/** How many events of a corporation are kept at a time, and of one name and key. */
export interface FlowEventLimits {
  readonly all: number
  readonly alike: number
}

/** The mailbox between other systems and flows: an event is there for some minutes, whether or not a call waits. */
export interface FlowEvents {
  /** Keeps an event and wakes the engines (`flowEvents`). `too many`: nothing was kept. */
  post(event: NewFlowEvent, limits: FlowEventLimits): Promise<PostedFlowEvent | 'too many'>
  /** The kept events of these names, the oldest first; only those of this corporation. */
  find(corporation: CorporationId, names: readonly EventName[], atMs: AtMs): Promise<readonly KeptFlowEvent[]>
  /** Erases what has expired. */
  forget(atMs: AtMs): Promise<void>
}
