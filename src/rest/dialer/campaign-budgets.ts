/** `GET /dialer/callcode/{callCode}/budgets` (our addition): the three budgets of a campaign, day by day. */
import { Type } from 'typebox'
import type { CampaignId } from '../../kernel/ids.ts'
import type { BudgetCounts } from '../../ports/dialer-admin-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { campaignLastDays, LastDaysQuery } from './campaign-last-days.ts'

const Counts = {
  personsAnswered: Type.Integer({
    description:
      'Calls that a person answered. An answered call counts as a person unless a machine was detected or reported.',
  }),
  abandoned: Type.Integer({
    description: 'Answered calls that we ended without an agent (DROPPED): the budget of maxAbandonRate and ledgers.',
  }),
  machineVerdicts: Type.Integer({
    description:
      'Calls that machine detection classified as a machine. How many of them were persons is unknown, because no ' +
      'agent talked to them.',
  }),
  correctedByAgents: Type.Integer({
    description:
      'Calls that were connected to an agent, who then reported a machine: the known errors of machine detection. ' +
      'They are not part of personsAnswered or machineVerdicts.',
  }),
  ringsCutShort: Type.Integer({
    description: 'Calls that we cancelled before the phone had rung for the minimum of 15 s.',
  }),
}

const Budgets = Type.Object({
  callCode: Type.Integer(),
  timeZone: Type.String({
    description: 'Time zone of the days: that of the call windows or of the caller id, otherwise UTC.',
  }),
  total: Type.Object(Counts, { description: 'Sum of all days.' }),
  days: Type.Array(Type.Object({ date: Type.String({ description: 'Date, such as 2026-12-24.' }), ...Counts }), {
    description: 'Oldest first, today last; includes days without calls.',
  }),
})

/** The operation. */
export function campaignBudgetRoutes(dependencies: RestDependencies): Route[] {
  const showBudgets = route({
    method: 'GET',
    path: '/dialer/callcode/{callCode}/budgets',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'The three budgets of a campaign, day by day',
    description:
      'Abandoned calls, errors of machine detection, and rings cut short, of ended calls. A call counts for the day ' +
      'on which it was answered, or placed if it was not answered. A later correction by an agent changes that day.',
    params: Type.Object({ callCode: Id('The campaign') }),
    query: LastDaysQuery,
    answers: { 200: Budgets },
    async handle({ params, query, asker: { corporations } }) {
      const id = params.callCode as CampaignId
      const found = await campaignLastDays(dependencies, corporations, id, query)
      if (!found) return refuse('notFound', 'there is no campaign with this callCode')
      const { timeZone, days } = found
      const daysFromAtMs = days.map(({ fromAtMs }) => fromAtMs)
      const counts = await dependencies.dialerAdmin.budgets({ corporations, campaign: id, daysFromAtMs })
      const counted = days.map(({ date }, place) => ({ date, ...counts[place]! }))
      return { body: { callCode: id, timeZone, total: sumOf(counts), days: counted } }
    },
  })
  return [showBudgets]
}

function sumOf(counts: readonly BudgetCounts[]): BudgetCounts {
  const sum = (name: keyof BudgetCounts) => counts.reduce((before, day) => before + day[name], 0)
  return {
    personsAnswered: sum('personsAnswered'),
    abandoned: sum('abandoned'),
    machineVerdicts: sum('machineVerdicts'),
    correctedByAgents: sum('correctedByAgents'),
    ringsCutShort: sum('ringsCutShort'),
  }
}
