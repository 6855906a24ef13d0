import type { DialerOptions } from '../engine/context.ts'
import { FIRST_CORPORATION } from '../kernel/ids.ts'
import type { OpenDatabase } from './repositories.ts'

/**
 * Writes parts of supervisions to the audit trail, in the chain of the corporation whose agents they are. The entry
 * names the call and the user of the agent; its `reason` says what was done for how long: `listen, goes on: 10 s of
 * 30 s`. The seconds of all entries of a supervision add up.
 */
export function keepSupervised({
  audit,
  directory,
}: Pick<OpenDatabase, 'audit' | 'directory'>): NonNullable<DialerOptions['keepSupervised']> {
  return async ({ by, call, agent, mode, what, atMs, seconds, secondsInAll }) => {
    const user = await directory.userByName(agent)
    const ids = [call, ...(user ? [`userId-${user.id}`] : [])]
    const { credential, user: supervisor, address, traceId } = by
    await audit.append([FIRST_CORPORATION], {
      atMs,
      credential,
      user: supervisor,
      action: 'supervise',
      object: 'call',
      ids,
      count: 1,
      operation: 'POST /svcpbx/calls/{callId}/supervise',
      reason: `${mode}, ${what}: ${seconds} s of ${secondsInAll} s`,
      address,
      traceId,
    })
  }
}
