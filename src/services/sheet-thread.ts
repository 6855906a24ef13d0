/** The thread that reads spreadsheets: one file after another; started by `sheet-reader.ts`. */
import { parentPort } from 'node:worker_threads'
import type { SheetFile, SheetReading, SheetRow } from '../ports/sheets.ts'
import { readSheet } from './read-sheet.ts'

/** What the thread says: some rows, or the end with everything but the rows. */
export type SheetNews = { readonly rows: readonly SheetRow[] } | { readonly end: SheetReading }

/** Said at a time: whoever listens takes about 3 ms for it. */
const ROWS_AT_A_TIME = 1_000

parentPort?.on('message', (file: SheetFile) => {
  void readSheet(file).then((reading) => {
    const say = (news: SheetNews) => parentPort?.postMessage(news)
    if (!reading.ok) return say({ end: reading })
    const { rows, ...rest } = reading
    for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
      say({ rows: rows.slice(from, from + ROWS_AT_A_TIME) })
    }
    return say({ end: { ...rest, rows: [] } })
  })
})
