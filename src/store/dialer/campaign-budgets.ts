import type { BudgetCounts, CampaignTally, DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
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

  /** Counted at one instant. */
  async campaignTally({ api }, corporations, campaign, atMs) {
    const [row] = await query<Omit<CampaignTally, 'reasons'> & { reasons: CampaignTally['reasons'] | null }>(
      api,
      TALLY,
      [campaign, corporations, atMs],
    )
    return row && { ...row, reasons: row.reasons ?? {} }
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

const instantOf = (setting: string) => `(extract(epoch from (c.settings->>'${setting}')::timestamptz) * 1000)::bigint`

/**
 * The first reason that holds, the most general first, as the gate says them (dialer/may-dial-now.ts). What the gate
 * put off has the reason that it wrote down. Whatever is due has nothing in its way but agents, lines and the pace.
 */
const REASON = `case
  when (select kill_switch or to_confirm is not null from dial_state) then 'killSwitch'
  when not c.active or ${instantOf('endsAt')} <= $3 then 'campaignInactive'
  when ${instantOf('startsAt')} > $3 then 'notStarted'
  when t.next_call_at_ms > $3
    then coalesce(t.waits_for, case t.status when 'callback' then 'callback' else 'notYet' end)
  else 'due' end`

const TALLY = `
with c as (select * from campaigns where id = $1 and corporation_id = any($2)),
tasks as (
  select case when t.finished_at_ms is not null then 'finished'
      when t.status in ('reserved', 'dialing', 'inCall') then 'underWay' else 'open' end as place,
      ${REASON} as reason
    from c join call_tasks t on t.campaign_id = c.id
), reasons as (
  select reason, count(*)::integer as tasks from tasks where place = 'open' group by 1
), lines as (
  select count(*) filter (where a.answered_at_ms is null)::integer as ringing,
      count(*) filter (where a.answered_at_ms is not null)::integer as answered
    from c join attempts a on a.campaign_id = c.id and a.ended_at_ms is null
)
select c.active as "isActive",
    (select count(*)::integer from tasks) as tasks,
    (select count(*)::integer from tasks where place = 'finished') as finished,
    (select count(*)::integer from tasks where place = 'underWay') as "underWay",
    (select jsonb_object_agg(reason, tasks) from reasons) as reasons,
    -- As a campaign that is active and not stopped would find them.
    (select count(*)::integer from call_tasks t
      where t.campaign_id = c.id and t.status in ('new', 'waiting', 'callback') and t.next_call_at_ms <= $3) as due,
    lines.ringing, lines.answered
  from c, lines`
