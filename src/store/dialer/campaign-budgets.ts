import type { BudgetCounts, DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

/** The counts of each day of a campaign, in the order of the days; zeros for other corporations' campaigns. */
export const campaignBudgets = {
  async budgets({ api }, { corporations, campaign, daysFromAtMs }) {
    const values = [campaign, corporations, daysFromAtMs, daysFromAtMs[0]]
    const rows = await query<BudgetCounts & { day: number }>(api, COUNT, values)
    const counted = new Map(rows.map(({ day, ...counts }) => [day, counts]))
    return daysFromAtMs.map((_, place) => counted.get(place + 1) ?? NOTHING)
  },
} satisfies Partial<In<DialerAdminRepository>>

const NOTHING: BudgetCounts = {
  personsAnswered: 0,
  abandoned: 0,
  machineVerdicts: 0,
  correctedByAgents: 0,
  ringsCutShort: 0,
}

/** Counted as in the ledgers. Once an agent talks, also in manual mode, only the agent can report a machine. */
const COUNT = `
select width_bucket(coalesce(answered_at_ms, claimed_at_ms), $3::bigint[]) as day,
    count(*) filter (where answered_at_ms is not null and not is_machine)::integer as "personsAnswered",
    count(*) filter (where result = 'dropped' and answered_at_ms is not null and not is_machine)::integer as abandoned,
    count(*) filter (where is_machine and not is_told)::integer as "machineVerdicts",
    count(*) filter (where is_told)::integer as "correctedByAgents",
    count(*) filter (where is_ring_cut_short)::integer as "ringsCutShort"
  from (
    select a.answered_at_ms, a.claimed_at_ms, a.result, a.is_ring_cut_short,
        a.result = 'voicemail' or c.attempt_id is not null as is_machine,
        (a.result = 'voicemail' and a.connected_at_ms is not null) or c.attempt_id is not null as is_told
      from attempts a left join attempt_corrections c on c.attempt_id = a.id
     where a.campaign_id = $1 and a.corporation_id = any($2) and a.ended_at_ms is not null
       -- Two indexes, one for each side.
       and (a.answered_at_ms >= $4 or (a.answered_at_ms is null and a.claimed_at_ms >= $4))
  ) as attempt
 group by 1`
