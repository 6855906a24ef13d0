import { FIRST_CORPORATION, type TeamName, type UserId } from '../../kernel/ids.ts'
import type { Corporation, Directory, InfoField, TeamEntry, User } from '../../ports/directory.ts'
import { countOf } from '../db/criteria.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { externalSystems } from './external-systems.ts'
import { secondFactors } from './second-factors.ts'
import { staff } from './staff.ts'

const directory = {
  corporations({ api }) {
    return query(api, 'select id, name from corporations order by id', [])
  },

  user({ api }, id) {
    return oneUser(api, 'users.id = $1', id)
  },

  userByName({ api }, userName) {
    return oneUser(api, 'users.user_name = $1', userName)
  },

  async ensureCorporation({ jobs }, name, atMs) {
    await inTransaction(jobs, async (transaction) => {
      await transaction.query(
        'insert into corporations (id, name, created_at_ms) values ($1, $2, $3) on conflict (id) do nothing',
        [FIRST_CORPORATION, name, atMs],
      )
      // We chose this id: the sequence must not return it again.
      await transaction.query(
        `select setval(pg_get_serial_sequence('corporations', 'id'), greatest(max(id), 1)) from corporations`,
      )
    })
    return FIRST_CORPORATION
  },

  async addUser({ api }, user, atMs) {
    const { userName, name, email, phone, corporation, roles } = user
    return inTransaction(api, async (transaction) => {
      const corporations = await transaction.query('select 1 from corporations where id = $1', [corporation])
      if (corporations.rows.length === 0) return 'no such corporation'
      const { rows } = await transaction.query<{ id: UserId }>(
        `insert into users (corporation_id, user_name, name, email, phone, roles, created_at_ms)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_name) do nothing returning id`,
        [corporation, userName, name, email ?? null, phone ?? null, [...roles], atMs],
      )
      return rows[0]?.id ?? 'name is taken'
    })
  },

  /** A new password ends all sessions of the user (ASVS V7). */
  async setPassword({ api }, userName, hash) {
    return inTransaction(api, async (transaction) => {
      const { rows } = await transaction.query<{ id: UserId }>(
        'update users set password_hash = $2 where user_name = $1 returning id',
        [userName, hash],
      )
      const [user] = rows
      if (!user) return false
      await transaction.query('delete from credentials where user_id = $1 and idle_ms is not null', [user.id])
      await notify(transaction, 'access')
      return true
    })
  },

  async passwordHash({ api }, userName) {
    const [row] = await query<{ id: UserId; hash: string | null }>(
      api,
      'select id, password_hash as hash from users where user_name = $1 and active',
      [userName],
    )
    return row
  },

  async users({ api }, { corporations, offset, size, withInactive, userNames }) {
    const which = 'corporation_id = any($1) and (users.active or $2) and ($3::text[] is null or user_name = any($3))'
    const values = [[...corporations], withInactive, userNames ?? null]
    const rows = await query<UserRow>(
      api,
      `select ${USER} from ${USERS} where ${which} order by users.name, users.id limit $4 offset $5`,
      [...values, size, offset],
    )
    const found = await countOf(api, `from users where ${which}`, values)
    return { found, users: rows.map(asUser) }
  },

  async teams({ api }, corporations, withInactive) {
    const rows = await query<Omit<TeamEntry, 'name'> & { name: TeamName }>(
      api,
      `select id, name, title, corporation_id as corporation, active from teams
       where corporation_id = any($1) and (active or $2) order by title, id`,
      [[...corporations], withInactive],
    )
    return rows
  },

  async infoFields({ api }, corporations, withInactive) {
    return query<InfoField>(
      api,
      `select ${INFO_FIELD} from property_fields where corporation_id = any($1) and (active or $2) order by id`,
      [[...corporations], withInactive],
    )
  },

  async addInfoField({ api }, corporation, name) {
    const [known] = await query<Corporation>(api, 'select id from corporations where id = $1', [corporation])
    if (!known) return 'no such corporation'
    const [field] = await query<InfoField>(
      api,
      `insert into property_fields (corporation_id, name) values ($1, $2)
       on conflict (corporation_id, name) do nothing returning ${INFO_FIELD}`,
      [corporation, name],
    )
    return field ?? 'name is taken'
  },
} satisfies Partial<In<Directory>>

const USER = `
  users.id, user_name, users.name, email, phone, users.active, roles,
  json_build_object('id', corporations.id, 'name', corporations.name) as corporation,
  (select coalesce(json_agg(json_build_object('id', teams.id, 'name', teams.name) order by teams.name), '[]')
     from team_members join teams on teams.id = team_id where user_id = users.id and teams.active) as teams`
const USERS = 'users join corporations on corporations.id = corporation_id'

interface UserRow extends Omit<User, 'userName'> {
  readonly user_name: string
}

function asUser({ user_name, ...rest }: UserRow): User {
  return { ...rest, userName: user_name }
}

async function oneUser(api: Pools['api'], condition: string, value: unknown): Promise<User | undefined> {
  const [row] = await query<UserRow>(api, `select ${USER} from ${USERS} where ${condition}`, [value])
  return row && asUser(row)
}

const INFO_FIELD = 'id, corporation_id as corporation, name, active'

/** Corporations, users, teams and external systems in PostgreSQL. */
export function postgresDirectory(pools: Pools): Directory {
  return portOf<Directory>(pools, { ...directory, ...externalSystems, ...staff, ...secondFactors })
}
