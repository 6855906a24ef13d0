/** `POST /svcdialer/calltaskcallattempts/search` (contract.md §4.1, D-11). */
import { Type } from 'typebox'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { AttemptSearch } from '../../ports/call-task.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { PAGE_FACTS, PAGE_FIELDS, readPageOf, streamPage } from '../http/paging.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route, SEARCH_OF_PERSONS } from '../http/route.ts'
import { ATTEMPT_SHAPE, CallAttempt } from './call-attempt-schema.ts'

/** D-30. */
const IDS_MAX = 1_000
const SAFE_MAX = Number.MAX_SAFE_INTEGER
/** Any whole number: an impossible id is treated like an unknown one. */
const anyId = (description: string) => Type.Integer({ minimum: -SAFE_MAX, maximum: SAFE_MAX, description })
const ids = (description: string) => Type.Optional(Type.Array(anyId('The id'), { maxItems: IDS_MAX, description }))

const Search = Type.Object(
  {
    iccaIds: ids('Attempts.'),
    iccaId: Type.Optional(anyId('One attempt; added to iccaIds if both are given.')),
    itcaIds: ids('All attempts of these call tasks.'),
    eactIds: ids('The attempts of these call activities.'),
    ...PAGE_FIELDS,
  },
  { additionalProperties: false },
)

/** The operation. */
export function callAttemptRoutes({ dialerAdmin }: RestDependencies): Route[] {
  const searchAttempts = route({
    method: 'POST',
    path: '/svcdialer/calltaskcallattempts/search',
    scope: 'dialer:read',
    audit: SEARCH_OF_PERSONS('callAttempt'),
    summary: 'Search call attempts',
    description:
      'Returns the results of attempts: at most one of answered, voicemail, dropped and lost is true. If several ' +
      'numbers were dialed at once, an attempt that was no longer needed has the result CANCELLED.',
    body: Search,
    answers: { 200: Type.Object({ callAttempts: Type.Array(CallAttempt), ...PAGE_FACTS }) },
    example: { body: { iccaIds: [991] } },
    async handle({ body, asker }) {
      const { iccaIds = [], iccaId, itcaIds = [], eactIds = [] } = body
      const attempts = iccaId === undefined ? iccaIds : [...iccaIds, iccaId]
      if (attempts.length + itcaIds.length + eactIds.length === 0) {
        return refuse(
          'validation',
          'iccaIds: is missing; give at least one attempt, call task (itcaIds) or activity (eactIds)',
          {
            errors: [
              {
                path: 'iccaIds',
                code: 'required',
                message: 'is missing; give at least one attempt, call task or activity',
              },
            ],
          },
        )
      }
      const page = readPageOf(asker, body)
      const command: AttemptSearch = {
        corporations: asker.corporations,
        seenBy: asker.boundTo,
        ...page,
        ...(attempts.length > 0 && { ids: attempts }),
        ...(itcaIds.length > 0 && { tasks: itcaIds as CallTaskId[] }),
        ...(eactIds.length > 0 && { activities: eactIds }),
      }
      return streamPage('callAttempts', await dialerAdmin.streamAttempts(command, ATTEMPT_SHAPE), page)
    },
  })
  return [searchAttempts]
}
