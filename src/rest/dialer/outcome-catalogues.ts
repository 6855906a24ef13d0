/** The catalogues of outcomes of campaigns (campaigns-104) and of queues (campaigns-110). Our addition. */
import { Type } from 'typebox'
import type { CampaignId, OutcomeId, TeamId } from '../../kernel/ids.ts'
import type { CatalogueChange, CatalogueOwner, Outcome, OutcomeToSave } from '../../ports/outcome.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { changedOutcome, newOutcome, OUTCOMES_MAX } from './outcome-rules.ts'
import { NewOutcome, OUTCOME, OutcomeChange } from './outcome-schema.ts'

interface Place {
  readonly path: string
  readonly owner: 'campaign' | 'queue'
  readonly Params: ReturnType<typeof paramsOf>
  readonly One: ReturnType<typeof paramsOf>
  readonly idOf: (params: object) => number
  readonly ownerOf: (params: object) => CatalogueOwner
  readonly none: Answer
}

const OutcomeParam = { outcomeId: Id('The outcome') }

function paramsOf(properties: Readonly<Record<string, ReturnType<typeof Id>>>) {
  return Type.Object(properties)
}

const CAMPAIGN: Place = {
  path: '/dialer/callcode/{callCode}/outcomes',
  owner: 'campaign',
  Params: paramsOf({ callCode: Id('The campaign') }),
  One: paramsOf({ callCode: Id('The campaign'), ...OutcomeParam }),
  idOf: (params) => (params as { callCode: number }).callCode,
  ownerOf: (params) => ({ campaign: CAMPAIGN.idOf(params) as CampaignId }),
  none: refuse('notFound', 'there is no campaign with this callCode'),
}
const QUEUE: Place = {
  path: '/svcpbx/queue/{ucquId}/outcomes',
  owner: 'queue',
  Params: paramsOf({ ucquId: Id('The queue') }),
  One: paramsOf({ ucquId: Id('The queue'), ...OutcomeParam }),
  idOf: (params) => (params as { ucquId: number }).ucquId,
  ownerOf: (params) => ({ team: QUEUE.idOf(params) as TeamId }),
  none: refuse('notFound', 'there is no queue with this ucquId; GET /svcpbx/queue lists them'),
}
const List = Type.Array(OUTCOME.schema)

/** Four operations for campaigns, and the same for queues. */
export function outcomeCatalogueRoutes(dependencies: RestDependencies): Route[] {
  return [CAMPAIGN, QUEUE].flatMap((place) => [
    listOutcomes(dependencies, place),
    addOutcome(dependencies, place),
    orderOutcomes(dependencies, place),
    change(dependencies, place),
  ])
}

function listOutcomes({ dialerAdmin }: RestDependencies, { path, owner, Params, ownerOf, none }: Place): Route {
  return route({
    method: 'GET',
    path,
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: `The outcomes that agents of a ${owner} choose from`,
    description: `In the order of the supervisors. A ${owner} without active outcomes takes free feedback.`,
    params: Params,
    query: Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Also retired outcomes' })) }),
    answers: { 200: List },
    async handle({ params, query, asker }) {
      const catalogue = await dialerAdmin.findOutcomes(asker.corporations, ownerOf(params))
      if (!catalogue) return none
      return showList(query.all === true ? catalogue : catalogue.filter(isInForce))
    },
  })
}

function addOutcome(dependencies: RestDependencies, place: Place): Route {
  const { path, owner, Params, idOf } = place
  return route({
    method: 'POST',
    path,
    scope: 'dialer:write',
    audit: { action: 'create', object: 'outcome', by: 'outcomeId' },
    summary: `Add an outcome to a ${owner}`,
    description:
      `It comes last. A ${owner} has up to ${OUTCOMES_MAX} active outcomes. With the first one its agents give the ` +
      'order outcome, and the order feedback is refused.' +
      (owner === 'queue' ? ' It has no final, and needs no callback: a call that came in has no call task.' : ''),
    params: Params,
    body: NewOutcome,
    answers: { 201: OUTCOME.schema },
    example: { body: EXAMPLES[owner] },
    async handle({ params, body, asker }) {
      const location = `/rest${path.replace(/\{\w+\}/, String(idOf(params)))}`
      const made = (one: Answer): Answer => ({ ...one, status: 201, headers: { ...one.headers, location } })
      const decide: Decide = (present) => savedOr(newOutcome(present, body, owner))
      return changed(dependencies, asker, place, params, decide, (all, saved) => made(showOne(all, saved)))
    },
  })
}

function change(dependencies: RestDependencies, place: Place): Route {
  return route({
    method: 'PATCH',
    path: `${place.path}/{outcomeId}`,
    scope: 'dialer:write',
    audit: { action: 'change', object: 'outcome', by: 'outcomeId' },
    summary: `Change, retire or bring back an outcome of a ${place.owner}`,
    description:
      'Absent fields stay unchanged. active false retires it: agents cannot choose it any more, and old answers keep ' +
      'it with the name it had. With If-Match and the ETag a conflicting change is refused with 412.',
    params: place.One,
    body: OutcomeChange,
    answers: { 200: OUTCOME.schema },
    example: { body: { active: false } },
    async handle({ params, body, asker, headers }) {
      const decide: Decide = (present) => {
        const before = present.find(({ id }) => id === (params as { outcomeId?: number }).outcomeId)
        if (!before)
          return { ok: false, why: refuse('notFound', `the ${place.owner} has no outcome with this outcomeId`) }
        if (!isMatch(headers['if-match'], before)) return { ok: false, why: stale() }
        return savedOr(changedOutcome(present, before, body, place.owner))
      }
      return changed(dependencies, asker, place, params, decide, showOne)
    },
  })
}

function orderOutcomes(dependencies: RestDependencies, place: Place): Route {
  const { path, owner, Params } = place
  return route({
    method: 'PUT',
    path,
    scope: 'dialer:write',
    audit: { action: 'change', object: owner, by: owner === 'queue' ? 'ucquId' : 'callCode' },
    summary: `Set the order of the active outcomes of a ${owner}`,
    description: 'Names every active outcome once; 409 where another one was added or retired meanwhile.',
    params: Params,
    body: Type.Object(
      {
        outcomeIds: Type.Array(Id('An active outcome'), { maxItems: OUTCOMES_MAX, description: 'In their new order' }),
      },
      { additionalProperties: false },
    ),
    answers: { 200: List },
    example: { body: { outcomeIds: [32, 31] } },
    async handle({ params, body, asker }) {
      const order = body.outcomeIds as OutcomeId[]
      const decide: Decide = (present) => {
        const active = present.filter(isInForce).map(({ id }) => id)
        const isWhole = active.length === order.length && active.every((id) => order.includes(id))
        if (isWhole) return { ok: true, order }
        const why = `outcomeIds: must name every active outcome of the ${owner} once; read the list, and order it anew`
        return { ok: false, why: refuse('conflict', why) }
      }
      return changed(dependencies, asker, place, params, decide, (all) => showList(all.filter(isInForce)))
    },
  })
}

const FIELDS = [
  { name: 'Amount', kind: 'number', required: true },
  { name: 'How', kind: 'choice', choices: ['transfer', 'card'] },
] as const
const EXAMPLES = {
  campaign: { name: 'Promised to pay', key: '1', final: true, fields: [...FIELDS] },
  queue: { name: 'Question answered', key: '1' },
}

type Decide = CatalogueChange<Answer>['decide']

/** Shows the catalogue after the change, and the outcome that was saved; or answers why nothing changed. */
async function changed(
  { dialerAdmin, clock }: RestDependencies,
  { corporations }: Asker,
  place: Place,
  params: object,
  decide: Decide,
  show: (catalogue: readonly Outcome[], saved: OutcomeId | undefined) => Answer,
): Promise<Answer> {
  const owner = place.ownerOf(params)
  const result = await dialerAdmin.changeOutcomes({ corporations, owner, atMs: clock.nowMs(), decide })
  switch (result.outcome) {
    case 'no such owner':
      return place.none
    case 'refused':
      return result.why
    case 'changed':
      return show(result.catalogue, result.saved)
  }
}

function isInForce({ isActive }: Outcome): boolean {
  return isActive
}

function showList(outcomes: readonly Outcome[]): Answer {
  return { body: outcomes.map(OUTCOME.show), headers: totals(outcomes.length) }
}

/** The transaction has just written it. */
function showOne(catalogue: readonly Outcome[], saved: OutcomeId | undefined): Answer {
  const outcome = catalogue.find(({ id }) => id === saved)!
  return { headers: { etag: tagOf(outcome) }, body: OUTCOME.show(outcome) }
}

function savedOr(decided: OutcomeToSave | FieldError[]): ReturnType<Decide> {
  if (!Array.isArray(decided)) return { ok: true, save: decided }
  const [first] = decided
  return { ok: false, why: refuse('validation', `${first?.path}: ${first?.message}`, { errors: decided }) }
}

function stale(): Answer {
  return refuse('stale', 'the outcome was changed since it was read; read it again and repeat the change')
}

function tagOf({ id, version }: Outcome): string {
  return `"${id}-${version}"`
}

/** Weak tags match none (RFC 9110 section 13.1.1). */
function isMatch(header: string | string[] | undefined, outcome: Outcome): boolean {
  if (header === undefined || header === '*') return true
  const tags = Array.from(String(header).matchAll(/(?:W\/)?"[^"]*"/g)).map(([tag]) => tag)
  return tags.includes(tagOf(outcome))
}
