/**
 * `POST /svcdialer/calltasksheet`: call tasks from a spreadsheet (contract.md §1: imported by people; our addition).
 */
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { type ImportOrder, jobOf, keepJob } from '../../core/imports/import-job.ts'
import { listOf, piecesOfList, rehearse, type SheetList, tasksOf } from '../../core/imports/read-task-list.ts'
import { type CarriedOut, carryOut } from '../../core/imports/run-import.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { FileStore } from '../../ports/files.ts'
import { CHARSETS, SHEET_BYTES_MAX } from '../../ports/sheets.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { nameParameters } from '../http/file-response.ts'
import { filesInMemory } from '../http/memory-uploads.ts'
import { refuse } from '../http/problem.ts'
import { type Asked, type Route, route } from '../http/route.ts'
import type { ReceivedFile } from '../http/upload-rules.ts'
import { sheetCopy } from './annotated-sheet.ts'
import { CAMPAIGN_GONE, faultsAnswer, readImport } from './call-task-import-request.ts'
import { errorOut, ImportFailure, importProblem } from './call-task-import-schema.ts'
import { columnsOut, ERRORS_SHOWN_MAX, readMapping, SheetAnswer, USE_WORDS } from './call-task-sheet-schema.ts'
import { REQUEST_ERROR_CODES } from './import-error-codes.ts'

/** D-30: what is more is made meanwhile. */
const AT_ONCE_MAX = 10_000
/** Each holds a connection while it is looked at, and all of its rows. */
const GATE = { inside: 2, waiting: 20 } as const
const TOO_MANY = 'many spreadsheets are being read; wait as long as Retry-After says'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const field = (description: string) => Type.Optional(Type.String({ description }))

const Query = Type.Object({
  systemCode: field('As of the import: the code of an external system. Required.'),
  callCode: field('As of the import: the campaign that receives the call tasks. Required.'),
  maxCallAttempts: field('As of the import: 1 to 100. Required.'),
  minCallIntervalHours: field('As of the import: 0 to 8760. Required.'),
  dryRun: flag('Nothing is made; the answer says what would be.'),
  importAsync: flag(`The call tasks are made meanwhile, as always from ${AT_ONCE_MAX + 1} rows on.`),
  mapping: field(
    'A JSON object: headings, or letters of columns, and what they are. Without it, and for columns that it does not ' +
      `name, the headings tell. Fields: ${USE_WORDS}.`,
  ),
  sheet: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Which sheet of a workbook, from 1' })),
  charset: Type.Optional(Type.Enum([...CHARSETS], { description: 'Encoding of a text; found out when absent' })),
  answer: Type.Optional(
    Type.Enum(['json', 'csv'], { description: 'csv: the sheet itself, with what became of each row' }),
  ),
})

type SheetAsked = Asked<never, typeof Query, never>

/** The operation. */
export function callTaskSheetRoutes(dependencies: RestDependencies): Route[] {
  const limit = new ConcurrencyLimit(GATE.inside, GATE.waiting)
  const store = filesInMemory()
  const importSheet = route({
    method: 'POST',
    path: '/svcdialer/calltasksheet',
    scope: 'dialer:write',
    audit: { action: 'create', object: 'import', by: 'importId' },
    rate: 'imports',
    summary: 'Import call tasks from a spreadsheet',
    description:
      'An .xlsx, .ods or CSV file: a row of headings, and below it one call task in each row. Rows are checked by ' +
      'the rules of the import, and answered with its codes; what is wrong is told by the row as it is shown in the ' +
      'sheet. Formulas count as their last result. Several numbers may stand in several columns, or in one with ; ' +
      'between them. Try it with dryRun first.',
    query: Query,
    upload: {
      ...{ store, partName: 'file', isTemporary: true },
      ...{ filesMax: 1, fileBytesMax: SHEET_BYTES_MAX, bytesMax: SHEET_BYTES_MAX },
    },
    problemBody: importProblem,
    produces: 'csv',
    answers: { 200: SheetAnswer, 400: ImportFailure },
    example: { answer: EXAMPLE },
    async handle(asked) {
      const answer = await limit.tryRun(() => sheetAsked(dependencies, store, asked))
      return answer === 'full' ? refuse('tooManyRequests', TOO_MANY, { headers: { 'retry-after': '1' } }) : answer
    },
  })
  return [importSheet]
}

const EXAMPLE: Static<typeof SheetAnswer> = {
  ...{ dryRun: true, headingRow: 1, rowCount: 3 },
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
  ...{ failedCount: 1, acceptedCount: 2 },
}

async function sheetAsked(dependencies: RestDependencies, store: FileStore, asked: SheetAsked): Promise<Answer> {
  const { query, asker } = asked
  const said = readMapping(query.mapping)
  if (typeof said === 'string') return refuse('validation', said)
  const [file] = asked.files
  const reading = file && (await readFile(dependencies, store, file, query))
  if (!reading?.ok) return refuse('badRequest', reading?.why ?? 'the form has no file')
  const order = await readImport(dependencies, bodyOf(query, reading.rows.slice(1)), asker.corporations, true)
  if ('length' in order) return faultsAnswer(order)
  const list = listOf(reading.rows, await dependencies.directory.infoFields([order.corporation], false), said)
  if (list.columns.unknown.length > 0) {
    return refuse('validation', 'mapping names a column that is not there; name it by its heading, or by its letter')
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

/** The request as the API would have it. */
function bodyOf(query: SheetAsked['query'], callTasks: readonly unknown[]) {
  const figure = (text: string | undefined) => (/^-?\d{1,15}$/.test(text?.trim() ?? '') ? Number(text) : text)
  const { systemCode, callCode, maxCallAttempts, minCallIntervalHours } = query
  return {
    ...{ systemCode, callCode: callCode?.trim(), callTasks },
    ...{ maxCallAttempts: figure(maxCallAttempts), minCallIntervalHours: figure(minCallIntervalHours) },
  }
}

/** What was done with the list. Without `done` it is still to be made. */
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
    ...{ headingRow: list.headingRow, rowCount: list.rows.length },
    ...{ columns: columnsOut(list.columns), warnings: [...list.warnings] },
    callTaskErrors: shown.map((fault) => ({ ...errorOut(fault), row: list.rows[fault.index]?.row ?? 0 })),
    ...(done && { failedCount: done.faults.length }),
    ...(done && word === 'accepted' && { acceptedCount: done.imported.length }),
    ...(importId !== undefined && { importId }),
    ...(done && word === 'imported' && { importedCount: done.imported.length }),
    ...(word === 'queued' && { importStatus: 'queued' as const }),
  }
}

/** A file to be kept: a browser never shows it as a page. */
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
