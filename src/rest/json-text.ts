/** Reads the JSON of a request: what would be dangerous or silently wrong is refused before it becomes a value. */

/** The value, or what is wrong with the text, as the end of "the body …". */
export type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/** D-05. Node itself parses 200,000 levels without complaint. */
const DEPTH_MAX = 32
/** Of one object. No record has as many fields; objects beyond it cost far more than their bytes. */
const KEYS_MAX = 1_000
/** Whole numbers of fewer digits are always exact. */
const EXACT_DIGITS = 15

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Whatever its spelling; a key of this name could change the nature of an object (F-I8). */
const PROTO_KEY =
  /(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i
/** PostgreSQL has no place for it in a text. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * Reads a body (D-05): UTF-8, at most 32 levels, at most 1,000 keys in an object; of keys given twice the last stands.
 * Refused are whole numbers beyond 2^53-1, which would be rounded (F-I7), and NUL. Half a surrogate pair, which no
 * encoding can hold, becomes U+FFFD.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  const flaw = flawOf(bytes)
  if (flaw !== undefined) return { ok: false, why: flaw }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { ok: false, why: 'is not UTF-8' }
  }
  if (PROTO_KEY.test(text)) return { ok: false, why: 'has a key __proto__; no field has this name' }
  if (NUL.test(text)) return { ok: false, why: 'has a text with the character U+0000; leave it out' }
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value: ESCAPED_SURROGATE.test(text) ? wellFormed(value) : value }
  } catch {
    // The parser's own message repeats a part of the text, which may be anything.
    return { ok: false, why: 'is not JSON' }
  }
}

const [QUOTE, BACKSLASH, COLON, MINUS, POINT] = [0x22, 0x5c, 0x3a, 0x2d, 0x2e]
const [OPEN_LIST, OPEN_MAP, CLOSE_LIST, CLOSE_MAP] = [0x5b, 0x7b, 0x5d, 0x7d]

/** One pass over the bytes, without making anything: brackets, keys and long numbers. Faulty JSON passes. */
function flawOf(bytes: Uint8Array): string | undefined {
  const keys: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === OPEN_MAP || byte === OPEN_LIST) {
      if (keys.push(0) > DEPTH_MAX) return `is nested deeper than ${DEPTH_MAX} levels`
    } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) keys.pop()
    else if (byte === COLON && keys.length > 0) {
      const count = ++keys[keys.length - 1]!
      if (count > KEYS_MAX) return `has an object with more than ${KEYS_MAX} keys`
    } else if (isDigit(byte) || byte === MINUS) {
      const end = endOfNumber(bytes, at)
      if (end - at > EXACT_DIGITS && !isExact(bytes, at, end)) return 'has a number that cannot be held exactly'
      if (!isFiniteNumber(bytes, at, end)) return 'has a number that is too large'
      at = end - 1
    }
  }
  return undefined
}

/** The place of the closing quote; the end of the bytes where there is none. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    at = bytes.indexOf(QUOTE, at)
    if (at < 0) return bytes.length
    let backslashes = 0
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && isOfNumber(bytes[at]!)) at++
  return at
}

/** Fractions may be rounded, as everybody expects of them; whole numbers are names of things. */
function isExact(bytes: Uint8Array, start: number, end: number): boolean {
  const number = bytes.subarray(start, end)
  if (number.includes(POINT) || number.some(isExponent)) return true
  return Number.isSafeInteger(Number(utf8.decode(number)))
}

function isFiniteNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const number = bytes.subarray(start, end)
  return (end - start < 300 && !number.some(isExponent)) || Number.isFinite(Number(utf8.decode(number)))
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45
}

function isOfNumber(byte: number): boolean {
  return isDigit(byte) || isExponent(byte) || byte === POINT || byte === MINUS || byte === 0x2b
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]))
}
