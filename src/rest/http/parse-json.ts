/** Parses the JSON of a request, and refuses dangerous or inexact input before it becomes a value. */
import { JsonScan } from './scan-json.ts'

/** `why` completes the sentence "the body …". */
type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/** A piece is parsed as a list of its own: the field that the list is in, and how many entries come before. */
interface PieceOfList {
  readonly name: string
  readonly from: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** A byte order mark is valid only at the start. */
const utf8Inside = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** In any spelling; such a key could change an object's prototype (F-I8). */
const PROTO_KEY =
  /(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i
/** PostgreSQL cannot store it in text. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
/** A name of a field may be as long as its body. */
const PLACE_LETTERS_MAX = 100
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/** Bytes parsed without a pause: a few milliseconds. */
const TURN_BYTES = 128 * 1024
const NO_JSON: JsonReading = { ok: false, why: 'is not JSON' }

/** UTF-8, 32 levels, 1,000 keys an object, last duplicate wins (D-05); no NUL, no integer beyond 2^53-1 (F-I7). */
export function readJson(bytes: Uint8Array): JsonReading {
  const scan = new JsonScan(bytes)
  scan.goOn(bytes.length)
  return scan.flaw === undefined ? whole(bytes) : { ok: false, why: scan.flaw }
}

const NO_UTF8: JsonReading = { ok: false, why: 'is not UTF-8' }

/** 16 MiB at once would block 0.1 s: long outermost lists are cut in pieces, valid if and only if the whole is. */
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
      // From after one comma or bracket to the next.
      const text = decoded(utf8Inside, bytes.subarray((edges[index] ?? begin) + 1, edge))
      const list = { name: nameOf(bytes, begin), from: entries.length }
      const piece = text === undefined ? NO_UTF8 : parsed(`[${text}]`, list)
      if (!piece.ok) return piece
      const some = piece.value as readonly unknown[]
      // Two commas in a row; `[]` alone would parse.
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

/** Parses the outermost object with the lists already parsed. */
function around(bytes: Uint8Array, places: JsonScan['lists'], lists: readonly unknown[][]): JsonReading {
  const edges = [-1, ...places.map(({ end }) => end), bytes.length]
  const parts = edges.slice(1).map((_, index) => {
    const part = bytes.subarray((edges[index] ?? 0) + 1, places[index]?.begin ?? bytes.length)
    return decoded(index === 0 ? utf8 : utf8Inside, part)
  })
  if (parts.includes(undefined)) return NO_UTF8
  const flaw = flawOf(parts.join('[]'))
  if (flaw) return flaw
  // Unique marks: a body cannot contain U+0000.
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

function parsed(text: string, list?: PieceOfList): JsonReading {
  return flawOf(text, list) ?? parsedUnchecked(text)
}

function flawOf(text: string, list?: PieceOfList): JsonReading | undefined {
  if (PROTO_KEY.test(text)) return { ok: false, why: 'has a key __proto__; remove it' }
  if (NUL.test(text))
    return { ok: false, why: `has the character U+0000${placeOfNul(text, list)}; remove the character` }
  return undefined
}

/** The name of the field whose list begins there; empty where it is written in an unusual way. */
function nameOf(bytes: Uint8Array, begin: number): string {
  const before = decoded(utf8Inside, bytes.subarray(Math.max(0, begin - PLACE_LETTERS_MAX), begin))
  return /"([^"\\]+)"\s*:\s*$/.exec(before ?? '')?.[1] ?? ''
}

/** ` in callTasks[0].callReceiverName`; nothing if the text is not JSON. */
function placeOfNul(text: string, { name, from }: PieceOfList = { name: '', from: 0 }): string {
  const reading = parsedUnchecked(text)
  const place = reading.ok ? nulIn(reading.value, from) : undefined
  if (place === undefined || place === '') return ''
  return ` in ${`${name}${place}`.replace(/^\./, '').slice(0, PLACE_LETTERS_MAX)}`
}

/** The first string with it, as a path; the name of a field with it is not repeated. */
function nulIn(value: unknown, from = 0): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('\0')) return '.the name of a field'
    const place = nulIn(inner)
    if (place !== undefined) return `${Array.isArray(value) ? `[${Number(name) + from}]` : `.${name}`}${place}`
  }
  return undefined
}

function parsedUnchecked(text: string): JsonReading {
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value: ESCAPED_SURROGATE.test(text) ? wellFormed(value) : value }
  } catch {
    // The parser's message would repeat untrusted text.
    return NO_JSON
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]))
}
