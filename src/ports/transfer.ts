import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId, PhoneNumber, SipUser } from '../kernel/ids.ts'

/** A user at a telephone system: what stands before the `@` of a SIP address. */
export const SIP_USER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Our choice. A conversation with somebody outside that no agent is in: toll fraud lives on calls without an end. */
export const OUTSIDE_TALK_MAX_MS = 2 * 3_600_000

/** Whom a caller is transferred to: a number, or a user at a host of the configuration. */
export type TransferTarget = { readonly number: PhoneNumber } | { readonly user: SipUser; readonly host: string }

/**
 * What somebody beside the agent came into the call for. `attended`, `blind`: they were to have it; `consultation`: the
 * agent asked them, and the other side did not hear it; `conference`: all three talked.
 */
export type TransferMode = 'attended' | 'blind' | 'consultation' | 'conference'

/** One transfer of a call, as its record tells of it. */
export interface TransferMade {
  /** The number, `sip:user@host`, or the name of a colleague. */
  readonly to: string
  readonly mode: TransferMode
  /** The agent who asked for it; absent: the flow. */
  readonly by?: AgentName
  /** The country of the number, where it is not one of ours. */
  readonly abroad?: string
  readonly beganAtMs: AtMs
  /** When both could talk; of a blind one, when the other network took over the caller. Absent: never. */
  readonly connectedAtMs?: AtMs
  /** Absent while it goes on. */
  readonly endedAtMs?: AtMs
  /** Absent while it goes on; `refused`: nobody was called. */
  readonly end?: 'done' | 'busy' | 'noAnswer' | 'refused' | 'failed'
  readonly why?: string
}

/** A transfer of a call that goes on, with what an engine after a crash takes over. */
export interface TransferProgress extends TransferMade {
  /** Of an attended one: the other side, and where both talk. */
  readonly leg?: LegId
  readonly bridge?: BridgeId
  /** That bears the line of the other side. */
  readonly trunk?: string
}

/** The target as it is written down. */
export function targetText(to: TransferTarget): string {
  return 'number' in to ? to.number : `sip:${to.user}@${to.host}`
}
