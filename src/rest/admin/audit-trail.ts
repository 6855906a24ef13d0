/** `GET /core/audit`: who read or changed what (F-K5). An addition to the contract. */
import { type Static, Type } from 'typebox'
import type { AuditRecord, AuditSearch } from '../../ports/audit.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, InstantOut, instantText, Page, readInstant, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, type Route, route } from '../http/route.ts'

const Word = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

const Query = Type.Object(
  {
    sinceTs: Type.Optional(InstantIn('From this instant on.')),
    untilTs: Type.Optional(InstantIn('Before this instant; keep it while you page: newer entries come first.')),
    action: Word('read, create, change, delete, end, send, export or erase'),
    object: Word('The kind of thing, such as file or token.'),
    objectId: Word('One of its ids.'),
    rcntrl: Word('The credential.'),
    userId: Type.Optional(Id('The person behind it.')),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax, description: '0 when absent' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax, description: `${Page.size} when absent` })),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

const Entry = Type.Object({
  corporation: Type.Object({ corpId: Type.Integer() }),
  auditId: Type.Integer({ description: 'From 1 in each corporation, without gaps.' }),
  ts: InstantOut('When.'),
  rcntrl: Type.String({ description: 'The credential; of what the service does by itself, its own name for it.' }),
  userId: Type.Union([Type.Integer(), Type.Null()]),
  action: Type.String(),
  object: Type.String(),
  objectIds: Type.Array(Type.String(), { description: '100 at the most.' }),
  count: Type.Integer({ description: 'How many things it was about.' }),
  operation: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  address: Type.String(),
  traceId: Type.String(),
  hash: Type.String({ description: 'SHA-256 over the entry and the hash of the one before.' }),
})

/** The operation. */
export function auditRoutes(dependencies: Pick<RestDependencies, 'audit'>): Route[] {
  const listAudit = route({
    method: 'GET',
    path: '/core/audit',
    scope: 'admin',
    audit: { none: 'a trail that grows by being read would move its own pages' },
    summary: 'The audit trail, newest first',
    description: 'Every change, and every read of recordings, files, transcripts, summaries, emails and exports.',
    query: Query,
    answers: { 200: Type.Array(Entry) },
    handle: ({ query, asker }) => list(dependencies, query, asker),
  })
  return [listAudit]
}

async function list(
  { audit }: Pick<RestDependencies, 'audit'>,
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
    const message = 'is no ISO 8601 instant with an offset'
    return refuse('validation', `${path}: ${message}`, { errors: [{ path, code: 'instant', message }] })
  }
  const wish: AuditSearch = {
    ...{ corporations, offset, rowsMax: size },
    ...(since !== undefined && { sinceAtMs: since }),
    ...(until !== undefined && { untilAtMs: until }),
    ...(action !== undefined && { action }),
    ...(object !== undefined && { object }),
    ...(objectId !== undefined && { id: objectId }),
    ...(rcntrl !== undefined && { credential: rcntrl }),
    ...(userId !== undefined && { user: userId }),
  }
  const { found, records } = await audit.search(wish)
  return { body: records.map(entryOut), headers: totals(found) }
}

function entryOut(record: AuditRecord): Static<typeof Entry> {
  const { corporation, number, atMs, credential, user, action, object, ids, count } = record
  const { operation, reason, address, traceId, hash } = record
  return {
    ...{ corporation: { corpId: corporation }, auditId: number, ts: instantText(atMs), rcntrl: credential },
    ...{ userId: user, action, object, objectIds: [...ids], count, operation, reason, address, traceId, hash },
  }
}
