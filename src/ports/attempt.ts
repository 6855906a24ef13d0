import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  Fence,
  LegId,
  PhoneNumber,
} from '../kernel/ids.ts'
import type { FinishedStatus, OpenStatus } from './call-task.ts'
import type { Greeting, WhoAnswered } from './pbx.ts'
import type { TransferProgress } from './transfer.ts'

/** How an attempt came out (D-11). They exclude each other. */
export const ATTEMPT_RESULTS = [
  'answered', // a person, connected to an agent or to the flow
  'noAnswer',
  'busy',
  'rejected',
  'voicemail',
  'dropped', // a person answered, and we ended it without an agent
  'lost', // the other party hung up before an agent came
  'failed',
  'invalidNumber',
  'cancelled', // we took it back before it was answered
  'blocked', // the gate refused at the last moment, nothing was sent
  'unknown', // not recovered after a fault; counts as an attempt
  'withdrawn', // surplus of several numbers rung at once: shown as cancelled, never counted (dialing-rules.md 1)
] as const

/** One of `ATTEMPT_RESULTS`. */
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number]

/** A promised callback stands after such a call: nobody was reached by it (campaigns-48). */
export const PROMISE_STANDS_AFTER: readonly AttemptResult[] = [
  'noAnswer',
  'busy',
  'dropped',
  'lost',
  'failed',
  'cancelled',
  'blocked',
  'unknown',
  'withdrawn',
]

/** How far an attempt got. `sent`: an INVITE left us, or may have left. */
export type Reach = 'nothing' | 'sent' | 'rang' | 'answered'

/** The right of one engine to dial. An engine without a lease claims nothing. */
export interface NodeLease {
  readonly node: string
  readonly fence: Fence
  /** The database's own clock when it answered. An engine whose clock differs by seconds must not dial (R8). */
  readonly databaseAtMs: AtMs
}

/** An attempt that was made earlier, as the gate needs it. `reach` is the most that can have happened. */
export interface EarlierAttempt {
  readonly id: AttemptId
  readonly number: PhoneNumber
  readonly result: AttemptResult | 'inProgress'
  readonly reach: Reach
  readonly claimedAtMs: AtMs
  /** The carrier was down and no phone rang: it neither counts nor starts the interval (campaigns-43). */
  readonly isSpared?: boolean
  /** Absent while in progress. Where the true end was not seen: its latest possible instant (INV-D2). */
  readonly endedAtMs: AtMs | undefined
}

/** A call that was placed to a person or to one of their numbers, by any task of the corporation (INV-D11). */
export interface Touch extends EarlierAttempt {
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly externalCaseNumber?: string
  /** The number that the callee saw; absent where an earlier version stored none. */
  readonly callerId?: PhoneNumber
}

/** The maximum of touches in a `DueTask`: more calls in the window than any cap allows. */
export const TOUCHES_MAX = 100

/** A callback, and for whom it is kept. */
export interface PromisedCallback {
  readonly atMs: AtMs
  readonly askedByContact: boolean
  readonly agent?: AgentName
  /** The number that was talked on. */
  readonly number?: PhoneNumber
  /** The end of the talk in which it was promised, or the instant of the promise. */
  readonly promisedAtMs?: AtMs
}

/** A due call task, locked for this claim, with all that the gate needs to know about it. */
export interface DueTask {
  readonly id: CallTaskId
  readonly corporation: CorporationId
  readonly campaign: CampaignId
  readonly status: OpenStatus | FinishedStatus
  readonly receiverName: string
  readonly numbers: readonly DueNumber[]
  readonly externalSystem?: ExternalSystemId
  readonly externalCustomer?: string
  readonly externalCaseNumber?: string
  /** Who is dialed, the same over all campaigns; absent where the customer has no number of their own. */
  readonly person?: string
  readonly isPersonStopped: boolean
  readonly attemptsMax: number
  readonly intervalMs: number
  /** The task may be dialed from then on; absent: at once. */
  readonly validFromAtMs?: AtMs
  /** From then on the task is expired; absent: never. */
  readonly validToAtMs?: AtMs
  /** Of this task, in the order of their claims. */
  readonly attempts: readonly EarlierAttempt[]
  readonly callback?: PromisedCallback
  /** It was ended from outside, also after it was finished: no task may follow it. */
  readonly isClosed: boolean
  /**
   * The newest calls of this task, to its person or to one of its numbers, newest first: all since
   * `dialedSinceAtMs` of the claim, and those of one interval before, but at most `TOUCHES_MAX`.
   */
  readonly touches: readonly Touch[]
  /** When the person, or somebody at a number of theirs, last talked to one of us, whoever called. */
  readonly lastTalkAtMs?: AtMs
  /** When the person, or a number of the task, was last dropped without a talk with them, or at it, since. */
  readonly lastDropAtMs?: AtMs
  /** A caller with a number of the person is on our line now. */
  readonly isOnOurLine: boolean
  /** When the last call from a number of the person ended. */
  readonly lastCalledInAtMs?: AtMs
  /** Attempts that have not ended, beside this one: of the task, of one of its numbers, of the person (INV-D3). */
  readonly inFlight: { readonly ofTask: number; readonly ofNumber: number; readonly ofContact: number }
}

export interface DueNumber {
  readonly number: PhoneNumber
  readonly position: number
  /** The number is on a stop list, or a person on a stop list has it. */
  readonly stopped: boolean
  /** The network says that the number does not exist (campaigns-36). */
  readonly deadSinceAtMs?: AtMs
}

/** What to do with a due task. `dial`: several numbers only where the campaign dials in parallel. */
export type Verdict =
  | {
      readonly verdict: 'dial'
      /** The permit is kept beside the attempt: what allowed this call, and by which rules. */
      readonly numbers: readonly { readonly number: PhoneNumber; readonly permit: object }[]
    }
  /** `why`: the gate's reason (`dialer/may-dial-now.ts`), kept with the task. */
  | { readonly verdict: 'later'; readonly nextCallAtMs: AtMs; readonly why: string }
  /** The task stays as it is: the reason against the call is not of the task. */
  | { readonly verdict: 'leave' }
  /** The same for every task of the claim: nothing more is asked. */
  | { readonly verdict: 'leaveAll' }
  | { readonly verdict: 'finish'; readonly status: FinishedStatus }

/** Calls of campaigns and transfers to another country in the last 24 hours, over all nodes. */
export interface AbroadUse {
  readonly country: string
  readonly calls: number
  readonly talkMs: number
}

/** What the database says beside the tasks, in the claim's own transaction. */
export interface ClaimMoment {
  /** The database's own clock; every rule uses it (F-G1). */
  readonly databaseAtMs: AtMs
  /** The latest instant that any engine ever stored. An earlier reading is refused (F-G2). */
  readonly latestSeenAtMs: AtMs
  readonly isKillSwitchOn: boolean
  readonly abroad: readonly AbroadUse[]
}

/** `new`: tasks that were never called; `waiting`: those that were, and are no callbacks. */
export type FirstKind = 'new' | 'waiting'

export interface Claim {
  readonly lease: Pick<NodeLease, 'node' | 'fence'>
  readonly campaign: CampaignId
  readonly tasksMax: number
  readonly atMs: AtMs
  readonly dialedSinceAtMs: AtMs
  /** The settings by which `decide` decides: a later version makes the tasks due again that it puts off. */
  readonly settingsVersion?: number
  /** Tasks of this kind come before the others, after callbacks. Absent: as they are due. */
  readonly first?: FirstKind
  /** Only this task, reserved or not, also before its `next_call`: the gate alone decides. An agent asks for it. */
  readonly only?: CallTaskId
  /** The agent who is reserved for the attempts, if any. */
  readonly agent?: AgentName
  readonly kept?: KeptCallbacks
  /** The newest claims of this node. A database that lacks one was put back, and nothing is claimed (campaigns-143). */
  readonly earlier?: readonly { readonly attempt: AttemptId; readonly task: CallTaskId }[]
  /** The gate, asked inside the transaction. Pure and quick: rows are locked while it thinks. */
  readonly decide: (task: DueTask, moment: ClaimMoment) => Verdict
}

/** Callbacks of these agents, promised for later than `sinceAtMs`, are left out: their own agent is to have them. */
export interface KeptCallbacks {
  readonly agents: readonly AgentName[]
  readonly sinceAtMs: AtMs
}

/** A task that is offered to an agent, who looks at it before they dial (preview). Nothing is dialed. */
export interface Reservation {
  readonly lease: Pick<NodeLease, 'node' | 'fence'>
  readonly campaign: CampaignId
  readonly agent: AgentName
  readonly atMs: AtMs
  readonly dialedSinceAtMs: AtMs
  /** The settings by which `decide` decides: a later version makes the tasks due again that it puts off. */
  readonly settingsVersion?: number
  readonly first?: FirstKind
  /** Only this task: a callback that is due for the agent. */
  readonly only?: CallTaskId
  readonly kept?: KeptCallbacks
  /** Several are looked at; the first for which it says `dial` is reserved. */
  readonly decide: (task: DueTask, moment: ClaimMoment) => Verdict
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
  readonly permit: object
}

/** `no lease`: another engine took over, or the lease ran out. `behind`: an earlier claim is unknown. */
export type ClaimResult =
  | {
      readonly outcome: 'claimed'
      readonly attempts: readonly ClaimedAttempt[]
      /** Only where nothing was due: the next date of a waiting task of the campaign, null if no task waits. */
      readonly nextDueAtMs?: AtMs | null
    }
  | { readonly outcome: 'no lease' | 'behind' }

/**
 * The callee talks to an agent. If an integrator ends the task now, the call goes on (D-13). The database stores the
 * other milestones of an attempt together with its end.
 */
export interface AttemptConnected {
  readonly attempt: AttemptId
  readonly fence: Fence
  readonly atMs: AtMs
  readonly agent: AgentName
}

/** The end of an attempt, and what follows from it for its task. The decision is the dialer's (D-12). */
export interface AttemptEnd {
  readonly attempt: AttemptId
  readonly fence: Fence
  readonly result: AttemptResult
  readonly reach: Reach
  /** Whether it counts towards the task's maximum. */
  readonly counts: boolean
  readonly atMs: AtMs
  readonly dialedAtMs?: AtMs
  readonly ringingAtMs?: AtMs
  readonly answeredAtMs?: AtMs
  readonly agent?: AgentName
  readonly sipStatus?: number
  readonly hangupCause?: number
  /** We hung up on a phone before it had rung for the minimum (dialing-rules.md 0.4). */
  readonly isRingCutShort?: boolean
  /** How long the callee waited for an agent. */
  readonly waitMs?: number
  /** What was heard in the pauses while machine detection only listened. */
  readonly heard?: WhoAnswered
  /** The greeting that was recognised, and whether it was known to be a machine's then. */
  readonly greeting?: Pick<Greeting, 'id' | 'isKnown'>
  /** `new`: nobody was called yet, also not by this attempt. */
  readonly next:
    | { readonly status: 'new' | 'waiting' | 'callback'; readonly nextCallAtMs: AtMs }
    | { readonly status: FinishedStatus }
}

/** `fenced off`: another lease has the attempt; a talk is noted. `already ended`: the first end stands (INV-O2). */
export type AttemptWrite = 'written' | 'already ended' | 'fenced off' | 'no such attempt'

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
  readonly reach: Reach | null
  readonly agent: AgentName | null
  readonly sipStatus: number | null
  readonly hangupCause: number | null
  /** What allowed this call, and what it shows; null where an earlier version stored none. */
  readonly permit: object | null
  /** An agent said that a machine had answered; `result` stays as it was. */
  readonly isMarkedMachine: boolean
  /** Whom agents asked or connected so far, by keys; null: nobody, or the attempt is over. */
  readonly transfers: AttemptTransfers['transfers'] | null
}

/** Whom agents asked or connected during the conversation so far, in order: the newest writing stands. */
export interface AttemptTransfers {
  readonly attempt: AttemptId
  readonly fence: Fence
  readonly transfers: Readonly<Record<string, TransferProgress>>
}

/** Why an attempt that has not been answered is to be taken back. */
export interface AttemptToCancel {
  readonly attempt: AttemptId
  readonly why: 'taskEnded' | 'stopped' | 'killSwitch' | 'isOnOurLine'
}

/** Whose answered calls a ledger counts: a campaign's, a client's, or those of a client with one caller id. */
export type CountedScope =
  | { readonly campaign: CampaignId }
  | { readonly corporation: CorporationId; readonly callerId?: PhoneNumber }

/** Sums of answered calls; `persons` includes the abandoned ones. */
export interface AnsweredSums {
  readonly persons: number
  readonly machines: number
  readonly abandoned: number
}

/** What tells machines: the pauses of whoever answered, or a greeting that is known. */
export type Detector = 'pauses' | 'greeting'

/** `personsTaken`: persons whom a detector called machines; `machinesMissed`: machines that it did not. */
export interface DetectorErrors {
  readonly personsTaken: number
  readonly machinesMissed: number
}

/** Calls to which machine detection only listened, by the truth: what their agent said. */
export interface DetectionCounts extends Readonly<Record<Detector, DetectorErrors>> {
  readonly persons: number
  readonly machines: number
}

/** An agent's word "this was a machine", and how its greeting began. */
export type MachineWord = readonly [AttemptId, AgentName, AtMs, greeting?: Omit<Greeting, 'isKnown'> | undefined]

/** A greeting, and whom agents met behind it: at how many different numbers machines, and how many persons. */
export interface LearntGreeting extends Omit<Greeting, 'isKnown'> {
  readonly machineNumbers: number
  readonly persons: number
}

/** One call that a person or a machine answered. */
export interface AnsweredAttempt {
  readonly attempt: AttemptId
  readonly answeredAtMs: AtMs
  readonly isMachine: boolean
  readonly isAbandoned: boolean
}

/** A finished attempt, with the facts that tell whether its campaign fails (F-F7). */
export interface TriedAttempt {
  readonly result: AttemptResult
  readonly reach: Reach
  readonly claimedAtMs: AtMs
  readonly endedAtMs: AtMs
  readonly answeredAtMs?: AtMs
  readonly sipStatus?: number
}

/** At least one criterion; any of each list, all of the lists, at most 1,000 rows. */
export interface AttemptQuery {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly AttemptId[]
  readonly tasks?: readonly CallTaskId[]
  readonly activities?: readonly ActivityId[]
}
