import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, Branded, CallId, LegId } from '../kernel/ids.ts'
import type {
  CallTask,
  CallTaskId,
  CallTaskSearch,
  CallTaskStream,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  FinishedStatus,
  PhoneNumber,
  StreamedField,
} from './call-task.ts'

export type AttemptId = Branded<number, 'AttemptId'>
/** Calls and cases are activities: their ids come from one number space. */
export type ActivityId = Branded<number, 'ActivityId'>
export type EventId = Branded<number, 'EventId'>
export type SubscriptionId = Branded<number, 'SubscriptionId'>
export type DeliveryId = Branded<number, 'DeliveryId'>
/** Grows with every lease that is given: of two writers the one with the smaller fence is the older (R5). */
export type Fence = Branded<number, 'Fence'>

/**
 * The memory cannot be asked just now, or did not answer in time. Whether a write that was under way took effect is
 * unknown: ask again with the same ids, every write is written so that it happens once. Dialing stops meanwhile (R8).
 */
export class RecordsUnavailable extends Error {
  override readonly name = 'RecordsUnavailable'
}

/** How an attempt came out (D-11). They exclude each other. */
export type AttemptResult =
  | 'answered' // a person, connected to an agent or to the flow
  | 'noAnswer'
  | 'busy'
  | 'rejected'
  | 'voicemail'
  | 'dropped' // a person answered, and we ended it without an agent
  | 'lost' // the other party hung up before an agent came
  | 'failed'
  | 'invalidNumber'
  | 'cancelled' // we took it back before it was answered
  | 'blocked' // the gate refused at the last moment, nothing was sent
  | 'unknown' // not recovered after a fault; counts as an attempt

/** The right of one engine to dial. Whoever holds no lease claims nothing. */
export interface NodeLease {
  readonly node: string
  readonly fence: Fence
  /** The database's own clock when it answered. An engine whose clock differs by seconds must not dial (R8). */
  readonly databaseAtMs: AtMs
}

/** A campaign as the claim needs it. `settings` is the rest of D-14, kept as it was given. */
export interface Campaign {
  readonly id: CampaignId
  readonly corporation: CorporationId
  readonly name: string
  readonly active: boolean
  readonly externalSystem?: ExternalSystemId
  readonly settings: Readonly<Record<string, unknown>>
}

/** An information field of a call task and its value. */
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
  readonly externalCaseNumber?: string
  readonly properties: readonly TaskProperty[]
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

/** A due call task, locked for this claim, with all that the gate needs to know about it. */
export interface DueTask {
  readonly id: CallTaskId
  readonly corporation: CorporationId
  readonly status: 'new' | 'waiting' | 'callback'
  readonly receiverName: string
  readonly numbers: readonly { readonly number: PhoneNumber; readonly position: number; readonly stopped: boolean }[]
  readonly externalCustomer?: string
  readonly externalCaseNumber?: string
  readonly attemptsCounted: number
  readonly attemptsMax: number
  readonly intervalMs: number
  /** When this person was dialed since `dialedSinceAtMs` of the claim, in any campaign; newest first (INV-D11). */
  readonly dialedAtMs: readonly AtMs[]
}

/** What to do with a due task. `dial`: several numbers only where the campaign dials in parallel. */
export type Verdict =
  | { readonly verdict: 'dial'; readonly numbers: readonly PhoneNumber[] }
  | { readonly verdict: 'later'; readonly nextCallAtMs: AtMs }
  | { readonly verdict: 'finish'; readonly status: FinishedStatus }

/** A wish for tasks of one campaign. */
export interface Claim {
  readonly lease: Pick<NodeLease, 'node' | 'fence'>
  readonly campaign: CampaignId
  readonly tasksMax: number
  readonly atMs: AtMs
  readonly dialedSinceAtMs: AtMs
  /** The gate, asked inside the transaction. Pure and quick: rows are locked while it thinks. */
  readonly decide: (task: DueTask) => Verdict
}

/** An attempt that is written and committed, and may now be dialed once (law 6). */
export interface ClaimedAttempt {
  readonly id: AttemptId
  readonly task: DueTask
  readonly number: PhoneNumber
  readonly attemptNumber: number
  /** The name of its leg, known before it is dialed (law 4). */
  readonly leg: LegId
  /** The id its call activity will have. */
  readonly activity: ActivityId
}

/** `no lease`: another engine took over, or the lease ran out. Nothing was claimed. */
export type ClaimResult =
  | { readonly outcome: 'claimed'; readonly attempts: readonly ClaimedAttempt[] }
  | { readonly outcome: 'no lease' }

/** A milestone of an attempt; the first report of each stands. */
export interface AttemptEvent {
  readonly attempt: AttemptId
  readonly fence: Fence
  readonly what: 'dialed' | 'ringing' | 'answered' | 'connected'
  readonly atMs: AtMs
  readonly agent?: AgentName
}

/** The end of an attempt, and what follows from it for its task. The decision is the dialer's (D-12). */
export interface AttemptEnd {
  readonly attempt: AttemptId
  readonly fence: Fence
  readonly result: AttemptResult
  /** Whether it counts towards the task's maximum. */
  readonly counts: boolean
  readonly atMs: AtMs
  readonly sipStatus?: number
  readonly hangupCause?: number
  readonly next:
    | { readonly status: 'waiting' | 'callback'; readonly nextCallAtMs: AtMs }
    | { readonly status: FinishedStatus }
}

/** `fenced off`: the attempt is in other hands now. `already ended`: the first end stands (INV-O2). */
export type AttemptWrite = 'written' | 'already ended' | 'fenced off' | 'no such attempt'

/** An attempt as it is kept. */
export interface Attempt {
  readonly id: AttemptId
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly activity: ActivityId
  readonly attemptNumber: number
  readonly number: PhoneNumber
  readonly leg: LegId
  readonly fence: Fence
  readonly claimedAtMs: AtMs
  readonly dialedAtMs: AtMs | null
  readonly ringingAtMs: AtMs | null
  readonly answeredAtMs: AtMs | null
  readonly connectedAtMs: AtMs | null
  readonly endedAtMs: AtMs | null
  /** Null while it goes on. */
  readonly result: AttemptResult | null
  readonly agent: AgentName | null
  readonly sipStatus: number | null
  readonly hangupCause: number | null
}

/** D-13. `activeCall`: the activity of a conversation that goes on. `cancel`: attempts to take back. */
export type EndCallTaskResult =
  | {
      readonly outcome: 'ended' | 'already finished'
      readonly status: FinishedStatus
      readonly answered: boolean
      readonly finishedAtMs: AtMs
      readonly activeCall: ActivityId | null
      readonly cancel: readonly AttemptId[]
    }
  | { readonly outcome: 'no such call task' }

/** A number or a person that must not be dialed. */
export type Stop =
  | { readonly kind: 'number'; readonly number: PhoneNumber }
  | { readonly kind: 'person'; readonly externalSystem: ExternalSystemId; readonly externalCustomer: string }

/** A call that is over. Written together with the end of its attempt and with the event about it (R7). */
export interface FinishedCall {
  readonly call: CallId
  /** The id promised at the claim; absent for a call that came in. */
  readonly activity?: ActivityId
  readonly corporation: CorporationId
  readonly direction: 'in' | 'out'
  readonly caller: string
  readonly called: string
  readonly createdAtMs: AtMs
  readonly ringingAtMs?: AtMs
  /** There exactly when somebody or something answered (Interface 2.4). */
  readonly answeredAtMs?: AtMs
  readonly endedAtMs: AtMs
  readonly talkMs: number
  readonly waitMs: number
  readonly result?: AttemptResult
  readonly agent?: AgentName
  readonly externalSystem?: ExternalSystemId
  readonly externalCaseNumber?: string
  readonly hangupCause?: number
  readonly recordings: readonly { readonly file: string; readonly startedAtMs: AtMs; readonly endedAtMs: AtMs }[]
  readonly attempt?: AttemptEnd
}

/** `already recorded`: asked twice, as after an answer that got lost; nothing changed. */
export type FinishCallResult =
  | { readonly outcome: 'recorded' | 'already recorded'; readonly activity: ActivityId }
  | { readonly outcome: 'refused'; readonly why: Exclude<AttemptWrite, 'written' | 'already ended'> }

/** What subscribers can be told. */
export type EventType = 'call.ended' | 'summary.created' | 'summary.updated'

/** One try of one event at one subscriber. `tryNumber` counts from 1. */
export interface ClaimedDelivery {
  readonly id: DeliveryId
  readonly tryNumber: number
  readonly subscription: SubscriptionId
  readonly url: string
  readonly secret: string
  readonly event: {
    readonly id: EventId
    readonly type: EventType
    readonly activity: ActivityId
    readonly corporation: CorporationId
    readonly atMs: AtMs
  }
}

/** A wish for deliveries. Whoever does not settle one within `leaseMs` loses it to the next who asks. */
export interface DeliveryClaim {
  readonly atMs: AtMs
  readonly leaseMs: number
  readonly deliveriesMax: number
  /** So many at once for one subscriber, so that a slow one delays nobody (D-27). */
  readonly perSubscriptionMax: number
}

/** How a try ended. The schedule is the delivery machine's. */
export interface Settlement {
  readonly delivery: DeliveryId
  readonly tryNumber: number
  readonly atMs: AtMs
  readonly result:
    | { readonly kind: 'delivered' | 'given up'; readonly status?: number }
    | { readonly kind: 'again'; readonly nextTryAtMs: AtMs; readonly status?: number }
}

/**
 * The memory of the dialer: what was wished, tried and found out, in PostgreSQL. Every method may reject with
 * `RecordsUnavailable`, and with nothing else that is not our own mistake. A method is one transaction.
 */
export interface Records {
  /** A new lease for this node; the one it had is worth nothing from now on. */
  takeLease(node: string, lifeMs: number): Promise<NodeLease>
  /** Undefined: the lease is gone. Stop dialing, and take a new one. */
  renewLease(lease: NodeLease, lifeMs: number): Promise<NodeLease | undefined>
  /**
   * Puts the open attempts of engines whose lease is gone into these hands, to be settled before any dialing.
   * Undefined: this lease is gone itself.
   */
  adoptAttempts(lease: NodeLease): Promise<readonly Attempt[] | undefined>
  /** The attempts in these hands that have not ended: what a claim wrote whose answer was lost is among them (F-D7). */
  openAttempts(lease: NodeLease): Promise<readonly Attempt[]>
  saveCampaign(campaign: Campaign, atMs: AtMs): Promise<void>
  importCallTasks(request: Import): Promise<ImportResult>
  claimDueTasks(claim: Claim): Promise<ClaimResult>
  recordAttemptEvent(event: AttemptEvent): Promise<AttemptWrite>
  endAttempt(end: AttemptEnd): Promise<AttemptWrite>
  findAttempts(by: AttemptQuery): Promise<readonly Attempt[]>
  endCallTask(wish: EndCallTask): Promise<EndCallTaskResult>
  searchCallTasks(search: CallTaskSearch): Promise<{ foundRows: number; callTasks: readonly CallTask[] }>
  /** `fields` maps the names of the JSON to ours. The rows must be read to their end or returned. */
  streamCallTasks(search: CallTaskSearch, fields: Readonly<Record<string, StreamedField>>): Promise<CallTaskStream>
  addStop(corporation: CorporationId, stop: Stop, atMs: AtMs): Promise<void>
  removeStop(corporation: CorporationId, stop: Stop): Promise<boolean>
  isStopped(corporation: CorporationId, stop: Stop): Promise<boolean>
  finishCall(call: FinishedCall): Promise<FinishCallResult>
  claimDeliveries(claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]>
  /** `overtaken`: the lease ran out and somebody else tried again meanwhile. */
  settleDelivery(settlement: Settlement): Promise<'settled' | 'overtaken'>
}

/** At least one criterion; any of each list, all of the lists, at most 1,000 rows. */
export interface AttemptQuery {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly AttemptId[]
  readonly tasks?: readonly CallTaskId[]
  readonly activities?: readonly ActivityId[]
}

/** Somebody ends a call task: it is paid, withdrawn, disputed. */
export interface EndCallTask {
  readonly task: CallTaskId
  readonly corporations: readonly CorporationId[]
  readonly status: Extract<FinishedStatus, 'endedBySystem' | 'endedByUser' | 'stopped'>
  readonly reason?: string
  readonly atMs: AtMs
}
