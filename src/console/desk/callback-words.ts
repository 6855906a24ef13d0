/**
 * Reads when to call back, in plain words, English or Danish: "mon 14", "tomorrow 9:30", "in 2 h", "i morgen kl. 10",
 * "14/12 9.30". Pure. What was understood is shown before it is saved, so the nearest time is taken: "mon" on a Monday
 * is today if the time is still to come.
 */
import { daysLater, instantOf, isDay, type Wall, wallAt, weekdayOf } from './zone-time.ts'

/** `noTime`: a day without a time of day. */
export type Understood =
  | { readonly ok: true; readonly atMs: number }
  | { readonly ok: false; readonly why: 'empty' | 'unknown' | 'noTime' | 'past' | 'tooFar' }

type Day =
  | { readonly kind: 'later'; readonly days: number }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'date'; readonly year: number | undefined; readonly month: number; readonly day: number }

interface Said {
  day?: Day
  time?: { readonly hour: number; readonly minute: number }
  waitMs?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const YEAR_MS = 366 * 24 * HOUR_MS

const FILLERS = new Set([
  'at',
  'on',
  'the',
  'kl',
  'kl.',
  'klokken',
  'den',
  'd.',
  'på',
  'of',
  'and',
  'og',
  'an',
  'a',
  'en',
  'et',
])
const DAYS: Readonly<Record<string, number>> = { today: 0, idag: 0, tomorrow: 1, tmr: 1, imorgen: 1, iovermorgen: 2 }
const WEEKDAYS = [
  /^(sun(day)?|s[øo]n(dag)?)$/,
  /^(mon(day)?|man(dag)?)$/,
  /^(tue(s(day)?)?|tir(s(dag)?)?)$/,
  /^(wed(nesday)?|ons(dag)?)$/,
  /^(thu(r(s(day)?)?)?|tor(s(dag)?)?)$/,
  /^(fri(day)?|fre(dag)?)$/,
  /^(sat(urday)?|l[øo]r(dag)?)$/,
]
const MONTHS = 'jan feb mar apr ma[yj] jun jul aug sep o[ck]t nov dec'
  .split(' ')
  .map((start) => new RegExp(`^${start}`))
const MONTH_NAME = new RegExp(
  '^(jan(uary?)?|feb(ruary?)?|mar(ch|ts)?|apr(il)?|ma[yj]|jun[ei]?|jul[yi]?|' +
    'aug(ust)?|sept?(ember)?|o[ck]t(ober)?|nov(ember)?|dec(ember)?)$',
)
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(m|mins?|minutes?|minut(ter)?)$/, MINUTE_MS],
  [/^(h|hrs?|hours?|t|timer?)$/, HOUR_MS],
]
const LONG_UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(d|days?|dage?)$/, 1],
  [/^(w|weeks?|uger?)$/, 7],
]

/** Reads `text` as somebody in `zone` means it at `nowMs`. */
export function callbackAt(text: string, nowMs: number, zone: string): Understood {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return { ok: false, why: 'empty' }
  const said = isWait(tokens[0]!) ? readWait(tokens.slice(1)) : readDate(tokens)
  return said ? resolve(said, nowMs, zone) : { ok: false, why: 'unknown' }
}

function tokensOf(text: string): string[] {
  const joined = text
    .toLowerCase()
    .replaceAll(/,(?!\d)|;/g, ' ')
    .replaceAll(/\bday after tomorrow\b/g, 'iovermorgen')
    .replaceAll(/\bi (dag|morgen|overmorgen)\b/g, 'i$1')
    .replaceAll(/(\d)\s*(am|pm)\b/g, '$1$2')
  return joined.split(/\s+/).filter((token) => token !== '')
}

function isWait(token: string): boolean {
  return token === 'in' || token === 'om'
}

/** "2 h", "1 h 30 min", "en halv time", "3 days 14". */
function readWait(tokens: readonly string[]): Said | undefined {
  const said: Said = {}
  const rest = tokens
    .filter((token) => !FILLERS.has(token) || countOf(token) !== undefined)
    .flatMap((token) => token.match(/^(\d+(?:[.,]\d+)?)([a-zæøå]+)$/)?.slice(1) ?? [token])
  let place = 0
  while (place < rest.length) {
    const count = countOf(rest[place]!)
    const isHalfOf = count === 1 && /^hal[vf]$/.test(rest[place + 1] ?? '')
    const at = place + (isHalfOf ? 2 : 1)
    const unit = FILLERS.has(rest[at] ?? '') ? (rest[at + 1] ?? '') : (rest[at] ?? '')
    const amount = isHalfOf ? 0.5 : count
    const short = UNITS.find(([word]) => word.test(unit))
    const long = LONG_UNITS.find(([word]) => word.test(unit))
    if (amount !== undefined && short) said.waitMs = (said.waitMs ?? 0) + amount * short[1]
    else if (amount !== undefined && long && Number.isInteger(amount) && !said.day && said.waitMs === undefined) {
      said.day = { kind: 'later', days: amount * long[1] }
    } else {
      const time = said.day && !said.time && place === rest.length - 1 ? timeOf(rest[place]!) : undefined
      if (!time) return undefined
      said.time = time
      return said
    }
    place = rest.indexOf(unit, at) + 1
  }
  return said.day || said.waitMs !== undefined ? said : undefined
}

function countOf(token: string): number | undefined {
  if (/^(an?|en|et|one)$/.test(token)) return 1
  if (/^hal[vf]$/.test(token)) return 0.5
  return /^\d{1,4}([.,]\d)?$/.test(token) ? Number(token.replace(',', '.')) : undefined
}

/** Days and times in either order. */
function readDate(tokens: readonly string[]): Said | undefined {
  const said: Said = {}
  const words = tokens.filter((token) => !FILLERS.has(token))
  for (let place = 0; place < words.length; place++) {
    const word = words[place]!
    const isTwo = MONTH_NAME.test(word) !== MONTH_NAME.test(words[place + 1] ?? '')
    const named = isTwo ? namedDate(word, words[place + 1] ?? '') : undefined
    const day = named ?? dayOf(word, words.length > 1 && (said.time !== undefined || place < words.length - 1))
    if (day) {
      // "mon 14/12" names the day twice; the date is more exact.
      if (said.day && said.day.kind !== 'weekday') return undefined
      if (named) place++
      const year = day.kind === 'date' && day.year === undefined ? yearIn(words[place + 1]) : undefined
      said.day = year === undefined ? day : Object.assign({}, day, { year })
      if (year !== undefined) place++
      continue
    }
    const time = timeOf(word)
    if (!time || said.time) return undefined
    said.time = time
  }
  return said.day || said.time ? said : undefined
}

/** Of "14 dec 2026": whoever means 20:26 writes it so. */
function yearIn(word = ''): number | undefined {
  return /^20\d\d$/.test(word) ? Number(word) : undefined
}

/** "14 dec", "dec 14". */
function namedDate(first: string, second: string): Day | undefined {
  const [name, number] = MONTH_NAME.test(first) ? [first, second] : [second, first]
  if (!/^\d{1,2}(\.|st|nd|rd|th)?$/.test(number)) return undefined
  const month = MONTHS.findIndex((start) => start.test(name)) + 1
  return { kind: 'date', year: undefined, month, day: Number.parseInt(number, 10) }
}

/** `isBesideTime`: "14.12" is a date beside a time, else a time. */
function dayOf(word: string, isBesideTime: boolean): Day | undefined {
  const days = DAYS[word]
  if (days !== undefined) return { kind: 'later', days }
  const weekday = WEEKDAYS.findIndex((name) => name.test(word.replace(/\.$/, '')))
  if (weekday >= 0) return { kind: 'weekday', weekday }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word)
  if (iso) return { kind: 'date', year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const slashed = /^(\d{1,2})([/.-])(\d{1,2})(?:[/.-](\d{4}))?\.?$/.exec(word)
  if (!slashed || (slashed[2] === '.' && !slashed[4] && !isBesideTime && !word.endsWith('.'))) return undefined
  const [, day, , month, year] = slashed
  return { kind: 'date', year: year === undefined ? undefined : Number(year), month: Number(month), day: Number(day) }
}

function timeOf(word: string): Said['time'] {
  if (word === 'noon' || word === 'middag') return { hour: 12, minute: 0 }
  const found = /^(\d{1,2})(?:[:.]?(\d{2}))?(am|pm)?$/.exec(word)
  if (!found) return undefined
  const [, hours, minutes = '0', half] = found
  const hour = Number(hours)
  const minute = Number(minutes)
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined
  return { hour: half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0), minute }
}

function resolve({ day, time, waitMs }: Said, nowMs: number, zone: string): Understood {
  if (waitMs !== undefined) return judged(nowMs + waitMs, nowMs)
  const now = wallAt(nowMs, zone)
  const at = (wall: Wall) => instantOf(time ? { ...wall, ...time } : wall, zone)
  if (!day) return judged([0, 1].map((days) => at(daysLater(now, days))).find((one) => one > nowMs)!, nowMs)
  if (day.kind === 'later' && day.days > 2) return judged(at(daysLater(now, day.days)), nowMs)
  if (!time) return { ok: false, why: 'noTime' }
  if (day.kind === 'later') return judged(at(daysLater(now, day.days)), nowMs)
  if (day.kind === 'weekday') {
    const days = (day.weekday - weekdayOf(now) + 7) % 7
    return judged([days, days + 7].map((later) => at(daysLater(now, later))).find((one) => one > nowMs)!, nowMs)
  }
  return resolveDate(day, { ...now, ...time }, nowMs, zone)
}

/** Without a year: the next time that the calendar shows this day. */
function resolveDate(
  { year, month, day }: Extract<Day, { kind: 'date' }>,
  wall: Wall,
  nowMs: number,
  zone: string,
): Understood {
  const years = year === undefined ? [wall.year, wall.year + 1] : [year]
  const days = years.map((each) => ({ ...wall, year: each, month, day })).filter(isDay)
  if (days.length === 0) return { ok: false, why: 'unknown' }
  const instants = days.map((each) => instantOf(each, zone))
  return judged(instants.find((one) => one > nowMs) ?? instants[0]!, nowMs)
}

function judged(atMs: number, nowMs: number): Understood {
  if (atMs <= nowMs) return { ok: false, why: 'past' }
  return atMs - nowMs > YEAR_MS ? { ok: false, why: 'tooFar' } : { ok: true, atMs }
}
