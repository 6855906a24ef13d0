/** `GET /dialer/callcode/{callCode}/budgets` (our addition): what a campaign's calls drew on, day by day. */
import { Type } from 'typebox'
import { lastDays } from '../../dialer/campaign-days.ts'
import { campaignZone } from '../../dialer/stored-campaign.ts'
import type { CampaignId } from '../../kernel/ids.ts'
import type { BudgetCounts } from '../../ports/dialer-admin-repository.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'

const DAYS = 30
/** A year, whatever the year. */
const DAYS_MAX = 366

const Counts = {
  personsAnswered: Type.Integer({
    description: 'Calls that a person answered. Unless somebody said otherwise, whoever answered was a person.',
  }),
  abandoned: Type.Integer({
    description: 'Those of them that we ended without an agent (DROPPED). The budget of maxAbandonRate and ledgers.',
  }),
  machineVerdicts: Type.Integer({
    description:
      'Calls that machine detection took for a machine. How many of them were people is not known: nobody talked to ' +
      'them. It is known only when somebody says so, and nothing here guesses it.',
  }),
  correctedByAgents: Type.Integer({
    description:
      'Calls that were given to an agent as a person, and of which the agent said that it was a machine: the ' +
      'errors of machine detection that are known. Not among personsAnswered nor machineVerdicts.',
  }),
  ringsCutShort: Type.Integer({
    description: 'Calls that we took back while the phone rang, before it had rung for the minimum of 15 s.',
  }),
}

const Budgets = Type.Object({
  callCode: Type.Integer(),
  timeZone: Type.String({
    description: 'Where its days begin: the zone of its call windows or of its caller id; UTC while it has none.',
  }),
  total: Type.Object(Counts, { description: 'All of these days together.' }),
  days: Type.Array(Type.Object({ date: Type.String({ description: 'Such as 2026-12-24.' }), ...Counts }), {
    description: 'The oldest first, today last; days without calls as well.',
  }),
})

/** The one operation. */
export function campaignBudgetRoutes({ clock, dialerAdmin }: RestDependencies): Route[] {
  const showBudgets = route({
    method: 'GET',
    path: '/dialer/callcode/{callCode}/budgets',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'What a campaign drew on its three budgets, day by day',
    description:
      'Abandoned calls, errors of machine detection, and rings cut short: of calls that are over, by the day on ' +
      'which they were answered, or, where nobody answered, placed. What an agent says later changes an earlier day.',
    params: Type.Object({ callCode: Id('The campaign') }),
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: `With today; ${DAYS} when absent.` }),
      ),
    }),
    answers: { 200: Budgets },
    async handle({ params, query, asker: { corporations } }) {
      const id = params.callCode as CampaignId
      const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids: [id], page: 0, rowsMax: 1 })
      const [campaign] = campaigns
      if (!campaign) return refuse('notFound', 'no campaign of yours has this callCode')
      const timeZone = campaignZone(campaign) ?? 'UTC'
      const days = lastDays(query.days ?? DAYS, timeZone, clock.nowMs())
      const daysFromAtMs = days.map(({ fromAtMs }) => fromAtMs)
      const counts = await dialerAdmin.budgets({ corporations, campaign: id, daysFromAtMs })
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
