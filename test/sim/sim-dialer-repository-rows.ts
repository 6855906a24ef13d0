/** What `SimRecords` keeps: the rows of its tables, in full: checkers read them without the port. */

import type { AtMs } from '../../src/kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  Fence,
} from '../../src/kernel/ids.ts'
import type { Attempt, AttemptEnd, DueTask } from '../../src/ports/attempt.ts'
import type { FinishedStatus } from '../../src/ports/call-task.ts'
import type { CampaignLearning } from '../../src/ports/campaign-learning.ts'
import type {
  CallbackRequest,
  FinishedCall,
  ImportResult,
  NewCallTask,
  SavedAgentSession,
  Stop,
  StoredCampaign,
  TaskProperty,
} from '../../src/ports/dialer-repository.ts'
import type { OpenCall } from '../../src/ports/open-call.ts'
import type { CallerFeedback, Feedback } from '../../src/ports/outcome.ts'
import type { WhoAnswered } from '../../src/ports/pbx.ts'

/** A status as it is stored: `ready` and `paused` are read off the clock and the campaign (D-10). */
export type StoredStatus = 'new' | 'reserved' | 'dialing' | 'inCall' | 'waiting' | 'callback' | FinishedStatus

/** When something was committed: by the database's clock, and as which of its steps, counted from 1. */
export interface Committed {
  readonly atMs: AtMs
  readonly step: number
}

/** One change of a call task: what was done, and how the task stood afterwards. */
export interface TaskChange extends Committed {
  readonly what: string
  readonly status: StoredStatus
  readonly nextCallAtMs: AtMs | undefined
  readonly isFinished: boolean
}

/** What changes of a call task. */
export interface TaskState {
  status: StoredStatus
  /** At least one attempt came out as answered. */
  answered: boolean
  attemptsCounted: number
  attemptsMade: number
  nextCallAtMs: AtMs | undefined
  lastCallAtMs: AtMs | undefined
  callback: DueTask['callback'] | undefined
  /** When the last promise that was noted for it was made. */
  promiseNotedAtMs?: AtMs
  /** The gate's reason, while it puts the task off. */
  waitsFor: string | undefined
  putOffVersion: number | undefined
  /** The agent who looks at it, and the lease under which it was offered to them. */
  reserved: { readonly agent: AgentName; readonly fence: Fence } | undefined
  finishedAtMs: AtMs | undefined
  finishReason: string | undefined
  /** Ended from outside: nothing may follow it. */
  isClosed: boolean
  updatedAtMs: AtMs
  attemptsMax: number
  intervalMs: number
  validFromAtMs: AtMs | undefined
  validToAtMs: AtMs | undefined
  priority: number
  numbers: NewCallTask['numbers']
  /** Two unfinished tasks of one campaign never share it (D-07, 201). */
  duplicateKey: string
  /** It was changed while a line of it was up. */
  isChangedInCall: boolean
}

/** A call task. */
export interface SimTask extends TaskState {
  readonly id: CallTaskId
  readonly corporation: CorporationId
  readonly campaign: CampaignId
  readonly externalSystem: ExternalSystemId
  readonly receiverName: string
  readonly externalCustomer: string | undefined
  readonly externalCaseNumber: string | undefined
  readonly properties: readonly TaskProperty[]
  /** Who is dialed, over all campaigns (INV-D3). */
  readonly person: string | undefined
  readonly createdAtMs: AtMs
  readonly importId: string | undefined
  /** The finished task that this one goes on with. */
  readonly follows: CallTaskId | undefined
  /** Made for a number that an agent typed (campaigns-113). */
  readonly isTyped?: boolean | undefined
  /** Everything that happened to it, in order. */
  readonly history: TaskChange[]
}

/** A later correction: a machine had answered. The attempt's own result stays (INV-O2). */
export interface Correction extends Committed {
  readonly attempt: AttemptId
  readonly agent: AgentName
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** An attempt, with what the port does not show. */
export interface SimAttempt extends Mutable<Omit<Attempt, 'isMarkedMachine'>> {
  readonly corporation: CorporationId
  readonly person: string | undefined
  /** 0, or more for further numbers of the same task that are dialed at the same time. */
  readonly lane: number
  readonly permit: object
  readonly committed: Committed
  /** The lease under which it was claimed; `fence` is that of whose hands it is in. */
  readonly claimedUnder: Fence
  /** The agent who stands by for it; `agent` is who talked. */
  readonly madeFor: AgentName | undefined
  /** Until the last of the numbers dialed together has ended. */
  holdsPerson: boolean
  counts: boolean | null
  isRingCutShort: boolean
  waitMs: number | null
  heard?: WhoAnswered | undefined
  greeting?: AttemptEnd['greeting'] | undefined
  ended: Committed | undefined
  correction: Correction | undefined
}

/** See `LearntGreeting`. */
export interface SimGreeting {
  readonly id: AttemptId
  readonly corporation: CorporationId
  readonly print: string
  readonly toldAtMs: AtMs
}

/** A call activity. `id` is the activity. */
export interface SimCall extends FinishedCall {
  readonly id: ActivityId
  readonly committed: Committed
}

/** A row of the outbox. */
export interface SimEvent {
  readonly eventName: string
  readonly activity: ActivityId
  readonly corporation: CorporationId
  readonly committed: Committed
}

/** A stop that was added or taken away. */
export interface StopChange extends Committed {
  readonly corporation: CorporationId
  readonly stop: Stop
  readonly what: 'added' | 'removed'
}

/** The kill switch was set. */
export interface KillSwitchChange extends Committed {
  readonly isOn: boolean
  readonly by: string
}

/** The lease of a node. It is removed when its expiry is noticed, or when it is taken again. */
export interface SimLease {
  readonly node: string
  readonly instance: string
  readonly fence: Fence
  expiresAtMs: AtMs
}

/** A call that came in, and where. */
export interface SimOpenCall {
  readonly node: string
  readonly call: OpenCall
}

/** An agent session, and where it was saved. */
export interface SimAgentSession {
  readonly node: string
  readonly fence: Fence
  readonly session: SavedAgentSession
}

/** What a campaign has learnt, and where that was kept. */
export interface SimLearning extends CampaignLearning {
  readonly node: string
  readonly fence: Fence
}

/** All rows, for checkers only: the product reads through the port. */
export interface SimDialerRepositoryView {
  readonly campaigns: ReadonlyMap<CampaignId, StoredCampaign>
  readonly tasks: ReadonlyMap<CallTaskId, Readonly<SimTask>>
  readonly attempts: ReadonlyMap<AttemptId, Readonly<SimAttempt>>
  readonly calls: ReadonlyMap<ActivityId, SimCall>
  /** By the names of the calls. */
  readonly openCalls: ReadonlyMap<string, SimOpenCall>
  readonly events: readonly SimEvent[]
  readonly feedback: readonly (Feedback & { readonly committed: Committed })[]
  readonly callerFeedback: readonly CallerFeedback[]
  readonly corrections: readonly Correction[]
  readonly callbacks: readonly CallbackRequest[]
  readonly stops: readonly StopChange[]
  readonly killSwitch: readonly KillSwitchChange[]
  readonly leases: ReadonlyMap<string, Readonly<SimLease>>
  /** Every lease that was ever given, in order. */
  readonly givenLeases: readonly (Committed & { readonly node: string; readonly fence: Fence })[]
  readonly sessions: readonly SimAgentSession[]
  readonly learning: readonly SimLearning[]
  readonly imports: ReadonlyMap<string, ImportResult>
}
