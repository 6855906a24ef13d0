import type { CampaignTally, DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

/** Where the call tasks of a campaign stand, counted at one instant. */
export const campaignReasons = {
  async campaignTally({ api }, corporations, campaign, atMs) {
    const [row] = await query<Omit<CampaignTally, 'reasons'> & { reasons: CampaignTally['reasons'] | null }>(
      api,
      TALLY,
      [campaign, corporations, atMs],
    )
    return row && { ...row, reasons: row.reasons ?? {} }
  },
} satisfies Partial<In<DialerAdminRepository>>

const instantOf = (setting: string) => `(extract(epoch from (c.settings->>'${setting}')::timestamptz) * 1000)::bigint`

/**
 * The first reason that holds, the most general first, as the gate says them (dialer/may-dial-now.ts). What the gate put
 * off has the reason that it wrote down. Whatever is due has nothing in its way but agents, lines and the pace.
 */
const REASON = `case
  when (select kill_switch or to_confirm is not null from dial_state) then 'killSwitch'
  when not c.active or ${instantOf('endsAt')} <= $3 then 'campaignInactive'
  when ${instantOf('startsAt')} > $3 then 'notStarted'
  when t.next_call_at_ms > $3 then coalesce(t.waits_for, case t.status when 'callback' then 'callback' else 'notYet' end)
  else 'due' end`

const TALLY = `
with c as (select * from campaigns where id = $1 and corporation_id = any($2)),
tasks as (
  select case when t.finished_at_ms is not null then 'finished'
      when t.status in ('reserved', 'dialing', 'inCall') then 'underWay' else 'open' end as place, ${REASON} as reason
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
