/** `POST /dialer/calltaskget` (contract.md §2.3, §4.1; D-09). */
import { type Static, Type } from 'typebox'
import { didYouMean } from '../../kernel/file-problem.ts'
import type { CallTaskId, CampaignId, OutcomeId } from '../../kernel/ids.ts'
import type {
  CallTaskFilter,
  CallTaskPlace,
  CallTaskSearch,
  CallTaskShape,
  CallTaskSort,
  Span,
} from '../../ports/call-task.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantIn, readInstant } from '../http/list-params.ts'
import {
  AFTER,
  cursorOf,
  NEXT,
  NO_CURSOR,
  PAGE_FACTS,
  PAGE_FIELDS,
  readCursor,
  readPageOf,
  streamPage,
} from '../http/paging.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route, SEARCH_OF_PERSONS } from '../http/route.ts'
import { CallTask, DETAIL_SHAPE, SORT_COLUMNS, STATUS_CODES, SUMMARY_SHAPE, statusesOf } from './call-task-schema.ts'
import { readHomeNumbers } from './default-country.ts'

/** D-30. */
const IDS_MAX = 1_000
const listOf = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { maxItems: IDS_MAX, description }))
const text = Type.String({ maxLength: 100 })

/** A call task must match all given fields, and any value of a list. Empty lists and null are ignored. */
const FILTER = {
  systemLookupCodes: listOf(text, 'Case numbers in the external system.'),
  extCustIds: listOf(text, 'Customers of the external system.'),
  itcaIds: listOf(Type.Integer(), 'Call tasks.'),
  callCodes: listOf(
    Type.Union([Type.Object({ callCode: Type.Integer() }), Type.Integer()]),
    'Campaigns: objects with a callCode, or numbers.',
  ),
  statusList: listOf(Type.Integer(), 'Status codes.'),
  answeredList: listOf(Type.Boolean(), 'Whether a conversation took place.'),
  finishedList: listOf(Type.Boolean(), 'Whether it is finished.'),
  callNumbers: listOf(text, 'Telephone numbers, in any format.'),
  hasCallBackDate: Type.Optional(Type.Boolean({ description: 'Whether a callback is scheduled.' })),
  corporationIds: listOf(Type.Integer(), 'Corporations. Our addition, like all following filters.'),
  assignedUserIds: listOf(Type.Integer(), 'Assigned users.'),
  systemCodes: listOf(text, 'External systems.'),
  feedbackTypeIds: listOf(text, 'Types of feedback that agents gave, and names of outcomes as they were then.'),
  outcomeIds: listOf(Type.Integer(), 'Outcomes that agents saved.'),
  creationTsFrom: Type.Optional(InstantIn('Created at this instant or later.')),
  creationTsTo: Type.Optional(InstantIn('Created before this instant; the other ranges work the same way.')),
  lastCallTsFrom: Type.Optional(InstantIn('Last dialed at this instant or later.')),
  lastCallTsTo: Type.Optional(InstantIn('Last dialed before this instant.')),
  nextCallTsFrom: Type.Optional(InstantIn('Next attempt due at this instant or later.')),
  nextCallTsTo: Type.Optional(InstantIn('Next attempt due before this instant.')),
  callBackTsFrom: Type.Optional(InstantIn('Callback at this instant or later.')),
  callBackTsTo: Type.Optional(InstantIn('Callback before this instant.')),
}

const closed = { additionalProperties: false } as const
const Filter = Type.Object(FILTER, closed)
const Search = Type.Object(
  {
    ...FILTER,
    filter: Type.Optional(Filter),
    ...PAGE_FIELDS,
    after: AFTER,
    sort: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `One of ${Object.keys(SORT_COLUMNS).join(', ')}; " desc" sorts in descending order.`,
      }),
    ),
    detail: Type.Optional(Type.Boolean({ description: 'Returns each call task in full.' })),
  },
  closed,
)

type FilterBody = Static<typeof Filter>

/** The operation. */
export function callTaskSearchRoutes(dependencies: RestDependencies): Route[] {
  return [
    route({
      method: 'POST',
      path: '/dialer/calltaskget',
      scope: 'dialer:read',
      audit: SEARCH_OF_PERSONS('callTask'),
      summary: 'Search call tasks',
      description:
        'Filter fields are given in the body itself or in its field "filter". Unknown fields are refused, because a ' +
        'misspelt filter would match everything. Pages of any length are streamed. A user without dialer:write finds ' +
        'the call tasks of their teams and those assigned to them, 100 at a time. Pages by pageNumber move when call ' +
        'tasks come or go meanwhile; by after (empty, then each next) none is missed or doubled that keeps its place ' +
        'in the order, which with itcaId every one does.',
      body: Search,
      bodyMayBeAbsent: true,
      answers: { 200: Type.Object({ callTasks: Type.Array(CallTask), ...PAGE_FACTS, next: Type.Optional(NEXT) }) },
      example: { body: { systemLookupCodes: ['CASE-1'], finishedList: [false] } },
      handle: ({ body, asker }) => search(dependencies, body, asker),
    }),
  ]
}

async function search(dependencies: RestDependencies, body: Static<typeof Search>, asker: Asker): Promise<Answer> {
  const { filter: nested = {}, limit: _limit, pageNumber: _page, after: given, ...more } = body
  const { sort = 'itcaId', detail = false, ...flat } = more
  const errors: FieldError[] = []
  for (const name of Object.keys(nested).filter((name) => Object.hasOwn(flat, name))) {
    errors.push({
      path: `filter.${name}`,
      code: 'twice',
      message: 'is also given outside of filter; remove one of them',
    })
  }
  const order = readSort(sort, errors)
  const after = given ? readPlace(given, order, errors) : undefined
  const filter = await readFilter(dependencies, { ...nested, ...flat }, asker, errors)
  if (errors.length > 0) return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
  const page = readPageOf(asker, body)
  const atMs = dependencies.clock.nowMs()
  const command: CallTaskSearch = { filter, sort: order, ...page, ...(after && { after }), atMs }
  const summary = given === undefined ? SUMMARY_SHAPE : summaryWith(order.by)
  const stream = await dependencies.dialerAdmin.streamCallTasks(command, detail ? DETAIL_SHAPE : summary)
  const chain = { isContinued: after !== undefined, nextOf: (row: string) => placeText(row, order) }
  return streamPage('callTasks', stream, page, given === undefined ? undefined : chain)
}

const nameOf = (by: CallTaskSort) => Object.keys(SORT_COLUMNS).find((name) => SORT_COLUMNS[name] === by)!

/** With the column that it is sorted by, which says where the page ended. */
function summaryWith(by: CallTaskSort): CallTaskShape {
  const name = nameOf(by)
  return { ...SUMMARY_SHAPE, [name]: DETAIL_SHAPE[name]! }
}

function placeText(row: string, { by, descending }: CallTaskSearch['sort']): string {
  const { itcaId, [nameOf(by)]: value } = JSON.parse(row) as Record<string, string | number | null> & { itcaId: number }
  const isInstant = typeof value === 'string' && by !== 'receiverName'
  return cursorOf([by, descending, itcaId, isInstant ? Date.parse(value) : (value ?? null)])
}

/** A place in another order is none in this one. */
function readPlace(
  text: string,
  { by, descending }: CallTaskSearch['sort'],
  errors: FieldError[],
): CallTaskPlace | undefined {
  const [ofColumn, ofDirection, id, value] = readCursor(text)
  const isOfOrder = ofColumn === by && ofDirection === descending
  const isValue = by === 'receiverName' ? typeof value === 'string' : value === null || Number.isSafeInteger(value)
  if (!isOfOrder || !Number.isSafeInteger(id) || !isValue) {
    errors.push(NO_CURSOR)
    return undefined
  }
  return { id: id as CallTaskId, value: value as CallTaskPlace['value'] }
}

/** `nextCallTs`, `nextCallTs desc`, `-nextCallTs`. */
function readSort(sort: string, errors: FieldError[]): CallTaskSearch['sort'] {
  const [, minus = '', column = '', turn] = /^(-?)([A-Za-z]+)(?: (asc|desc))?$/.exec(sort.trim()) ?? []
  const by = Object.hasOwn(SORT_COLUMNS, column) ? SORT_COLUMNS[column] : undefined
  if (by === undefined) {
    const known = Object.keys(SORT_COLUMNS)
    const message = `is not a sort column${didYouMean(column, known)}; use one of ${known.join(', ')}`
    errors.push({ path: 'sort', code: 'unknown', message })
  }
  const descending = minus === '-' || turn === 'desc'
  return { by: by ?? 'id', descending, ...(by === 'status' && { rank: STATUS_CODES }) }
}

async function readFilter(
  dependencies: RestDependencies,
  given: FilterBody,
  { corporations, boundTo }: Asker,
  errors: FieldError[],
): Promise<CallTaskFilter> {
  const wanted = given.corporationIds
  const lists = {
    ids: listed(given.itcaIds) as readonly CallTaskId[] | undefined,
    campaigns: listed(given.callCodes)?.map(codeOf),
    externalCaseNumbers: listed(given.systemLookupCodes),
    externalCustomers: listed(given.extCustIds),
    externalSystemCodes: listed(given.systemCodes),
    assignedUsers: listed(given.assignedUserIds),
    feedbackTypes: listed(given.feedbackTypeIds),
    outcomes: listed(given.outcomeIds) as readonly OutcomeId[] | undefined,
    answered: listed(given.answeredList),
    finished: listed(given.finishedList),
    statuses: listed(given.statusList) && statusesOf(given.statusList ?? []),
    numbers:
      listed(given.callNumbers) &&
      (await readHomeNumbers(dependencies.dialerAdmin, given.callNumbers ?? [], corporations, 'callNumbers', errors)),
    hasCallback: given.hasCallBackDate,
    createdAtMs: spanOf(given, 'creationTs', errors),
    lastCallAtMs: spanOf(given, 'lastCallTs', errors),
    nextCallAtMs: spanOf(given, 'nextCallTs', errors),
    callbackAtMs: spanOf(given, 'callBackTs', errors),
  }
  const asked = Object.fromEntries(Object.entries(lists).filter(([, value]) => value !== undefined))
  const among =
    wanted === undefined || wanted.length === 0 ? corporations : corporations.filter((id) => wanted.includes(id))
  return { corporations: among, seenBy: boundTo, ...asked }
}

function listed<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list
}

function codeOf(code: number | { readonly callCode: number }): CampaignId {
  return (typeof code === 'number' ? code : code.callCode) as CampaignId
}

type SpanName = 'creationTs' | 'lastCallTs' | 'nextCallTs' | 'callBackTs'

function spanOf(given: FilterBody, name: SpanName, errors: FieldError[]): Span | undefined {
  const read = (path: `${SpanName}From` | `${SpanName}To`) => {
    const value = given[path]
    const atMs = value === undefined ? undefined : readInstant(value)
    if (value !== undefined && atMs === undefined) {
      errors.push({ path, code: 'instant', message: 'must be an instant such as 2026-01-02T03:04:05Z' })
    }
    return atMs
  }
  const [from, to] = [read(`${name}From`), read(`${name}To`)]
  if (from === undefined && to === undefined) return undefined
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
