/** Scans JSON bytes without parsing: depth, keys, long numbers, and where long lists can be cut. */

/** D-05. `JSON.parse` accepts 200,000 levels. */
const DEPTH_MAX = 32
/** Per object. No record has as many fields, and large objects need far more memory than their bytes. */
const KEYS_MAX = 1_000
/** Integers of up to 15 digits are always exact. */
const EXACT_DIGITS = 15

const utf8 = new TextDecoder()
const [QUOTE, BACKSLASH, COLON, MINUS, POINT, COMMA] = [0x22, 0x5c, 0x3a, 0x2d, 0x2e, 0x2c]
const [OPEN_LIST, OPEN_MAP, CLOSE_LIST, CLOSE_MAP] = [0x5b, 0x7b, 0x5d, 0x7d]

/** A long list in the outermost object: byte positions of its brackets and of commas between entries. */
interface LongList {
  readonly begin: number
  readonly cuts: readonly number[]
  readonly end: number
}

/** One pass in any number of steps. Does not detect malformed JSON; the parser does. */
export class JsonScan {
  /** The first fault, as the end of "the body …"; the scan stops there. */
  flaw: string | undefined
  readonly #bytes: Uint8Array
  /** Minimum bytes between two cuts. */
  readonly #pieceBytes: number
  readonly #lists: LongList[] = []
  /** Keys so far of each enclosing object or list, outermost first. */
  readonly #keys: number[] = []
  #at = 0
  #isObject = false
  #begin = -1
  #cuts: number[] = []

  constructor(bytes: Uint8Array, pieceBytes = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes
    this.#pieceBytes = pieceBytes
  }

  /** Lists that can be cut; complete at the end of the scan. */
  get lists(): readonly LongList[] {
    return this.#lists
  }

  /** Scans about `bytesMax` more bytes; false at the end. */
  goOn(bytesMax: number): boolean {
    const bytes = this.#bytes
    const end = Math.min(bytes.length, this.#at + bytesMax)
    let at = this.#at
    for (; at < end && this.flaw === undefined; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) at = endOfText(bytes, at)
      else if (byte === OPEN_MAP || byte === OPEN_LIST) this.#open(byte, at)
      else if (byte === CLOSE_MAP || byte === CLOSE_LIST) this.#close(byte, at)
      else if (byte === COLON) this.#countKey()
      else if (byte === COMMA) {
        if (this.#begin >= 0 && this.#keys.length === 2) this.#cut(at)
      } else if (isDigit(byte) || byte === MINUS) {
        const after = endOfNumber(bytes, at)
        this.flaw = flawOfNumber(bytes, at, after)
        at = after - 1
      }
    }
    this.#at = at
    return this.flaw === undefined && at < bytes.length
  }

  #open(byte: number, at: number): void {
    const depth = this.#keys.push(0)
    if (depth > DEPTH_MAX) this.flaw = `is nested deeper than ${DEPTH_MAX} levels`
    if (depth === 1) this.#isObject = byte === OPEN_MAP
    if (depth !== 2) return
    this.#begin = this.#isObject && byte === OPEN_LIST ? at : -1
    this.#cuts = []
  }

  #close(byte: number, at: number): void {
    const depth = this.#keys.length
    this.#keys.pop()
    if (depth !== 2) return
    // The parser refuses a list with a wrong closing bracket.
    if (this.#cuts.length > 0 && byte === CLOSE_LIST) {
      this.#lists.push({ begin: this.#begin, cuts: this.#cuts, end: at })
    }
    this.#begin = -1
    this.#cuts = []
  }

  #cut(at: number): void {
    if (at - (this.#cuts.at(-1) ?? this.#begin) >= this.#pieceBytes) this.#cuts.push(at)
  }

  #countKey(): void {
    const keys = this.#keys
    if (keys.length === 0) return
    const count = ++keys[keys.length - 1]!
    if (count > KEYS_MAX) this.flaw = `has an object with more than ${KEYS_MAX} keys`
  }
}

const INEXACT = 'has an integer that cannot be stored exactly; send one below 2^53'

function flawOfNumber(bytes: Uint8Array, at: number, end: number): string | undefined {
  if (end - at > EXACT_DIGITS && !isExact(bytes, at, end)) return INEXACT
  return isFiniteNumber(bytes, at, end) ? undefined : 'has a number that is too large'
}

/** The position of the closing quote, or the end of the bytes. */
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

/** Fractions may be rounded; integers are ids and must be exact. */
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
