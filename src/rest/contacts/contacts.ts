/** `GET /svcems/entity`: contacts (contract.md §4.3, D-18). */
import { type Static, Type } from 'typebox'
import type { EntityId, ExtensionId } from '../../kernel/ids.ts'
import type { EntitySearch } from '../../ports/contacts.ts'
import { readHomeNumbers } from '../dialer/default-country.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, NAME_PART, Page, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route, SHOWN_ROWS } from '../http/route.ts'
import { CONTACT } from './contact-schema.ts'

/** D-18: the size of the contract's examples. */
const SIZE_DEFAULT = 10
/** D-30, in query strings. */
const IDS_MAX = 100
const idList = (description: string) => Type.Optional(Type.Array(Id('The id'), { maxItems: IDS_MAX, description }))

const Query = Type.Object(
  {
    getExtensions: Type.Optional(Type.Boolean({ description: 'With the extensions of the contacts.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax, description: 'Default 0' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax, description: `Default ${SIZE_DEFAULT}` })),
    emenIds: idList('Contacts. Our addition, like all following filters; a contact must match all of them.'),
    eeexIds: idList('Extensions.'),
    seqNo: Type.Optional(Id('A customer number.')),
    number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'A telephone number; write + as %2B in the URL.' }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: NAME_PART })),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

/** Reading contacts; `save-contact.ts` has the other operation. */
export function entityRoutes(dependencies: RestDependencies): Route[] {
  const listEntities = route({
    method: 'GET',
    path: '/svcems/entity',
    scope: 'entities:read',
    audit: SHOWN_ROWS('entity', 'emenId'),
    summary: 'Contacts, by id',
    description: 'Sorted by emenId; new contacts come last.',
    query: Query,
    answers: { 200: Type.Array(CONTACT.schema) },
    handle: ({ query, asker }) => search(dependencies, query, asker),
  })
  return [listEntities]
}

async function search(
  { entities, dialerAdmin }: RestDependencies,
  query: Static<typeof Query>,
  asker: Asker,
): Promise<Answer> {
  const { getExtensions = false, offset = 0, size = SIZE_DEFAULT, emenIds = [], eeexIds = [] } = query
  const { corporations } = asker
  const errors: FieldError[] = []
  const given = query.number === undefined ? [] : [query.number]
  const numbers = await readHomeNumbers(dialerAdmin, given, corporations, 'number', errors)
  if (errors[0]) {
    const { code, message } = errors[0]
    return refuse('validation', `number: ${message}`, { errors: [{ path: 'number', code, message }] })
  }
  const search: EntitySearch = {
    corporations,
    withExtensions: getExtensions,
    offset,
    rowsMax: size,
    ...(emenIds.length > 0 && { ids: emenIds as EntityId[] }),
    ...(eeexIds.length > 0 && { extensions: eeexIds as ExtensionId[] }),
    ...(query.seqNo !== undefined && { sequenceNumber: query.seqNo }),
    ...(query.number !== undefined && { numbers }),
    ...(query.name !== undefined && { name: query.name }),
  }
  const { found, entities: page } = await entities.searchEntities(search)
  return { body: page.map(CONTACT.show), headers: totals(found) }
}
