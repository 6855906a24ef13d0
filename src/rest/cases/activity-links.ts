/** `PUT` and `DELETE /svcems/activitylinks`: calls into cases, cases under cases (our addition to contract.md §2.6). */
import { type Static, Type } from 'typebox'
import type { ActivityId, UserId } from '../../kernel/ids.ts'
import { LINK_TYPE, LINKS_MAX, type LinkChange } from '../../ports/activities.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'

const TYPE_TEXT = '14: an activity into a case. 16: a case under another case.'
const LinkTypeIn = Type.Union([Type.Literal(LINK_TYPE.activityOfCase), Type.Literal(LINK_TYPE.partOfCase)], {
  description: TYPE_TEXT,
})
const end = (description: string) => Type.Object({ eactId: Id('The activity') }, { description })
const Link = Type.Object({
  type: LinkTypeIn,
  from: end('A call, an email or a conversation; for type 16 a case'),
  to: end('The case'),
})
const LinkQuery = Type.Object(
  {
    type: LinkTypeIn,
    from: Id('The eactId of the source of the link'),
    to: Id('The eactId of the case, the target of the link'),
  },
  { additionalProperties: false },
)

/** Both operations. */
export function activityLinkRoutes(dependencies: RestDependencies): Route[] {
  const put = route({
    method: 'PUT',
    path: '/svcems/activitylinks',
    scope: 'cases:write',
    audit: { action: 'change', object: 'link', by: 'eactId' },
    summary: 'Put an activity into a case, or a case under another',
    description:
      'The activity leaves the case that it was in. An activity from outside reopens a closed case. If the case was ' +
      'merged, the link goes to the case that it was merged into, and svc-redirected-eactid names it. Calls are ' +
      `those that GET /svcems/activities shows. A case takes ${LINKS_MAX} links. A deleted one takes none, and keeps ` +
      'its calls. Our addition.',
    body: Link,
    answers: { 200: Link },
    example: { body: { type: 14, from: { eactId: 5550 }, to: { eactId: 5600 } } },
    handle: ({ body, asker }) => setLink(dependencies, body, asker),
  })
  const remove = route({
    method: 'DELETE',
    path: '/svcems/activitylinks',
    scope: 'cases:write',
    audit: { action: 'delete', object: 'link', by: 'from' },
    summary: 'Take an activity out of a case, or a case from under another',
    description: 'Status and times of the case do not change. Of a deleted case nothing is taken out. Our addition.',
    query: LinkQuery,
    answers: { 204: Type.Null() },
    handle: async ({ query, asker }) => {
      const change = linkChangeOf(
        dependencies,
        { ...query, from: { eactId: query.from }, to: { eactId: query.to } },
        asker,
      )
      const removal = await dependencies.activities.removeLink(change)
      if (typeof removal === 'object') return refuse('conflict', `from: ${removal.heldBy}`)
      return removal === 'removed'
        ? { status: 204 }
        : refuse('notFound', 'there is no link with this type, from and to')
    },
  })
  return [put, remove]
}

function linkChangeOf({ clock }: RestDependencies, { type, from, to }: Static<typeof Link>, asker: Asker): LinkChange {
  return {
    type,
    from: from.eactId as ActivityId,
    to: to.eactId as ActivityId,
    corporations: asker.corporations,
    boundTo: asker.boundTo,
    seesCalls: asker.scopes.has('calls:read'),
    by: (asker.user?.id ?? null) as UserId | null,
    atMs: clock.nowMs(),
  }
}

async function setLink(dependencies: RestDependencies, link: Static<typeof Link>, asker: Asker): Promise<Answer> {
  const set = await dependencies.activities.setLink(linkChangeOf(dependencies, link, asker))
  switch (set.outcome) {
    case 'no such activity':
      return refuse('notFound', 'from.eactId: there is no activity with this id')
    case 'no such case':
      return refuse('notFound', 'to.eactId: there is no case with this id')
    case 'wrong kind':
      return refuse(
        'validation',
        'from.eactId: type 14 needs an activity that is not a case, type 16 a case that is not merged',
      )
    case 'case is deleted':
      return refuse('conflict', 'to.eactId: the case is deleted; restore it first')
    case 'part is deleted':
      return refuse('conflict', 'from.eactId: the case is deleted; restore it first')
    case 'case is full':
      return refuse('conflict', `to.eactId: the case has ${LINKS_MAX} links, and takes no more; use another case`)
    case 'held':
      return refuse('conflict', `from.eactId: ${set.why}`)
    case 'circle':
      return refuse('validation', 'to.eactId: this case is a sub-case of from.eactId; choose another case')
    case 'linked': {
      const redirected = set.to === link.to.eactId ? {} : { 'svc-redirected-eactid': String(set.to) }
      return { body: { ...link, to: { eactId: set.to } }, headers: redirected }
    }
  }
}
