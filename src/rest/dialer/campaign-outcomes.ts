/** `/dialer/callcode/{callCode}/outcomes`: the catalogue of outcomes of a campaign (campaigns-104). Our addition. */
import { Type } from 'typebox'
import type { CampaignId, OutcomeId } from '../../kernel/ids.ts'
import type { CatalogueChange, Outcome, OutcomeToSave } from '../../ports/outcome.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { changedOutcome, newOutcome, OUTCOMES_MAX } from './outcome-rules.ts'
import { NewOutcome, OUTCOME, OutcomeChange } from './outcome-schema.ts'

const PATH = '/dialer/callcode/{callCode}/outcomes'
const Campaign = Type.Object({ callCode: Id('The campaign') })
const One = Type.Object({ callCode: Id('The campaign'), outcomeId: Id('The outcome') })
const List = Type.Array(OUTCOME.schema)
const NO_CAMPAIGN = refuse('notFound', 'there is no campaign with this callCode')

/** All four operations. */
export function campaignOutcomeRoutes(dependencies: RestDependencies): Route[] {
  return [listOutcomes(dependencies), addOutcome(dependencies), orderOutcomes(dependencies), change(dependencies)]
}

function listOutcomes({ dialerAdmin }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: PATH,
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The outcomes that agents of a campaign choose from',
    description: 'In the order of the supervisors. A campaign without active outcomes takes free feedback.',
    params: Campaign,
    query: Type.Object({ all: Type.Optional(Type.Boolean({ description: 'Also retired outcomes' })) }),
    answers: { 200: List },
    async handle({ params, query, asker }) {
      const catalogue = await dialerAdmin.findOutcomes(asker.corporations, params.callCode as CampaignId)
      if (!catalogue) return NO_CAMPAIGN
      return showList(query.all === true ? catalogue : catalogue.filter(isInForce))
    },
  })
}

function addOutcome(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: PATH,
    scope: 'dialer:write',
    audit: { action: 'create', object: 'outcome', by: 'outcomeId' },
    summary: 'Add an outcome to a campaign',
    description:
      `It comes last. A campaign has up to ${OUTCOMES_MAX} active outcomes. With the first one its agents give the ` +
      'order outcome, and the order feedback is refused.',
    params: Campaign,
    body: NewOutcome,
    answers: { 201: OUTCOME.schema },
    example: {
      body: {
        name: 'Promised to pay',
        key: '1',
        final: true,
        fields: [
          { name: 'Amount', kind: 'number', required: true },
          { name: 'How', kind: 'choice', choices: ['transfer', 'card'] },
        ],
      },
    },
    async handle({ params, body, asker }) {
      const { callCode } = params
      const location = `/rest${PATH.replace('{callCode}', String(callCode))}`
      const made = (one: Answer): Answer => ({ ...one, status: 201, headers: { ...one.headers, location } })
      const decide: Decide = (present) => savedOr(newOutcome(present, body))
      return changed(dependencies, asker, callCode, decide, (all, saved) => made(showOne(all, saved)))
    },
  })
}

function change(dependencies: RestDependencies): Route {
  return route({
    method: 'PATCH',
    path: `${PATH}/{outcomeId}`,
    scope: 'dialer:write',
    audit: { action: 'change', object: 'outcome', by: 'outcomeId' },
    summary: 'Change, retire or bring back an outcome',
    description:
      'Absent fields stay unchanged. active false retires it: agents cannot choose it any more, and old answers keep ' +
      'it with the name it had. With If-Match and the ETag a conflicting change is refused with 412.',
    params: One,
    body: OutcomeChange,
    answers: { 200: OUTCOME.schema },
    example: { body: { active: false } },
    async handle({ params, body, asker, headers }) {
      const decide: Decide = (present) => {
        const before = present.find(({ id }) => id === params.outcomeId)
        if (!before) return { ok: false, why: refuse('notFound', 'the campaign has no outcome with this outcomeId') }
        if (!isMatch(headers['if-match'], before)) return { ok: false, why: stale() }
        return savedOr(changedOutcome(present, before, body))
      }
      return changed(dependencies, asker, params.callCode, decide, showOne)
    },
  })
}

function orderOutcomes(dependencies: RestDependencies): Route {
  return route({
    method: 'PUT',
    path: PATH,
    scope: 'dialer:write',
    audit: { action: 'change', object: 'campaign', by: 'callCode' },
    summary: 'Set the order of the active outcomes of a campaign',
    description: 'Names every active outcome once; 409 where another one was added or retired meanwhile.',
    params: Campaign,
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
        const why = 'outcomeIds: must name every active outcome of the campaign once; read the list, and order it anew'
        return { ok: false, why: refuse('conflict', why) }
      }
      return changed(dependencies, asker, params.callCode, decide, (all) => showList(all.filter(isInForce)))
    },
  })
}

type Decide = CatalogueChange<Answer>['decide']

/** Shows the catalogue after the change, and the outcome that was saved; or answers why nothing changed. */
async function changed(
  { dialerAdmin, clock }: RestDependencies,
  { corporations }: Asker,
  callCode: number,
  decide: Decide,
  show: (catalogue: readonly Outcome[], saved: OutcomeId | undefined) => Answer,
): Promise<Answer> {
  const campaign = callCode as CampaignId
  const result = await dialerAdmin.changeOutcomes({ corporations, campaign, atMs: clock.nowMs(), decide })
  switch (result.outcome) {
    case 'no such campaign':
      return NO_CAMPAIGN
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
