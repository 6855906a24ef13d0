/** Reads a spreadsheet of any kind, by its first bytes. Runs in a thread of its own (`sheet-thread.ts`). */
import { SHEET_BYTES_MAX, type SheetFile, type SheetReading } from '../../ports/sheets.ts'
import { readText } from './csv-sheet.ts'
import { SheetFault } from './sheet-limits.ts'
import { readWorkbook } from './workbook-sheet.ts'

/** First bytes of the supported kinds, and of files that users take for spreadsheets. */
const ZIP = [0x50, 0x4b]
const OLE = [0xd0, 0xcf, 0x11, 0xe0]
const PDF = [0x25, 0x50, 0x44, 0x46]

const OLD_OR_LOCKED =
  'the file is an old .xls workbook, or one with a password; save it as .xlsx without one, or as CSV'
const TOO_LARGE = `the file has more than ${SHEET_BYTES_MAX / 1024 / 1024} MiB; divide it`
const UNREADABLE = 'the file cannot be read as a workbook; open it in a spreadsheet program and save it anew, or as CSV'

/** Never rejects. */
export async function readSheet(file: SheetFile): Promise<SheetReading> {
  const { bytes } = file
  const begins = (mark: readonly number[]) => mark.every((byte, place) => bytes[place] === byte)
  try {
    if (bytes.length === 0) throw new SheetFault('the file is empty')
    if (bytes.length > SHEET_BYTES_MAX) throw new SheetFault(TOO_LARGE)
    if (begins(OLE)) throw new SheetFault(OLD_OR_LOCKED)
    if (begins(PDF)) throw new SheetFault('the file is a PDF; send an .xlsx, .ods or CSV file')
    return begins(ZIP) ? await readWorkbook(file) : readText(file)
  } catch (error) {
    // A library's message about the file does not help, and may repeat its content.
    return { ok: false, why: error instanceof SheetFault ? error.message : UNREADABLE }
  }
}
