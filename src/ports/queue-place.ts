import type { AtMs } from '../kernel/clock.ts'
import type { CallId, CampaignId, CorporationId, ExternalSystemId, PhoneNumber } from '../kernel/ids.ts'

/** Where somebody stands in a queue: by priority, then by arrival. */
export interface PlaceInQueue {
  readonly priority: number
  /** That the agent must have. */
  readonly skills: readonly string[]
  readonly sinceAtMs: AtMs
}

/** A caller leaves the queue of the campaign's team and is called back in their turn (calls-and-flows-53). */
export interface KeepPlace extends PlaceInQueue {
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  /** In which the caller asks for it. */
  readonly call: CallId
  readonly number: PhoneNumber
  readonly receiverName: string
  readonly externalSystem?: ExternalSystemId | undefined
  readonly externalCustomer?: string | undefined
  readonly externalCaseNumber?: string | undefined
  readonly attemptsMax: number
  readonly nowMs: AtMs
}

/** `task ended`: it was ended from outside or stopped, so nothing may follow it, or its validity is over by then. */
export type CallbackRefusal = 'no such call task' | 'task ended'
