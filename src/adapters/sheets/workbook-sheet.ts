/** Rows of a workbook: .xlsx (Office Open XML) or .ods (OpenDocument). Formulas are read as their last result. */
import type { SheetFile, SheetReading } from '../../ports/sheets.ts'
import { odsMarks } from './ods-marks.ts'
import { ROWS_MAX, SheetFault } from './sheet-limits.ts'
import type { SheetMarks } from './sheet-marks.ts'
import { SheetRows } from './sheet-rows.ts'
import { xlsxMarks } from './xlsx-marks.ts'
import { type ZipEntry, zipEntries } from './zip-directory.ts'
import { plainZip, unpacked, type ZipPart } from './zip-parts.ts'

/** Parts that rows are read from, in this order; pictures, macros, links and embedded files stay packed. */
const XLSX_PARTS = [
  /^\[content_types\]\.xml$/i,
  /^_rels\/\.rels$/i,
  /^xl\/_rels\/[^/]+\.rels$/i,
  /^xl\/workbook\.xml$/i,
  /^xl\/sharedstrings\.xml$/i,
  /^xl\/styles\.xml$/i,
  /^xl\/worksheets\/[^/]+\.xml$/i,
]
const ODS_PARTS = [/^mimetype$/, /^META-INF\/manifest\.xml$/, /^content\.xml$/]
const ODS_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
/** The reader skips blank rows but counts them; this is the most that a sheet has. */
const EVERY_ROW = 1_048_576

/** Reads one sheet of a workbook. Throws a `SheetFault`, or an error of the library. */
export async function readWorkbook({ bytes, sheet }: SheetFile): Promise<SheetReading & { readonly ok: true }> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = zipEntries(zip)
  const kind = kindOf(zip, entries)
  const parts = partsOf(zip, entries, kind === 'xlsx' ? XLSX_PARTS : ODS_PARTS)
  const { rows, notes } = kind === 'xlsx' ? await xlsxRows(parts, sheet) : await odsRows(parts, sheet)
  if (rows.length === 0) throw new SheetFault(`sheet ${sheet ?? 1} of the workbook is empty, or is not there`)
  return { ok: true, kind, rows, warnings: notes.lines() }
}

function kindOf(zip: Buffer, entries: readonly ZipEntry[]): 'xlsx' | 'ods' {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  if (names.has('xl/workbook.xml')) return 'xlsx'
  if (names.has('xl/workbook.bin')) throw new SheetFault('the file is an .xlsb workbook; save it as .xlsx or CSV')
  const type = entries.find(({ name }) => name === 'mimetype')
  const isOds = type !== undefined && unpacked(zip, type).toString('latin1').trim() === ODS_TYPE
  if (isOds && names.has('content.xml')) return 'ods'
  throw new SheetFault('the file is no spreadsheet; send an .xlsx, .ods or CSV file')
}

function partsOf(zip: Buffer, entries: readonly ZipEntry[], wanted: readonly RegExp[]): ZipPart[] {
  return wanted.flatMap((pattern) =>
    entries
      .filter(({ name }) => pattern.test(name))
      .map((entry) => ({ name: entry.name, bytes: checked(entry.name, unpacked(zip, entry)) })),
  )
}

/** No spreadsheet program declares entities; a declared one can expand to gigabytes, or read files. */
function checked(name: string, bytes: Buffer): Buffer {
  const isXml = /\.(xml|rels)$/i.test(name)
  if (isXml && (bytes.includes('<!DOCTYPE') || bytes.includes('<!ENTITY'))) {
    throw new SheetFault('the file declares entities, which no spreadsheet program does; save it anew')
  }
  if (name === 'META-INF/manifest.xml' && bytes.includes('encryption-data')) {
    throw new SheetFault('the file is protected by a password; save it without one')
  }
  return bytes
}

async function xlsxRows(parts: readonly ZipPart[], wanted: number | undefined): Promise<SheetRows> {
  // Loaded on demand: reading CSV alone starts faster.
  const { streamXlsxRows } = await import('hucre/xlsx')
  const { place, marks } = xlsxMarks(parts, wanted)
  const { formatValue } = await import('hucre')
  const found = rowsOf(marks, formatValue)
  for await (const { index, values } of streamXlsxRows(streamOf(parts), { sheet: place, maxRows: EVERY_ROW })) {
    found.add(index + 1, values)
  }
  return found
}

async function odsRows(parts: readonly ZipPart[], wanted: number | undefined): Promise<SheetRows> {
  const content = parts.find(({ name }) => name === 'content.xml')?.bytes ?? Buffer.alloc(0)
  refuseRepeats(content)
  const { streamOdsRows } = await import('hucre/ods')
  const { place, marks } = odsMarks(content.toString('utf8'), wanted)
  const found = rowsOf(marks)
  const options = { sheets: [place], maxRows: EVERY_ROW }
  for await (const { index, values } of streamOdsRows(streamOf(parts), options)) found.add(index + 1, values)
  return found
}

/** Nothing yet, but what was not read. */
function rowsOf(marks: SheetMarks, format?: (value: unknown, format: string) => string): SheetRows {
  const found = new SheetRows(marks, format)
  for (const name of marks.hiddenSheets) found.notes.say(`the sheet “${name}” is hidden and was not read`)
  for (const name of marks.otherSheets) found.notes.say(`the sheet “${name}” was not read; name it with sheet`)
  return found
}

/**
 * A row with content can declare a million repetitions (F-I13). Blank rows, which end every sheet, name no value. Each
 * letter is looked at a few times, however the tags nest: one expression over all took 30 s for a hostile file.
 */
function refuseRepeats(content: Buffer): void {
  const text = content.toString('latin1')
  const [ends, texts, types] = [ROW_END, '<text:p', 'value-type'].map((needle) => finder(text, needle))
  let all = 0
  for (let at = text.indexOf(ROW); at >= 0; ) {
    const from = text.indexOf('>', at)
    if (from < 0) return
    const tag = text.slice(at + ROW.length, from)
    const end = ends!(from)
    const hasContent = Math.min(texts!(from), types!(from)) < end
    const times = /^\s/.test(tag) && !tag.endsWith('/') ? /number-rows-repeated="(\d+)"/.exec(tag)?.[1] : undefined
    if (times !== undefined && hasContent && end < Number.POSITIVE_INFINITY) all += Number(times)
    if (all > ROWS_MAX) throw new SheetFault(`the sheet has more than ${ROWS_MAX} rows; divide it into several files`)
    at = text.indexOf(ROW, from)
  }
}

const ROW = '<table:table-row'
const ROW_END = '</table:table-row>'

/** The next place of a text from here on; asked from the beginning to the end, it looks at each letter once. */
function finder(text: string, needle: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found >= from) return found
    const next = text.indexOf(needle, from)
    found = next < 0 ? Number.POSITIVE_INFINITY : next
    return found
  }
}

/** This form lets the reader hold one row at a time instead of the whole sheet. */
function streamOf(parts: readonly ZipPart[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(plainZip(parts))
      controller.close()
    },
  })
}
