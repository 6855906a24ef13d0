/** One line of Asterisk's file of channel events (CEL), and what the lines of one leg say together. */
import type { AtMs } from '../kernel/clock.ts'
import type { LoggedCallEnd } from '../ports/pbx.ts'
import { endOf } from './causes.ts'

/** Something that happened to a leg, as Asterisk wrote it down. */
export interface CallEvent {
  readonly type: string
  readonly atMs: AtMs
  readonly leg: string
  /** Q.850; 0 when the event has none. */
  readonly cause: number
}

/** How every line begins: where it stands again within a line, the one before was cut off by the death of Asterisk. */
const BEGIN = '{"eventtype":'
const LEG_MARK = '"uniqueid":"'

/** Reads a line if it is about one of `legs`; undefined for all others, and for what is damaged. */
export function readCallEvent(line: string, legs: ReadonlySet<string>): CallEvent | undefined {
  // Most lines are about others: they are passed over without being parsed.
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

/**
 * What the events of one leg, oldest first, say of its end. `seen`: it began, and its end is not written down.
 * Asterisk writes no SIP status here, so the reason comes from the Q.850 cause alone.
 */
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
