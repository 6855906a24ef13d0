/** `POST /svcems/activitytexts`: comments on cases (contract.md §4.5, D-22). */
import { Type } from 'typebox'
import type { ActivityId } from '../../kernel/ids.ts'
import { safeHtml, textOfHtml } from '../../mail-format/safe-html.ts'
import { CASE_LETTERS } from '../../ports/case-repository.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Route, route } from '../http/route.ts'
import { TextOut, textOut } from './case-schema.ts'
import { type CaseDependencies, handOf } from './cases.ts'

const Comment = Type.Object({
  text: Type.String({ description: 'HTML; what could do harm is taken out of what is shown. 64 KiB at the most' }),
  activity: Type.Object({ eactId: Id('The case') }),
  internal: Type.Optional(
    Type.Boolean({ description: 'Only for us; true when absent, unless it came from outside. Our addition' }),
  ),
  external: Type.Optional(
    Type.Boolean({ description: 'It came from outside, and reopens the case as an email does. Our addition' }),
  ),
})

/** Adds a comment. */
export function addTextRoute(dependencies: CaseDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/activitytexts',
    scope: 'cases:write',
    audit: { action: 'create', object: 'comment', by: 'textId' },
    summary: 'Comment on a case',
    description:
      'A comment on a merged case goes to the case that it was merged into: svc-redirected-eactid names it. A ' +
      'deleted case takes none.',
    body: Comment,
    answers: { 200: TextOut },
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
        if (isDeleted) return refuse('conflict', 'the case is deleted, and takes no comment')
        return refuse('notFound', 'no case of yours has this eactId')
      }
      const landed = added.text.case
      const headers = landed === id ? {} : { 'svc-redirected-eactid': String(landed) }
      return { body: textOut(added.text), headers }
    },
  })
}

/** What of a comment can be shown, if anything. */
function readable(text: string) {
  if (Buffer.byteLength(text) > CASE_LETTERS.text)
    return { ok: false, why: 'has more than 64 KiB; shorten it' } as const
  // PostgreSQL keeps no NUL, and nobody sees one.
  const html = safeHtml(text.replaceAll('\u0000', '').toWellFormed())
  const isSeen = textOfHtml(html) !== '' || html.includes('<img ')
  return isSeen ? ({ ok: true, html } as const) : ({ ok: false, why: 'shows nothing; write something' } as const)
}
