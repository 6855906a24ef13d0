/** Collects rows of a spreadsheet as texts, and refuses rows beyond the limits (D-30). */
import type { SheetRow } from '../../ports/sheets.ts'
import { CELL_LENGTH_MAX, COLUMNS_MAX, ROWS_MAX, SheetFault, TEXT_LENGTH_MAX } from './sheet-limits.ts'

/** Collects the rows of one file. */
export class SheetRows {
  readonly rows: SheetRow[] = []
  #length = 0

  /** `row` counts from 1. Blank rows are left out. */
  add(row: number, values: readonly unknown[]): void {
    const cells = values.map(textOf)
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return
    if (last >= COLUMNS_MAX) throw new SheetFault(`row ${row} has more than ${COLUMNS_MAX} columns; take some out`)
    // The first row holds the headings.
    if (this.rows.length > ROWS_MAX) {
      throw new SheetFault(`the sheet has more than ${ROWS_MAX} rows; divide it into several files`)
    }
    const kept = cells.slice(0, last + 1)
    for (const cell of kept) this.#count(row, cell)
    this.rows.push({ row, cells: kept })
  }

  #count(row: number, { length }: string): void {
    if (length > CELL_LENGTH_MAX) {
      throw new SheetFault(`a cell of row ${row} has more than ${CELL_LENGTH_MAX} characters; shorten it`)
    }
    this.#length += length
    if (this.#length > TEXT_LENGTH_MAX)
      throw new SheetFault('the sheet has too much text; divide it into several files')
  }
}

/** A cell as its user sees it. A number has all of its digits: a telephone number is never 4.57E+09. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return value instanceof Date ? dateText(value) : ''
}

/** Spreadsheet programs count with 15 digits; further digits are noise. */
const DIGITS = 15
/** Days count from the last one of 1899; earlier values are times of day. */
const DAY_ONE_MS = Date.UTC(1900, 0, 1)

function numberText(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)))
}

/** `2026-03-01`, `2026-03-01T08:30:00`, `08:30:00`: as in the sheet, which knows no time zones. */
function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return ''
  const [day = '', time = ''] = value.toISOString().slice(0, 19).split('T')
  if (value.getTime() < DAY_ONE_MS) return time
  return time === '00:00:00' ? day : `${day}T${time}`
}
