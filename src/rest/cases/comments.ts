/** `POST /svcems/activitytexts`: comments on cases (contract.md §4.5, D-22). */
import { Type } from 'typebox'
import type { ActivityId } from '../../kernel/ids.ts'
import { safeHtml, textOfHtml } from '../../mail-format/safe-html.ts'
import { CASE_LETTERS } from '../../ports/case-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { COMMENT } from './case-schema.ts'
import { handOf } from './cases.ts'

const Comment = Type.Object({
  text: Type.String({
    description: 'HTML, at most 64 KiB; answers contain it cleaned of everything that could do harm',
  }),
  activity: Type.Object({ eactId: Id('The case') }),
  internal: Type.Optional(
    Type.Boolean({ description: 'Visible to users only; default true, unless external is true. Our addition' }),
  ),
  external: Type.Optional(
    Type.Boolean({ description: 'It came from outside and reopens the case, as an email does. Our addition' }),
  ),
})

/** Adds a comment. */
export function addTextRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/activitytexts',
    scope: 'cases:write',
    audit: { action: 'create', object: 'comment', by: 'textId' },
    summary: 'Comment on a case',
    description:
      'A comment on a merged case goes to the case that it was merged into, and svc-redirected-eactid names it. A ' +
      'deleted case accepts no comments.',
    body: Comment,
    answers: { 200: COMMENT.schema },
    example: { body: { text: '<p>Paid on <b>Friday</b>.</p>', activity: { eactId: 5550 } } },
    async handle({ body, asker }) {
      const { external = false, internal = !external } = body
      const text = readable(body.text)
      if (!text.ok) {
        const errors = [{ path: 'text', code: 'text', message: text.why }]
        return refuse('validation', `text: ${text.why}`, { errors })
      }
      const id = body.activity.eactId as ActivityId
      const comment = { case: id, text: text.html, original: body.text, isInternal: internal }
      const added = await dependencies.cases.addText(
        { ...comment, isExternalUpdate: external },
        handOf(asker, dependencies),
      )
      if (added.outcome !== 'added') {
        const isDeleted = added.outcome === 'deleted'
        if (isDeleted) return refuse('conflict', 'the case is deleted; restore it before you add a comment')
        return refuse('notFound', 'there is no case with this eactId')
      }
      const landed = added.text.case
      const headers = landed === id ? {} : { 'svc-redirected-eactid': String(landed) }
      return { body: COMMENT.show(added.text), headers }
    },
  })
}

/** The HTML that can be shown, or why there is none. */
function readable(text: string) {
  if (Buffer.byteLength(text) > CASE_LETTERS.text)
    return { ok: false, why: 'is longer than 64 KiB; shorten it' } as const
  // PostgreSQL cannot store NUL.
  const html = safeHtml(text.replaceAll('\u0000', '').toWellFormed())
  const isSeen = textOfHtml(html) !== '' || html.includes('<img ')
  return isSeen ? ({ ok: true, html } as const) : ({ ok: false, why: 'is blank; write a text' } as const)
}
