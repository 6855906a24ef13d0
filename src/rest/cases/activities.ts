/** `GET /svcems/activities` and `POST /svcems/activities/search` (contract.md §4.2, D-17). */
import { type Static, Type } from 'typebox'
import type { ActivityId, ExtensionId } from '../../kernel/ids.ts'
import { type ActivityKind, type ActivitySearch, LINK_TYPE, type LinkFilter } from '../../ports/activities.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route, SHOWN_ROWS } from '../http/route.ts'
import { ACTIVITY } from './activity-schema.ts'

/** D-30: in a query, and in a body. */
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
  getMembers: flag('With members'),
  getFiles: flag('With coreFileReferences'),
  getEmsTags: flag('With emsTags'),
}
const idsInQuery = (description: string) =>
  Type.Optional(Type.Array(Id('One of them'), { maxItems: QUERY_IDS_MAX, description }))

const Query = Type.Object(
  {
    eactId: idsInQuery('Activities: one id, or several separated by commas'),
    eeexId: idsInQuery('Activities of these contacts, by the ids of their extensions'),
    ...FLAGS,
    limitFrom: limit('First row of the window, from 0; default 0'),
    limitTo: limit(
      `First row after the window, at most ${WIDTH_MAX} after limitFrom; default ${WIDTH_DEFAULT} after limitFrom`,
    ),
  },
  { additionalProperties: false },
)

const LINK_TYPES = Object.values(LINK_TYPE)
const LinkFilterIn = Type.Object(
  {
    eactIds: Type.Array(Id('The activity'), {
      minItems: 1,
      maxItems: BODY_IDS_MAX,
      description: 'Activities at one end of the links',
    }),
    linkTypes: Type.Optional(
      Type.Array(Type.Union(LINK_TYPES.map((type) => Type.Literal(type))), {
        maxItems: 10,
        description: '13, 14, 16; default all',
      }),
    ),
    linkDirection: Type.Optional(
      Type.Union([Type.Literal('FROM'), Type.Literal('TO')], {
        description:
          'FROM (default): the activities at the other end of the links. TO: only those whose links point to ' +
          'a given activity. For a conversation both give its emails, for a case its activities.',
      }),
    ),
  },
  { additionalProperties: false },
)
const Search = Type.Object(
  {
    eactIds: Type.Optional(
      Type.Array(Id('The activity'), { maxItems: BODY_IDS_MAX, description: 'Activities; unknown ids are ignored' }),
    ),
    activityLinkFilters: Type.Optional(
      Type.Array(LinkFilterIn, { maxItems: FILTERS_MAX, description: 'Activities that match any of these filters' }),
    ),
    ...FLAGS,
    limitFrom: limit('First row of the window, from 0; default 0'),
    limitTo: limit(`First row after the window, at most ${WIDTH_MAX} after limitFrom, which is the default`),
  },
  { additionalProperties: false },
)

/** Both operations. The scope calls:read shows calls, cases:read shows all other activities. */
export function activityRoutes(dependencies: RestDependencies): Route[] {
  const common = {
    scope: 'any',
    rate: 'reads',
    audit: SHOWN_ROWS('activity'),
    answers: { 200: Type.Array(ACTIVITY.schema) },
  } as const
  const list = route({
    ...common,
    method: 'GET',
    path: '/svcems/activities',
    summary: 'Activities by their ids or contacts, newest first',
    description:
      'Returns each activity that matches any of the ids, once. The scope calls:read shows calls; the scope ' +
      'cases:read shows emails, conversations and cases.',
    query: Query,
    handle: ({ query, asker }) => listActivities(dependencies, query, asker),
  })
  const search = route({
    ...common,
    method: 'POST',
    path: '/svcems/activities/search',

    summary: 'Activities by their ids, or by their links',
    description:
      'Returns each activity that matches any id or any filter, once, newest first. The scopes are those of GET.',
    body: Search,
    example: { body: { activityLinkFilters: [{ eactIds: [5550], linkTypes: [13], linkDirection: 'FROM' }] } },
    handle: ({ body, asker }) => searchActivities(dependencies, body, asker),
  })
  return [list, search]
}

async function listActivities(
  dependencies: RestDependencies,
  query: Static<typeof Query>,
  asker: Asker,
): Promise<Answer> {
  const { eactId = [], eeexId = [] } = query
  if (eactId.length + eeexId.length === 0)
    return refuse('validation', 'eactId and eeexId are missing; give at least one of them')
  const criteria = { ids: eactId as ActivityId[], extensions: eeexId as ExtensionId[], links: [] }
  return answer(dependencies, criteria, { ...query, width: WIDTH_DEFAULT }, asker)
}

async function searchActivities(
  dependencies: RestDependencies,
  body: Static<typeof Search>,
  asker: Asker,
): Promise<Answer> {
  const { eactIds = [], activityLinkFilters = [] } = body
  if (eactIds.length + activityLinkFilters.length === 0) {
    return refuse('validation', 'eactIds and activityLinkFilters are missing; give at least one of them')
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
  /** Width of the window if limitTo is absent. */
  readonly width: number
}

async function answer(
  { activities }: RestDependencies,
  criteria: Pick<ActivitySearch, 'ids' | 'extensions' | 'links'>,
  shown: Shown,
  asker: Asker,
): Promise<Answer> {
  const kinds = kindsFor(asker)
  if (kinds.length === 0) return refuse('forbidden', 'this credential lacks the scopes calls:read and cases:read')
  const { limitFrom = 0, limitTo = limitFrom + shown.width } = shown
  if (limitTo <= limitFrom) return refuse('validation', 'limitTo must be greater than limitFrom')
  if (limitTo - limitFrom > WIDTH_MAX)
    return refuse('validation', `limitTo is more than ${WIDTH_MAX} after limitFrom; ask for a smaller window`)
  const { found, activities: page } = await activities.search({
    ...criteria,
    kinds,
    corporations: asker.corporations,
    boundTo: asker.boundTo,
    offset: limitFrom,
    rowsMax: limitTo - limitFrom,
    withMembers: shown.getMembers ?? false,
    withFiles: shown.getFiles ?? false,
    withTags: shown.getEmsTags ?? false,
  })
  return { body: page.map(ACTIVITY.show), headers: totals(found) }
}

function kindsFor({ scopes }: Asker): ActivityKind[] {
  const calls: ActivityKind[] = scopes.has('calls:read') ? ['call'] : []
  return scopes.has('cases:read') ? [...calls, 'email', 'conversation', 'case'] : calls
}
