/** An agent's order `doNotCall`: what is stopped by the words of which call (campaigns-57). */
import { isPhoneNumber } from '../../dialer/phone-number.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { type AgentName, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { WriteEntry } from '../record-writer.ts'
import type { EarlierCall } from './earlier-calls.ts'
import type { RecentCall } from './recent-calls.ts'

/** Undefined for a caller whose number the switch did not tell: nothing can be stopped. */
export function doNotCallEntry(
  { shown, live }: RecentCall | EarlierCall,
  agent: AgentName,
  reason: string,
  atMs: AtMs,
): WriteEntry | undefined {
  const { call, number } = shown
  if (live) {
    const { leg, activity, group, campaign } = live
    const { corporation } = campaign.stored
    const value = { corporation, number: live.number, task: group.task.id, call, activity, by: agent, reason, atMs }
    return { key: leg, what: 'doNotCall', value }
  }
  if (!isPhoneNumber(number)) return undefined
  // A caller's number proves no identity: only the number is stopped.
  return {
    key: call,
    what: 'doNotCall',
    value: { corporation: FIRST_CORPORATION, number, call, by: agent, reason, atMs },
  }
}
