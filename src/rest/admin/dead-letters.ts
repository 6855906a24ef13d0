/** Lists and retries failed background jobs (an addition to the contract). */
import { type Static, Type } from 'typebox'
import { DEAD_KINDS, type DeadKind, type DeadLetter, type DeadLetterName } from '../../ports/dead-letters.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'

const Kind = (description: string) =>
  Type.Union([Type.Literal('transcript'), Type.Literal('summary'), Type.Literal('email')], { description })

const Query = Type.Object(
  {
    kind: Type.Optional(Kind('Kind; all kinds if absent')),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax })),
  },
  { additionalProperties: false },
)

const Letter = Type.Object({
  deadLetterId: Type.String(),
  kind: Kind('Transcript of a recording, summary of a call, or outgoing email'),
  corporation: Type.Object({ corpId: Type.Integer() }),
  activity: Type.Object({ eactId: Type.Integer() }, { description: 'The call or the email' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
  tries: Type.Integer({ description: 'Number of attempts' }),
  creationTs: InstantOut('Creation time of the job'),
})

/** List and retry. */
export function deadLetterRoutes(dependencies: RestDependencies): Route[] {
  return [listRoute(dependencies), retryRoute(dependencies)]
}

function listRoute({ deadLetters }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/deadletters',
    scope: 'admin',
    audit: PLAIN_READ,
    summary: 'List failed background jobs, newest first',
    description:
      'Recordings without a transcript, calls without a summary, and unsent emails. For failed webhook deliveries, ' +
      'list the deliveries of a subscription with status dead.',
    query: Query,
    answers: { 200: Type.Array(Letter) },
    async handle({ query: { kind, offset = 0, size = Page.size }, asker: { corporations } }) {
      const search = { corporations, offset, rowsMax: size, ...(kind !== undefined && { kind }) }
      const { found, letters } = await deadLetters.search(search)
      return { body: letters.map(letterOut), headers: totals(found) }
    },
  })
}

function retryRoute({ deadLetters, clock }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/deadletters/{deadLetterId}/retry',
    scope: 'admin',
    audit: { action: 'send', object: 'deadLetter', by: 'deadLetterId' },
    summary: 'Retry a failed job immediately, with all its attempts',
    description: 'An email with unknown outcome may reach its recipients twice.',
    params: Type.Object({
      deadLetterId: Type.String({
        pattern: `^(${DEAD_KINDS.join('|')})-[1-9][0-9]{0,14}$`,
        description: 'Id of the dead letter',
      }),
    }),
    answers: { 202: Type.Object({ deadLetterId: Type.String(), status: Type.Literal('queued') }) },
    async handle({ params: { deadLetterId }, asker: { corporations } }) {
      const isQueued = await deadLetters.retry(corporations, nameOf(deadLetterId), clock.nowMs())
      if (isQueued) return { status: 202, body: { deadLetterId, status: 'queued' } }
      return refuse('notFound', 'there is no dead letter with this deadLetterId')
    },
  })
}

/** Parses `summary-17`; the schema has validated it. */
function nameOf(id: string): DeadLetterName {
  const [kind, number] = id.split('-')
  return { kind: kind as DeadKind, number: Number(number) }
}

function letterOut({
  kind,
  number,
  corporation,
  activity,
  why,
  tries,
  createdAtMs,
}: DeadLetter): Static<typeof Letter> {
  return {
    deadLetterId: `${kind}-${number}`,
    kind,
    corporation: { corpId: corporation },
    activity: { eactId: activity },
    reason: why,
    tries,
    creationTs: instantText(createdAtMs),
  }
}
