import type { AtMs } from '../kernel/clock.ts'
import type { LoggedCallEnd } from '../ports/pbx.ts'
import { endOf } from './causes.ts'

export interface CallEvent {
  readonly type: string
  readonly atMs: AtMs
  readonly leg: string
  /** Q.850; 0 when the event has none. */
  readonly cause: number
}

/** The start of every line. A second one within a line follows a line that was cut off when Asterisk died. */
const BEGIN = '{"eventtype":'
const LEG_MARK = '"uniqueid":"'

/** Reads a line about one of `legs`; undefined for other legs and for damaged lines. */
export function readCallEvent(line: string, legs: ReadonlySet<string>): CallEvent | undefined {
  // Most lines are about other legs, and are skipped without parsing.
  const markedAt = line.lastIndexOf(LEG_MARK)
  const leg = line.slice(markedAt + LEG_MARK.length, line.indexOf('"', markedAt + LEG_MARK.length))
  if (markedAt < 0 || !legs.has(leg)) return undefined
  const fields = parsed(line.slice(Math.max(0, line.lastIndexOf(BEGIN))))
  const { eventtype: type, eventtime, uniqueid, eventextra } = fields ?? {}
  const seconds = Number(eventtime)
  if (typeof type !== 'string' || uniqueid !== leg || !Number.isFinite(seconds)) return undefined
  const cause = Number(parsed(String(eventextra))?.['hangupcause'] ?? 0)
  return { type, leg, atMs: Math.round(seconds * 1_000), cause: Number.isInteger(cause) ? cause : 0 }
}

/** The end of a leg by its events, oldest first. `seen`: began, no end logged. Reasons come from Q.850 causes alone. */
export function loggedEndFrom(events: readonly CallEvent[]): LoggedCallEnd | 'seen' {
  const last = (type: string) => events.findLast((event) => event.type === type)
  const hangUp = last('HANGUP')
  const end = last('CHAN_END') ?? hangUp
  if (!end) return 'seen'
  const answered = last('ANSWER')
  const ending = { cause: hangUp?.cause ?? 0, connected: answered !== undefined, hangUpAsked: false }
  return { ...(answered && { answeredAtMs: answered.atMs }), endedAtMs: end.atMs, ...endOf(ending) }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
