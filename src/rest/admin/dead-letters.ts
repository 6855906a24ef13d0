/** Work that was given up: listed, and tried again (an addition of ours). */
import { type Static, Type } from 'typebox'
import { DEAD_KINDS, type DeadKind, type DeadLetter, type DeadLetterName } from '../../ports/dead-letters.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText, Page, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'

/** What the operations work with. */
export type DeadLetterDependencies = Pick<RestDependencies, 'clock' | 'deadLetters'>

const Kind = (description: string) =>
  Type.Union([Type.Literal('transcript'), Type.Literal('summary'), Type.Literal('email')], { description })

const Query = Type.Object(
  {
    kind: Type.Optional(Kind('All of them when absent')),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax })),
  },
  { additionalProperties: false },
)

const Letter = Type.Object({
  deadLetterId: Type.String(),
  kind: Kind('A recording, a summary of a call, an email of ours'),
  corporation: Type.Object({ corpId: Type.Integer() }),
  activity: Type.Object({ eactId: Type.Integer() }, { description: 'The call, or the email' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was given up' }),
  tries: Type.Integer({ description: 'How often it was tried' }),
  creationTs: InstantOut('When it began'),
})

/** Both of them. */
export function deadLetterRoutes(dependencies: DeadLetterDependencies): Route[] {
  return [listRoute(dependencies), retryRoute(dependencies)]
}

function listRoute({ deadLetters }: DeadLetterDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/deadletters',
    scope: 'admin',
    audit: PLAIN_READ,
    summary: 'Work that was given up, newest first',
    description:
      'Recordings that were not written down, calls that were not summed up, emails that did not leave. What ' +
      'webhooks gave up stands with each subscription: its deliveries of status dead.',
    query: Query,
    answers: { 200: Type.Array(Letter) },
    async handle({ query: { kind, offset = 0, size = Page.size }, asker: { corporations } }) {
      const wish = { corporations, offset, rowsMax: size, ...(kind !== undefined && { kind }) }
      const { found, letters } = await deadLetters.search(wish)
      return { body: letters.map(letterOut), headers: totals(found) }
    },
  })
}

function retryRoute({ deadLetters, clock }: DeadLetterDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/deadletters/{deadLetterId}/retry',
    scope: 'admin',
    audit: { action: 'send', object: 'deadLetter', by: 'deadLetterId' },
    summary: 'Try it again, at once and with all its tries before it',
    description: 'An email whose fate nobody knows may come twice to those who have it already.',
    params: Type.Object({
      deadLetterId: Type.String({ pattern: `^(${DEAD_KINDS.join('|')})-[1-9][0-9]{0,14}$`, description: 'As listed' }),
    }),
    answers: { 202: Type.Object({ deadLetterId: Type.String(), status: Type.Literal('queued') }) },
    async handle({ params: { deadLetterId }, asker: { corporations } }) {
      const isQueued = await deadLetters.retry(corporations, nameOf(deadLetterId), clock.nowMs())
      if (isQueued) return { status: 202, body: { deadLetterId, status: 'queued' } }
      return refuse('notFound', 'no dead letter of yours has this deadLetterId')
    },
  })
}

/** `summary-17`, which the declaration has checked. */
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
    ...{ deadLetterId: `${kind}-${number}`, kind, corporation: { corpId: corporation } },
    ...{ activity: { eactId: activity }, reason: why, tries, creationTs: instantText(createdAtMs) },
  }
}
