import type { TeamName, UserId } from '../../kernel/ids.ts'
import type { Credential, CredentialRepository, KeysKept, NewCredential } from '../../ports/credentials.ts'
import type { Role } from '../../ports/directory.ts'
import type { Transaction } from '../db/connection.ts'
import { carryOutKeyed } from '../db/keyed-request.ts'
import { notify, telling } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { inTransaction, type Prepared, query } from '../db/transaction.ts'

const CHECK_KEY = 'check values of credentials'
const LISTED_MAX = 1_000
const SWEPT_MAX = 1_000
/** An expired credential is kept this long, for later inquiries. */
const KEPT_DEAD_MS = 90 * 24 * 60 * 60_000

const credentials = {
  addCredential({ api }, credential) {
    return inTransaction(api, (transaction) => insert(transaction, credential))
  },

  /** Several nodes may start first at once: one key wins, the others use it. */
  async checkKey({ api }, fresh) {
    await query(api, 'insert into service_keys (name, value) values ($1, $2) on conflict do nothing', [
      CHECK_KEY,
      fresh,
    ])
    const rows = await query<{ value: Buffer }>(api, 'select value from service_keys where name = $1', [CHECK_KEY])
    return rows[0]!.value
  },

  async credential({ api }, realmControl) {
    const [row] = await query<Row>(api, ONE, [realmControl])
    return row && asCredential(row)
  },

  async credentials({ api }, corporations) {
    const rows = await query<Row>(
      api,
      `select ${CREDENTIAL} from ${CREDENTIALS} where corporation_ids <@ $1 and revoked_at_ms is null
       order by credentials.created_at_ms desc, realm_control limit $2`,
      [[...corporations], LISTED_MAX],
    )
    return rows.map(asCredential)
  },

  async replaceCredential({ api }, realmControl, successor, untilAtMs) {
    return inTransaction(api, async (transaction) => {
      const { rows } = await transaction.query(
        `update credentials set expires_at_ms = least(expires_at_ms, $2),
           ends_at_ms = case when ends_at_ms is not null then least(ends_at_ms, $2) end
         where realm_control = $1 and revoked_at_ms is null returning 1`,
        [realmControl, untilAtMs],
      )
      if (rows.length > 0) await insert(transaction, successor)
      return rows.length > 0
    })
  },

  async revokeCredential({ api }, realmControl, atMs) {
    const rows = await query(
      api,
      `update credentials set revoked_at_ms = $2 where realm_control = $1 and revoked_at_ms is null
       returning ${telling('access')}`,
      [realmControl, atMs],
    )
    return rows.length > 0
  },

  async noteUses({ api }, uses) {
    // An expired credential stays expired.
    await query(
      api,
      `update credentials set last_used_at_ms = uses.at_ms, last_used_ip = uses.ip,
         expires_at_ms = case when idle_ms is null or expires_at_ms <= uses.at_ms then expires_at_ms
           else least(ends_at_ms, greatest(expires_at_ms, uses.at_ms + idle_ms)) end
       from unnest($1::text[], $2::bigint[], $3::text[]) as uses (realm_control, at_ms, ip)
       where credentials.realm_control = uses.realm_control`,
      [uses.map(({ realmControl }) => realmControl), uses.map(({ atMs }) => atMs), uses.map(({ ip }) => ip)],
    )
  },

  async claimKey({ api }, request) {
    const { realmControl, route, key, print, atMs, runsUntilAtMs, keptUntilAtMs } = request
    return inTransaction(api, async (transaction) => {
      // The key is taken if it is free, expired, or held for the same request by a process that died.
      const taken = await transaction.query(
        `insert into idempotency_keys as keys
           (realm_control, route, key, print, runs_until_at_ms, kept_until_at_ms) values ($1, $2, $3, $4, $5, $6)
         on conflict (realm_control, route, key) do update set print = excluded.print, answer = null,
           runs_until_at_ms = excluded.runs_until_at_ms, kept_until_at_ms = excluded.kept_until_at_ms,
           is_carried_out = false
           where keys.kept_until_at_ms <= $7 or (keys.answer is null and not keys.is_carried_out
             and keys.runs_until_at_ms <= $7 and keys.print = excluded.print)
         returning 1`,
        [realmControl, route, key, print, runsUntilAtMs, keptUntilAtMs, atMs],
      )
      if (taken.rows.length > 0) return { claim: 'mine' }
      const { rows } = await transaction.query<{ print: Buffer; answer: Buffer | null; isCarriedOut: boolean }>(
        `select print, answer, is_carried_out and runs_until_at_ms <= $4 as "isCarriedOut" from idempotency_keys
          where realm_control = $1 and route = $2 and key = $3`,
        [realmControl, route, key, atMs],
      )
      const [found] = rows
      // Another request has just released it: the next one gets it.
      if (!found) return { claim: 'running' }
      if (!found.print.equals(print)) return { claim: 'other request' }
      if (found.answer) return { claim: 'answered', answer: found.answer }
      return { claim: found.isCarriedOut ? 'carried out' : 'running' }
    })
  },

  async keysKept({ api }, realmControl) {
    const text = `select count(*)::int as keys, coalesce(sum(octet_length(answer)), 0)::bigint as "answerBytes"
      from idempotency_keys where realm_control = $1`
    const [kept] = await query<KeysKept>(api, text, [realmControl])
    return kept!
  },

  async keepAnswer({ api }, { realmControl, route, key }, answer) {
    await query(api, 'update idempotency_keys set answer = $4 where realm_control = $1 and route = $2 and key = $3', [
      ...[realmControl, route, key],
      answer,
    ])
  },

  carryOutKeyed(_pools, request, work) {
    return carryOutKeyed(request, work)
  },

  async breakOffKey({ api }, { realmControl, route, key }) {
    const which = 'realm_control = $1 and route = $2 and key = $3 and answer is null'
    const text = `with done as (update idempotency_keys set runs_until_at_ms = 0 where ${which} and is_carried_out)
      delete from idempotency_keys where ${which} and not is_carried_out`
    await query(api, text, [realmControl, route, key])
  },

  async releaseKey({ api }, { realmControl, route, key }) {
    const which = 'realm_control = $1 and route = $2 and key = $3 and answer is null'
    await query(api, `delete from idempotency_keys where ${which}`, [realmControl, route, key])
  },

  async sweepAccess({ jobs }, atMs) {
    const oldest = (table: string, key: string, column: string) =>
      `delete from ${table} where (${key}) in (select ${key} from ${table} where ${column} <= $1 limit ${SWEPT_MAX})`
    const untilNone = async (text: string, beforeAtMs: number) => {
      // In small pieces: requests wait for no lock of it.
      while (((await jobs.query(text, [beforeAtMs])).rowCount ?? 0) > 0);
    }
    await untilNone(oldest('idempotency_keys', 'realm_control, route, key', 'kept_until_at_ms'), atMs)
    await untilNone(oldest('credentials', 'realm_control', 'expires_at_ms'), atMs - KEPT_DEAD_MS)
  },
} satisfies Partial<In<CredentialRepository>>

const CREDENTIAL = `
  realm_control as "realmControl", secret_sha256 as "secretSha256", credentials.name, scopes,
  corporation_ids as corporations, ip_allow_list as "ipAllowList", credentials.created_at_ms as "createdAtMs",
  expires_at_ms as "expiresAtMs", idle_ms, ends_at_ms, last_used_at_ms, last_used_ip, user_id, user_name,
  users.active as user_active, coalesce(users.roles, '{}') as user_roles,
  exists (select from second_factors f where f.user_id = users.id and f.confirmed_at_ms is not null) as user_factor,
  array(select teams.name from team_members join teams on teams.id = team_id
    where team_members.user_id = users.id and teams.active order by teams.name) as user_teams`
const CREDENTIALS = 'credentials left join users on users.id = user_id'

const ONE: Prepared = {
  name: 'credential',
  text: `select ${CREDENTIAL} from ${CREDENTIALS} where realm_control = $1 and revoked_at_ms is null`,
}

interface Row extends Omit<Credential, 'user' | 'sliding' | 'lastUsedAtMs' | 'lastUsedIp'> {
  readonly idle_ms: number | null
  readonly ends_at_ms: number | null
  readonly last_used_at_ms: number | null
  readonly last_used_ip: string | null
  readonly user_id: UserId | null
  readonly user_name: string | null
  readonly user_active: boolean | null
  readonly user_teams: readonly TeamName[]
  readonly user_roles: readonly Role[]
  readonly user_factor: boolean
}

function asCredential(row: Row): Credential {
  const { idle_ms, ends_at_ms, last_used_at_ms, last_used_ip, user_id, user_name, ...others } = row
  const { user_active, user_teams, user_roles, user_factor, ...rest } = others
  const isPersons = user_id !== null && user_name !== null
  return {
    ...rest,
    user: isPersons
      ? {
          id: user_id,
          userName: user_name,
          active: user_active === true,
          roles: user_roles,
          hasSecondFactor: user_factor,
          teams: user_teams,
        }
      : undefined,
    sliding: idle_ms === null || ends_at_ms === null ? undefined : { idleMs: idle_ms, endsAtMs: ends_at_ms },
    lastUsedAtMs: last_used_at_ms ?? undefined,
    lastUsedIp: last_used_ip ?? undefined,
  }
}

async function insert(transaction: Transaction, credential: NewCredential): Promise<void> {
  const { realmControl, secretSha256, user, name, scopes, corporations, ipAllowList, sliding } = credential
  const { createdAtMs, expiresAtMs } = credential
  await transaction.query(
    `insert into credentials (realm_control, secret_sha256, user_id, name, scopes, corporation_ids, ip_allow_list,
       created_at_ms, expires_at_ms, idle_ms, ends_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[realmControl, secretSha256, user ?? null, name, [...scopes], [...corporations], [...ipAllowList]],
      ...[createdAtMs, expiresAtMs, sliding?.idleMs ?? null, sliding?.endsAtMs ?? null],
    ],
  )
  await notify(transaction, 'access')
}

/** Credentials and idempotency keys in PostgreSQL. */
export function postgresAccess(pools: Pools): CredentialRepository {
  return portOf<CredentialRepository>(pools, credentials)
}
