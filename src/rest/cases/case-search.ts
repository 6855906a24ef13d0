/** `POST /svcems/cases/search`: whole cases (contract.md §4.5, D-22). */
import { type Static, type TSchema, Type } from 'typebox'
import type { CaseSearch } from '../../ports/case-repository.ts'
import { Id, InstantIn, Page, readInstant, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { type Route, route } from '../http/route.ts'
import { CaseOut, caseOut } from './case-schema.ts'
import type { CaseDependencies } from './cases.ts'

/** D-30, in bodies; and D-17 for the window. */
const IDS_MAX = 1_000
const WIDTH_DEFAULT = 100

const anyOf = (item: TSchema, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: IDS_MAX, description }))

const Search = Type.Object(
  {
    eactIds: anyOf(Id('A case'), 'Cases; those that are not found are left out of the answer'),
    seqNos: anyOf(Id('A case number'), 'Case numbers. Our addition, like all that follow; they hold together'),
    statuses: anyOf(Type.Integer({ minimum: 1, maximum: 8 }), 'Internal statuses'),
    emstIds: anyOf(Id('A status that users defined'), 'Statuses that users defined'),
    ucquIds: anyOf(Id('A queue'), 'Queues'),
    eeexIds: anyOf(Id('A contact'), 'Contacts that cases belong to'),
    assignedUserIds: anyOf(Id('A user'), 'Users who take care of them now'),
    updateTsFrom: Type.Optional(InstantIn('Changed then or later')),
    updateTsTo: Type.Optional(InstantIn('Changed then or before')),
    text: Type.Optional(
      Type.String({ maxLength: 200, pattern: '\\S', description: 'A part of the title or of a comment' }),
    ),
    limitFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
    limitTo: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Page.offsetMax + Page.sizeMax, description: 'First row after the window' }),
    ),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

/** Looks cases up. */
export function searchCasesRoute({ cases }: CaseDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/cases/search',
    scope: 'cases:read',
    audit: { action: 'read', object: 'case', by: 'eactId' },
    summary: 'Look up cases, with all that hangs on them',
    description:
      `The newest first. The window is [limitFrom, limitTo): the first ${WIDTH_DEFAULT} when absent, or as many as ` +
      `there are eactIds; ${Page.sizeMax} at the most. A merged case is shown as it is, with mergedTo.`,
    body: Search,
    answers: { 200: Type.Array(CaseOut) },
    example: { body: { eactIds: [5550] } },
    async handle({ body, asker }) {
      const errors: FieldError[] = []
      const { offset, rowsMax } = windowOf(body, errors)
      const criteria = criteriaOf(body, errors)
      if (Object.keys(criteria).length === 0 && errors.length === 0) {
        errors.push({ path: '', code: 'required', message: 'no criterion is given; name eactIds or another one' })
      }
      const [first] = errors
      if (first) return refuse('validation', `${first.path} ${first.message}`.trim(), { errors })
      const wish: CaseSearch = { ...criteria, corporations: asker.corporations, offset, rowsMax }
      const { found, cases: page } = await cases.searchCases(wish)
      return { body: page.map(caseOut), headers: totals(found) }
    },
  })
}

type Body = Static<typeof Search>

function windowOf({ eactIds = [], limitFrom = 0, limitTo }: Body, errors: FieldError[]) {
  const to = limitTo ?? limitFrom + Math.max(WIDTH_DEFAULT, eactIds.length)
  if (to <= limitFrom) {
    errors.push({ path: 'limitTo', code: 'range', message: 'must be greater than limitFrom' })
  }
  // D-30.
  if (to - limitFrom > Page.sizeMax) {
    errors.push({ path: 'limitTo', code: 'range', message: `may be ${Page.sizeMax} more than limitFrom at the most` })
  }
  return { offset: limitFrom, rowsMax: to - limitFrom }
}

/** An empty list is no filter (D-05). */
function criteriaOf(body: Body, errors: FieldError[]): Partial<CaseSearch> {
  const listed = <T>(list: readonly T[] | undefined) => (list?.length ? [...new Set(list)] : undefined)
  const instant = (name: 'updateTsFrom' | 'updateTsTo') => {
    const given = body[name]
    const atMs = given === undefined ? undefined : readInstant(given)
    if (given !== undefined && atMs === undefined) {
      errors.push({ path: name, code: 'instant', message: 'is no instant; write ISO 8601' })
    }
    return atMs
  }
  const criteria = {
    ...{ ids: listed(body.eactIds), numbers: listed(body.seqNos), statuses: listed(body.statuses) },
    ...{ customs: listed(body.emstIds), teams: listed(body.ucquIds), extensions: listed(body.eeexIds) },
    ...{ assigned: listed(body.assignedUserIds), text: body.text },
    ...{ updatedFromMs: instant('updateTsFrom'), updatedToMs: instant('updateTsTo') },
  }
  return Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined))
}
