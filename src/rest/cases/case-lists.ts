/** The lookup lists of cases (contract.md §4.5, D-23). Adding entries is our addition. */
import { type TSchema, Type } from 'typebox'
import type { CategoryId, CorporationId } from '../../kernel/ids.ts'
import { CASE_LETTERS, type EntryAdded, LIST_ENTRIES_MAX } from '../../ports/case-repository.ts'
import type { CaseStatus } from '../../ports/cases.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { CATEGORY, PRIORITY, STATUS } from './case-schema.ts'
import { entryName } from './entry-name.ts'

/** The list of statuses that users defined (contract.md §2.8). */
const STATUS_LIST = 35013

const ALL = { all: Type.Optional(Type.Boolean({ description: 'Also entries that are not active' })) }
const NAMED = {
  name: Type.String({
    minLength: 1,
    maxLength: CASE_LETTERS.name,
    description: 'Name as people see it',
  }),
  sortOrder: Type.Optional(Type.Integer({ minimum: -10_000, maximum: 10_000, description: 'Default 0' })),
  corporation: Type.Optional(
    Type.Object(
      { corpId: Id('One of the corporations of the credential') },
      { description: 'Default: the first corporation of the credential' },
    ),
  ),
}
const COLORED = {
  color: Type.Optional(
    Type.Union([Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), Type.Null()], { description: 'Such as #2f6fde' }),
  ),
  default: Type.Optional(Type.Boolean({ description: 'It becomes the default of the list' })),
}
const NewCategory = Type.Object({
  ...NAMED,
  parent: Type.Optional(
    Type.Union([Type.Object({ ctnoId: Id('The category') }), Type.Null()], { description: 'The category above it' }),
  ),
})
const NewStatus = Type.Object({
  ...NAMED,
  ...COLORED,
  internalStatus: Type.Integer({
    minimum: 1,
    maximum: 8,
    description: 'How cases with this status behave; it cannot be changed later',
  }),
})
const NewPriority = Type.Object({ ...NAMED, ...COLORED, level: Type.Integer({ minimum: 0, maximum: 1_000 }) })

/** Lists and adds categories, statuses and priorities. */
export function caseListRoutes(dependencies: RestDependencies): Route[] {
  return [...categoryRoutes(dependencies), ...statusRoutes(dependencies), ...priorityRoutes(dependencies)]
}

function categoryRoutes({ cases }: RestDependencies): Route[] {
  const list = route({
    ...listed('categories', 'Categories of cases', CATEGORY.schema),
    query: Type.Object(ALL),
    handle: async ({ query, asker }) => {
      const found = await cases.categories(asker.corporations, query.all ?? false)
      return { body: found.map(CATEGORY.show), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('categories', 'Add a category', CATEGORY.schema),
    audit: { action: 'create', object: 'category', by: 'ctnoId' },
    body: NewCategory,
    handle: async ({ body, asker }) => {
      const parent = (body.parent?.ctnoId ?? null) as CategoryId | null
      const work = (corporation: CorporationId) => cases.addCategory(corporation, { ...namedOf(body), parent })
      return answerOf('categories', await inCorporation(body.corporation, asker, work), CATEGORY.show)
    },
  })
  return [list, add]
}

function statusRoutes({ cases }: RestDependencies): Route[] {
  const list = route({
    ...listed('statuses', 'Statuses of cases that users defined', STATUS.schema),
    query: Type.Object({
      type: Type.Optional(
        Type.Integer({ description: `${STATUS_LIST} (default): user-defined statuses; other types are empty` }),
      ),
      ...ALL,
    }),
    handle: async ({ query, asker }) => {
      const isOurs = (query.type ?? STATUS_LIST) === STATUS_LIST
      const found = isOurs ? await cases.customStatuses(asker.corporations, query.all ?? false) : []
      return { body: found.map(STATUS.show), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('statuses', 'Add a status of cases', STATUS.schema),
    audit: { action: 'create', object: 'status', by: 'emstId' },
    body: NewStatus,
    handle: async ({ body, asker }) => {
      const entry = { ...namedOf(body), ...coloredOf(body), status: body.internalStatus as CaseStatus }
      const work = (corporation: CorporationId) => cases.addCustomStatus(corporation, entry)
      return answerOf('statuses', await inCorporation(body.corporation, asker, work), STATUS.show)
    },
  })
  return [list, add]
}

function priorityRoutes({ cases }: RestDependencies): Route[] {
  const list = route({
    ...listed('priorities', 'Priorities of cases', PRIORITY.schema),
    query: Type.Object(ALL),
    handle: async ({ query, asker }) => {
      const found = await cases.priorities(asker.corporations, query.all ?? false)
      return { body: found.map(PRIORITY.show), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('priorities', 'Add a priority', PRIORITY.schema),
    audit: { action: 'create', object: 'priority', by: 'empriId' },
    body: NewPriority,
    handle: async ({ body, asker }) => {
      const entry = { ...namedOf(body), ...coloredOf(body), level: body.level }
      const work = (corporation: CorporationId) => cases.addPriority(corporation, entry)
      return answerOf('priorities', await inCorporation(body.corporation, asker, work), PRIORITY.show)
    },
  })
  return [list, add]
}

type ListName = 'categories' | 'statuses' | 'priorities'

function listed(name: ListName, summary: string, entry: TSchema) {
  const answers = { 200: Type.Array(entry) }
  return { method: 'GET', path: `/svcems/${name}`, scope: 'cases:read', audit: PLAIN_READ, summary, answers } as const
}

function adding(name: ListName, summary: string, entry: TSchema) {
  return { method: 'POST', path: `/svcems/${name}`, scope: 'config:write', summary, answers: { 201: entry } } as const
}

function namedOf({ name, sortOrder = 0 }: { readonly name: string; readonly sortOrder?: number }) {
  return { name: entryName(name), sortOrder }
}

function coloredOf({ color = null, ...rest }: { readonly color?: string | null; readonly default?: boolean }) {
  return { color, isDefault: rest.default ?? false }
}

async function inCorporation<T>(
  given: { readonly corpId: number } | undefined,
  { corporations }: Asker,
  work: (corporation: CorporationId) => Promise<EntryAdded<T>>,
): Promise<EntryAdded<T>> {
  const corporation = given ? corporations.find((id) => id === given.corpId) : corporations[0]
  return corporation === undefined ? { outcome: 'no such corporation' } : work(corporation)
}

function answerOf<T>(name: ListName, added: EntryAdded<T>, out: (entry: T) => unknown): Answer {
  switch (added.outcome) {
    case 'added':
      return { status: 201, headers: { location: `/rest/svcems/${name}` }, body: out(added.entry) }
    case 'name is taken':
      return refuse('conflict', 'the list already has an entry with this name; choose another name')
    case 'list is full':
      return refuse(
        'conflict',
        `the list is full: it has ${LIST_ENTRIES_MAX} entries, including those that are not active`,
      )
    case 'no such parent':
      return noSuch('parent.ctnoId', 'there is no such category')
    case 'no such corporation':
      return noSuch('corporation.corpId', 'there is no such corporation')
  }
}

function noSuch(path: string, message: string): Answer {
  return refuse('validation', `${path}: ${message}`, { errors: [{ path, code: 'reference', message }] })
}
