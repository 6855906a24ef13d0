/** What the journal says beside the database: whom we called, and who must not be called (storage-08). */
import type { AtMs } from '../../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  AttemptId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  PhoneNumber,
} from '../../kernel/ids.ts'
import type { AttemptResult } from '../attempt.ts'

/** An attempt that was claimed, and is dialed after this is written. */
export interface ClaimWitness {
  readonly type: 'attempt.claimed'
  readonly attempt: AttemptId
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly number: PhoneNumber
  readonly attemptNumber: number
  readonly activity: ActivityId
  /** As the database knows the person over all campaigns. */
  readonly person?: string
}

/** Who must not be called from then on; a person by their external system, or by a task of theirs. */
export interface StopWitness {
  readonly type: 'stop.added'
  readonly corporation: CorporationId
  readonly by: string | null
  readonly reason: string | null
  readonly number?: PhoneNumber
  readonly task?: CallTaskId
  readonly externalSystem?: ExternalSystemId
  readonly externalCustomer?: string
}

export type Witness = ClaimWitness | StopWitness

/** What became of a claimed attempt, as far as its own lines tell. */
export interface WitnessedAttempt extends ClaimWitness {
  readonly claimedAtMs: AtMs
  readonly ringingAtMs?: AtMs
  readonly answeredAtMs?: AtMs
  readonly endedAtMs?: AtMs
  /** The agent who was with the callee, the last one of several. */
  readonly talkedWith?: AgentName
  /** Undefined: the engine did not live to report one. */
  readonly result?: AttemptResult
}

/** A stop, and when it was added. */
export interface WitnessedStop extends StopWitness {
  readonly atMs: AtMs
}
