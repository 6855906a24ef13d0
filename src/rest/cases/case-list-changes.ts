/** Renames, sorts and deactivates entries of the lookup lists of cases. Our addition (D-23). */
import { type Static, type TSchema, Type } from 'typebox'
import type { CategoryId, CustomStatusId, PriorityId } from '../../kernel/ids.ts'
import {
  CASE_LETTERS,
  type CategoryChange,
  type CustomStatusChange,
  type EntryChanged,
} from '../../ports/case-repository.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { CATEGORY, PRIORITY, STATUS } from './case-schema.ts'
import { entryName } from './entry-name.ts'

const CHANGED = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: CASE_LETTERS.name, description: 'Name as people see it' }),
  ),
  sortOrder: Type.Optional(Type.Integer({ minimum: -10_000, maximum: 10_000 })),
  active: Type.Optional(
    Type.Boolean({ description: 'False: existing cases keep it, and it cannot be given to others' }),
  ),
}
const COLORED = {
  color: Type.Optional(
    Type.Union([Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), Type.Null()], { description: 'Such as #2f6fde' }),
  ),
  default: Type.Optional(Type.Literal(true, { description: 'It becomes the default of the list' })),
}
const CategoryIn = Type.Object(CHANGED)
const StatusIn = Type.Object({ ...CHANGED, ...COLORED })
const PriorityIn = Type.Object({
  ...CHANGED,
  ...COLORED,
  level: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
})

/** Changes an entry of each list. The internal status of a status and the parent of a category are fixed. */
export function caseListChangeRoutes({ cases }: RestDependencies): Route[] {
  const category = route({
    ...changing('categories', 'ctnoId', 'category', CATEGORY.schema),
    params: Type.Object({ ctnoId: Id('The category') }),
    body: CategoryIn,
    handle: async ({ params, body, asker }) => {
      const id = params.ctnoId as CategoryId
      return answerOf(await cases.changeCategory(id, asker.corporations, namedOf(body)), CATEGORY.show)
    },
  })
  const status = route({
    ...changing('statuses', 'emstId', 'status', STATUS.schema),
    params: Type.Object({ emstId: Id('The status') }),
    body: StatusIn,
    handle: async ({ params, body, asker }) => {
      const id = params.emstId as CustomStatusId
      return answerOf(await cases.changeCustomStatus(id, asker.corporations, coloredOf(body)), STATUS.show)
    },
  })
  const priority = route({
    ...changing('priorities', 'empriId', 'priority', PRIORITY.schema),
    params: Type.Object({ empriId: Id('The priority') }),
    body: PriorityIn,
    handle: async ({ params, body, asker }) => {
      const { level } = body
      const change = { ...coloredOf(body), ...(level !== undefined && { level }) }
      const id = params.empriId as PriorityId
      return answerOf(await cases.changePriority(id, asker.corporations, change), PRIORITY.show)
    },
  })
  return [category, status, priority]
}

function changing(list: 'categories' | 'statuses' | 'priorities', id: string, object: string, entry: TSchema) {
  const path = `/svcems/${list}/{${id}}`
  return {
    ...({ method: 'PATCH', path, scope: 'config:write' } as const),
    audit: { action: 'change', object, by: id } as const,
    summary: `Change the given fields of a ${object}`,
    answers: { 200: entry },
    example: { params: { [id]: 3 }, body: { name: 'In court', active: true } },
  }
}

function namedOf({ name, sortOrder, active }: Static<typeof CategoryIn>): CategoryChange {
  return {
    ...(name !== undefined && { name: entryName(name) }),
    ...(sortOrder !== undefined && { sortOrder }),
    ...(active !== undefined && { active }),
  }
}

function coloredOf(body: Static<typeof StatusIn>): CustomStatusChange {
  const { color } = body
  return { ...namedOf(body), ...(color !== undefined && { color }), ...(body.default && { isDefault: true }) }
}

function answerOf<T>(changed: EntryChanged<T>, out: (entry: T) => unknown): Answer {
  switch (changed.outcome) {
    case 'changed':
      return { body: out(changed.entry) }
    case 'no such entry':
      return refuse('notFound', 'the list has no entry with this id')
    case 'name is taken':
      return refuse('conflict', 'the list already has an entry with this name; choose another name')
    case 'default is in use':
      return refuse('conflict', 'the default entry must be active; make another entry the default first')
  }
}
