import { postgresDialerAdmin } from '../../store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../store/dialer/dialer-repository.ts'
import type { CliContext } from '../place/cli-context.ts'
import { withDatabase } from '../place/with-database.ts'

/** Who turned it, for those who look. */
const HERE = 'command line'

/** `switchboard killswitch`: shows it, or turns it. Whoever may run commands on the machine needs no second person. */
export async function killSwitch(
  order: 'on' | 'off' | undefined,
  { settings, write }: Pick<CliContext, 'settings' | 'write'>,
): Promise<number> {
  return withDatabase({ settings, write }, async ({ pools, nowMs }) => {
    if (order) await postgresDialerRepository(pools).setKillSwitch(order === 'on', HERE, nowMs)
    const { isOn, by } = await postgresDialerAdmin(pools).killSwitch()
    write(isOn ? `the kill switch is on: nothing is dialed (${by ?? 'nobody'})` : 'the kill switch is off')
    return 0
  })
}
