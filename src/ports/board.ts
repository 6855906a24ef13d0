import type { AtMs } from '../kernel/clock.ts'
import type { Detector } from './attempt.ts'

/** Counts by a reason, or whatever else has a name. */
export type Counts = Readonly<Record<string, number>>

/** How a campaign is paced just now, as boards show it: sent over the live port. Plain JSON. */
export interface CampaignBoard {
  readonly type: 'campaign'
  readonly campaign: number
  readonly corporation: number
  /** Whose agents it has; absent: nobody's, or told by an older node. */
  readonly team?: string
  readonly name: string
  readonly mode: string
  readonly pace: string
  /** Agents at work, and what is out for the campaign. */
  readonly live: {
    readonly agents: number
    readonly idleAgents: number
    readonly inFlight: number
    readonly waiting: number
  }
  /** The last decision; `weighed` where risks were. */
  readonly placing: { readonly lines: number; readonly why: string; readonly weighed?: Counts }
  /** Why the call task that was looked at last was not dialed; null: none was refused. */
  readonly refused: string | null
  /** The first trunk of the campaign fails since then: an alarm. Null while it works. */
  /** Nothing was due at the latest claim: until when; null: no call task waits at all. */
  readonly nothingDue: { readonly untilAtMs: AtMs | null } | null
  /** Promised callbacks whose date has come, and those of them that are overdue. */
  readonly callbacks: { readonly due: number; readonly overdue: number }
  readonly carrierFailing?: { readonly trunk: string; readonly sinceAtMs: AtMs } | null
  readonly ledgers: readonly BoardLedger[]
  /** Its own abandoned calls since its engine began; absent: told by an older node. Boards count the rises. */
  readonly lost?: number
  /** Of the last 24 hours. */
  readonly placed: Counts
  readonly held: Counts
  readonly refusals: Counts
  /** What is believed of its lines and conversations. Means in seconds; `known`: facts ever. */
  readonly learnt: {
    readonly hitRate: number
    readonly answerS: number
    readonly talkS: number
    readonly wrapUpS: number
    readonly known: number
    /** For each hour of the day, UTC; older days fade. */
    readonly hours: readonly { readonly lines: number; readonly answers: number }[]
  }
  readonly shadow: BoardShadow | null
  /** Machine detection: the errors of each detector by the agents' words, and whether it acts; null: it is off. */
  readonly detection: BoardDetection | null
  readonly weight: number
  readonly service: BoardService | null
  readonly orders: BoardOrders
}

/** `greetingsKnown`: those that three machines share; `greetings`: those that agents met, known or not. */
export interface BoardDetection extends Readonly<Record<Detector, BoardDetector>> {
  readonly greetingsKnown: number
  readonly greetings: number
}

/** Persons taken for machines, and machines missed, of the last 30 days. Rates with 95 % intervals, in percent. */
export interface BoardDetector {
  /** False: it only listens, or its error is not proved to be below the bound yet. */
  readonly acts: boolean
  readonly personsTaken: BoardRate
  readonly machinesMissed: BoardRate
}

/** `count` of `of`; in truth between `from` and `to` percent. */
export interface BoardRate {
  readonly count: number
  readonly of: number
  readonly from: number
  readonly to: number
}

/** The service goal for callers of the same agents, and how it was met for the latest 200 of them. */
export interface BoardService {
  readonly percent: number
  readonly withinSeconds: number
  readonly callers: number
  readonly inTime: number
  /** Agents who are kept back for callers now. */
  readonly keptBack: number
}

/** What a supervisor ordered. `isDraining`: the campaign is not active, and its last phones ring out. */
export interface BoardOrders {
  readonly isDraining: boolean
  readonly endsAtMs: AtMs | null
  readonly slowDown: {
    readonly linesPerAgentMax: number | null
    readonly isOneToOne: boolean
    readonly untilAtMs: AtMs | null
  } | null
}

/** One ledger: "answered 1,204, abandoned 21, at risk 3, allowed 36". */
interface BoardLedger {
  readonly name: string
  readonly capBasisPoints: number
  readonly answered: number
  readonly abandoned: number
  readonly atRisk: number
  readonly allowed: number
}

/** What a second pacer would have done, by hours; the oldest first. */
export interface BoardShadow {
  readonly pace: string
  /** Its decision beside the last one. */
  readonly lines: number
  readonly hours: readonly {
    readonly fromAtMs: AtMs
    readonly placed: number
    readonly more: number
    readonly less: number
  }[]
}
