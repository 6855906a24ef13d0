import type { ActivityId, CallId, PhoneNumber } from '../kernel/ids.ts'
import { maskNumber } from '../kernel/log.ts'
import type { CallClue, FoundCall } from '../store/calls/find-calls.ts'

const MINUTE_MS = 60_000
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d$/

/**
 * What the argument of `call show` names: `67` an activity, `+4520123456` a number, `2026-11-22T10:15` a minute (UTC),
 * anything else the call itself.
 */
export function readClue(text: string): CallClue | { readonly by: 'call'; readonly call: CallId } {
  if (/^\d{1,15}$/.test(text)) return { by: 'activity', id: Number(text) as ActivityId }
  if (/^\+\d{5,15}$/.test(text)) return { by: 'number', number: text as PhoneNumber }
  if (!TIME.test(text)) return { by: 'call', call: text as CallId }
  const fromMs = Date.parse(`${text.replace(' ', 'T')}:00Z`)
  return { by: 'time', fromMs, toMs: fromMs + MINUTE_MS }
}

/** One call in a list. */
export function callLine(found: FoundCall, showsNumbers: boolean): string {
  const { call, activity, direction, caller, called, createdAtMs, endedAtMs, result } = found
  const shown = (number: string) => (showsNumbers ? number : maskNumber(number)) || 'withheld'
  const began = new Date(createdAtMs).toISOString().slice(0, 19).replace('T', ' ')
  const lasted = endedAtMs === null ? 'still up' : `${Math.round((endedAtMs - createdAtMs) / 1_000)} s`
  const end = result ?? (endedAtMs === null ? '' : 'not answered')
  const facts = [`${began} UTC`, direction, `${shown(caller)} → ${shown(called)}`, lasted, end, `activity ${activity}`]
  return [...facts.filter((fact) => fact !== '' && fact !== 'activity null'), call].join('  ')
}
