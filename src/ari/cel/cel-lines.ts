import type { AtMs } from '../../kernel/clock.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { LoggedArrival, LoggedLeg } from '../../ports/pbx.ts'
import { endOf } from '../causes.ts'

export interface CallEvent {
  readonly type: string
  readonly atMs: AtMs
  readonly leg: string
  /** Q.850; 0 when the event has none. */
  readonly cause: number
  /** The channel that hung up, or the place of the dialplan; empty when the event has none. */
  readonly hungUpBy: string
  readonly caller: string
  /** Extension and context of the dialplan; absent in lines of older configurations. */
  readonly extension: string | undefined
  readonly context: string | undefined
}

/** The start of every line. A second one within a line follows a line that was cut off when Asterisk died. */
const BEGIN = '{"eventtype":'
const LEG_MARK = '"uniqueid":"'
/** The engine and the dialplan refuse calls with these causes of Q.850 alone: unallocated number, congestion. */
const REFUSALS: ReadonlySet<number> = new Set([1, 34])
/** Contexts of `asterisk/dialplan.ts`. */
const FROM_TRUNK = 'from-trunk-'
const NO_ENGINE = 'no-engine'

/** Reads a line about a wanted leg; undefined for other legs and for damaged lines. */
export function readCallEvent(line: string, isWanted: (leg: string) => boolean): CallEvent | undefined {
  // Most lines are about other legs, and are skipped without parsing.
  const markedAt = line.lastIndexOf(LEG_MARK)
  const leg = line.slice(markedAt + LEG_MARK.length, line.indexOf('"', markedAt + LEG_MARK.length))
  if (markedAt < 0 || !isWanted(leg)) return undefined
  const fields = parsed(line.slice(Math.max(0, line.lastIndexOf(BEGIN))))
  const { eventtype: type, eventtime, uniqueid, eventextra, num, exten, context } = fields ?? {}
  const seconds = Number(eventtime)
  if (typeof type !== 'string' || uniqueid !== leg || !Number.isFinite(seconds)) return undefined
  const extra = parsed(String(eventextra))
  const cause = Number(extra?.['hangupcause'] ?? 0)
  return {
    type,
    leg,
    atMs: Math.round(seconds * 1_000),
    cause: Number.isInteger(cause) ? cause : 0,
    hungUpBy: String(extra?.['hangupsource'] ?? ''),
    caller: String(num ?? ''),
    extension: exten === undefined ? undefined : String(exten),
    context: context === undefined ? undefined : String(context),
  }
}

/** A leg by its events, oldest first. Reasons come from Q.850 causes alone. */
export function loggedLegFrom(events: readonly CallEvent[]): LoggedLeg {
  const last = (type: string) => events.findLast((event) => event.type === type)
  const hangUp = last('HANGUP')
  const end = last('CHAN_END') ?? hangUp
  const answered = last('ANSWER')
  const answer = answered && { answeredAtMs: answered.atMs }
  if (!end) return { ...answer }
  const ending = { cause: hangUp?.cause ?? 0, connected: answered !== undefined, hangUpAsked: false }
  return { ...answer, endedAtMs: end.atMs, ...endOf(ending) }
}

/** A call that came in, by the events of its leg, oldest first; undefined for other legs and for refused calls. */
export function loggedArrivalFrom(events: readonly CallEvent[]): LoggedArrival | undefined {
  const [start] = events
  if (start?.type !== 'CHAN_START' || !start.context?.startsWith(FROM_TRUNK) || !start.extension) return undefined
  const { answeredAtMs, endedAtMs } = loggedLegFrom(events)
  const hangUp = events.findLast(({ type }) => type === 'HANGUP')
  if (hangUp && answeredAtMs === undefined && REFUSALS.has(hangUp.cause)) return undefined
  // A caller is named by the channel; when Asterisk itself ended, nobody is.
  const by = hangUp?.hungUpBy.startsWith('PJSIP/') ? 'caller' : hangUp?.hungUpBy ? 'us' : undefined
  return {
    leg: start.leg as LegId,
    ...(start.caller !== '' && { caller: start.caller }),
    called: start.extension,
    arrivedAtMs: start.atMs,
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...(endedAtMs !== undefined && { endedAtMs }),
    ...(by !== undefined && { hungUpBy: by }),
    isApologised: events.some(({ context }) => context === NO_ENGINE),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
