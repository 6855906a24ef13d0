/** Records of inbound calls that ended while no engine saw it, as far as their story is known. */
import type { AtMs } from '../../kernel/clock.ts'
import { type AgentName, type CallId, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { FinishedCall, OpenCall } from '../../ports/dialer-repository.ts'
import type { LoggedArrival, LoggedLeg } from '../../ports/pbx.ts'

/** With whom a caller talked, and since when. */
export interface PastTalk {
  readonly agent: AgentName | undefined
  readonly sinceMs: AtMs
}

/** A call that an earlier engine served. Without a logged end it ended at the latest possible instant (INV-D2). */
export function pastCall(
  open: OpenCall,
  logged: LoggedLeg | undefined,
  talk: PastTalk | undefined,
  eventName: string,
  nowMs: AtMs,
): FinishedCall {
  const { call, leg, corporation, caller, called, createdAtMs } = open
  // A caller who talked to an agent had answered, even if no event told when.
  const answeredAtMs = logged?.answeredAtMs ?? talk?.sinceMs
  const endedAtMs = Math.max(createdAtMs, answeredAtMs ?? 0, logged?.endedAtMs ?? nowMs)
  return {
    call,
    leg,
    corporation,
    direction: 'in',
    caller,
    called,
    createdAtMs,
    endedAtMs,
    ...(answeredAtMs !== undefined && { answeredAtMs, result: talk ? 'answered' : 'unknown' }),
    talkMs: talk ? Math.max(0, endedAtMs - talk.sinceMs) : 0,
    waitMs: 0,
    recordings: [],
    ...(talk?.agent !== undefined && { agent: talk.agent }),
    eventName,
  }
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
