/** Collects rows of a spreadsheet as texts, and refuses rows beyond the limits (D-30). */
import type { SheetRow } from '../../ports/sheets.ts'
import { CELL_LENGTH_MAX, COLUMNS_MAX, ROWS_MAX, SheetFault, TEXT_LENGTH_MAX } from './sheet-limits.ts'
import { type CellMark, Marks, type SheetMarks } from './sheet-marks.ts'
import { type CellNote, SheetNotes } from './sheet-notes.ts'

/** Shows a number by a format of its sheet. */
type Format = (value: number, format: string) => string

/** Collects the rows of one file. */
export class SheetRows {
  readonly rows: SheetRow[] = []
  readonly notes = new SheetNotes()
  #length = 0
  readonly #marks: SheetMarks
  readonly #format: Format | undefined

  constructor(marks: SheetMarks = new Marks(), format?: Format) {
    this.#marks = marks
    this.#format = format
  }

  /** `row` counts from 1. Blank rows are left out, and what nobody sees. */
  add(row: number, values: readonly unknown[]): void {
    const cells = values.map((value, column) => this.#textOf(row, column, value))
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return
    if (this.#marks.isRowHidden(row)) return this.notes.hiddenRow(row)
    if (last >= COLUMNS_MAX) throw new SheetFault(`row ${row} has more than ${COLUMNS_MAX} columns; take some out`)
    // The first row holds the headings.
    if (this.rows.length > ROWS_MAX) {
      throw new SheetFault(`the sheet has more than ${ROWS_MAX} rows; divide it into several files`)
    }
    const kept = cells.slice(0, last + 1)
    for (const cell of kept) this.#count(row, cell)
    this.rows.push({ row, cells: kept })
  }

  /** A cell as its user sees it. A number has all of its digits: a telephone number is never 4.57E+09. */
  #textOf(row: number, column: number, value: unknown): string {
    const mark = this.#marks.cell(row, column)
    const isBlank = value === null || value === undefined || value === ''
    if (isBlank && !mark?.isError && !mark?.isComputed) return ''
    // Not noted for rows that nobody sees.
    const note = (what: CellNote, example?: string) => {
      if (!this.#marks.isRowHidden(row)) this.notes.cell(what, row, column, example)
    }
    if (this.#marks.isColumnHidden(column)) {
      if (!isBlank) this.notes.hiddenColumn(column)
      return ''
    }
    if (mark?.isError) {
      note('error', typeof value === 'string' ? value : undefined)
      return ''
    }
    if (mark?.isComputed) note(isBlank ? 'noResult' : 'computed')
    if (value instanceof Date && !Number.isNaN(value.getTime())) note('date')
    return typeof value === 'number' ? numberShown(value, this.#shownOf(value, mark), note) : textOf(value)
  }

  #shownOf(value: number, mark: CellMark | undefined): string | undefined {
    if (mark?.shown !== undefined) return mark.shown
    return mark?.format === undefined ? undefined : this.#format?.(value, mark.format)
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

/** What of a number is shown and is no digit of it, in numbers of telephones and cases: zeros in front, `+45`. */
const LONGER = /^[\d\s+()/.-]+$/
/** A spreadsheet keeps so many digits. */
const KEPT_BELOW = 1e15

/** The number as it is shown, if that has more digits in front; else all of its own digits. */
function numberShown(value: number, given: string | undefined, note: (what: CellNote, example?: string) => void) {
  const own = numberText(value)
  if (Math.abs(value) >= KEPT_BELOW) note('digits')
  const shown = given?.trim()
  if (shown === undefined || shown === '') return own
  const [digits, ownDigits] = [shown, own].map((text) => text.replaceAll(/\D/g, '')) as [string, string]
  if (Number.isInteger(value) && value >= 0 && LONGER.test(shown) && digits.endsWith(ownDigits)) {
    return digits === ownDigits && !shown.startsWith('+') ? own : shown
  }
  if (digits !== ownDigits) note('otherwise', `such as ${shown} for ${own}`)
  return own
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
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
