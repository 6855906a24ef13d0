/** The state of imports, and their cancellation (D-08; our addition). */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ImportJob } from '../../ports/dialer-admin-repository.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { PAGE_FACTS, PAGE_FIELDS, pageFacts, readPage } from '../http/paging.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { errorOut, IMPORT, ImportDetail } from './call-task-import-schema.ts'
import { IMPORTED_SHAPE } from './call-task-schema.ts'

/** D-30: more call tasks than an import has. */
const ROWS_MAX = 100_000
const LIMIT_MAX = 1_000

const params = Type.Object({ importId: Type.String({ minLength: 1, maxLength: 64 }) })

/** The three operations. */
export function importJobRoutes(dependencies: RestDependencies): Route[] {
  return [listImports(dependencies), showImport(dependencies), cancelImport(dependencies)]
}

function listImports({ dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcdialer/calltaskimport',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'Imports of the last 30 days, newest first',
    query: Type.Object({
      importStatus: Type.Optional(Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled'])),
      ...PAGE_FIELDS,
    }),
    answers: { 200: Type.Object({ imports: Type.Array(IMPORT.schema), ...PAGE_FACTS }) },
    async handle({ query: { importStatus, limit, pageNumber }, asker }) {
      const asked = { ...(limit !== undefined && { limit }), ...(pageNumber !== undefined && { pageNumber }) }
      const page = readPage(asked, LIMIT_MAX)
      const status = importStatus === undefined ? {} : { status: importStatus }
      const { corporations, teams } = asker
      const found = await dialerAdmin.listImports({ corporations, ...(teams && { teams }), ...status, ...page })
      const facts = pageFacts(page, found.imports.length, found.foundRows)
      return { body: { imports: found.imports.map(IMPORT.show), ...facts } }
    },
  })
}

function showImport(dependencies: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/svcdialer/calltaskimport/{importId}',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'One import: its progress and its errors',
    params,
    query: Type.Object({
      returnImportedCallTasks: Type.Optional(
        Type.Boolean({ description: 'Returns the call tasks that were created.' }),
      ),
    }),
    answers: { 200: ImportDetail },
    async handle({ params, query, asker }) {
      const job = await dependencies.dialerAdmin.findImport(asker.corporations, params.importId)
      if (!job) return noSuchImport()
      const texts = detailTexts(dependencies, job, query.returnImportedCallTasks ?? false)
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      return { stream: Readable.from(texts, { objectMode: false }), headers }
    },
  })
}

function cancelImport({ dialerAdmin, clock }: RestDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/svcdialer/calltaskimport/{importId}',
    scope: 'dialer:write',
    audit: { action: 'end', object: 'import', by: 'importId' },
    summary: 'Cancel the remaining call tasks of an import',
    params,
    answers: { 200: IMPORT.schema },
    async handle({ params, asker }) {
      const job = await dialerAdmin.cancelImport(asker.corporations, params.importId, clock.nowMs())
      return job ? { body: IMPORT.show(job) } : noSuchImport()
    },
  })
}

/** The answer is streamed: a large import may have as many errors as call tasks. */
async function* detailTexts(
  { dialerAdmin, clock }: RestDependencies,
  job: ImportJob,
  withCallTasks: boolean,
): AsyncGenerator<string> {
  yield `${JSON.stringify(IMPORT.show(job)).slice(0, -1)},"callTaskErrors":[`
  let isFirst = true
  for await (const faults of dialerAdmin.importFaults(job.importId)) {
    yield (isFirst ? '' : ',') + faults.map((fault) => JSON.stringify(errorOut(fault))).join(',')
    isFirst = false
  }
  if (!withCallTasks) return yield ']}'
  yield '],"callTasks":['
  const filter = { corporations: [job.corporation], importIds: [job.importId] }
  const search = { filter, sort: { by: 'id', descending: false }, page: 0, rowsMax: ROWS_MAX } as const
  const { rows } = await dialerAdmin.streamCallTasks({ ...search, atMs: clock.nowMs() }, IMPORTED_SHAPE)
  isFirst = true
  for await (const part of rows) {
    yield (isFirst ? '' : ',') + part.join(',')
    isFirst = false
  }
  yield ']}'
}

function noSuchImport(): Answer {
  return refuse('notFound', 'there is no import with this importId; imports are kept for 30 days')
}
