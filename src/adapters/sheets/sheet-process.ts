/** The process that reads spreadsheets, one file after another; started by `sheet-reader.ts`. */
import { giveWay } from '../../kernel/job-process.ts'
import type { SheetFile, SheetReading, SheetRow } from '../../ports/sheets.ts'
import { readSheet } from './read-sheet.ts'

/** A file to read, or the request for the next rows of the last one. */
export type SheetOrder = SheetFile | 'more'

export type SheetMessage = { readonly rows: readonly SheetRow[] } | { readonly end: SheetReading }

/** Rows per message; the next ones wait for a request. The receiver spends about 3 ms on them. */
const ROWS_AT_A_TIME = 1_000

let reading: SheetReading = { ok: false, why: '' }
let said = 0

// Calls have more right to the processor.
giveWay()
process.on('message', (order: SheetOrder) => {
  if (order === 'more') return goOn()
  void readSheet(order).then((read) => {
    reading = read
    said = 0
    goOn()
  })
})

function goOn(): void {
  const rows = reading.ok ? reading.rows.slice(said, said + ROWS_AT_A_TIME) : []
  said += rows.length
  const news: SheetMessage = rows.length > 0 ? { rows } : { end: reading.ok ? { ...reading, rows: [] } : reading }
  process.send?.(news)
}
