/** `POST /svcdialer/calltaskimport` (contract.md §2.1, §2.2, §4.1; D-07, D-08). */
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { jobOf, keepJob, piecesOf } from '../../core/imports/import-job.ts'
import { carryOut } from '../../core/imports/run-import.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem-response.ts'
import { IMPORT_ROWS } from '../http/rate-limit.ts'
import { type Asked, type Route, route } from '../http/route.ts'
import { CAMPAIGN_GONE, faultsAnswer, readImport } from './call-task-import-request.ts'
import {
  errorOut,
  givenCallTask,
  ImportAnswer,
  ImportFailure,
  ImportRequest,
  ImportShown,
  importProblem,
} from './call-task-import-schema.ts'
import { IMPORTED_SHAPE } from './call-task-schema.ts'

const MIB = 1024 * 1024
/** D-30. */
const BYTES_MAX = { sync: 16 * MIB, async: 64 * MIB } as const
/** Covers the largest synchronous import. */
const ROWS_MAX = 10_000

/** F-I1: as many as the database has connections for; a longer wait for one would look like an outage. */
const AT_ONCE = 6
const WAITING = 200
const TOO_MANY = 'too many imports are running; wait for the time in Retry-After and repeat the request'

const Flags = Type.Object({
  returnImportedCallTasks: Type.Optional(Type.Boolean({ description: 'Returns the call tasks that were created.' })),
  importAsync: Type.Optional(
    Type.Boolean({ description: 'Returns at once; the import runs in the background. Query its state by importId.' }),
  ),
})

type ImportAsked = Asked<typeof ImportRequest, typeof Flags, never>

/** The operation. */
export function callTaskImportRoutes(dependencies: RestDependencies): Route[] {
  const limit = new ConcurrencyLimit(AT_ONCE, WAITING)
  const importCallTasks = route({
    method: 'POST',
    path: '/svcdialer/calltaskimport',
    scope: 'dialer:write',
    audit: { action: 'create', object: 'import', by: 'importId' },
    rate: 'imports',
    leastRows: IMPORT_ROWS.least,
    summary: 'Import call tasks into a campaign',
    description:
      '200: the request was processed; callTaskErrors lists every call task that was not imported. 400: nothing was ' +
      'imported, and statusCode gives the reason. Faults of the call task itself (12, 101, 102, 103) are reported ' +
      'first; only a call task without them is checked for duplicates, stops and feedback (201 to 204). The rate ' +
      'limit counts call tasks, 1,000 at least for each request, of 300,000 a minute: collect them, and send many at ' +
      'once.',
    query: Flags,
    body: ImportRequest,
    shownBody: ImportShown,
    bodyBytesMax: ({ importAsync }) => (importAsync === true ? BYTES_MAX.async : BYTES_MAX.sync),
    problemBody: importProblem,
    answers: { 200: ImportAnswer, 400: ImportFailure },
    example: {
      body: {
        systemCode: 'DEBT',
        callCode: 7,
        maxCallAttempts: 3,
        minCallIntervalHours: 4,
        callTasks: [{ callReceiverName: 'Jane Doe', callNumberList: ['+4570001001'], systemLookupCode: 'CASE-1' }],
      },
      answer: { callTaskErrors: [], importId: 'imp_mhk2v1c07f3k9a', importedCount: 1 },
    },
    async handle(asked) {
      const { callTasks } = asked.body
      asked.countRows(Array.isArray(callTasks) ? callTasks.length : 0)
      const answer = await limit.tryRun(() => importAsked(dependencies, asked))
      return answer === 'full' ? refuse('tooManyRequests', TOO_MANY, { headers: { 'retry-after': '1' } }) : answer
    },
  })
  return [importCallTasks]
}

async function importAsked(
  dependencies: RestDependencies,
  { body, query, asker, headers }: ImportAsked,
): Promise<Answer> {
  const { importAsync = false, returnImportedCallTasks = false } = query
  const order = await readImport(dependencies, body, asker.corporations, importAsync)
  if ('length' in order) return faultsAnswer(order)
  const job = jobOf(dependencies, order)
  if (importAsync) {
    await dependencies.dialerAdmin.queueImport(
      job,
      piecesOf(order.callTasks, (tasks) => tasks.map(givenCallTask)),
    )
    return { body: { callTaskErrors: [], importId: job.importId, importStatus: 'queued' } }
  }
  const done = await carryOut(dependencies, {
    ...order,
    importId: job.importId,
    firstIndex: 0,
    callTasks: order.callTasks.map(givenCallTask),
  })
  if (done === 'no such campaign') return CAMPAIGN_GONE
  await keepJob(dependencies, job, done)
  const facts = {
    callTaskErrors: done.faults.map(errorOut),
    importId: job.importId,
    importedCount: done.imported.length,
  }
  if (!returnImportedCallTasks) return { body: facts }
  const texts = importedTexts(dependencies, order.corporation, job.importId, facts)
  try {
    // A streamed answer cannot be stored for a repeated request with the same key (D-32).
    if (headers['idempotency-key'] !== undefined) return { body: JSON.parse(await joined(texts)) as unknown }
    const first = await texts.next()
    return {
      stream: Readable.from(again(first.value ?? '', texts), { objectMode: false }),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }
  } catch (error) {
    // Status 500 would mean that nothing was imported (contract.md §7). The import itself lists its call tasks.
    dependencies.log.warn(
      { importId: job.importId, err: error },
      'import finished, but its call tasks could not be read',
    )
    return { body: facts }
  }
}

/** The first text comes with the first call tasks. */
async function* importedTexts(
  { dialerAdmin, clock }: RestDependencies,
  corporation: CorporationId,
  importId: string,
  facts: Omit<Static<typeof ImportAnswer>, 'callTasks'>,
): AsyncGenerator<string, undefined> {
  const { rows } = await dialerAdmin.streamCallTasks(
    {
      filter: { corporations: [corporation], importIds: [importId] },
      sort: { by: 'id', descending: false },
      page: 0,
      rowsMax: ROWS_MAX,
      atMs: clock.nowMs(),
    },
    IMPORTED_SHAPE,
  )
  let before = `${JSON.stringify(facts).slice(0, -1)},"callTasks":[`
  for await (const part of rows) {
    yield before + part.join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

async function* again(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = []
  for await (const text of texts) parts.push(text)
  return parts.join('')
}
