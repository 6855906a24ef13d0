/** Lookup lists of cases, and what is added to them (contract.md §4.5, D-23). Adding is our own. */
import { type TSchema, Type } from 'typebox'
import { cleanText } from '../../kernel/clean-text.ts'
import type { CategoryId, CorporationId } from '../../kernel/ids.ts'
import { CASE_LETTERS, type EntryAdded, LIST_ENTRIES_MAX } from '../../ports/case-repository.ts'
import type { CaseStatus } from '../../ports/cases.ts'
import type { Answer } from '../http/answer.ts'
import { Id, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { CategoryOut, categoryOut, PriorityOut, priorityOut, StatusOut, statusOut } from './case-schema.ts'
import type { CaseDependencies } from './cases.ts'

/** The list of statuses that users defined (contract.md §2.8). */
const STATUS_LIST = 35013

const ALL = { all: Type.Optional(Type.Boolean({ description: 'Also those that are not used any more' })) }
const NAMED = {
  name: Type.String({ minLength: 1, maxLength: CASE_LETTERS.name, pattern: '\\S', description: 'As people call it' }),
  sortOrder: Type.Optional(Type.Integer({ minimum: -10_000, maximum: 10_000, description: '0 when absent' })),
  corporation: Type.Optional(
    Type.Object({ corpId: Id('One of the corporations of the credential') }, { description: 'Its first when absent' }),
  ),
}
const COLORED = {
  color: Type.Optional(
    Type.Union([Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), Type.Null()], { description: 'As #2f6fde' }),
  ),
  default: Type.Optional(Type.Boolean({ description: 'It takes the place of the default there is' })),
}
const NewCategory = Type.Object({
  ...NAMED,
  parent: Type.Optional(
    Type.Union([Type.Object({ ctnoId: Id('A category') }), Type.Null()], { description: 'The one above it' }),
  ),
})
const NewStatus = Type.Object({
  ...NAMED,
  ...COLORED,
  internalStatus: Type.Integer({ minimum: 1, maximum: 8, description: 'How cases of it behave; for good' }),
})
const NewPriority = Type.Object({ ...NAMED, ...COLORED, level: Type.Integer({ minimum: 0, maximum: 1_000 }) })

/** Three lists, and three ways to add to them. */
export function caseListRoutes(dependencies: CaseDependencies): Route[] {
  return [...categoryRoutes(dependencies), ...statusRoutes(dependencies), ...priorityRoutes(dependencies)]
}

function categoryRoutes({ cases }: CaseDependencies): Route[] {
  const list = route({
    ...listed('categories', 'Categories of cases', CategoryOut),
    query: Type.Object(ALL),
    handle: async ({ query, asker }) => {
      const found = await cases.categories(asker.corporations, query.all ?? false)
      return { body: found.map(categoryOut), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('categories', 'Add a category', CategoryOut),
    audit: { action: 'create', object: 'category', by: 'ctnoId' },
    body: NewCategory,
    handle: async ({ body, asker }) => {
      const parent = (body.parent?.ctnoId ?? null) as CategoryId | null
      const work = (corporation: CorporationId) => cases.addCategory(corporation, { ...namedOf(body), parent })
      return answerOf('categories', await inCorporation(body.corporation, asker, work), categoryOut)
    },
  })
  return [list, add]
}

function statusRoutes({ cases }: CaseDependencies): Route[] {
  const list = route({
    ...listed('statuses', 'Statuses of cases that users defined', StatusOut),
    query: Type.Object({
      type: Type.Optional(
        Type.Integer({ description: `${STATUS_LIST}, also when absent: user-defined statuses; others are empty` }),
      ),
      ...ALL,
    }),
    handle: async ({ query, asker }) => {
      const isOurs = (query.type ?? STATUS_LIST) === STATUS_LIST
      const found = isOurs ? await cases.customStatuses(asker.corporations, query.all ?? false) : []
      return { body: found.map(statusOut), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('statuses', 'Add a status of cases', StatusOut),
    audit: { action: 'create', object: 'status', by: 'emstId' },
    body: NewStatus,
    handle: async ({ body, asker }) => {
      const entry = { ...namedOf(body), ...coloredOf(body), status: body.internalStatus as CaseStatus }
      const work = (corporation: CorporationId) => cases.addCustomStatus(corporation, entry)
      return answerOf('statuses', await inCorporation(body.corporation, asker, work), statusOut)
    },
  })
  return [list, add]
}

function priorityRoutes({ cases }: CaseDependencies): Route[] {
  const list = route({
    ...listed('priorities', 'Priorities of cases', PriorityOut),
    query: Type.Object(ALL),
    handle: async ({ query, asker }) => {
      const found = await cases.priorities(asker.corporations, query.all ?? false)
      return { body: found.map(priorityOut), headers: totals(found.length) }
    },
  })
  const add = route({
    ...adding('priorities', 'Add a priority', PriorityOut),
    audit: { action: 'create', object: 'priority', by: 'empriId' },
    body: NewPriority,
    handle: async ({ body, asker }) => {
      const entry = { ...namedOf(body), ...coloredOf(body), level: body.level }
      const work = (corporation: CorporationId) => cases.addPriority(corporation, entry)
      return answerOf('priorities', await inCorporation(body.corporation, asker, work), priorityOut)
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
  return { name: cleanText(name), sortOrder }
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
      return refuse('conflict', 'the list has an entry of this name already')
    case 'list is full':
      return refuse('conflict', `a list has at most ${LIST_ENTRIES_MAX} entries, also of those that are not active`)
    case 'no such parent':
      return noSuch('parent.ctnoId', 'there is no such category')
    case 'no such corporation':
      return noSuch('corporation.corpId', 'there is no such corporation')
  }
}

function noSuch(path: string, message: string): Answer {
  return refuse('validation', `${path}: ${message}`, { errors: [{ path, code: 'reference', message }] })
}
