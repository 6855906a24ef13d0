import type { CallCommand } from '../flow/model/call-messages.ts'

/** Commands that need no caller: what was running is stopped, and the steps of `onHangup` run. */
export const WITHOUT_CALLER: ReadonlySet<CallCommand['type']> = new Set([
  'stopPlaying',
  'stopListening',
  'stopAwaiting',
  'endMessage',
  'stopMusic',
  'cancelRequest',
  'leaveQueue',
  'request',
  'sendSms',
  'stopCaller',
  'endCall',
])
