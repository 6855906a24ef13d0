/** Reads the JSON of a request: what would be dangerous or silently wrong is refused before it becomes a value. */
import { JsonScan } from './scan-json.ts'

/** The value, or what is wrong with the text, as the end of "the body …". */
export type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** In the middle of a text a byte order mark is no mark, and no JSON. */
const utf8Inside = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Whatever its spelling; a key of this name could change the nature of an object (F-I8). */
const PROTO_KEY =
  /(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i
/** PostgreSQL has no place for it in a text. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** About as long as a turn of a large body takes: a few milliseconds. */
const TURN_BYTES = 128 * 1024
const NO_JSON: JsonReading = { ok: false, why: 'is not JSON' }

/**
 * Reads a body (D-05): UTF-8, at most 32 levels, at most 1,000 keys in an object; of keys given twice the last stands.
 * Refused are whole numbers beyond 2^53-1, which would be rounded (F-I7), and NUL. Half a surrogate pair, which no
 * encoding can hold, becomes U+FFFD.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  const scan = new JsonScan(bytes)
  scan.goOn(bytes.length)
  return scan.flaw === undefined ? whole(bytes) : { ok: false, why: scan.flaw }
}

const NO_UTF8: JsonReading = { ok: false, why: 'is not UTF-8' }

/**
 * The same for a large body, with pauses in which others have a turn: 16 MiB at once would stop everything for longer
 * than a tenth of a second. Long lists of the outermost object are read in pieces, cut between two entries; the pieces
 * and what is around the lists are JSON if, and only if, the whole is. Large bodies of other forms are read at once.
 */
export async function readJsonInTurns(
  bytes: Uint8Array,
  pause: () => Promise<void>,
  turnBytes = TURN_BYTES,
): Promise<JsonReading> {
  const scan = new JsonScan(bytes, turnBytes)
  while (scan.goOn(turnBytes)) await pause()
  if (scan.flaw !== undefined) return { ok: false, why: scan.flaw }
  if (scan.lists.length === 0) return whole(bytes)
  const lists: unknown[][] = []
  for (const { begin, cuts, end } of scan.lists) {
    const entries: unknown[] = []
    const edges = [begin, ...cuts, end]
    for (const [index, edge] of edges.slice(1).entries()) {
      await pause()
      // From behind one comma or bracket up to the next one.
      const text = decoded(utf8Inside, bytes.subarray((edges[index] ?? begin) + 1, edge))
      const piece = text === undefined ? NO_UTF8 : parsed(`[${text}]`)
      if (!piece.ok) return piece
      const some = piece.value as readonly unknown[]
      // Two commas with nothing between them; by itself nothing is a list as well.
      if (some.length === 0) return NO_JSON
      for (const entry of some) entries.push(entry)
    }
    lists.push(entries)
  }
  return around(bytes, scan.lists, lists)
}

function whole(bytes: Uint8Array): JsonReading {
  const text = decoded(utf8, bytes)
  return text === undefined ? NO_UTF8 : parsed(text)
}

/** The outermost object, each list of which stands for a part of the text. */
function around(bytes: Uint8Array, places: JsonScan['lists'], lists: readonly unknown[][]): JsonReading {
  const edges = [-1, ...places.map(({ end }) => end), bytes.length]
  const parts = edges.slice(1).map((_, index) => {
    const part = bytes.subarray((edges[index] ?? 0) + 1, places[index]?.begin ?? bytes.length)
    return decoded(index === 0 ? utf8 : utf8Inside, part)
  })
  if (parts.includes(undefined)) return NO_UTF8
  const flaw = flawOf(parts.join('[]'))
  if (flaw) return flaw
  // Nobody can send such a text: U+0000 has just been refused.
  const marked = parts.map((part, index) => (index === 0 ? part : `"\\u0000${index - 1}"${part}`)).join('')
  const reading = parsedUnchecked(marked)
  if (!reading.ok) return reading
  const fields = Object.entries(reading.value as object).map(([name, value]: [string, unknown]) => {
    const isMark = typeof value === 'string' && value.startsWith('\u0000')
    return [name, isMark ? lists[Number(value.slice(1))] : value] as const
  })
  return { ok: true, value: Object.fromEntries(fields) }
}

function decoded(decoder: typeof utf8, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): JsonReading {
  return flawOf(text) ?? parsedUnchecked(text)
}

function flawOf(text: string): JsonReading | undefined {
  if (PROTO_KEY.test(text)) return { ok: false, why: 'has a key __proto__; no field has this name' }
  if (NUL.test(text)) return { ok: false, why: 'has a text with the character U+0000; leave it out' }
  return undefined
}

function parsedUnchecked(text: string): JsonReading {
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value: ESCAPED_SURROGATE.test(text) ? wellFormed(value) : value }
  } catch {
    // The parser's own message repeats a part of the text, which may be anything.
    return NO_JSON
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]))
}
