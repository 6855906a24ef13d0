/** Reads and corrects summaries of calls (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import { type ActivityId, makeEventId, type UserId } from '../../kernel/ids.ts'
import { SUMMARY_LETTERS_MAX } from '../../ports/recordings/summaries.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { SUMMARY } from './summary-schema.ts'

const closed = { additionalProperties: false } as const
const Search = Type.Object(
  {
    activities: Type.Array(Type.Object({ eactId: Id('A call activity: the phoneCallId of an event') }, closed), {
      minItems: 1,
      // D-30.
      maxItems: 1_000,
      description: 'Calls without a summary are left out.',
    }),
  },
  closed,
)

const VERSION_MAX = 2_147_483_647

const Edit = Type.Object({
  text: Type.String({
    maxLength: SUMMARY_LETTERS_MAX,
    pattern: '\\S',
    description: 'The new text, as plain text; it must not be blank.',
  }),
  version: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: VERSION_MAX,
      description: 'The version that was read; 0 if the call has no text yet. If-Match may name it instead.',
    }),
  ),
})

/** Both operations. */
export function summaryRoutes(dependencies: RestDependencies): Route[] {
  return [searchRoute(dependencies), editRoute(dependencies)]
}

function searchRoute({ summaries }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/activity-summary/search',
    scope: 'transcripts:read',
    audit: { action: 'read', object: 'summary', by: 'eactId' },
    summary: 'Look up the summaries of calls',
    description:
      'A summary that could not be generated has the status failed and no text. Calls without a summary are left ' +
      'out, and for agents the calls that they do not see.',
    body: Search,
    answers: { 200: Type.Array(SUMMARY.schema) },
    example: { body: { activities: [{ eactId: 5550 }] } },
    async handle({ body, asker }) {
      const ids = [...new Set(body.activities.map(({ eactId }) => eactId))] as ActivityId[]
      const found = await summaries.search(ids, asker)
      return { body: found.map(SUMMARY.show), headers: totals(found.length) }
    },
  })
}

function editRoute({ summaries, clock, random }: RestDependencies): Route {
  return route({
    method: 'PUT',
    path: '/svcems/activity-summary/{eactId}',
    scope: 'cases:write',
    audit: { action: 'change', object: 'summary', by: 'eactId' },
    summary: 'Write or correct the summary of a call',
    description:
      'With version 0 it writes the first text of a call that has none, whether one is pending, failed or was never ' +
      'requested, and sends phone-call-summary.creation. Later versions send phone-call-summary.update. A generated ' +
      'text never replaces an edited one. 412 if the summary was changed since it was read: read it again. If-Match ' +
      'takes the version as well, in quotes ("3"), and the answer has its ETag. Agents write those of their own ' +
      'calls and of the calls of their teams.',
    params: Type.Object({ eactId: Id('The call activity') }),
    body: Edit,
    answers: { 200: SUMMARY.schema },
    example: { body: { text: 'Promised to pay on Friday.', version: 1 } },
    async handle({ params, body, asker, headers }) {
      const version = versionRead(body.version, headers['if-match'])
      if (typeof version !== 'number')
        return refuse('validation', `${version.path}: ${version.message}`, { errors: [version] })
      const atMs = clock.nowMs()
      const edited = await summaries.edit(params.eactId as ActivityId, asker, {
        text: body.text,
        version,
        eventName: makeEventId(atMs, random),
        atMs,
        user: (asker.user?.id as UserId | undefined) ?? null,
      })
      switch (edited.outcome) {
        case 'no such call':
          return refuse('notFound', 'there is no call with this eactId; its summary is written after its end')
        case 'stale':
          return refuse(
            'stale',
            `version: the current version is ${edited.version}; read the summary again, then change it`,
          )
        case 'edited':
          return { body: SUMMARY.show(edited.summary), headers: { etag: `"${edited.summary.version}"` } }
      }
    },
  })
}

/** One of both is needed; two must agree. Tags are strong: a weak one is none of ours (RFC 9110, 13.1.1). */
function versionRead(version: number | undefined, ifMatch: string | string[] | undefined): number | FieldError {
  if (ifMatch === undefined || ifMatch === '*') {
    const message = 'is missing; send the version that you read, or If-Match with it'
    return version ?? { path: 'version', code: 'required', message }
  }
  const tag = Number(/^"(\d{1,10})"$/.exec(String(ifMatch))?.[1] ?? Number.NaN)
  if (!(tag <= VERSION_MAX)) {
    return { path: 'if-match', code: 'tag', message: 'must be one version in quotes, such as "3"' }
  }
  if (version === undefined || version === tag) return tag
  return { path: 'version', code: 'tag', message: `is ${version}, and If-Match names ${tag}; send one of both` }
}
