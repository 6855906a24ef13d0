/** What calls are said to be, in words: results, people, lengths and times. */
import type { AnswerOf } from '../../client/request.ts'
import { fill, type Language, LOCALES } from '../texts/catalogue.ts'
import type { CALLS_TEXTS } from './calls-texts.ts'

/** One call of the list; the page of a call has the same. */
export type Call = AnswerOf<'GET /svcems/calls'>['calls'][number]

export type CallsTexts = (typeof CALLS_TEXTS)['en']

/** Results of attempts by the number that the list of calls filters by. */
export const RESULTS = {
  1: 'answered',
  2: 'noAnswer',
  3: 'busy',
  4: 'voicemail',
  5: 'dropped',
  6: 'lost',
  7: 'failed',
  8: 'invalidNumber',
  9: 'rejected',
  10: 'cancelled',
  11: 'blocked',
  12: 'unknown',
} as const satisfies Readonly<Record<number, keyof CallsTexts>>

interface Said {
  readonly words: string
  readonly icon: 'check' | 'cross' | 'dash'
  /** Of a colour; absent: as other text of the second rank. */
  readonly tone?: 'talking' | 'loss'
}

/** How a call went: the result of its attempt; of callers, who took the call. */
export function resultOf({ result, startTs, agent }: Call, texts: CallsTexts): Said {
  const known = RESULTS[result as keyof typeof RESULTS]
  if (known === 'answered' || (!known && agent)) return { words: texts.answered, icon: 'check', tone: 'talking' }
  // A caller who was let go, or a connection that broke: what nobody wanted.
  if (known === 'dropped' || known === 'lost') return { words: texts[known], icon: 'cross', tone: 'loss' }
  if (known) return { words: texts[known], icon: 'dash' }
  return startTs === null ? { words: texts.notTaken, icon: 'dash' } : { words: texts.byFlow, icon: 'check' }
}

/** The number of the other side. */
export function otherSide({ direction, callNumber, calledNumber }: Call): string {
  return direction === 1 ? callNumber : calledNumber
}

/** `3:07`, or `1:03:07`. */
export function length(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const tail = String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** The same for those who hear it: `3 minutes, 7 seconds`. */
export function spokenLength(seconds: number, texts: CallsTexts): string {
  return fill(texts.spokenLength, { minutes: Math.floor(seconds / 60), seconds: Math.floor(seconds) % 60 })
}

type Style = 'dateTime' | 'time'

const STYLES: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
}
const formats = new Map<string, Intl.DateTimeFormat>()

/** A time of the node in the zone of this browser; `–` where there is none. */
export function timeOf(instant: string | null, language: Language, style: Style): string {
  if (instant === null) return '–'
  const key = `${language} ${style}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(LOCALES[language], STYLES[style])
  formats.set(key, known)
  return known.format(new Date(instant))
}

/** The zone of this browser, such as `Europe/Copenhagen`. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
