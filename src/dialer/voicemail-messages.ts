import type { EarlierAttempt } from '../ports/attempt.ts'
import type { Campaign, MachineDetection } from './campaign.ts'

/**
 * What happens when a machine answers the next attempt of a task; a detector that may not decide only listens. Every
 * earlier machine counts as one that has the message: whether it was played to its end is unknown.
 */
export function machineDetectionFor(
  { machineDetection, voicemailMessagesMax }: Pick<Campaign, 'machineDetection' | 'voicemailMessagesMax'>,
  attempts: readonly EarlierAttempt[],
  decides: boolean,
): MachineDetection {
  if (machineDetection !== 'off' && !decides) return 'listen'
  const messages = attempts.filter(({ result }) => result === 'voicemail').length
  return machineDetection === 'leaveMessage' && messages >= voicemailMessagesMax ? 'hangUp' : machineDetection
}
