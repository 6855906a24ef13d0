/** Marks of an .ods sheet (OpenDocument 1.3 part 3, section 9); text:p is what its program shows. */
import { attribute, chosenSheet, type MarkedSheet, type Marks, plainText } from './sheet-marks.ts'

const TAG =
  /<(\/?)(table:table|table:table-column|table:table-row|table:(?:covered-)?table-cell|text:p)(?=[\s/>])([^>]*)>/g
const ERROR = /^(#[A-Z0-9/]+[!?]?|Err:\d{3})$/
/** A repetition is a run of blank cells; what is marked is marked once each. */
const REPEATED_MAX = 1_024

/** The sheet of this number, from 1; without one the first that people see. */
export function odsMarks(content: string, wanted: number | undefined): MarkedSheet {
  const unseen = unseenStyles(content)
  const sheets = Array.from(content.matchAll(/<table:table(?=[\s>])([^>]*)>/g), ({ index, 1: tag = '' }) => ({
    index,
    name: attribute(tag, 'table:name') ?? '',
    isHidden: unseen.has(attribute(tag, 'table:style-name') ?? ''),
  }))
  const { place, sheet, marks } = chosenSheet(sheets, wanted)
  markSheet(content.slice(sheet.index, sheets[place + 1]?.index), marks)
  return { place, marks }
}

/** Styles of tables that nobody sees. */
function unseenStyles(content: string): ReadonlySet<string> {
  const unseen = new Set<string>()
  let style = ''
  for (const [, name, tag = ''] of content.matchAll(/<style:(style|table-properties)\b([^>]*)>/g)) {
    if (name === 'style') style = attribute(tag, 'style:name') ?? ''
    else if (attribute(tag, 'table:display') === 'false') unseen.add(style)
  }
  return unseen
}

function markSheet(xml: string, marks: Marks): void {
  let [row, column, columns, from] = [0, 0, 0, 0]
  let cell: { readonly tag: string; text: string } | undefined
  const end = () => {
    if (!cell) return
    const times = Math.min(repeated(cell.tag, 'columns'), REPEATED_MAX)
    const mark = markOf(cell.tag, cell.text)
    for (let each = 0; mark && each < times; each++) marks.mark(row, column + each, mark)
    column += repeated(cell.tag, 'columns')
    cell = undefined
  }
  for (const { 1: closes, 2: name, 3: tag = '', index, 0: whole } of xml.matchAll(TAG)) {
    if (name === 'text:p') {
      if (!closes) from = index + whole.length
      else if (cell) cell.text += plainText(xml.slice(from, index).replaceAll(/<[^>]*>/g, ''))
    } else if (name === 'table:table-column') {
      const times = repeated(tag, 'columns')
      if (isUnseen(tag)) marks.hideColumns(columns, columns + times - 1)
      columns += times
    } else if (name === 'table:table-row' && !closes) {
      row += 1
      column = 0
      const times = repeated(tag, 'rows')
      for (let each = 0; isUnseen(tag) && each < Math.min(times, 100_000); each++) marks.hideRow(row + each)
      row += times - 1
    } else if (name?.endsWith('table-cell')) {
      if (closes) end()
      else {
        end()
        cell = { tag, text: '' }
        if (tag.endsWith('/')) end()
      }
    }
  }
}

function markOf(tag: string, text: string) {
  const isComputed = attribute(tag, 'table:formula') !== undefined
  const isError = attribute(tag, 'calcext:value-type') === 'error' || (isComputed && ERROR.test(text))
  const isNumber = attribute(tag, 'office:value') !== undefined
  if (!isComputed && !isError && !isNumber) return undefined
  return { isComputed, isError, ...(isNumber && { shown: text }) }
}

const repeated = (tag: string, what: 'rows' | 'columns') => Number(attribute(tag, `table:number-${what}-repeated`) ?? 1)
const isUnseen = (tag: string) => ['collapse', 'filter'].includes(attribute(tag, 'table:visibility') ?? 'visible')
