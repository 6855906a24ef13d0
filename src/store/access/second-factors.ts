import type { Directory, SecondFactor } from '../../ports/directory.ts'
import { telling } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

/**
 * The part of `Directory` about one-time codes. Each method is one statement: of two requests, one wins. On and off are
 * told to all nodes, which remember what a sign-on may do (rest-38).
 */
export const secondFactors = {
  async secondFactor({ api }, user) {
    const [row] = await query<SecondFactor>(
      api,
      `select secret, confirmed_at_ms is not null as "isOn", cardinality(recovery_hashes) as "recoveryCodesLeft"
       from second_factors where user_id = $1`,
      [user],
    )
    return row
  },

  async beginSecondFactor({ api }, user, secret) {
    return isChanged(
      api,
      `insert into second_factors (user_id, secret) values ($1, $2)
       on conflict (user_id) do update set secret = $2, last_step = 0
       where second_factors.confirmed_at_ms is null returning user_id`,
      [user, secret],
    )
  },

  async confirmSecondFactor({ api }, user, { step, recoveryHashes, atMs }) {
    return isChanged(
      api,
      `update second_factors set confirmed_at_ms = $4, last_step = $2, recovery_hashes = $3
       where user_id = $1 and confirmed_at_ms is null returning ${telling('access')}`,
      [user, step, [...recoveryHashes], atMs],
    )
  },

  async useOneTimeStep({ api }, user, step) {
    return isChanged(
      api,
      'update second_factors set last_step = $2 where user_id = $1 and last_step < $2 returning user_id',
      [user, step],
    )
  },

  async useRecoveryCode({ api }, user, hash) {
    return isChanged(
      api,
      `update second_factors set recovery_hashes = array_remove(recovery_hashes, $2)
       where user_id = $1 and $2 = any(recovery_hashes) returning user_id`,
      [user, hash],
    )
  },

  async removeSecondFactor({ api }, user) {
    return isChanged(api, `delete from second_factors where user_id = $1 returning ${telling('access')}`, [user])
  },
} satisfies Partial<In<Directory>>

async function isChanged(api: Pools['api'], statement: string, values: readonly unknown[]): Promise<boolean> {
  return (await query(api, statement, [...values])).length > 0
}
