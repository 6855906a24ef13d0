/** `POST /svcems/cases/search`: whole cases (contract.md §4.5, D-22). */
import { type Static, type TSchema, Type } from 'typebox'
import type { ActivityId } from '../../kernel/ids.ts'
import type { CaseSearch, LongList } from '../../ports/case-repository.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, instantText, Page, readInstant, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { bytesOf, caseStream } from './case-page.ts'
import { CASE } from './case-schema.ts'

/** D-30, in bodies; and D-17 for the window. */
const IDS_MAX = 1_000
const WIDTH_DEFAULT = 100

const anyOf = (item: TSchema, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: IDS_MAX, description }))

const SEARCHED =
  'A part of the title, of a comment or of an email of the case. Case, accents and HTML do not count: aero finds Ærø'

/**
 * A change is seen when it is committed, and has the time at which it was asked for: it may wait for others meanwhile,
 * and clocks of nodes differ (cases-24). Our choice; a change takes some seconds at the most.
 */
const LATE_MS = 120_000

/** One case is always answered; it is sent as it is read. */
const BYTES_MAX = 64 * 1024 * 1024

const Search = Type.Object(
  {
    eactIds: anyOf(Id('A case'), 'Cases; unknown ids are ignored'),
    seqNos: anyOf(
      Id('A case number'),
      'Case numbers. Our addition, like all following filters; a case must match all of them',
    ),
    statuses: anyOf(Type.Integer({ minimum: 1, maximum: 8 }), 'Internal statuses'),
    emstIds: anyOf(Id('A status that users defined'), 'Statuses that users defined'),
    ucquIds: anyOf(Id('A queue'), 'Queues'),
    eeexIds: anyOf(Id('A contact'), 'Contacts that cases belong to'),
    assignedUserIds: anyOf(Id('A user'), 'Current assigned users'),
    updateTsFrom: Type.Optional(
      InstantIn('Changed at this instant or later; who follows changes sends the last svc-next-updatetsfrom'),
    ),
    updateTsTo: Type.Optional(InstantIn('Changed at this instant or earlier')),
    eactIdBelow: Type.Optional(
      Id('Cases with a smaller id: that of the last case of the page before gives the next page, without a gap'),
    ),
    text: Type.Optional(Type.String({ maxLength: 200, pattern: '\\S', description: SEARCHED })),
    getTexts: Type.Optional(Type.Boolean({ description: 'False leaves the comments out' })),
    getLogs: Type.Optional(Type.Boolean({ description: 'False leaves the logs out' })),
    limitFrom: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
    limitTo: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Page.offsetMax + Page.sizeMax, description: 'First row after the window' }),
    ),
  },
  // A misspelt filter would match everything (D-05).
  { additionalProperties: false },
)

const { texts, logs, ...HEAD } = CASE.schema.properties
const FOUND = Type.Object({ ...HEAD, texts: Type.Optional(texts!), logs: Type.Optional(logs!) })

/** The operation. */
export function searchCasesRoute({ cases, clock }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcems/cases/search',
    scope: 'cases:read',
    audit: { action: 'read', object: 'case', by: 'eactId' },
    summary: 'Look up cases with their members, links, comments and files',
    description:
      'Newest first. With updateTsFrom, svc-next-updatetsfrom of the first page is that of the next round: no change ' +
      'is missed, and some cases come again. ' +
      `The window is [limitFrom, limitTo): by default the first ${WIDTH_DEFAULT} cases, or as many as ` +
      `there are eactIds; at most ${Page.sizeMax}. A merged case is returned itself, with mergedTo. More than 64 MiB ` +
      'of comments and logs are refused unless they belong to one case; nothing is cut off. With text, the totals ' +
      'are a lower bound where the newest cases alone fill the page.',
    body: Search,
    answers: { 200: Type.Array(FOUND) },
    example: { body: { eactIds: [5550] } },
    async handle({ body, asker }) {
      const errors: FieldError[] = []
      const atMs = clock.nowMs()
      const { offset, rowsMax } = windowOf(body, errors)
      const criteria = criteriaOf(body, errors)
      if (Object.keys(criteria).length === 0 && errors.length === 0) {
        errors.push({
          path: '',
          code: 'required',
          message: 'the request has no filter; give eactIds or another filter',
        })
      }
      const [first] = errors
      if (first) return refuse('validation', `${first.path} ${first.message}`.trim(), { errors })
      const below = body.eactIdBelow === undefined ? {} : { below: body.eactIdBelow as ActivityId }
      const search: CaseSearch = { ...criteria, ...below, corporations: asker.corporations, offset, rowsMax }
      const { found, cases: page } = await cases.searchCases(search)
      const lists = listsOf(body)
      const bytes = page.reduce((sum, one) => sum + bytesOf(one, lists), 0)
      if (bytes > BYTES_MAX && page.length > 1) return tooMuch(bytes)
      return {
        stream: caseStream(cases, page, lists),
        about: page.map(({ id }) => ({ eactId: id })),
        headers: {
          ...totals(found),
          ...(criteria.updatedFromMs !== undefined && { 'svc-next-updatetsfrom': String(instantText(atMs - LATE_MS)) }),
          'content-type': 'application/json; charset=utf-8',
        },
      }
    },
  })
}

type Body = Static<typeof Search>

function listsOf({ getTexts = true, getLogs = true }: Body): readonly LongList[] {
  return [...(getTexts ? ['texts' as const] : []), ...(getLogs ? ['logs' as const] : [])]
}

function tooMuch(bytes: number): Answer {
  const megabytes = Math.round(bytes / 1024 / 1024)
  return refuse(
    'validation',
    `the comments and logs have ${megabytes} MiB; ask for fewer cases, or set getTexts to false`,
  )
}

function windowOf({ eactIds = [], limitFrom = 0, limitTo }: Body, errors: FieldError[]) {
  const to = limitTo ?? limitFrom + Math.max(WIDTH_DEFAULT, eactIds.length)
  if (to <= limitFrom) {
    errors.push({ path: 'limitTo', code: 'range', message: 'must be greater than limitFrom' })
  }
  // D-30.
  if (to - limitFrom > Page.sizeMax) {
    errors.push({ path: 'limitTo', code: 'range', message: `must be at most ${Page.sizeMax} more than limitFrom` })
  }
  return { offset: limitFrom, rowsMax: to - limitFrom }
}

/** An empty list is no filter (D-05). */
function criteriaOf(body: Body, errors: FieldError[]): Partial<CaseSearch> {
  const listed = <T>(list: readonly T[] | undefined) => (list?.length ? [...new Set(list)] : undefined)
  const instant = (name: 'updateTsFrom' | 'updateTsTo') => {
    const given = body[name]
    const atMs = given === undefined ? undefined : readInstant(given)
    if (given !== undefined && atMs === undefined) {
      errors.push({
        path: name,
        code: 'instant',
        message: 'is not an instant; write ISO 8601 such as 2026-01-02T03:04:05Z',
      })
    }
    return atMs
  }
  const criteria = {
    ids: listed(body.eactIds),
    numbers: listed(body.seqNos),
    statuses: listed(body.statuses),
    customs: listed(body.emstIds),
    teams: listed(body.ucquIds),
    extensions: listed(body.eeexIds),
    assigned: listed(body.assignedUserIds),
    text: body.text,
    updatedFromMs: instant('updateTsFrom'),
    updatedToMs: instant('updateTsTo'),
  }
  return Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined))
}
