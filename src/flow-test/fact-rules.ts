/** What the simulated switch may tell, and what it may be asked for. */
import type { CallCommand, CallFact } from '../flow/model/call-messages.ts'

/** Commands that need no caller: what was running is stopped, and the steps of `onHangup` run. */
export const WITHOUT_CALLER: ReadonlySet<CallCommand['type']> = new Set([
  'stopPlaying',
  'stopListening',
  'stopAwaiting',
  'endMessage',
  'endTransfer',
  'stopMusic',
  'cancelRequest',
  'leaveQueue',
  'request',
  'sendSms',
  'stopCaller',
  'endCall',
])

/** Detection is on while such a prompt is being said, and tells nothing else. */
export function isOfVoice({ type }: CallFact): boolean {
  return type === 'leg.talking' || type === 'leg.quiet'
}
