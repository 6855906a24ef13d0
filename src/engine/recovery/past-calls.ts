/** Records of inbound calls that ended while no engine saw it, as far as their story is known. */
import type { AtMs } from '../../kernel/clock.ts'
import { type AgentName, type CallId, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { RecordingMade } from '../../ports/call-recordings.ts'
import type { FinishedCall } from '../../ports/dialer-repository.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import type { LoggedArrival, LoggedLeg } from '../../ports/pbx.ts'
import { endedWithCall } from '../leg-recordings.ts'
import { hasTransferred, madeTransfers } from '../made-transfers.ts'

/** With whom a caller talked, and since when. */
export interface PastTalk {
  readonly agent: AgentName | undefined
  readonly sinceMs: AtMs
}

/**
 * A call that an earlier engine served: as far as it was stored, else as the switch logged it, else as the session of
 * its agent was saved. Without a logged end it ended at the latest possible instant (INV-D2).
 */
export function pastCall(
  open: OpenCall,
  logged: LoggedLeg | undefined,
  saved: PastTalk | undefined,
  eventName: string,
  nowMs: AtMs,
  recordings: readonly RecordingMade[] = [],
): FinishedCall {
  const { call, leg, corporation, caller, called, createdAtMs, progress } = open
  const { queuedAtMs, team, connectedAtMs = saved?.sinceMs, agent = saved?.agent } = progress ?? {}
  // A caller who talked to an agent had answered, even if no event told when.
  const answeredAtMs = progress?.answeredAtMs ?? logged?.answeredAtMs ?? connectedAtMs
  const endedAtMs = Math.max(createdAtMs, answeredAtMs ?? 0, logged?.endedAtMs ?? progress?.endedAtMs ?? nowMs)
  return {
    call,
    leg,
    corporation,
    direction: 'in',
    caller,
    called,
    createdAtMs,
    endedAtMs,
    ...(answeredAtMs !== undefined && { answeredAtMs, result: pastResult(open, logged, connectedAtMs) }),
    talkMs: connectedAtMs === undefined ? 0 : Math.max(0, endedAtMs - connectedAtMs),
    waitMs: queuedAtMs === undefined ? 0 : Math.max(0, (connectedAtMs ?? endedAtMs) - queuedAtMs),
    ...(agent !== undefined && { agent }),
    ...(team !== undefined && { team }),
    recordings: endedWithCall(recordings, endedAtMs),
    ...(progress?.transfers && { transfers: madeTransfers(Object.values(progress.transfers), endedAtMs) }),
    eventName,
  }
}

/** D-11, as for other callers. Who waited for an agent, and was cut off with the engine, was dropped by us. */
function pastResult(
  { progress }: OpenCall,
  logged: LoggedLeg | undefined,
  connectedAtMs: AtMs | undefined,
): AttemptResult {
  if (connectedAtMs !== undefined) return 'answered'
  if (!progress) return 'unknown'
  if (progress.queuedAtMs === undefined || hasTransferred(Object.values(progress.transfers ?? {}))) return 'answered'
  return logged && 'reason' in logged && logged.reason === 'hungUp' ? 'lost' : 'dropped'
}

/** A call that no engine served. Whoever heard the apology waited for us, and nobody came (D-11). */
export function unservedCall(arrival: LoggedArrival, call: CallId, eventName: string, upAtMs: AtMs): FinishedCall {
  const { leg, caller, called, arrivedAtMs, answeredAtMs, hungUpBy, isApologised } = arrival
  const result = isApologised ? (hungUpBy === 'caller' ? 'lost' : 'dropped') : 'unknown'
  return {
    call,
    leg,
    corporation: FIRST_CORPORATION,
    direction: 'in',
    caller: caller ?? '',
    called,
    createdAtMs: arrivedAtMs,
    endedAtMs: Math.max(arrivedAtMs, answeredAtMs ?? 0, arrival.endedAtMs ?? upAtMs),
    ...(answeredAtMs !== undefined && { answeredAtMs, result }),
    talkMs: 0,
    waitMs: 0,
    recordings: [],
    ...(hungUpBy !== undefined && { hungUpBy }),
    eventName,
  }
}
