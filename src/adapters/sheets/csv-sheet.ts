/** Rows of a text file: cells separated by commas, semicolons, tabs or bars, in any common encoding. */
import { CsvError, parse } from 'csv-parse/sync'
import type { Charset, SheetFile, SheetReading } from '../../ports/sheets.ts'
import { SheetFault } from './sheet-limits.ts'
import { rowsText, type SheetNotes } from './sheet-notes.ts'
import { SheetRows } from './sheet-rows.ts'

const DELIMITERS = [';', ',', '\t', '|'] as const
/** Lines that are examined to find the separator. */
const SNIFFED_LINES = 20
const SNIFFED_LENGTH = 64 * 1024
/** A quote that is never closed would make one cell of all that follows. */
const RECORD_LENGTH_MAX = 1024 * 1024

/** Reads a text as a table. Throws a `SheetFault` if it is none. */
export function readText({ bytes, charset }: SheetFile): SheetReading & { readonly ok: true } {
  const found = new SheetRows()
  const decoded = charset === undefined ? textOf(bytes, found.notes) : new TextDecoder(charset).decode(bytes)
  if (decoded.includes('\0')) throw new SheetFault('the file is no text and no workbook; save it as .xlsx or CSV')
  // Spreadsheet programs write this line for each other; it is not data.
  const [said = '', named] = /^sep=([^\r\n])\r?\n?/i.exec(decoded) ?? []
  const text = decoded.slice(said.length)
  const delimiter = named ?? delimiterOf(text)
  for (const [place, record] of recordsOf(text, delimiter).entries()) found.add(place + 1, record)
  return { ok: true, kind: 'csv', delimiter, rows: found.rows, warnings: found.notes.lines() }
}

function recordsOf(text: string, delimiter: string): readonly string[][] {
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      // A quote in the middle of a cell is a quote: 5" is a size.
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: RECORD_LENGTH_MAX,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number((error as { lines?: unknown }).lines)
    const where = Number.isSafeInteger(line) ? `near line ${line}` : 'somewhere'
    throw new SheetFault(`a quotation mark ${where} has no second one, so that cells run together; mend it`)
  }
}

/** A byte order mark decides; zero bytes mean UTF-16; text that is not UTF-8 has an older encoding. */
function charsetOf(bytes: Uint8Array): Charset {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const first = bytes.subarray(0, 1_000)
  const zeros = (odd: number) => first.filter((byte, place) => byte === 0 && place % 2 === odd).length
  if (zeros(1) > first.length / 4 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > first.length / 4 && zeros(1) === 0) return 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return isBaltic(bytes) ? 'windows-1257' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const NEW_LINE = 10

/**
 * A text of one encoding; or of two, where somebody joined files: if most lines with other letters than ASCII are
 * UTF-8, then so is the text, and the others are read as what they are.
 */
function textOf(bytes: Uint8Array, notes: SheetNotes): string {
  const charset = charsetOf(bytes)
  if (charset === 'utf-8' || charset.startsWith('utf-16')) return new TextDecoder(charset).decode(bytes)
  const lines: Uint8Array[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, from)
    lines.push(bytes.subarray(from, end < 0 ? bytes.length : end + 1))
    from += lines.at(-1)!.length
  }
  const foreign = lines.map((line) => line.some((byte) => byte > 0x7f))
  const isOlder = lines.map((line, place) => foreign[place] === true && !isUtf8(line))
  const older = isOlder.filter(Boolean).length
  if (older * 2 >= foreign.filter(Boolean).length) return new TextDecoder(charset).decode(bytes)
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const texts = lines.map((line, place) => (isOlder[place] ? mixedText(line, charset) : utf8.decode(line)))
  const where = isOlder.flatMap((is, place) => (is ? [place + 1] : []))
  notes.say(`${rowsText(where, 'line')}: not UTF-8 as the others; read as ${charset}, look at the names there`)
  return texts.join('').replace(/^\ufeff/, '')
}

const UTF8_LETTERS = /((?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+)/

/** What is UTF-8 as that, other bytes as of the older encoding. */
function mixedText(line: Uint8Array, older: Charset): string {
  const [utf8, other] = [new TextDecoder('utf-8'), new TextDecoder(older)]
  const parts = Buffer.from(line).toString('latin1').split(UTF8_LETTERS)
  return parts.map((part, place) => (place % 2 === 1 ? utf8 : other).decode(Buffer.from(part, 'latin1'))).join('')
}

/**
 * š and ž of windows-1257 are ð and þ of windows-1252, which only Icelandic has, where á and í are more frequent than
 * either; in windows-1257 these two places are į and ķ, in hardly any word together with š. Our choice.
 */
function isBaltic(bytes: Uint8Array): boolean {
  const count = (...codes: number[]) => bytes.reduce((sum, byte) => sum + (codes.includes(byte) ? 1 : 0), 0)
  return count(0xf0, 0xfe, 0xd0, 0xde) > count(0xe1, 0xed, 0xc1, 0xcd, 0xf3, 0xfa)
}

/** The character that occurs equally often in most lines, outside quotes; of several the most frequent. */
function delimiterOf(text: string): string {
  const plain = text.slice(0, SNIFFED_LENGTH).replaceAll(/"(?:[^"]|"")*"/g, '')
  const lines = plain
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, SNIFFED_LINES)
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = Math.max(0, ...counts.map((count) => counts.filter((other) => other === count && count > 0).length))
    return { delimiter, usual, all: counts.reduce((sum, count) => sum + count, 0) }
  })
  const [best] = scores.sort((a, b) => b.usual - a.usual || b.all - a.all)
  return best && best.usual > 0 ? best.delimiter : ';'
}
