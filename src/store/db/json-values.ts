/** Writes stored values as JSON text. */
import { types } from 'pg'
import type { NamedColumn, Shown } from './json-rows.ts'

/** From the text in which the database sends a value; null never gets here. */
type WriteValue = (text: string) => string

const { BOOL, INT2, INT4, INT8, JSON: JSON_TEXT, JSONB } = types.builtins
const asItIs: WriteValue = (text) => text
/** Type of the database (OID) → how it is written; every other type is a text. */
const BY_TYPE: Readonly<Record<number, WriteValue>> = {
  [BOOL]: (text) => (text === 't' ? 'true' : 'false'),
  [INT2]: asItIs,
  [INT4]: asItIs,
  [INT8]: asItIs,
  [JSON_TEXT]: asItIs,
  [JSONB]: asItIs,
}

/** The writer of a column of this type. */
export function writerOf({ as }: Pick<NamedColumn, 'as'>, type: number): WriteValue {
  if (as === 'instant') return instantWriter()
  if (as === 'seconds') return (text) => String(Math.round(Number(text) / 1_000))
  return as === undefined ? (BY_TYPE[type] ?? JSON.stringify) : codeWriter(as)
}

const MINUTE_MS = 60_000

/** ISO 8601. Instants of one page mostly share their minute, which is written once. */
function instantWriter(): WriteValue {
  let lastMinute = Number.NaN
  let upToMinute = ''
  return (text) => {
    const atMs = Number(text)
    const minute = Math.floor(atMs / MINUTE_MS)
    if (minute !== lastMinute) {
      lastMinute = minute
      upToMinute = new Date(minute * MINUTE_MS).toISOString().slice(0, -'00.000Z'.length)
    }
    // 1, two digits of seconds, three of milliseconds.
    const rest = String(100_000 + atMs - minute * MINUTE_MS)
    return `"${upToMinute}${rest.slice(1, 3)}.${rest.slice(3)}Z"`
  }
}

function codeWriter(codes: Exclude<Shown, string | undefined>): WriteValue {
  const written = new Map(Object.entries(codes).map(([word, code]) => [word, JSON.stringify(code)]))
  return (text) => written.get(text) ?? 'null'
}
