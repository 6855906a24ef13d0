/** Outcomes of conversations: the catalogue of each campaign, and what agents save from it (campaigns-104, 110). */
import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  LegId,
  OutcomeId,
  TeamId,
  TeamName,
} from '../kernel/ids.ts'

/** What a form field of an outcome holds; a date is a day, `2026-01-31`. */
export const FIELD_KINDS = ['text', 'number', 'date', 'choice'] as const

/** Fields of one outcome. Our choice: a form that is filled in during a call. */
export const OUTCOME_FIELDS_MAX = 10

/** One form field of an outcome. Its name is what the agent reads, and what its value is sent under. */
export interface OutcomeField {
  readonly name: string
  readonly kind: (typeof FIELD_KINDS)[number]
  readonly isRequired: boolean
  /** The values to choose from; empty for the other kinds. */
  readonly choices: readonly string[]
}

/** What a supervisor decides about an outcome. */
export interface OutcomeRules {
  /** What the agent reads. Answers keep the name that was in force when they were given. */
  readonly name: string
  /** `1` to `9`, unique among the active outcomes of the campaign. Null: it is chosen without a key. */
  readonly key: string | null
  /** Ends the call task, and keeps the person out of the campaign for a while (D-07, 204). */
  readonly isFinal: boolean
  readonly needsCallback: boolean
  readonly fields: readonly OutcomeField[]
  /** Retired: no agent can choose it any more. */
  readonly isActive: boolean
}

/** An outcome as it is stored. `version` grows with every change. */
export interface Outcome extends OutcomeRules {
  readonly id: OutcomeId
  readonly version: number
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
}

export interface FieldValue {
  readonly name: string
  readonly value: string | number
}

/** What an agent says about a call: `isFinal` keeps the person out of the campaign for a while (D-07, 204). */
export interface Feedback {
  readonly activity: ActivityId
  readonly task?: CallTaskId
  readonly agent: AgentName
  /** Of an outcome: its name. */
  readonly feedbackType: string
  readonly isFinal: boolean
  readonly note?: string
  readonly atMs: AtMs
}

/** Feedback by an outcome of the catalogue, checked. A final one has no callback. */
export interface SavedOutcome extends Feedback {
  readonly task: CallTaskId
  readonly outcome: OutcomeId
  readonly corporation: CorporationId
  /** The talk: its number is called back. */
  readonly attempt: AttemptId
  readonly fields: readonly FieldValue[]
  readonly callback?: { readonly atMs: AtMs; readonly askedByContact: boolean; readonly isForTeam: boolean }
  /** Names the event that tells of it; the caller chooses it (INV-E3). */
  readonly eventName: string
}

/** What an agent says about a call that came in, before or after it ends. It ends no task, and promises nothing. */
export interface CallerFeedback extends Omit<Feedback, 'activity' | 'task'> {
  readonly call: CallId
  /** Of the catalogue of the call's team, checked. */
  readonly outcome?: OutcomeId
  readonly fields?: readonly FieldValue[]
  /** Names the event that tells of an outcome; the caller chooses it (INV-E3). */
  readonly eventName: string
}

/** A call, as words about it need it. */
export interface CallOfAgent {
  readonly leg?: LegId
  readonly caller: string
  readonly team?: TeamName
}

/** The part of the dialer's repository about what agents say. */
export interface OutcomeRecords {
  recordFeedback(feedback: Feedback): Promise<void>
  /**
   * Feedback, callback, end of the task and event: all or nothing; a repetition changes nothing. `task ended`: the task
   * was ended meanwhile, so nobody will call back, and what the agent said is kept without the callback.
   */
  recordOutcome(outcome: SavedOutcome): Promise<'recorded' | 'already recorded' | 'task ended'>
  /** A repetition changes nothing. The call must have begun: `callBegan` comes first. */
  recordCallerFeedback(feedback: CallerFeedback): Promise<void>
  /**
   * A call of this name that ended at that instant or later and was this agent's at its end, or in which this agent
   * asked somebody else to help or to take it; of such a one also while it goes on, if it came in.
   */
  callOfAgent(call: CallId, agent: AgentName, sinceAtMs: AtMs): Promise<CallOfAgent | undefined>
  /** The catalogue of a team of the first corporation, in its order, retired outcomes included. */
  outcomesOfTeam(team: TeamName): Promise<readonly Outcome[]>
  /** The catalogue of a campaign in its order, retired outcomes included. */
  outcomesOf(campaign: CampaignId): Promise<readonly Outcome[]>
}

/** An outcome to be written; without an id it is a new one. */
export type OutcomeToSave = OutcomeRules & { readonly id?: OutcomeId }

/** Whose catalogue it is: outgoing calls have that of their campaign, calls that come in that of their team. */
export type CatalogueOwner = { readonly campaign: CampaignId } | { readonly team: TeamId }

/** A change of one catalogue. `decide` sees it locked; it must be pure, because it may run again. */
export interface CatalogueChange<Refusal> {
  readonly corporations: readonly CorporationId[]
  readonly owner: CatalogueOwner
  readonly atMs: AtMs
  readonly decide: (
    present: readonly Outcome[],
  ) =>
    | { readonly ok: true; readonly save?: OutcomeToSave; readonly order?: readonly OutcomeId[] }
    | { readonly ok: false; readonly why: Refusal }
}

export type CatalogueChanged<Refusal> =
  /** `saved`: the outcome that was written, if one was. */
  | { readonly outcome: 'changed'; readonly catalogue: readonly Outcome[]; readonly saved: OutcomeId | undefined }
  | { readonly outcome: 'refused'; readonly why: Refusal }
  | { readonly outcome: 'no such owner' }

/** The part of the dialer's administration about catalogues. */
export interface OutcomeCatalogues {
  /** In its order, retired outcomes included; undefined: unknown campaign or team. */
  findOutcomes(corporations: readonly CorporationId[], owner: CatalogueOwner): Promise<readonly Outcome[] | undefined>
  changeOutcomes<Refusal>(change: CatalogueChange<Refusal>): Promise<CatalogueChanged<Refusal>>
}
