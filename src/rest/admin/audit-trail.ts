/** `GET /core/audit`: the audit trail (F-K5). An addition to the contract. */
import { type Static, Type } from 'typebox'
import type { AuditRecord, AuditSearch } from '../../ports/audit.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, InstantOut, instantText, Page, readInstant, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'

const Word = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

const Query = Type.Object(
  {
    sinceTs: Type.Optional(InstantIn('Entries from this time')),
    untilTs: Type.Optional(
      InstantIn('Entries before this time; keep it constant while paging, because newer entries come first'),
    ),
    action: Word('read, create, change, delete, end, send, export or erase'),
    object: Word('Type of the object, such as file or token'),
    objectId: Word('Id of an object'),
    rcntrl: Word('Public id of the credential'),
    userId: Type.Optional(Id('User of the credential')),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Page.offsetMax, description: 'Number of entries to skip; default 0' }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Page.sizeMax,
        description: `Maximum number of entries; default ${Page.size}`,
      }),
    ),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

const Entry = Type.Object({
  corporation: Type.Object({ corpId: Type.Integer() }),
  auditId: Type.Integer({ description: 'Consecutive number within the corporation, starting at 1' }),
  ts: InstantOut('Time of the operation'),
  rcntrl: Type.String({ description: 'Public id of the credential; a service name for actions of the service itself' }),
  userId: Type.Union([Type.Integer(), Type.Null()]),
  action: Type.String(),
  object: Type.String(),
  objectIds: Type.Array(Type.String(), { description: 'Ids of the objects, at most 100' }),
  count: Type.Integer({ description: 'Number of objects' }),
  operation: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  address: Type.String(),
  traceId: Type.String(),
  hash: Type.String({ description: 'SHA-256 of the entry and the hash of the previous entry' }),
})

/** The audit trail operation. */
export function auditRoutes(dependencies: RestDependencies): Route[] {
  const listAudit = route({
    method: 'GET',
    path: '/core/audit',
    scope: 'admin',
    audit: { none: 'reading would add entries and shift the pages' },
    summary: 'Read the audit trail, newest first',
    description:
      'Contains every change, and every read of recordings, files, transcripts, summaries, emails and exports.',
    query: Query,
    answers: { 200: Type.Array(Entry) },
    handle: ({ query, asker }) => list(dependencies, query, asker),
  })
  return [listAudit]
}

async function list(
  { audit }: RestDependencies,
  query: Static<typeof Query>,
  { corporations }: Asker,
): Promise<Answer> {
  const { sinceTs, untilTs, action, object, objectId, rcntrl, userId, offset = 0, size = Page.size } = query
  const since = sinceTs === undefined ? undefined : readInstant(sinceTs)
  const until = untilTs === undefined ? undefined : readInstant(untilTs)
  const wrong = [
    sinceTs !== undefined && since === undefined && 'sinceTs',
    untilTs !== undefined && until === undefined && 'untilTs',
  ]
  const path = wrong.find((name) => name !== false)
  if (path) {
    const message = 'must be an ISO 8601 timestamp with an offset'
    return refuse('validation', `${path}: ${message}`, { errors: [{ path, code: 'instant', message }] })
  }
  const search: AuditSearch = {
    corporations,
    offset,
    rowsMax: size,
    ...(since !== undefined && { sinceAtMs: since }),
    ...(until !== undefined && { untilAtMs: until }),
    ...(action !== undefined && { action }),
    ...(object !== undefined && { object }),
    ...(objectId !== undefined && { id: objectId }),
    ...(rcntrl !== undefined && { credential: rcntrl }),
    ...(userId !== undefined && { user: userId }),
  }
  const { found, records } = await audit.search(search)
  return { body: records.map(entryOut), headers: totals(found) }
}

function entryOut(record: AuditRecord): Static<typeof Entry> {
  const { corporation, number, atMs, credential, user, action, object, ids, count } = record
  const { operation, reason, address, traceId, hash } = record
  return {
    corporation: { corpId: corporation },
    auditId: number,
    ts: instantText(atMs),
    rcntrl: credential,
    userId: user,
    action,
    object,
    objectIds: [...ids],
    count,
    operation,
    reason,
    address,
    traceId,
    hash,
  }
}
