/** What an agent sees of the dialer's records: their teams' campaigns, what is assigned to them, their own calls. */
import { FIRST_CORPORATION, type UserId } from '../../kernel/ids.ts'
import { Sql, sql } from './sql.ts'

/** A condition on a row of the tables that the statement calls t (call tasks), a (attempts), c (call activities). */
interface Sight {
  readonly task: Sql
  readonly attempt: Sql
  readonly call: Sql
}

/** Conditions of the user that this expression names, such as a place for a value. */
function sightOf(user: Sql): Sight {
  const first = new Sql([String(FIRST_CORPORATION)])
  // Agents of the configuration are users of the first corporation; another one's user may have the same name.
  const name = sql`(select u.user_name from users u where u.id = ${user} and u.corporation_id = ${first})`
  const teams = sql`from team_members m join teams g on g.id = m.team_id where m.user_id = ${user} and g.active`
  const campaigns = sql`array(select k.id from campaigns k
    where (k.corporation_id, k.team_name) in (select g.corporation_id, g.name ${teams}))`
  const attempt = sql`(a.campaign_id = any(${campaigns}) or a.agent = ${name}
    or exists (select from call_tasks t where t.id = a.task_id and t.assigned_user_id = ${user}))`
  return {
    // Indexes answer it: a list of an agent must not read the call tasks of all campaigns.
    task: sql`(t.campaign_id = any(${campaigns}) or t.assigned_user_id = ${user})`,
    attempt,
    call: sql`(c.agent = ${name} or (c.corporation_id, c.team) in (select g.corporation_id, g.name ${teams})
      or exists (select from attempts a where a.id = c.attempt_id and ${attempt}))`,
  }
}

/** The conditions for this user; none where the asker sees everything of their corporations. */
export function seenBy(user: UserId | undefined, what: keyof Sight): Sql[] {
  return user === undefined ? [] : [sightOf(sql`${user}::bigint`)[what]]
}

/** For a prepared statement: the calls that the user of this place, such as `$3`, sees; all where it is null. */
export function callSeenBy(place: string): string {
  const user = new Sql([`${place}::bigint`])
  const { pieces } = sql`(${user} is null or ${sightOf(user).call})`
  return pieces.join('')
}
