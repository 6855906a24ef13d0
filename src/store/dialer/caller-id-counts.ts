import type { CallerIdCounts, DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

export const callerIdCounts = {
  /** Finished calls by the number that they showed. Nothing for other corporations' campaigns. */
  async callerIdCounts({ api }, corporations, campaign, sinceAtMs) {
    return query<CallerIdCounts>(api, COUNT, [campaign, corporations, sinceAtMs])
  },
} satisfies Partial<In<DialerAdminRepository>>

/** Persons as in the budgets. A stop names its call, also after the number of the call was erased. */
const COUNT = `
select v.caller as "callerId", count(*)::integer as calls,
    count(*) filter (where a.answered_at_ms is not null and a.result <> 'voicemail'
                       and c.attempt_id is null)::integer as "personsAnswered",
    count(*) filter (where
      a.activity_id in (select activity_id from stopped_numbers where corporation_id = any($2))
      or a.activity_id in (select activity_id from stopped_persons where corporation_id = any($2))
    )::integer as complaints
  from attempts a
  join call_activities v on v.id = a.activity_id
  left join attempt_corrections c on c.attempt_id = a.id
 where a.campaign_id = $1 and a.corporation_id = any($2) and a.claimed_at_ms >= $3
 group by v.caller order by v.caller`
