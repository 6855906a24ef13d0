/** `POST /svcdialer/calltasksheet`: imports a spreadsheet of call tasks (our addition). */
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { type ImportOrder, jobOf, keepJob } from '../../core/imports/import-job.ts'
import { listOf, piecesOfList, rehearse, type SheetList, tasksOf } from '../../core/imports/read-task-list.ts'
import { type CarriedOut, carryOut } from '../../core/imports/run-import.ts'
import { FairLimit } from '../../kernel/fair-limit.ts'
import type { FileStore } from '../../ports/files.ts'
import { CHARSETS, SHEET_BYTES_MAX } from '../../ports/sheets.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { nameParameters } from '../http/file-response.ts'
import { filesInMemory } from '../http/memory-uploads.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asked, type Route, route } from '../http/route.ts'
import type { ReceivedFile } from '../http/upload-rules.ts'
import { sheetCopy } from './annotated-sheet.ts'
import { CAMPAIGN_GONE, faultsAnswer, readImport } from './call-task-import-request.ts'
import { errorOut, ImportFailure, importProblem } from './call-task-import-schema.ts'
import { columnsOut, ERRORS_SHOWN_MAX, readMapping, SheetAnswer, USE_NAMES } from './call-task-sheet-schema.ts'
import { REQUEST_ERROR_CODES } from './import-error-codes.ts'

/** D-30: larger sheets are imported in the background. */
const AT_ONCE_MAX = 10_000
/** Each holds a database connection and all of its rows. So many of a credential wait. */
const GATE = { inside: 2, waiting: 10 } as const
const TOO_MANY = 'too many spreadsheets are being read; wait for the time in Retry-After and repeat the request'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const field = (description: string) => Type.Optional(Type.String({ description }))

const Query = Type.Object({
  systemCode: field('As of the import: the code of an external system. Required.'),
  callCode: field('As of the import: the campaign that receives the call tasks. Required.'),
  maxCallAttempts: field('As of the import: 1 to 100. Required.'),
  minCallIntervalHours: field('As of the import: 0 to 8760. Required.'),
  dryRun: flag('Imports nothing; the answer says what would be imported.'),
  importAsync: flag(`The import runs in the background, as it always does from ${AT_ONCE_MAX + 1} rows on.`),
  mapping: field(
    'A JSON object: headings or letters of columns, and their fields. Columns that it does not contain are ' +
      `recognised by their headings. Fields: ${USE_NAMES}.`,
  ),
  sheet: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Number of the sheet, from 1; default: the first visible',
    }),
  ),
  charset: Type.Optional(Type.Enum([...CHARSETS], { description: 'Encoding of a text file; default: detected' })),
  answer: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'csv: a copy of the sheet with the result of each row' }),
  ),
})

type SheetAsked = Asked<never, typeof Query, never>

/** The operation. */
export function callTaskSheetRoutes(dependencies: RestDependencies): Route[] {
  const limit = new FairLimit(GATE.inside, GATE.waiting)
  const store = filesInMemory()
  const importSheet = route({
    method: 'POST',
    path: '/svcdialer/calltasksheet',
    scope: 'dialer:write',
    audit: { action: 'create', object: 'import', by: 'importId' },
    rate: 'imports',
    summary: 'Import call tasks from a spreadsheet',
    description:
      'An .xlsx, .ods or CSV file: a row of headings, and below it one call task per row. Rows are checked by the ' +
      'rules of the import and get its error codes; errors give the row number of the sheet. What a person sees is ' +
      'imported: no hidden rows, columns and sheets, and of a formula its last result; warnings say so. Several ' +
      'numbers are given in several columns, or in one column separated by ;. Try dryRun first.',
    query: Query,
    upload: {
      store,
      partName: 'file',
      isTemporary: true,
      filesMax: 1,
      fileBytesMax: SHEET_BYTES_MAX,
      bytesMax: SHEET_BYTES_MAX,
    },
    problemBody: importProblem,
    produces: 'csv',
    answers: { 200: SheetAnswer, 400: ImportFailure },
    example: { answer: EXAMPLE },
    async handle(asked) {
      const answer = await limit.tryRun(asked.asker.credential, () => sheetAsked(dependencies, store, asked))
      return answer === 'full' ? refuse('tooManyRequests', TOO_MANY, { headers: { 'retry-after': '1' } }) : answer
    },
  })
  return [importSheet]
}

const EXAMPLE: Static<typeof SheetAnswer> = {
  dryRun: true,
  headingRow: 1,
  rowCount: 3,
  columns: [
    { column: 'A', heading: 'Name', field: 'callReceiverName' },
    { column: 'B', heading: 'Mobile', field: 'callNumberList' },
    { column: 'C', heading: 'Case no.', field: 'systemLookupCode' },
    { column: 'D', heading: 'Colour', field: null },
  ],
  warnings: [],
  callTaskErrors: [
    { callTaskIndex: 1, row: 3, errorCodes: [103], errorText: 'number 1 of the list is not in use in its country' },
  ],
  failedCount: 1,
  acceptedCount: 2,
}

async function sheetAsked(dependencies: RestDependencies, store: FileStore, asked: SheetAsked): Promise<Answer> {
  const { query, asker } = asked
  const said = readMapping(query.mapping)
  if (typeof said === 'string') return refuse('validation', said)
  const [file] = asked.files
  const reading = file && (await readFile(dependencies, store, file, query))
  if (!reading?.ok) return refuse('badRequest', reading?.why ?? 'the form has no file; send one in the field file')
  asked.countRows(reading.rows.length)
  const order = await readImport(dependencies, bodyOf(query, reading.rows.slice(1)), asker.corporations, true)
  if ('length' in order) return faultsAnswer(order)
  const list = listOf(reading, await dependencies.directory.infoFields([order.corporation], false), said)
  if (list.columns.unknown.length > 0) {
    return refuse('validation', 'mapping names an unknown column; use its heading or its letter')
  }
  if (list.rows.length === 0) return faultsAnswer([NO_ROWS])
  const run = await runOf(dependencies, { ...order, callTasks: list.rows }, list, query)
  if (run === 'no such campaign') return CAMPAIGN_GONE
  if (query.answer !== 'csv') return { body: answerOf(list, run) }
  const texts = sheetCopy({ list, faults: run.done?.faults ?? [], done: run.word }, reading.delimiter ?? ';')
  return { ...csvAnswer(file?.fileName ?? 'sheet', texts), body: { importId: run.importId } }
}

const NO_ROWS = { code: REQUEST_ERROR_CODES.callTasksMissing, text: 'the sheet has no rows below its headings' }

async function readFile(
  { sheets }: RestDependencies,
  store: FileStore,
  { storage }: ReceivedFile,
  query: SheetAsked['query'],
) {
  const stream = await store.read(storage)
  const bytes = Buffer.concat(stream ? ((await stream.toArray()) as Buffer[]) : [])
  const { charset, sheet } = query
  return sheets.read({ bytes, ...(charset && { charset }), ...(sheet !== undefined && { sheet }) })
}

function bodyOf(query: SheetAsked['query'], callTasks: readonly unknown[]) {
  const figure = (text: string | undefined) => (/^-?\d{1,15}$/.test(text?.trim() ?? '') ? Number(text) : text)
  const { systemCode, callCode, maxCallAttempts, minCallIntervalHours } = query
  return {
    systemCode,
    callCode: callCode?.trim(),
    callTasks,
    maxCallAttempts: figure(maxCallAttempts),
    minCallIntervalHours: figure(minCallIntervalHours),
  }
}

/** The result. Without `done` the import is queued. */
interface SheetRun {
  readonly word: 'accepted' | 'imported' | 'queued'
  readonly importId?: string
  readonly done?: CarriedOut
}

async function runOf(
  dependencies: RestDependencies,
  order: ImportOrder,
  list: SheetList,
  { dryRun = false, importAsync = false }: SheetAsked['query'],
): Promise<SheetRun | 'no such campaign'> {
  const job = jobOf(dependencies, order)
  const { importId } = job
  if (dryRun) {
    const done = await rehearse(dependencies, order, { importId, list })
    return done === 'no such campaign' ? done : { word: 'accepted', done }
  }
  if (importAsync || list.rows.length > AT_ONCE_MAX) {
    await dependencies.dialerAdmin.queueImport(job, piecesOfList(list))
    return { word: 'queued', importId }
  }
  const done = await carryOut(dependencies, { ...order, importId, firstIndex: 0, callTasks: tasksOf(list, list.rows) })
  if (done === 'no such campaign') return done
  await keepJob(dependencies, job, done)
  return { word: 'imported', importId, done }
}

function answerOf(list: SheetList, { word, importId, done }: SheetRun): Static<typeof SheetAnswer> {
  const shown = (done?.faults ?? []).slice(0, ERRORS_SHOWN_MAX)
  return {
    dryRun: word === 'accepted',
    headingRow: list.headingRow,
    rowCount: list.rows.length,
    columns: columnsOut(list.columns),
    warnings: [...list.warnings],
    callTaskErrors: shown.map((fault) => ({ ...errorOut(fault), row: list.rows[fault.index]?.row ?? 0 })),
    ...(done && { failedCount: done.faults.length }),
    ...(done && word === 'accepted' && { acceptedCount: done.imported.length }),
    ...(importId !== undefined && { importId }),
    ...(done && word === 'imported' && { importedCount: done.imported.length }),
    ...(word === 'queued' && { importStatus: 'queued' as const }),
  }
}

/** An attachment, which a browser never displays as a page. */
function csvAnswer(fileName: string, texts: Iterable<string>): Answer {
  const name = `${fileName.replace(/\.\w{1,5}$/, '')} (import).csv`
  return {
    stream: Readable.from(texts, { objectMode: false }),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; ${nameParameters(name)}`,
    },
  }
}
