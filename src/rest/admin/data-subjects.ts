/** Data subject requests: export and erasure (F-K4). Additions to the contract. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EntityId, ExtensionId } from '../../kernel/ids.ts'
import { plainAddress } from '../../mail-format/mail-address.ts'
import type { DataSubject, ExportPlaces, NotOne, PersonNamed } from '../../ports/privacy.ts'
import type { Answer } from '../http/answer.ts'
import { corporationOf } from '../http/corporation-of.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { afterField, cursorOf, NEXT, NO_CURSOR, readCursor } from '../http/paging.ts'
import { Refusal, refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'

/** Stored in the audit trail, so it must not contain names. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Reason, for example a request number; stored for years, so it must not contain names',
})

/** Identifies a person; exactly one way is required. */
export const PERSON_FIELDS = {
  eeexId: Type.Optional(Id('Role id of the contact')),
  emenId: Type.Optional(Id('Contact id')),
  systemCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'External system of the customer; requires extCustId' }),
  ),
  extCustId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Customer id in the external system; requires systemCode',
    }),
  ),
  number: Type.Optional(
    Type.String({ pattern: '^\\+[1-9][0-9]{5,14}$', description: 'Phone number that belongs only to this person' }),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'Email address; covers emails of this address, not a contact',
    }),
  ),
  corporation: Type.Optional(
    Type.Object(
      { corpId: Id('Corporation id') },
      { description: 'Corporation; default: the first one of the credential' },
    ),
  ),
} as const

const PersonRequest = Type.Object({ ...PERSON_FIELDS, reason: Reason }, { additionalProperties: false })
const ExportRequest = Type.Object(
  {
    ...PERSON_FIELDS,
    reason: Reason,
    after: afterField('the part before, about the same person: the next part of an export that is not complete'),
  },
  { additionalProperties: false },
)

const Table = Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())))
const Document = Type.Object({
  complete: Type.Boolean({
    description:
      'False if a table or the journal has more than 5,000 rows, or all of it has more than 32 Mi letters: `next` ' +
      'gives the further rows',
  }),
  next: NEXT,
  calls: Type.Unsafe<object>({
    ...Table,
    description: 'Calls, recordings (files by cfreId), transcripts and summaries',
  }),
  activities: Type.Unsafe<object>({ ...Table, description: 'Cases, comments, emails and files' }),
  tasks: Type.Unsafe<object>({ ...Table, description: 'Call tasks and attempts' }),
  contacts: Type.Unsafe<object>({ ...Table, description: 'Contacts and their phone numbers' }),
  stopLists: Type.Unsafe<object>({ ...Table, description: 'Entries of the stop lists' }),
  imports: Type.Unsafe<object>({
    ...Table,
    description: 'Parts of lists that are being imported and name a number or customer number; others may be in them',
  }),
  journal: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'Events of the calls, as the call journal of this node has them',
  }),
})

const LINES_MAX = 5_000

const Counts = Type.Object({
  calls: Type.Integer({ description: 'Number of anonymized calls' }),
  activities: Type.Integer({ description: 'Number of erased cases, conversations and emails' }),
  callTasks: Type.Integer({ description: 'Number of erased call tasks; they are not dialed any more' }),
  entities: Type.Integer({ description: 'Number of erased contacts' }),
})

/** Export and erasure. */
export function dataSubjectRoutes(dependencies: RestDependencies): Route[] {
  return [exportRoute(dependencies), eraseRoute(dependencies)]
}

function exportRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/persons/export',
    scope: 'admin',
    audit: { action: 'export', object: 'person', keepsReason: true },
    summary: 'Export all data about a person',
    description:
      'Returns the stored rows by table. If complete is false, repeat the request with next as after until next is ' +
      'null: each part has the further rows of the tables that were not whole. Fetch the bytes of recordings and ' +
      'files one by one.',
    body: ExportRequest,
    answers: { 200: Document },
    example: { body: { eeexId: 771, reason: 'access request 2026-14' } },
    async handle({ body, asker }) {
      const { privacy, keptBytes } = dependencies
      const from = body.after === undefined ? undefined : readPlaces(body.after)
      const found = await privacy.exportPerson(await readPerson(dependencies, body, asker), from)
      if (found.outcome === 'no such part') throw noSuchPart()
      if (found.outcome !== 'exported') return notOne(found)
      const linesBefore = from === undefined ? 0 : Number(from[JOURNAL]?.[0] ?? Number.POSITIVE_INFINITY)
      const story = linesBefore < Infinity ? await keptBytes.story(found.traces, LINES_MAX + 1, linesBefore) : []
      const journal = story.slice(0, LINES_MAX)
      const isCut = story.length > LINES_MAX
      const rest = { ...found.rest, ...(isCut && { [JOURNAL]: [linesBefore + LINES_MAX] }) }
      const complete = Object.keys(rest).length === 0
      const { calls = {}, activities = {}, tasks = {}, contacts = {}, stopLists = {}, imports = {} } = found.document
      const parts = { calls, activities, tasks, contacts, stopLists, imports, journal }
      return { body: { complete, next: complete ? null : cursorOf([rest]), ...parts } }
    },
  })
}

/** Beside the tables: its place is the number of lines that were given. */
const JOURNAL = 'journal'

function readPlaces(text: string): ExportPlaces {
  const [rest] = readCursor(text)
  if (!Value.Check(Places, rest)) throw noSuchPart()
  return rest
}

const Places = Type.Record(
  Type.String(),
  Type.Union([Type.Array(Type.Union([Type.String(), Type.Integer()])), Type.Null()]),
)

function noSuchPart(): Refusal {
  const { path, message } = NO_CURSOR
  return new Refusal(refuse('validation', `${path}: ${message}`, { errors: [NO_CURSOR] }))
}

function eraseRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/persons/erase',
    scope: 'admin',
    audit: { action: 'erase', object: 'person', keepsReason: true, keepsRefused: true },
    goesOn: true,
    summary: 'Erase all data about a person',
    description:
      'Ends the open call tasks of the person and adds the person to the stop list. Then erases texts, recordings, ' +
      'names and numbers. Times and results stay as proof of compliance. Data that also belongs to another contact ' +
      'stays. Status 409: a legal hold exists, or a call of the person is active. The request may be repeated.',
    body: PersonRequest,
    answers: { 200: Counts },
    example: { body: { systemCode: 'DEBT', extCustId: 'c-4711', reason: 'erasure request 2026-15' } },
    async handle({ body, asker }) {
      const { privacy, keptBytes, clock } = dependencies
      const subject = await readPerson(dependencies, body, asker)
      const erased = await privacy.erasePerson(subject, clock.nowMs(), {
        onTraces: (traces) => keptBytes.forget(traces),
        onLeft: (left) => keptBytes.remove(left),
      })
      switch (erased.outcome) {
        case 'held':
          return refuse('conflict', 'a legal hold covers data of this person; lift it first')
        case 'underWay':
          return refuse(
            'conflict',
            'a call of this person is active; no new call will start; retry when it has ended',
            {
              headers: { 'retry-after': '60' },
            },
          )
        case 'erased': {
          const { calls, activities, tasks, contacts } = erased.counts
          return { body: { calls, activities, callTasks: tasks, entities: contacts } }
        }
        default:
          return notOne(erased)
      }
    },
  })
}

/** The person of a request. Throws a `Refusal` unless exactly one is given. */
export async function readPerson(
  { directory }: RestDependencies,
  given: Static<Type.TObject<typeof PERSON_FIELDS>>,
  asker: Asker,
): Promise<DataSubject> {
  const { eeexId, emenId, systemCode, extCustId, number, email } = given
  const corporation = corporationOf(given.corporation?.corpId, asker)
  const named: PersonNamed[] = []
  if (eeexId !== undefined) named.push({ by: 'extension', extension: eeexId as ExtensionId })
  if (emenId !== undefined) named.push({ by: 'contact', contact: emenId as EntityId })
  if (number !== undefined) named.push({ by: 'number', number })
  const address = email === undefined ? undefined : plainAddress(email)
  if (address !== undefined) named.push({ by: 'email', address })
  if (systemCode !== undefined && extCustId !== undefined) {
    const systems = await directory.externalSystems([corporation], true)
    const system = systems.find(({ code }) => code === systemCode)
    if (!system) throw new Refusal(notOne({ outcome: 'nobody' }))
    named.push({ by: 'customer', externalSystem: system.id, externalCustomer: extCustId })
  }
  const [person, ...more] = named
  if (person && more.length === 0 && (systemCode === undefined) === (extCustId === undefined)) {
    return { corporation, person }
  }
  const message = 'give exactly one of eeexId, emenId, systemCode with extCustId, number, email'
  throw new Refusal(
    refuse('validation', `eeexId: ${message}`, { errors: [{ path: 'eeexId', code: 'required', message }] }),
  )
}

/** The answer if no person, or more than one, was found. */
export function notOne({ outcome }: NotOne): Answer {
  if (outcome === 'nobody') return refuse('notFound', 'there is no data about this person')
  return refuse('conflict', 'several people have this number; give eeexId, or systemCode with extCustId')
}
