import { expect, test } from 'vitest'
import { machineDetectionFor } from '../../src/dialer/voicemail-messages.ts'
import { anAttempt } from './samples.ts'

const machine = anAttempt({ result: 'voicemail', reach: 'answered' })

test('a task leaves no more messages on machines than the campaign allows', () => {
  const once = { machineDetection: 'leaveMessage', voicemailMessagesMax: 1 } as const
  expect(machineDetectionFor(once, [anAttempt()])).toBe('leaveMessage')
  expect(machineDetectionFor(once, [anAttempt(), machine])).toBe('hangUp')
  expect(machineDetectionFor({ ...once, voicemailMessagesMax: 2 }, [machine])).toBe('leaveMessage')
  expect(machineDetectionFor({ ...once, voicemailMessagesMax: 0 }, [])).toBe('hangUp')
})

test('where no message is wanted, nothing changes', () => {
  for (const machineDetection of ['off', 'hangUp'] as const) {
    expect(machineDetectionFor({ machineDetection, voicemailMessagesMax: 1 }, [machine])).toBe(machineDetection)
  }
})
