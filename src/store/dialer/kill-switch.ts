import type { DialerAdminRepository, KillSwitch } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'

/** A restored database counts as stopped until it is confirmed (storage-08). */
const IS_ON = 'select kill_switch or to_confirm is not null as "isOn" from dial_state'

export const killSwitch = {
  /** Stops all dialing, or allows it again. From the moment this returns, every claim knows it (INV-D13). */
  async setKillSwitch({ api }, isOn, by, atMs) {
    await inTransaction(api, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      const text = 'update dial_state set kill_switch = $1, kill_switch_by = $2, kill_switch_at_ms = $3'
      await transaction.query(text, [isOn, by, atMs])
      await notify(transaction, 'orders')
    })
  },

  async isKillSwitchOn({ control }) {
    const rows = await query<{ isOn: boolean }>(control, IS_ON, [])
    // The migration made the row, and no statement removes it.
    return rows[0]!.isOn
  },
} satisfies Partial<In<DialerRepository>>

/** Lifting the switch does not lift this. */
const RESTORED = 'a restored database: run switchboard restore confirm'

export const killSwitchAdmin = {
  async killSwitch({ api }) {
    const text = `select kill_switch or to_confirm is not null as "isOn",
                    case when to_confirm is null then kill_switch_by else '${RESTORED}' end as by,
                    kill_switch_at_ms as "atMs" from dial_state`
    // The migration made the row, and no statement removes it.
    return (await query<KillSwitch>(api, text, []))[0]!
  },

  async askToLift({ api }, question) {
    const text = 'update dial_state set lift_credential = $1, lift_token_sha256 = $2, lift_until_ms = $3'
    await query(api, text, [question.person, question.tokenSha256, question.untilAtMs])
  },

  /** False, without a change: another question, the same person, too old, or the switch was turned on again. */
  async lift({ api }, question) {
    const { person, tokenSha256, atMs, untilAtMs } = question
    return inTransaction(api, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      const { rowCount } = await transaction.query(
        `update dial_state set kill_switch = false, kill_switch_by = $1, kill_switch_at_ms = $3, lift_credential = null,
           lift_token_sha256 = null, lift_until_ms = null
          where lift_credential <> $1 and lift_token_sha256 = $2 and lift_until_ms > $3
            and lift_until_ms - $4::bigint >= kill_switch_at_ms`,
        [person, tokenSha256, atMs, untilAtMs - atMs],
      )
      if (rowCount === 1) await notify(transaction, 'orders')
      return rowCount === 1
    })
  },
} satisfies Partial<In<DialerAdminRepository>>
