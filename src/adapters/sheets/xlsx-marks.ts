/** Marks of an .xlsx sheet (ECMA-376 part 1, 18.2.20, 18.3.1 and 18.8). */
import { attribute, chosenSheet, type MarkedSheet, type Marks } from './sheet-marks.ts'
import type { ZipPart } from './zip-parts.ts'

interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly path: string | undefined
}

/** The sheet of this number, from 1; without one the first that people see. */
export function xlsxMarks(parts: readonly ZipPart[], wanted: number | undefined): MarkedSheet {
  const textOf = (pattern: RegExp) => parts.find(({ name }) => pattern.test(name))?.bytes.toString('utf8') ?? ''
  const sheets = sheetsOf(textOf(/^xl\/workbook\.xml$/i), textOf(/^xl\/_rels\/workbook\.xml\.rels$/i))
  const { place, sheet, marks } = chosenSheet(sheets, wanted)
  const { path } = sheet
  const xml =
    path === undefined ? '' : (parts.find(({ name }) => name.toLowerCase() === path)?.bytes.toString('utf8') ?? '')
  markCells(xml, formatsOf(textOf(/^xl\/styles\.xml$/i)), marks)
  return { place, marks }
}

function sheetsOf(workbook: string, relations: string): Sheet[] {
  const paths = new Map<string, string>()
  for (const [, tag = ''] of relations.matchAll(/<(?:\w+:)?Relationship\b([^>]*)>/g)) {
    const [id, target] = [attribute(tag, 'Id'), attribute(tag, 'Target')]
    if (id === undefined || target === undefined) continue
    paths.set(id, (target.startsWith('/') ? target.slice(1) : `xl/${target}`).toLowerCase())
  }
  return Array.from(workbook.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g), ([, tag = '']) => ({
    name: attribute(tag, 'name') ?? '',
    isHidden: ['hidden', 'veryHidden'].includes(attribute(tag, 'state') ?? 'visible'),
    path: paths.get(attribute(tag, '(?:\\w+:)?id') ?? ''),
  }))
}

/** Of each style of cells its number format; undefined: that of the program. */
function formatsOf(styles: string): readonly (string | undefined)[] {
  const codes = new Map<string, string>(BUILT_IN)
  for (const [, tag = ''] of styles.matchAll(/<(?:\w+:)?numFmt\b([^>]*)>/g)) {
    codes.set(attribute(tag, 'numFmtId') ?? '', attribute(tag, 'formatCode') ?? '')
  }
  const [, cells = ''] = /<(?:\w+:)?cellXfs\b([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles) ?? []
  return Array.from(cells.matchAll(/<(?:\w+:)?xf\b([^>]*)>/g), ([, tag = '']) =>
    codes.get(attribute(tag, 'numFmtId') ?? '0'),
  )
}

/** Those of 18.8.30 that show other digits than the number has. */
const BUILT_IN: readonly (readonly [string, string])[] = [
  ['1', '0'],
  ['2', '0.00'],
  ['3', '#,##0'],
  ['4', '#,##0.00'],
  ['9', '0%'],
  ['10', '0.00%'],
  ['11', '0.00E+00'],
  ['48', '##0.0E+0'],
]

const TAG = /<(?:\w+:)?(row|c|col|f)\b([^>]*)>/g

/** Numbers of rows and cells may be left out: they follow on each other. */
function markCells(xml: string, formats: readonly (string | undefined)[], marks: Marks): void {
  let [row, column] = [0, -1]
  let cell: string | undefined
  for (const [, name, tag = ''] of xml.matchAll(TAG)) {
    if (name === 'col') {
      if (isTrue(attribute(tag, 'hidden'))) {
        marks.hideColumns(Number(attribute(tag, 'min')) - 1, Number(attribute(tag, 'max')) - 1)
      }
    } else if (name === 'row') {
      row = Number(attribute(tag, 'r') ?? row + 1)
      column = -1
      if (isTrue(attribute(tag, 'hidden'))) marks.hideRow(row)
    } else if (name === 'c') {
      cell = tag
      column = columnOf(attribute(tag, 'r')) ?? column + 1
      const format = formats[Number(attribute(tag, 's') ?? 0)]
      const isError = attribute(tag, 't') === 'e'
      if (isError || format !== undefined) {
        marks.mark(row, column, { isComputed: false, isError, ...(format !== undefined && { format }) })
      }
    } else if (cell !== undefined) {
      const before = marks.cell(row, column)
      marks.mark(row, column, { isError: false, ...before, isComputed: true })
    }
  }
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true'
}

/** `C7` is 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
