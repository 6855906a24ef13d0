/** What people may ask about themselves: a copy of it all, and its erasure (F-K4). Additions of ours. */
import { type Static, Type } from 'typebox'
import type { CorporationId, EntityId, ExtensionId } from '../../kernel/ids.ts'
import { plainAddress } from '../../mail-format/mail-address.ts'
import type { DataSubject, NotOne, PersonNamed } from '../../ports/privacy.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { Refusal, refuse } from '../http/problem.ts'
import { type Asker, type Route, route } from '../http/route.ts'

/** What the operations work with. */
export type DataSubjectDependencies = Pick<RestDependencies, 'clock' | 'keptBytes' | 'directory' | 'privacy'>

/** Why it is done: kept in the audit trail, so that it names a request and nobody. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why, as the number of a request; it is kept for years, so name nobody in it.',
})

/** Whom it is about: exactly one of them. */
export const PERSON_FIELDS = {
  eeexId: Type.Optional(Id('A contact, by its extension …')),
  emenId: Type.Optional(Id('… or by itself,')),
  systemCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'or a customer: the external system …' }),
  ),
  extCustId: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: '… and who they are there,' })),
  number: Type.Optional(
    Type.String({ pattern: '^\\+[1-9][0-9]{5,14}$', description: 'or a telephone number that only they have,' }),
  ),
  email: Type.Optional(
    Type.String({ minLength: 3, maxLength: 254, description: 'or an address: emails of nobody else, no contact.' }),
  ),
  corporation: Type.Optional(
    Type.Object({ corpId: Id('The asker’s first when absent') }, { description: 'Whose person it is.' }),
  ),
} as const

const Wish = Type.Object({ ...PERSON_FIELDS, reason: Reason }, { additionalProperties: false })

const Table = Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())))
const Document = Type.Object({
  complete: Type.Boolean({ description: 'False: there are more than 5,000 rows of something, which are left out.' }),
  calls: Type.Unsafe<object>({ ...Table, description: 'Calls, recordings (files by cfreId), transcripts, summaries.' }),
  activities: Type.Unsafe<object>({ ...Table, description: 'Cases, comments, emails and files.' }),
  tasks: Type.Unsafe<object>({ ...Table, description: 'Call tasks and attempts.' }),
  contacts: Type.Unsafe<object>({ ...Table, description: 'What we call them, and their numbers.' }),
})

const Counts = Type.Object({
  calls: Type.Integer({ description: 'Calls that are nameless now.' }),
  activities: Type.Integer({ description: 'Cases, conversations and emails.' }),
  callTasks: Type.Integer({ description: 'Call tasks; none of them is dialed any more.' }),
  entities: Type.Integer({ description: 'Contacts.' }),
})

/** Both of them. */
export function dataSubjectRoutes(dependencies: DataSubjectDependencies): Route[] {
  return [exportRoute(dependencies), eraseRoute(dependencies)]
}

function exportRoute(dependencies: DataSubjectDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/persons/export',
    scope: 'admin',
    audit: { action: 'export', object: 'person', keepsReason: true },
    summary: 'Everything that is kept about a person',
    description: 'As it is stored, by table. The bytes of recordings and files are fetched one by one.',
    body: Wish,
    answers: { 200: Document },
    example: { body: { eeexId: 771, reason: 'access request 2026-14' } },
    async handle({ body, asker }) {
      const found = await dependencies.privacy.exportPerson(await readPerson(dependencies, body, asker))
      if (found.outcome !== 'exported') return notOne(found)
      const { calls = {}, activities = {}, tasks = {}, contacts = {} } = found.document
      return { body: { complete: found.isWhole, calls, activities, tasks, contacts } }
    },
  })
}

function eraseRoute(dependencies: DataSubjectDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/persons/erase',
    scope: 'admin',
    audit: { action: 'erase', object: 'person', keepsReason: true, keepsRefused: true },
    summary: 'Erase a person',
    description:
      'Their open call tasks end and they go on the stop list, so that nobody dials them again. Then words, sounds, ' +
      'names and numbers go; times and results stay, to prove limits. What is another contact’s too stays theirs. ' +
      '409 under a legal hold, and while a call of theirs is up: ask again. Asking again is harmless.',
    body: Wish,
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
          return refuse('conflict', 'a legal hold keeps what is theirs; lift it first')
        case 'underWay':
          return refuse('conflict', 'a call of theirs is up; nobody begins another one: ask again when it is over', {
            headers: { 'retry-after': '60' },
          })
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

/** Whom a request means. Throws a `Refusal` when it names nobody, or somebody twice. */
export async function readPerson(
  { directory }: Pick<RestDependencies, 'directory'>,
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
  const message = 'name one: eeexId, or emenId, or systemCode with extCustId, or number, or email'
  throw new Refusal(
    refuse('validation', `eeexId: ${message}`, { errors: [{ path: 'eeexId', code: 'required', message }] }),
  )
}

/** The one that was named, or the asker's first. */
export function corporationOf(corpId: number | undefined, { corporations }: Asker): CorporationId {
  const own = corpId === undefined ? corporations[0] : corporations.find((id) => id === corpId)
  if (own !== undefined) return own
  const message = 'names a corporation that does not exist'
  const errors = [{ path: 'corporation.corpId', code: 'reference', message }]
  throw new Refusal(refuse('validation', `corporation.corpId: ${message}`, { errors }))
}

/** Nobody, or more than one. */
export function notOne({ outcome }: NotOne): Answer {
  if (outcome === 'nobody') return refuse('notFound', 'nothing of yours is about such a person')
  return refuse('conflict', 'several people have this number; name eeexId, or systemCode with extCustId')
}
