import type { AtMs } from '../../kernel/clock.ts'
import { type CorporationId, FIRST_CORPORATION, type TeamName, type UserId } from '../../kernel/ids.ts'
import type { Corporation, Directory, InfoField, NewUser, TeamEntry, User, UsersPage } from '../../ports/directory.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { addExternalSystem, changeExternalSystem, externalSystems } from './external-systems.ts'
import { syncStaff } from './staff.ts'

/** People, teams and external systems in PostgreSQL. What each method does is said at the port. */
export function postgresDirectory(pools: Pools): Directory {
  return {
    ensureCorporation: (name, atMs) => ensureCorporation(pools, name, atMs),
    corporations: () => query(pools.api, 'select id, name from corporations order by id', []),
    syncStaff: (staff, corporation, atMs) => syncStaff(pools, staff, corporation, atMs),
    addUser: (user, atMs) => addUser(pools, user, atMs),
    setPassword: (userName, hash) => setPassword(pools, userName, hash),
    passwordHash: (userName) => passwordHash(pools, userName),
    user: (id) => oneUser(pools, 'users.id = $1', id),
    userByName: (userName) => oneUser(pools, 'users.user_name = $1', userName),
    users: (page) => users(pools, page),
    teams: (corporations, withInactive) => teams(pools, corporations, withInactive),
    externalSystems: (corporations, withInactive) => externalSystems(pools, corporations, withInactive),
    addExternalSystem: (corporation, fields) => addExternalSystem(pools, corporation, fields),
    changeExternalSystem: (id, corporations, change) => changeExternalSystem(pools, id, corporations, change),
    infoFields: (corporations, withInactive) => infoFields(pools, corporations, withInactive),
    addInfoField: (corporation, name) => addInfoField(pools, corporation, name),
  }
}

async function ensureCorporation({ jobs }: Pools, name: string, atMs: AtMs): Promise<CorporationId> {
  await inTransaction(jobs, async (transaction) => {
    await transaction.query(
      'insert into corporations (id, name, created_at_ms) values ($1, $2, $3) on conflict (id) do nothing',
      [FIRST_CORPORATION, name, atMs],
    )
    // The id was chosen by us: the next one must not meet it.
    await transaction.query(
      `select setval(pg_get_serial_sequence('corporations', 'id'), greatest(max(id), 1)) from corporations`,
    )
  })
  return FIRST_CORPORATION
}

async function addUser({ api }: Pools, user: NewUser, atMs: AtMs) {
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
}

/** Whoever had signed on with the old one is signed off (ASVS V7). */
async function setPassword({ api }: Pools, userName: string, hash: string): Promise<boolean> {
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
}

async function passwordHash({ api }: Pools, userName: string) {
  const [row] = await query<{ id: UserId; hash: string | null }>(
    api,
    'select id, password_hash as hash from users where user_name = $1 and active',
    [userName],
  )
  return row
}

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

async function oneUser({ api }: Pools, condition: string, value: unknown): Promise<User | undefined> {
  const [row] = await query<UserRow>(api, `select ${USER} from ${USERS} where ${condition}`, [value])
  return row && asUser(row)
}

async function users({ api }: Pools, { corporations, offset, size, withInactive }: UsersPage) {
  const which = 'corporation_id = any($1) and (users.active or $2)'
  const [counted] = await query<{ found: number }>(api, `select count(*) as found from users where ${which}`, [
    [...corporations],
    withInactive,
  ])
  const rows = await query<UserRow>(
    api,
    `select ${USER} from ${USERS} where ${which} order by users.name, users.id limit $3 offset $4`,
    [[...corporations], withInactive, size, offset],
  )
  return { found: counted?.found ?? 0, users: rows.map(asUser) }
}

async function teams({ api }: Pools, corporations: readonly CorporationId[], withInactive: boolean) {
  const rows = await query<Omit<TeamEntry, 'name'> & { name: TeamName }>(
    api,
    `select id, name, title, corporation_id as corporation, active from teams
     where corporation_id = any($1) and (active or $2) order by title, id`,
    [[...corporations], withInactive],
  )
  return rows
}

const INFO_FIELD = 'id, corporation_id as corporation, name, active'

async function infoFields({ api }: Pools, corporations: readonly CorporationId[], withInactive: boolean) {
  return query<InfoField>(
    api,
    `select ${INFO_FIELD} from property_fields where corporation_id = any($1) and (active or $2) order by id`,
    [[...corporations], withInactive],
  )
}

async function addInfoField({ api }: Pools, corporation: CorporationId, name: string) {
  const [known] = await query<Corporation>(api, 'select id from corporations where id = $1', [corporation])
  if (!known) return 'no such corporation'
  const [field] = await query<InfoField>(
    api,
    `insert into property_fields (corporation_id, name) values ($1, $2)
     on conflict (corporation_id, name) do nothing returning ${INFO_FIELD}`,
    [corporation, name],
  )
  return field ?? 'name is taken'
}
