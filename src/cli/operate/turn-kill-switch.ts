import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import { postgresAudit } from '../../store/admin/audit.ts'
import { postgresDialerAdmin } from '../../store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../store/dialer/dialer-repository.ts'
import type { CliContext } from '../place/cli-context.ts'
import { withDatabase } from '../place/with-database.ts'

/** Who turned it, for those who look. */
const HERE = 'command line'

/**
 * `switchboard killswitch`: shows it, or turns it, on record. Whoever may run commands on the machine needs no second
 * person.
 */
export async function killSwitch(order: 'on' | 'off' | undefined, { settings, write }: CliContext): Promise<number> {
  return withDatabase({ settings, write }, async ({ pools, nowMs }) => {
    if (order) {
      const turn = () => postgresDialerRepository(pools).setKillSwitch(order === 'on', HERE, nowMs)
      const entry = entryOf(order, nowMs)
      const change = postgresAudit(pools).change([FIRST_CORPORATION], entry)
      await change.run(turn)
      await change.done(entry)
    }
    const { isOn, by } = await postgresDialerAdmin(pools).killSwitch()
    write(isOn ? `the kill switch is on: nothing is dialed (${by ?? 'nobody'})` : 'the kill switch is off')
    return 0
  })
}

function entryOf(order: 'on' | 'off', atMs: number): AuditEntry {
  const about = { action: 'change', object: 'killSwitch', ids: [], count: 1, operation: `killswitch --${order}` }
  return { atMs, credential: HERE, user: null, ...about, reason: null, address: '', traceId: '' }
}
