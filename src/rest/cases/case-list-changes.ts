/** Entries of the lookup lists of cases that are renamed, moved, or used no more. All of it is our own (D-23). */
import { type Static, type TSchema, Type } from 'typebox'
import { cleanText } from '../../kernel/clean-text.ts'
import type { CategoryId, CustomStatusId, PriorityId } from '../../kernel/ids.ts'
import {
  CASE_LETTERS,
  type CategoryChange,
  type CustomStatusChange,
  type EntryChanged,
} from '../../ports/case-repository.ts'
import type { Answer } from '../http/answer.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import { CategoryOut, categoryOut, PriorityOut, priorityOut, StatusOut, statusOut } from './case-schema.ts'
import type { CaseDependencies } from './cases.ts'

const CHANGED = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: CASE_LETTERS.name, pattern: '\\S', description: 'As people call it' }),
  ),
  sortOrder: Type.Optional(Type.Integer({ minimum: -10_000, maximum: 10_000 })),
  active: Type.Optional(
    Type.Boolean({ description: 'False: cases that have it keep it, and it is given to nothing more' }),
  ),
}
const COLORED = {
  color: Type.Optional(
    Type.Union([Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }), Type.Null()], { description: 'As #2f6fde' }),
  ),
  default: Type.Optional(Type.Literal(true, { description: 'It takes the place of the default there is' })),
}
const CategoryIn = Type.Object(CHANGED)
const StatusIn = Type.Object({ ...CHANGED, ...COLORED })
const PriorityIn = Type.Object({
  ...CHANGED,
  ...COLORED,
  level: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
})

/** A way to change an entry of each list. What a status does, and where a category hangs, is said once and for all. */
export function caseListChangeRoutes({ cases }: CaseDependencies): Route[] {
  const category = route({
    ...changing('categories', 'ctnoId', 'category', CategoryOut),
    params: Type.Object({ ctnoId: Id('The category') }),
    body: CategoryIn,
    handle: async ({ params, body, asker }) => {
      const id = params.ctnoId as CategoryId
      return answerOf(await cases.changeCategory(id, asker.corporations, namedOf(body)), categoryOut)
    },
  })
  const status = route({
    ...changing('statuses', 'emstId', 'status', StatusOut),
    params: Type.Object({ emstId: Id('The status') }),
    body: StatusIn,
    handle: async ({ params, body, asker }) => {
      const id = params.emstId as CustomStatusId
      return answerOf(await cases.changeCustomStatus(id, asker.corporations, coloredOf(body)), statusOut)
    },
  })
  const priority = route({
    ...changing('priorities', 'empriId', 'priority', PriorityOut),
    params: Type.Object({ empriId: Id('The priority') }),
    body: PriorityIn,
    handle: async ({ params, body, asker }) => {
      const { level } = body
      const change = { ...coloredOf(body), ...(level !== undefined && { level }) }
      const id = params.empriId as PriorityId
      return answerOf(await cases.changePriority(id, asker.corporations, change), priorityOut)
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
    ...(name !== undefined && { name: cleanText(name) }),
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
      return refuse('notFound', 'no list of yours has an entry of this id')
    case 'name is taken':
      return refuse('conflict', 'the list has an entry of this name already')
    case 'default is in use':
      return refuse('conflict', 'a default is active, always; make another entry the default first')
  }
}
