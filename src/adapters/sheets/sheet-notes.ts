/** Everything of a sheet that was hidden, computed, failed or converted, by row and column. */
import { columnLetter } from '../../kernel/column-letter.ts'

/** What was done to cells of a column. */
export type CellNote = 'computed' | 'noResult' | 'error' | 'otherwise' | 'digits' | 'date'

const WORDS: Readonly<Record<CellNote, string>> = {
  computed: 'are computed by formulas; their last results were taken',
  noResult: 'are computed by formulas without a result, and were taken as blank; open the file and save it anew',
  error: 'show an error, and were taken as blank',
  otherwise: 'are shown otherwise than they are kept; all digits were taken',
  digits: 'have more than 15 digits, of which a spreadsheet keeps 15; format the column as text and enter them again',
  date: 'are dates; they were taken as 2026-03-01',
}
/** Ranges of one line. */
const RANGES_MAX = 12
/** Of each kind; a sheet may have hundreds of columns. */
const COLUMNS_MAX = 30

/** Collects them. */
export class SheetNotes {
  readonly #cells = new Map<CellNote, Map<number, number[]>>()
  readonly #examples = new Map<string, string>()
  readonly #rows: number[] = []
  readonly #columns = new Set<number>()
  readonly #lines: string[] = []

  /** A line that stands for itself. */
  say(line: string): void {
    this.#lines.push(line)
  }

  hiddenRow(row: number): void {
    this.#rows.push(row)
  }

  hiddenColumn(column: number): void {
    this.#columns.add(column)
  }

  cell(note: CellNote, row: number, column: number, example?: string): void {
    const columns = this.#cells.get(note) ?? new Map<number, number[]>()
    this.#cells.set(note, columns)
    const rows = columns.get(column)
    if (rows) rows.push(row)
    else columns.set(column, [row])
    const key = `${note} ${column}`
    if (example !== undefined && !this.#examples.has(key)) this.#examples.set(key, example)
  }

  /** One line for each kind and column. */
  lines(): string[] {
    const hidden = [...this.#columns].sort((a, b) => a - b)
    return [
      ...this.#lines,
      ...hidden.map((column) => `column ${columnLetter(column)} is hidden and was left out; show it to import it`),
      ...(this.#rows.length === 0 ? [] : [`${rowsText(this.#rows)}: hidden, and left out; show them to import them`]),
      ...[...this.#cells].flatMap(([note, columns]) => this.#linesOf(note, columns)),
    ]
  }

  #linesOf(note: CellNote, columns: ReadonlyMap<number, readonly number[]>): string[] {
    const shown = [...columns].sort(([a], [b]) => a - b)
    const lines = shown.slice(0, COLUMNS_MAX).map(([column, rows]) => {
      const example = this.#examples.get(`${note} ${column}`)
      const such = example === undefined ? '' : ` (${example})`
      return `column ${columnLetter(column)}, ${rowsText(rows)}: ${WORDS[note]}${such}`
    })
    const more = shown.length - lines.length
    return more === 0 ? lines : [...lines, `${more} more columns: ${WORDS[note]}`]
  }
}

/** `rows 2 to 5, 9`. */
export function rowsText(rows: readonly number[], word = 'row'): string {
  const ranges: [from: number, to: number][] = []
  for (const row of rows) {
    const last = ranges.at(-1)
    if (last && row <= last[1] + 1) last[1] = row
    else ranges.push([row, row])
  }
  const texts = ranges.slice(0, RANGES_MAX).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  const more = ranges.length > RANGES_MAX ? ' and more' : ''
  return `${word}${rows.length === 1 ? '' : 's'} ${texts.join(', ')}${more}`
}
