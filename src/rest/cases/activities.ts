/** `GET /svcems/activities` and `POST /svcems/activities/search` (contract.md §4.2, D-17). */
import { type Static, Type } from 'typebox'
import type { ActivityId, ExtensionId } from '../../kernel/ids.ts'
import { type ActivityKind, type ActivitySearch, LINK_TYPE, type LinkFilter } from '../../ports/activities.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { ActivityOut, activityOut } from './activity-schema.ts'

/** What the operations work with. */
export type ActivityDependencies = Pick<RestDependencies, 'activities'>

/** D-30: in an address, and in a body. */
const QUERY_IDS_MAX = 100
const BODY_IDS_MAX = 1_000
const FILTERS_MAX = 100
/** D-17. */
const WIDTH_DEFAULT = 100
const WIDTH_MAX = 1_000

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax + WIDTH_MAX, description }))
const FLAGS = {
  getMembers: flag('With members: who takes part'),
  getFiles: flag('With coreFileReferences'),
  getEmsTags: flag('With emsTags'),
}
const idsInQuery = (description: string) =>
  Type.Optional(Type.Array(Id('One of them'), { maxItems: QUERY_IDS_MAX, description }))

const Query = Type.Object(
  {
    eactId: idsInQuery('Activities: one id, or several divided by commas'),
    eeexId: idsInQuery('Those about these contacts, by the ids of their extensions'),
    ...FLAGS,
    limitFrom: limit('First of the window, from 0, which it is when absent'),
    limitTo: limit(`First after the window; at most ${WIDTH_MAX} after limitFrom, ${WIDTH_DEFAULT} when absent`),
  },
  { additionalProperties: false },
)

const LINK_TYPES = Object.values(LINK_TYPE)
const LinkFilterIn = Type.Object(
  {
    eactIds: Type.Array(Id('A given activity'), { minItems: 1, maxItems: BODY_IDS_MAX, description: 'Given ones' }),
    linkTypes: Type.Optional(
      Type.Array(Type.Union(LINK_TYPES.map((type) => Type.Literal(type))), {
        maxItems: 10,
        description: '13, 14, 16; all when absent',
      }),
    ),
    linkDirection: Type.Optional(
      Type.Union([Type.Literal('FROM'), Type.Literal('TO')], {
        description:
          'FROM, when absent: the other ends of the links that a given activity has. TO: only where links point ' +
          'at it. Of a conversation both are its emails, of a case what is linked to it.',
      }),
    ),
  },
  { additionalProperties: false },
)
const Search = Type.Object(
  {
    eactIds: Type.Optional(
      Type.Array(Id('An activity'), {
        maxItems: BODY_IDS_MAX,
        description: 'Activities; not found, they are left out',
      }),
    ),
    activityLinkFilters: Type.Optional(
      Type.Array(LinkFilterIn, { maxItems: FILTERS_MAX, description: 'Those linked to given ones; any of these' }),
    ),
    ...FLAGS,
    limitFrom: limit('First of the window, from 0, which it is when absent'),
    limitTo: limit(`First after the window; ${WIDTH_MAX} after limitFrom when absent, and at most`),
  },
  { additionalProperties: false },
)

/** Both operations. Whoever may read calls sees calls, whoever may read cases sees all the others. */
export function activityRoutes(dependencies: ActivityDependencies): Route[] {
  const common = { scope: 'any', rate: 'reads', audit: PLAIN_READ, answers: { 200: Type.Array(ActivityOut) } } as const
  const list = route({
    ...common,
    method: 'GET',
    path: '/svcems/activities',
    summary: 'Activities by their ids or contacts, newest first',
    description:
      'Those of any id that is given, once each. Shows calls to who has the scope calls:read, and emails, ' +
      'conversations and cases to who has cases:read.',
    query: Query,
    handle: ({ query, asker }) => listActivities(dependencies, query, asker),
  })
  const search = route({
    ...common,
    method: 'POST',
    path: '/svcems/activities/search',
    summary: 'Activities by their ids, or by what they are linked to',
    description: 'Those of any id and of any filter, once each, newest first. Scopes are as of GET.',
    body: Search,
    example: { body: { activityLinkFilters: [{ eactIds: [5550], linkTypes: [13], linkDirection: 'FROM' }] } },
    handle: ({ body, asker }) => searchActivities(dependencies, body, asker),
  })
  return [list, search]
}

async function listActivities(
  dependencies: ActivityDependencies,
  query: Static<typeof Query>,
  asker: Asker,
): Promise<Answer> {
  const { eactId = [], eeexId = [] } = query
  if (eactId.length + eeexId.length === 0) return refuse('validation', 'give eactId or eeexId')
  const wish = { ids: eactId as ActivityId[], extensions: eeexId as ExtensionId[], links: [] }
  return answer(dependencies, wish, { ...query, width: WIDTH_DEFAULT }, asker)
}

async function searchActivities(
  dependencies: ActivityDependencies,
  body: Static<typeof Search>,
  asker: Asker,
): Promise<Answer> {
  const { eactIds = [], activityLinkFilters = [] } = body
  if (eactIds.length + activityLinkFilters.length === 0) {
    return refuse('validation', 'give eactIds or activityLinkFilters')
  }
  const links = activityLinkFilters.map((filter): LinkFilter => {
    const { eactIds: given, linkTypes = [], linkDirection = 'FROM' } = filter
    return {
      activities: given as ActivityId[],
      types: linkTypes.length > 0 ? linkTypes : LINK_TYPES,
      wanted: linkDirection === 'FROM' ? 'far ends' : 'sources',
    }
  })
  return answer(
    dependencies,
    { ids: eactIds as ActivityId[], extensions: [], links },
    { ...body, width: WIDTH_MAX },
    asker,
  )
}

interface Shown {
  readonly getMembers?: boolean
  readonly getFiles?: boolean
  readonly getEmsTags?: boolean
  readonly limitFrom?: number
  readonly limitTo?: number
  /** Of a window whose end was not given. */
  readonly width: number
}

async function answer(
  { activities }: ActivityDependencies,
  wish: Pick<ActivitySearch, 'ids' | 'extensions' | 'links'>,
  shown: Shown,
  asker: Asker,
): Promise<Answer> {
  const kinds = kindsFor(asker)
  if (kinds.length === 0) return refuse('forbidden', 'this credential lacks the scopes calls:read and cases:read')
  const { limitFrom = 0, limitTo = limitFrom + shown.width } = shown
  if (limitTo <= limitFrom) return refuse('validation', 'limitTo must be greater than limitFrom')
  if (limitTo - limitFrom > WIDTH_MAX) return refuse('validation', `a window has at most ${WIDTH_MAX} activities`)
  const { found, activities: page } = await activities.search({
    ...{ ...wish, kinds, corporations: asker.corporations, offset: limitFrom, rowsMax: limitTo - limitFrom },
    withMembers: shown.getMembers ?? false,
    withFiles: shown.getFiles ?? false,
    withTags: shown.getEmsTags ?? false,
  })
  return { body: page.map(activityOut), headers: totals(found) }
}

function kindsFor({ scopes }: Asker): ActivityKind[] {
  const calls: ActivityKind[] = scopes.has('calls:read') ? ['call'] : []
  return scopes.has('cases:read') ? [...calls, 'email', 'conversation', 'case'] : calls
}
