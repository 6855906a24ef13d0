/** What a person sees of a sheet and the reader of its values does not tell. */

import { SheetFault } from './sheet-limits.ts'

export interface CellMark {
  readonly isComputed: boolean
  /** `#N/A` and the like. */
  readonly isError: boolean
  /** Of a number, as the program wrote it beside the value (.ods), or to be made by this format (.xlsx). */
  readonly shown?: string
  readonly format?: string
}

export interface SheetMarks {
  /** Names of sheets that were not read: those that nobody sees, and others. */
  readonly hiddenSheets: readonly string[]
  readonly otherSheets: readonly string[]
  /** Rows count from 1, columns from 0. */
  isRowHidden(row: number): boolean
  isColumnHidden(column: number): boolean
  cell(row: number, column: number): CellMark | undefined
}

/** A sheet of which nothing is known. */
export class Marks implements SheetMarks {
  readonly hiddenSheets: string[] = []
  readonly otherSheets: string[] = []
  readonly #rows = new Set<number>()
  readonly #columns: (readonly [from: number, to: number])[] = []
  readonly #cells = new Map<number, CellMark>()

  hideRow(row: number): void {
    this.#rows.add(row)
  }

  hideColumns(from: number, to: number): void {
    this.#columns.push([from, to])
  }

  mark(row: number, column: number, mark: CellMark): void {
    this.#cells.set(row * COLUMNS + column, mark)
  }

  isRowHidden(row: number): boolean {
    return this.#rows.has(row)
  }

  isColumnHidden(column: number): boolean {
    return this.#columns.some(([from, to]) => column >= from && column <= to)
  }

  cell(row: number, column: number): CellMark | undefined {
    return this.#cells.get(row * COLUMNS + column)
  }
}

/** A sheet of a workbook by its place, from 0, and what of it people see. */
export interface MarkedSheet {
  readonly place: number
  readonly marks: Marks
}

interface NamedSheet {
  readonly name: string
  readonly isHidden: boolean
}

/** The sheet of this number, from 1; without one the first that people see. The marks name those that are not read. */
export function chosenSheet<Sheet extends NamedSheet>(sheets: readonly Sheet[], wanted: number | undefined) {
  const place = wanted === undefined ? sheets.findIndex(({ isHidden }) => !isHidden) : wanted - 1
  const sheet = sheets[place]
  if (!sheet) throw new SheetFault(`sheet ${wanted ?? 1} of the workbook is empty, or is not there`)
  const marks = new Marks()
  for (const { name, isHidden } of sheets.filter((each) => each !== sheet)) {
    const list = isHidden ? marks.hiddenSheets : marks.otherSheets
    list.push(name)
  }
  return { place, sheet, marks }
}

/** No sheet has more columns. */
const COLUMNS = 16_384

const patterns = new Map<string, RegExp>()

/** The value of an attribute in the text of a tag; `name` is an expression of ours. */
export function attribute(tag: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(tag)
  return found === null ? undefined : plainText(found[1] ?? found[2] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Without entities. */
export function plainText(xml: string): string {
  return xml.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, digits, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
