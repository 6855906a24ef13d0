/** Spreadsheets of call tasks on the wire: what columns are called there, and what is answered (our addition). */
import { Type } from 'typebox'
import { type ColumnUse, columnLetter, type SaidColumns, type SheetColumns } from '../../dialer/sheet-columns.ts'
import { readJson } from '../http/parse-json.ts'
import { CallTaskError, ImportAnswer } from './call-task-import-schema.ts'

/** What a column may be used for, by the names of the import's fields. */
const USES: Readonly<Record<string, ColumnUse>> = {
  callReceiverName: { as: 'name' },
  firstName: { as: 'firstName' },
  lastName: { as: 'lastName' },
  callNumberList: { as: 'number' },
  extCustId: { as: 'customer' },
  systemLookupCode: { as: 'caseNumber' },
  ignore: { as: 'nothing' },
}

/** In words, for whoever wrote something else. */
export const USE_WORDS = `${Object.keys(USES).join(', ')}, emprId:5 or emprId:5:addToCallTaskName`

/** One use of a column as it is written; undefined: it is none. */
export function readUse(text: string): ColumnUse | undefined {
  const [, id, isAdded] = /^emprId:(\d{1,15})(:addToCallTaskName)?$/.exec(text.trim()) ?? []
  if (id !== undefined) return { as: 'property', field: Number(id), addToName: isAdded !== undefined }
  return Object.hasOwn(USES, text.trim()) ? USES[text.trim()] : undefined
}

/** `{"Mobile":"callNumberList","C":"ignore"}`: headings or letters of columns, and their uses; else what is wrong. */
export function readMapping(text: string | undefined): SaidColumns | string {
  if (text === undefined || text.trim() === '') return new Map()
  const reading = readJson(Buffer.from(text))
  const isObject = reading.ok && typeof reading.value === 'object' && reading.value !== null
  if (!isObject || Array.isArray(reading.value)) return 'mapping is no JSON object of headings and their fields'
  const said = new Map<string, ColumnUse>()
  for (const [place, [name, field]] of Object.entries(reading.value).entries()) {
    const use = typeof field === 'string' ? readUse(field) : undefined
    if (!use) return `mapping names no field in its entry ${place + 1}; there are ${USE_WORDS}`
    said.set(name, use)
  }
  return said
}

const Column = Type.Object({
  column: Type.String({ description: 'Its letter', examples: ['B'] }),
  heading: Type.String({ description: 'As it stands in the sheet', examples: ['Mobile'] }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: 'The field of the import that it becomes part of; properties with emprId; null: it is passed over',
    examples: ['callNumberList'],
  }),
  emprId: Type.Optional(Type.Integer()),
  addToCallTaskName: Type.Optional(Type.Boolean({ description: 'The value is added to the name' })),
})

/** Why one row is not imported: an error of the import, with the row as people count in the sheet. */
const RowError = Type.Object({
  ...CallTaskError.properties,
  row: Type.Integer({ description: 'Row of the sheet, as it is shown there', examples: [4] }),
})

/** Shown of one answer; the annotated copy has all. */
export const ERRORS_SHOWN_MAX = 10_000

/** What is answered to a sheet that could be read: what the import answers, and how the sheet was understood. */
export const SheetAnswer = Type.Object({
  dryRun: Type.Boolean({ description: 'Nothing was made' }),
  headingRow: Type.Integer({ description: 'Row of the headings', examples: [1] }),
  rowCount: Type.Integer({ description: 'Rows below it that are not blank: each is a call task', examples: [120] }),
  columns: Type.Array(Column, { description: 'What each column was taken for; change it with mapping' }),
  warnings: Type.Array(Type.String(), { description: 'What somebody should look at' }),
  callTaskErrors: Type.Array(RowError, {
    description: `Rows that are not imported; the first ${ERRORS_SHOWN_MAX} of them`,
  }),
  failedCount: Type.Optional(Type.Integer({ description: 'Rows that are not imported', examples: [1] })),
  acceptedCount: Type.Optional(Type.Integer({ description: 'Of a dry run: rows that would be imported' })),
  importId: Type.Optional(ImportAnswer.properties.importId),
  importedCount: ImportAnswer.properties.importedCount,
  importStatus: ImportAnswer.properties.importStatus,
})

/** How the columns were understood. */
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
    case 'property':
      return { field: 'properties', emprId: use.field, addToCallTaskName: use.addToName }
    case 'nothing':
      return { field: null }
  }
}
