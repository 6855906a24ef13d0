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
