import type { AtMs } from '../../kernel/clock.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { CallEventLog, LoggedLeg } from '../../ports/pbx.ts'
import type { Timers } from '../timers.ts'

interface LogReader {
  /** Undefined: the switch has none. */
  readonly callEventLog: CallEventLog | undefined
  readonly timers: Timers
  readonly nowMs: () => AtMs
}

/** Of a leg whose end the engine waits for. */
const CALL_EVENT_LOG_MAX_MS = 3_000
const RETRY_MS = 500

/** What the call event log says of legs that ended unseen; empty without a log, or without an answer in time. */
export async function loggedLegs(
  { callEventLog, timers, nowMs }: LogReader,
  legs: readonly LegId[],
  withinMs = CALL_EVENT_LOG_MAX_MS,
): Promise<ReadonlyMap<LegId, LoggedLeg>> {
  if (!callEventLog || legs.length === 0) return new Map()
  const untilMs = nowMs() + withinMs
  const late = timers.pause(withinMs).then(() => undefined)
  const readable = async () => {
    for (;;) {
      const logged = await callEventLog.readEnds(legs).catch(() => undefined)
      if (logged || nowMs() >= untilMs) return logged
      await timers.pause(RETRY_MS)
    }
  }
  return (await Promise.race([readable(), late])) ?? new Map()
}
