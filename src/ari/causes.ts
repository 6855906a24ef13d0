import type { LegEnd } from '../ports/pbx.ts'

/** SIP status (`tech_cause`) → reason. Measured: asterisk.md 4; meanings: RFC 3261 section 21. */
const BY_SIP_STATUS: Readonly<Record<number, LegEnd>> = {
  401: 'failed',
  403: 'rejected',
  404: 'notFound',
  407: 'failed',
  // The called address did not answer, or the far end could not reach the phone.
  408: 'unreachable',
  410: 'notFound',
  // Asterisk also writes this when its own ring timeout passes.
  480: 'noAnswer',
  484: 'notFound',
  486: 'busy',
  487: 'noAnswer',
  503: 'congestion',
  600: 'busy',
  603: 'rejected',
  604: 'notFound',
  607: 'rejected',
}

/** Q.850 cause → reason, where no SIP status is given. ITU-T Q.850 table 1; Asterisk's causes.h. */
const BY_CAUSE: Readonly<Record<number, LegEnd>> = {
  1: 'notFound',
  2: 'notFound',
  3: 'notFound',
  16: 'hungUp',
  17: 'busy',
  18: 'unreachable',
  19: 'noAnswer',
  20: 'unreachable',
  21: 'rejected',
  22: 'notFound',
  27: 'unreachable',
  28: 'notFound',
  31: 'hungUp',
  32: 'hungUp',
  34: 'congestion',
  42: 'congestion',
  44: 'congestion',
}

/** Causes of a normal hang-up by either side. 0: no cause was given. */
const CLEARING: ReadonlySet<number> = new Set([0, 16, 31, 32])

interface Ending {
  /** Q.850; 0 when unknown. */
  readonly cause: number
  /** The SIP status of a phone that was rung; absent on normal clearing. */
  readonly techCause?: number | undefined
  /** A caller's leg always is; a phone that was rung is once it was answered. */
  readonly connected: boolean
  /** Whether the engine asked for the hang-up: Asterisk may then overwrite the cause (its issue 1124). */
  readonly hangUpAsked: boolean
}

/** Why a leg ended, and the SIP status where there is one. */
export function endOf(ending: Ending): { readonly reason: LegEnd; readonly code?: number } {
  const { cause, techCause, connected, hangUpAsked } = ending
  if (hangUpAsked) return { reason: 'hungUp' }
  if (connected) return { reason: CLEARING.has(cause) ? 'hungUp' : 'failed' }
  const isSip = techCause !== undefined && techCause >= 300 && techCause <= 699
  if (isSip) return { reason: BY_SIP_STATUS[techCause] ?? 'failed', code: techCause }
  return { reason: BY_CAUSE[cause] ?? 'failed' }
}
