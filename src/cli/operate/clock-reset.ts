import { forgetLatestSeen } from '../../store/nodes/latest-seen.ts'
import type { CliContext } from '../place/cli-context.ts'
import { withDatabase } from '../place/with-database.ts'

/** `switchboard clock reset`: for an operator who looked at the clock, and found it right. On record. */
export async function clockReset({ settings, write }: CliContext): Promise<number> {
  return withDatabase({ settings, write }, async ({ pools, nowMs }) => {
    const behindMs = await forgetLatestSeen(pools, nowMs)
    write(
      behindMs === 0
        ? 'the clock is not behind the latest instant: nothing to reset'
        : `the latest instant was ${Math.floor(behindMs / 1_000)} s ahead of the clock; dialing goes on`,
    )
    return 0
  })
}
