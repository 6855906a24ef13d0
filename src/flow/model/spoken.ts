/**
 * How values are said, in words that a speech engine reads right. English is written out here; other languages
 * come from Intl. What is no such value is undefined: the step fails rather than saying "NaN".
 */
import { readWallTime } from './date-text.ts'

/** Longer entries are not case numbers, and no caller listens to them. */
const DIGITS_MAX = 64
/** Beyond this, doubles no longer hold cents exactly. */
const AMOUNT_MAX = 1e12

/** One and many of the unit, then of its hundredth part. */
const ENGLISH_MONEY: Readonly<Record<string, readonly [string, string, string, string]>> = {
  EUR: ['euro', 'euros', 'cent', 'cents'],
  USD: ['dollar', 'dollars', 'cent', 'cents'],
  GBP: ['pound', 'pounds', 'penny', 'pence'],
  DKK: ['krone', 'kroner', 'øre', 'øre'],
  SEK: ['krona', 'kronor', 'öre', 'öre'],
  NOK: ['krone', 'kroner', 'øre', 'øre'],
  CHF: ['franc', 'francs', 'centime', 'centimes'],
  PLN: ['zloty', 'zlotys', 'grosz', 'groszy'],
}

const ENGLISH_SIGNS: Readonly<Record<string, string>> = { '+': 'plus', '#': 'hash', '*': 'star', '/': 'slash' }

/**
 * One by one with a pause after each: `4711` → `4, 7, 1, 1`. Spaces and dashes only group and are not said.
 * A text without any digit (`unknown`) is said as it stands: our choice, so that a default can be a word.
 */
export function spokenDigits(value: unknown, language: string): string | undefined {
  const isCode = typeof value === 'string' || (Number.isSafeInteger(value) && (value as number) >= 0)
  const text = isCode ? String(value).trim() : ''
  if (text === '' || text.length > DIGITS_MAX) return undefined
  if (!/\d/.test(text)) return text
  const signs = [...text.replace(/[\s-]/g, '')]
  return signs.map((sign) => (isEnglish(language) ? (ENGLISH_SIGNS[sign] ?? sign) : sign)).join(', ')
}

/**
 * What `spokenDigits` says, sign by sign: `4, 7, 1` → `4,` `7,` `1`. A sound for each sign serves all callers; one for
 * each case number would serve one of them. Other texts stay whole.
 */
export function signsApart(text: string): readonly string[] {
  const parts = text.split(/(?<=,) /)
  return parts.every((part) => isSign(part.replace(/,$/, ''))) ? parts : [text]
}

/** `-1234.5` → `minus 1234.5`; without grouping, which speech engines read in different ways. */
export function spokenNumber(value: unknown, language: string): string | undefined {
  const number = readNumber(value)
  if (number === undefined) return undefined
  const format = numberFormat(language, { useGrouping: false, maximumFractionDigits: 6 })
  return isEnglish(language) && number < 0 ? `minus ${format.format(-number)}` : format.format(number)
}

/** `120.5`, EUR → `120 euros and 50 cents`. Half a cent is rounded away from zero. */
export function spokenMoney(value: unknown, currency: string, language: string): string | undefined {
  const amount = readNumber(value)
  if (amount === undefined || !isCurrency(currency)) return undefined
  const words = isEnglish(language) ? ENGLISH_MONEY[currency] : undefined
  if (!words)
    return plainSpaces(numberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' }).format(amount))
  const hundredths = Math.round(Number((Math.abs(amount) * 100).toPrecision(15)))
  const [whole, part] = [Math.floor(hundredths / 100), hundredths % 100]
  const wholeText = `${whole} ${whole === 1 ? words[0] : words[1]}`
  const partText = `${part} ${part === 1 ? words[2] : words[3]}`
  const said = part === 0 ? wholeText : whole === 0 ? partText : `${wholeText} and ${partText}`
  return amount < 0 && hundredths > 0 ? `minus ${said}` : said
}

/** `2026-03-02T…` → `March 2nd, 2026`. */
export function spokenDate(value: unknown, language: string, timeZone?: string): string | undefined {
  const wall = readWallTime(value, timeZone)
  if (!wall) return undefined
  if (!isEnglish(language)) return plainSpaces(dateFormat(language, { dateStyle: 'long' }).format(wall.utcMs))
  const date = new Date(wall.utcMs)
  const month = dateFormat('en', { month: 'long' }).format(wall.utcMs)
  return `${month} ${ordinal(date.getUTCDate())}, ${date.getUTCFullYear()}`
}

/** As written in a text message: `€120.50`, in the customs of the language. */
export function writtenMoney(value: unknown, currency: string, language: string): string | undefined {
  const amount = readNumber(value)
  if (amount === undefined || !isCurrency(currency)) return undefined
  return plainSpaces(numberFormat(language, { style: 'currency', currency }).format(amount))
}

/** As written in a text message: `Mar 2, 2026`. */
export function writtenDate(value: unknown, language: string, timeZone?: string): string | undefined {
  const wall = readWallTime(value, timeZone)
  return wall && plainSpaces(dateFormat(language, { dateStyle: 'medium' }).format(wall.utcMs))
}

/** As written in a text message: `10:00 AM`. A date without a time has none. */
export function writtenTime(value: unknown, language: string, timeZone?: string): string | undefined {
  const wall = readWallTime(value, timeZone)
  return wall?.hasTime ? plainSpaces(dateFormat(language, { timeStyle: 'short' }).format(wall.utcMs)) : undefined
}

/** Whether ISO 4217 knows the code, as far as Intl does. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A finite number, also as text (`"120.50"`), as services like to send amounts. */
function readNumber(value: unknown): number | undefined {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value))
  const number = isNumeric ? Number(value) : Number.NaN
  return Math.abs(number) <= AMOUNT_MAX ? number : undefined
}

function isSign(text: string): boolean {
  return [...text].length === 1 || Object.values(ENGLISH_SIGNS).includes(text)
}

function isEnglish(language: string): boolean {
  return /^en\b/i.test(language)
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`
}

/** Intl puts no-break spaces into amounts; one of them would turn a text message into UCS-2. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

// `en` after the wanted language: without it an unknown language would follow the machine's own locale.
function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  return kept(numberFormats, key, () => new Intl.NumberFormat([language, 'en'], options))
}

function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  return kept(dateFormats, key, () => new Intl.DateTimeFormat([language, 'en'], { ...options, timeZone: 'UTC' }))
}

/** Languages, currencies and styles come from flow files: there are few, and each formatter is made once. */
function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const made = cache.get(key) ?? make()
  cache.set(key, made)
  return made
}
