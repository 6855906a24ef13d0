/** The list of calls that are over, newest first, and what the database knows of one of them beyond its activity. */
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, AgentName, CallId, CampaignId, TeamId, UserId } from '../../kernel/ids.ts'
import type { AttemptResult } from '../attempt.ts'
import type { Seen } from '../dialer-admin-repository.ts'

/** Calls meet all given criteria. */
export interface CallFilter {
  /** Began at this instant or later, and before that one. */
  readonly fromAtMs?: AtMs
  readonly untilAtMs?: AtMs
  readonly direction?: 'in' | 'out'
  /** The user who talked. */
  readonly agent?: UserId
  readonly team?: TeamId
  readonly campaign?: CampaignId
  /** The other side or ours, in each way that networks write it. */
  readonly numbers?: readonly string[]
  readonly results?: readonly AttemptResult[]
  /** What an agent said about it. */
  readonly feedbackType?: string
  /** Whether it has a recording that can be played. */
  readonly isRecorded?: boolean
  readonly isTransferred?: boolean
  readonly talkMsMin?: number
  readonly talkMsMax?: number
}

/** The place of a call in the list; no two calls have the same. */
export interface CallPlace {
  readonly atMs: AtMs
  readonly id: ActivityId
}

/** Calls after (older than) `after`. */
export interface CallListSearch extends Seen {
  readonly filter: CallFilter
  readonly after?: CallPlace
  readonly rowsMax: number
}

/** Why and how a call of a call task was dialed. Facts of the permit are null for attempts of before it was stored. */
export interface DialedFacts {
  readonly campaignName: string
  readonly attemptNumber: number
  readonly claimedAtMs: AtMs
  readonly dialedAtMs: AtMs | null
  readonly trunk: string | null
  readonly rules: string | null
  /** The pacer's reason for the line. */
  readonly why: string | null
  /** The agent for whom it was placed: a preview, or a callback. */
  readonly madeFor: AgentName | null
}

/** How badly a call was heard in the browser of an agent. Figures are the worst of the reports; null: none. */
export interface CallSound {
  readonly agent: AgentName
  readonly lossPercent: number | null
  readonly roundTripMs: number | null
  /** For 3 s and longer nothing came from the other side, or from the agent. */
  readonly isSilentIn: boolean
  readonly isSilentOut: boolean
  readonly firstAtMs: AtMs
  readonly lastAtMs: AtMs
}

export interface CallFacts {
  readonly call: CallId
  /** The node that served it, and has its journal and recordings; null: not known. */
  readonly node: string | null
  readonly isErased: boolean
  readonly dialed: DialedFacts | null
  /** Of agents whose page has reported something. */
  readonly sound: readonly CallSound[]
}

/** Every method may reject with `DatabaseUnavailable`. */
export interface CallList {
  /** The page, and whether older calls match too. */
  page(search: CallListSearch): Promise<{ readonly places: readonly CallPlace[]; readonly isMore: boolean }>
  /** Of a call that the asker may see. Undefined: there is no such call. */
  facts(activity: ActivityId): Promise<CallFacts | undefined>
  /** Keeps the worst of what was reported of this call and this agent. The call may be written later, or never. */
  heardBadly(call: CallId, sound: Omit<CallSound, 'firstAtMs' | 'lastAtMs'>, atMs: AtMs): Promise<void>
}
