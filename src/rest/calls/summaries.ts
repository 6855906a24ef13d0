/** Summaries of calls: looked up, and corrected by hand (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import { type ActivityId, makeEventId, type UserId } from '../../kernel/ids.ts'
import { SUMMARY_LETTERS_MAX } from '../../ports/summaries.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import { CallSummary, summaryOut } from './summary-schema.ts'

/** What these operations work with. */
export type SummaryDependencies = Pick<RestDependencies, 'summaries' | 'clock' | 'random'>

const closed = { additionalProperties: false } as const
const Search = Type.Object(
  {
    activities: Type.Array(Type.Object({ eactId: Id('A call activity: the phoneCallId of an event') }, closed), {
      minItems: 1,
      // D-30.
      maxItems: 1_000,
      description: 'Calls without a summary are left out of the answer.',
    }),
  },
  closed,
)

const Edit = Type.Object({
  text: Type.String({
    maxLength: SUMMARY_LETTERS_MAX,
    pattern: '\\S',
    description: 'The whole of the new text, as plain text; blank is refused.',
  }),
  version: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'The version that was read.' }),
})

/** Both of them. */
export function summaryRoutes(dependencies: SummaryDependencies): Route[] {
  return [searchRoute(dependencies), editRoute(dependencies)]
}

function searchRoute({ summaries }: SummaryDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/activity-summary/search',
    scope: 'transcripts:read',
    audit: { action: 'read', object: 'summary', by: 'eactId' },
    summary: 'Look up the summaries of calls',
    description: 'One that could not be made has the status failed and no text; of a call without one there is none.',
    body: Search,
    answers: { 200: Type.Array(CallSummary) },
    example: { body: { activities: [{ eactId: 5550 }] } },
    async handle({ body, asker }) {
      const ids = [...new Set(body.activities.map(({ eactId }) => eactId))] as ActivityId[]
      const found = await summaries.search(ids, asker.corporations)
      return { body: found.map(summaryOut), headers: totals(found.length) }
    },
  })
}

function editRoute({ summaries, clock, random }: SummaryDependencies): Route {
  return route({
    method: 'PUT',
    path: '/svcems/activity-summary/{eactId}',
    scope: 'cases:write',
    audit: { action: 'change', object: 'summary', by: 'eactId' },
    summary: 'Correct the summary of a call',
    description:
      'Sends phone-call-summary.update; phone-call-summary.creation where there was no text before. From then on no ' +
      'generated text takes its place. 412 when somebody changed it since: read it again.',
    params: Type.Object({ eactId: Id('The call activity') }),
    body: Edit,
    answers: { 200: CallSummary },
    example: { body: { text: 'Promised to pay on Friday.', version: 1 } },
    async handle({ params, body, asker }) {
      const atMs = clock.nowMs()
      const edited = await summaries.edit(params.eactId as ActivityId, asker.corporations, {
        ...{ text: body.text, version: body.version, eventName: makeEventId(atMs, random), atMs },
        user: (asker.user?.id as UserId | undefined) ?? null,
      })
      switch (edited.outcome) {
        case 'no such summary':
          return refuse('notFound', 'no call of yours with a summary has this eactId')
        case 'stale':
          return refuse('stale', `version: it is ${edited.version} by now; read the summary again, then change it`)
        case 'edited':
          return { body: summaryOut(edited.summary) }
      }
    },
  })
}
