import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Directory, StaffEntry } from '../../ports/directory.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction } from '../db/transaction.ts'

/** Shows the agents and teams of the configuration as users and queues, in one transaction. */
export const staff = {
  async syncStaff({ jobs }, staff, corporation, atMs) {
    await inTransaction(jobs, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.staff])
      await mirrorAgents(transaction, staff, corporation, atMs)
      await mirrorTeams(transaction, staff, corporation)
      await mirrorMembers(transaction, staff, corporation)
      await notify(transaction, 'access')
    })
  },
} satisfies Partial<In<Directory>>

async function mirrorAgents(transaction: Transaction, { agents }: StaffEntry, corporation: CorporationId, atMs: AtMs) {
  const names = agents.map(({ name }) => name)
  // A user of another corporation with this name stays unchanged.
  await transaction.query(
    `insert into users (corporation_id, user_name, name, roles, is_of_setup, created_at_ms)
     select $1, name, title, '{agent}', true, $4
     from unnest($2::text[], $3::text[]) as agents (name, title)
     on conflict (user_name) do update set name = excluded.name, active = true, is_of_setup = true,
       roles = case when 'agent' = any(users.roles) then users.roles else users.roles || 'agent'::text end
       where users.corporation_id = excluded.corporation_id`,
    [corporation, names, agents.map(({ title }) => title), atMs],
  )
  await transaction.query(
    'update users set active = false where corporation_id = $1 and is_of_setup and active and user_name <> all($2)',
    [corporation, names],
  )
}

async function mirrorTeams(transaction: Transaction, { teams }: StaffEntry, corporation: CorporationId) {
  const names = teams.map(({ name }) => name)
  await transaction.query(
    `insert into teams (corporation_id, name, title)
     select $1, name, title from unnest($2::text[], $3::text[]) as teams (name, title)
     on conflict (corporation_id, name) do update set title = excluded.title, active = true`,
    [corporation, names, teams.map(({ title }) => title)],
  )
  await transaction.query('update teams set active = false where corporation_id = $1 and active and name <> all($2)', [
    corporation,
    names,
  ])
}

async function mirrorMembers(transaction: Transaction, { teams }: StaffEntry, corporation: CorporationId) {
  const pairs = teams.flatMap(({ name, agents }) => agents.map((agent) => ({ team: name, agent })))
  await transaction.query(
    'delete from team_members using teams where teams.id = team_id and teams.corporation_id = $1',
    [corporation],
  )
  await transaction.query(
    `insert into team_members (team_id, user_id)
     select teams.id, users.id from unnest($2::text[], $3::text[]) as pairs (team, agent)
     join teams on teams.corporation_id = $1 and teams.name = pairs.team
     join users on users.corporation_id = $1 and users.user_name = pairs.agent
     on conflict do nothing`,
    [corporation, pairs.map(({ team }) => team), pairs.map(({ agent }) => agent)],
  )
}
