/** `POST /svcems/case`: makes, changes and merges cases (contract.md §4.5, D-21). */
import type { Static } from 'typebox'
import type { ActivityId, CorporationId, UserId } from '../../kernel/ids.ts'
import type { Case, CaseHand, CaseSaved, CaseToChange } from '../../ports/case-repository.ts'
import type { CaseChange } from '../../ports/cases.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import { CaseIn, readCaseChange, WIRE_NAMES } from './case-request.ts'
import { CaseOut, caseOut } from './case-schema.ts'

/** What the operations on cases work with. */
export type CaseDependencies = Pick<RestDependencies, 'cases' | 'clock'>

const DESCRIPTION =
  'With eactId the case is changed, without it one is made: svc-created says which. What is absent stays as it is, ' +
  'null clears. status and emsStatus always agree. Status 8 needs onHoldToTs; status 5 is given by mergedTo alone. ' +
  'A change of a merged case goes to the case that it was merged into (svc-redirected-eactid); its status stays. ' +
  'If-Match with the ETag, or updateTs as it was read, refuses what would write over somebody else’s change (412).'

/** Makes or changes a case. */
export function saveCaseRoute(dependencies: CaseDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/case',
    contractPath: '/rest/svcems/case',
    scope: 'cases:write',
    audit: { action: 'change', object: 'case', by: 'eactId' },
    summary: 'Make or change a case',
    description: DESCRIPTION,
    body: CaseIn,
    answers: { 200: CaseOut },
    example: {
      body: { description: 'Rent of January', status: 1, corporation: { corpId: 1 }, priority: { empriId: 2 } },
    },
    async handle({ body, asker, headers }) {
      const errors: FieldError[] = []
      const { updatedAtMs, ...wish } = readCaseChange(body, errors)
      if (errors.length > 0) return invalid(errors)
      const hand = handOf(asker, dependencies)
      if (body.eactId === undefined) return create(dependencies, body, wish, hand)
      const id = body.eactId as ActivityId
      const version = versionOf(headers['if-match'], id)
      if (version === 'another') return stale()
      const seen = { ...(version !== undefined && { version }), ...(updatedAtMs && { updatedAtMs }) }
      return change(dependencies, { id, change: wish, seen }, body, hand)
    },
  })
}

/** Whoever asks, as the memory is told. */
export function handOf({ corporations, user, scopes }: Asker, { clock }: Pick<CaseDependencies, 'clock'>): CaseHand {
  return {
    corporations,
    by: (user?.id ?? null) as UserId | null,
    isAdmin: scopes.has('admin'),
    atMs: clock.nowMs(),
  }
}

async function create(
  { cases }: CaseDependencies,
  { corporation }: Static<typeof CaseIn>,
  caseChange: CaseChange,
  hand: CaseHand,
): Promise<Answer> {
  const { title, status, mergedInto } = caseChange
  const needed = { description: title, status, corporation }
  const missing = Object.entries(needed).flatMap(([path, value]) => (value === undefined ? [path] : []))
  if (missing.length > 0 || title === undefined || corporation === undefined) {
    return invalid(missing.map((path) => ({ path, code: 'required', message: 'is missing: a new case needs it' })))
  }
  if (mergedInto !== undefined && mergedInto !== null) {
    const message = 'a case is merged once it is there; make it first'
    return invalid([{ path: 'mergedTo', code: 'new', message }])
  }
  const corpId = corporation.corpId as CorporationId
  return answerOf(await cases.createCase({ ...caseChange, title, corporation: corpId }, hand), true)
}

async function change(
  { cases }: CaseDependencies,
  order: CaseToChange,
  { corporation }: Static<typeof CaseIn>,
  hand: CaseHand,
): Promise<Answer> {
  // Whose a case is, is said once and for all: the case is another one's where another corporation is named.
  const corporations = corporation ? hand.corporations.filter((id) => id === corporation.corpId) : hand.corporations
  const saved = await cases.changeCase(order, { ...hand, corporations })
  const answer = answerOf(saved, false)
  if (saved.outcome !== 'saved' || saved.case.record.id === order.id) return answer
  return { ...answer, headers: { ...answer.headers, 'svc-redirected-eactid': String(saved.case.record.id) } }
}

function answerOf(saved: CaseSaved, isNew: boolean): Answer {
  switch (saved.outcome) {
    case 'saved':
      return { body: caseOut(saved.case), headers: { 'svc-created': String(isNew), etag: etagOf(saved.case) } }
    case 'no such case':
      return refuse('notFound', 'no case of yours has this eactId')
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
  return refuse('stale', 'the case was changed since it was read; read it again, and say what shall change')
}

function invalid(errors: readonly FieldError[]): Answer {
  return refuse('validation', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors })
}

/** Stands for the case itself, like its updateTs; what is linked to it has no part in it. */
function etagOf({ record }: Case): string {
  return `"${record.id}-${record.version}"`
}

/** The version that a client has read; `another`: it cannot be one of this case. */
function versionOf(header: string | string[] | undefined, id: ActivityId): number | 'another' | undefined {
  if (header === undefined || header === '*') return undefined
  const [, ofCase, version] = /^(?:W\/)?"(\d{1,15})-(\d{1,9})"$/.exec(String(header)) ?? []
  return Number(ofCase) === id ? Number(version) : 'another'
}
