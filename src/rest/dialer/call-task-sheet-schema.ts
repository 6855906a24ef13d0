/** Imports of spreadsheets on the wire: names of columns, and answers (our addition). */
import { Type } from 'typebox'
import type { ColumnUse, SaidColumns, SheetColumns } from '../../dialer/sheet-columns.ts'
import { columnLetter } from '../../kernel/column-letter.ts'
import { readJson } from '../http/parse-json.ts'
import { CallTaskError, ImportAnswer } from './call-task-import-schema.ts'

/** Field of the import → use of a column. */
const USES: Readonly<Record<string, ColumnUse>> = {
  callReceiverName: { as: 'name' },
  firstName: { as: 'firstName' },
  lastName: { as: 'lastName' },
  callNumberList: { as: 'number' },
  extCustId: { as: 'customer' },
  systemLookupCode: { as: 'caseNumber' },
  language: { as: 'language' },
  priority: { as: 'priority' },
  validFrom: { as: 'validFrom' },
  validTo: { as: 'validTo' },
  ignore: { as: 'nothing' },
}

/** The uses of a column, for error texts and help. */
export const USE_NAMES = `${Object.keys(USES).join(', ')}, emprId:5 or emprId:5:addToCallTaskName`

/** Reads one use of a column; undefined if it is unknown. */
export function readUse(text: string): ColumnUse | undefined {
  const [, id, isAdded] = /^emprId:(\d{1,15})(:addToCallTaskName)?$/.exec(text.trim()) ?? []
  if (id !== undefined) return { as: 'property', field: Number(id), addToName: isAdded !== undefined }
  return Object.hasOwn(USES, text.trim()) ? USES[text.trim()] : undefined
}

/** Reads `{"Mobile":"callNumberList","C":"ignore"}`: headings or letters of columns → uses. A string is the fault. */
export function readMapping(text: string | undefined): SaidColumns | string {
  if (text === undefined || text.trim() === '') return new Map()
  const reading = readJson(Buffer.from(text))
  const isObject = reading.ok && typeof reading.value === 'object' && reading.value !== null
  if (!isObject || Array.isArray(reading.value)) return 'mapping is not a JSON object; write headings and their fields'
  const said = new Map<string, ColumnUse>()
  for (const [place, [name, field]] of Object.entries(reading.value).entries()) {
    const use = typeof field === 'string' ? readUse(field) : undefined
    if (!use) return `mapping: entry ${place + 1} names no known field; use one of ${USE_NAMES}`
    said.set(name, use)
  }
  return said
}

const Column = Type.Object({
  column: Type.String({ description: 'Letter of the column', examples: ['B'] }),
  heading: Type.String({ description: 'Heading in the sheet', examples: ['Mobile'] }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: 'The field of the import; properties has an emprId; null if the column is ignored',
    examples: ['callNumberList'],
  }),
  emprId: Type.Optional(Type.Integer()),
  addToCallTaskName: Type.Optional(Type.Boolean({ description: 'The value is appended to the name' })),
})

/** Why one row is not imported: an error of the import, with the row number of the sheet. */
const RowError = Type.Object({
  ...CallTaskError.properties,
  row: Type.Integer({ description: 'Row number in the sheet', examples: [4] }),
})

/** Most errors of one answer; the annotated copy has all. */
export const ERRORS_SHOWN_MAX = 10_000

/** The answer to a readable sheet: the result of the import, and how the columns were interpreted. */
export const SheetAnswer = Type.Object({
  dryRun: Type.Boolean({ description: 'Nothing was imported' }),
  headingRow: Type.Integer({ description: 'Row number of the headings', examples: [1] }),
  rowCount: Type.Integer({
    description: 'Rows below the headings that are not blank; each is a call task',
    examples: [120],
  }),
  columns: Type.Array(Column, { description: 'How each column was interpreted; change it with mapping' }),
  warnings: Type.Array(Type.String(), { description: 'Warnings that need a check' }),
  callTaskErrors: Type.Array(RowError, {
    description: `Rows that are not imported, at most the first ${ERRORS_SHOWN_MAX}`,
  }),
  failedCount: Type.Optional(Type.Integer({ description: 'Number of rows that are not imported', examples: [1] })),
  acceptedCount: Type.Optional(Type.Integer({ description: 'For a dry run: number of rows that would be imported' })),
  importId: Type.Optional(ImportAnswer.properties.importId),
  importedCount: ImportAnswer.properties.importedCount,
  importStatus: ImportAnswer.properties.importStatus,
})

/** How the columns were interpreted. */
export function columnsOut({ headings, uses }: SheetColumns) {
  return headings.map((heading, place) => {
    const use = uses[place] ?? { as: 'nothing' }
    return { column: columnLetter(place), heading, ...fieldOut(use) }
  })
}

function fieldOut(use: ColumnUse) {
  switch (use.as) {
    case 'name':
    case 'firstName':
    case 'lastName':
      return { field: 'callReceiverName' }
    case 'number':
      return { field: 'callNumberList' }
    case 'customer':
      return { field: 'extCustId' }
    case 'caseNumber':
      return { field: 'systemLookupCode' }
    case 'language':
    case 'priority':
    case 'validFrom':
    case 'validTo':
      return { field: use.as }
    case 'property':
      return { field: 'properties', emprId: use.field, addToCallTaskName: use.addToName }
    case 'nothing':
      return { field: null }
  }
}
