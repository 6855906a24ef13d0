/** `POST /svcems/case`: creates, changes and merges cases (contract.md §4.5, D-21). */
import type { Static } from 'typebox'
import type { ActivityId, CorporationId, UserId } from '../../kernel/ids.ts'
import type { Case, CaseHand, CaseSaved, CaseTag, CaseToChange } from '../../ports/case-repository.ts'
import type { CaseChange } from '../../ports/cases.ts'
import { alsoNeeds } from '../http/also-needs.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import { CaseIn, readCaseChange, WIRE_NAMES } from './case-request.ts'
import { CASE } from './case-schema.ts'

const DESCRIPTION =
  'With eactId the case is changed; without it a case is created, and svc-created is true. Absent fields stay ' +
  'unchanged; null clears. status and emsStatus always agree. Status 8 needs onHoldToTs; mergedTo alone sets 5. ' +
  'A change of a merged case goes to the case that it was merged into (svc-redirected-eactid) and keeps its status. ' +
  'A change needs cases:read as well, because its answer shows the whole case. With If-Match and the ETag, or with ' +
  'the updateTs that was read, a conflicting change is refused with 412; of a merged case, those of the other count. ' +
  'If-Match without eactId is 412: there is no case yet that could match.'

const IS_NEW = 'If-Match is about a case that is there, and without eactId a new one is made; send the eactId as well'

/** The operation. */
export function saveCaseRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/case',
    scope: 'cases:write',
    audit: { action: 'change', object: 'case', by: 'eactId' },
    summary: 'Create or change a case',
    description: DESCRIPTION,
    body: CaseIn,
    answers: { 200: CASE.schema },
    example: {
      body: { description: 'Rent of January', status: 1, corporation: { corpId: 1 }, priority: { empriId: 2 } },
    },
    async handle({ body, asker, headers }) {
      const errors: FieldError[] = []
      const { updatedAtMs, ...caseChange } = readCaseChange(body, errors)
      if (errors.length > 0) return invalid(errors)
      const hand = handOf(asker, dependencies)
      if (body.eactId === undefined) {
        // Whoever names a state means a case: its eactId was forgotten, or lost on the way.
        if (headers['if-match'] !== undefined) return refuse('stale', IS_NEW)
        return create(dependencies, body, caseChange, hand)
      }
      alsoNeeds(asker, 'cases:read', 'the answer shows the whole case')
      const id = body.eactId as ActivityId
      const tags = tagsOf(headers['if-match'])
      const seen = { ...(tags && { tags }), ...(updatedAtMs && { updatedAtMs }) }
      return change(dependencies, { id, change: caseChange, seen }, body, hand)
    },
  })
}

/** The asker of a change, as the repository records it. */
export function handOf({ corporations, user, scopes }: Asker, { clock }: Pick<RestDependencies, 'clock'>): CaseHand {
  return {
    corporations,
    by: (user?.id ?? null) as UserId | null,
    isAdmin: scopes.has('admin'),
    atMs: clock.nowMs(),
  }
}

async function create(
  { cases }: RestDependencies,
  { corporation }: Static<typeof CaseIn>,
  caseChange: CaseChange,
  hand: CaseHand,
): Promise<Answer> {
  const { title, status, mergedInto } = caseChange
  const needed = { description: title, status, corporation }
  const missing = Object.entries(needed).flatMap(([path, value]) => (value === undefined ? [path] : []))
  if (missing.length > 0 || title === undefined || corporation === undefined) {
    return invalid(missing.map((path) => ({ path, code: 'required', message: 'is missing; a new case needs it' })))
  }
  if (mergedInto !== undefined && mergedInto !== null) {
    const message = 'a new case cannot be merged; create it first, then set mergedTo'
    return invalid([{ path: 'mergedTo', code: 'new', message }])
  }
  const corpId = corporation.corpId as CorporationId
  return answerOf(await cases.createCase({ ...caseChange, title, corporation: corpId }, hand), true)
}

async function change(
  { cases }: RestDependencies,
  order: CaseToChange,
  { corporation }: Static<typeof CaseIn>,
  hand: CaseHand,
): Promise<Answer> {
  // The owner of a case never changes: with another corporation, the case is not found.
  const corporations = corporation ? hand.corporations.filter((id) => id === corporation.corpId) : hand.corporations
  const saved = await cases.changeCase(order, { ...hand, corporations })
  const answer = answerOf(saved, false)
  if (saved.outcome !== 'saved' || saved.case.record.id === order.id) return answer
  return { ...answer, headers: { ...answer.headers, 'svc-redirected-eactid': String(saved.case.record.id) } }
}

function answerOf(saved: CaseSaved, isNew: boolean): Answer {
  switch (saved.outcome) {
    case 'saved':
      return { body: CASE.show(saved.case), headers: { 'svc-created': String(isNew), etag: etagOf(saved.case) } }
    case 'no such case':
      return refuse('notFound', 'there is no case with this eactId')
    case 'no such corporation':
      return invalid([{ path: 'corporation.corpId', code: 'reference', message: 'there is no such corporation' }])
    case 'stale':
      return stale()
    case 'refused': {
      const path = WIRE_NAMES[saved.about]
      if (saved.why === 'invalid') return invalid([{ path, code: 'case', message: saved.message }])
      return refuse(saved.why, `${path}: ${saved.message}`)
    }
  }
}

function stale(): Answer {
  const again = 'read it again, or the case that it was merged into, and repeat the change'
  return refuse('stale', `the case was changed since it was read; ${again}`)
}

function invalid(errors: readonly FieldError[]): Answer {
  return refuse('validation', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors })
}

/** Changes with the case itself, like updateTs; linked activities do not change it. */
function etagOf({ record }: Case): string {
  return `"${record.id}-${record.version}"`
}

/** The states in If-Match; undefined: any will do. Weak tags match none (RFC 9110 section 13.1.1). */
function tagsOf(header: string | string[] | undefined): CaseTag[] | undefined {
  if (header === undefined || header === '*') return undefined
  return Array.from(String(header).matchAll(/(W\/)?"(?:(\d{1,15})-(\d{1,9})|[^"]*)"/g)).flatMap(
    ([, weak, id, version]) =>
      weak === undefined && id !== undefined ? [{ case: Number(id) as ActivityId, version: Number(version) }] : [],
  )
}
