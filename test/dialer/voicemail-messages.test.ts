import { expect, test } from 'vitest'
import { machineDetectionFor } from '../../src/dialer/voicemail-messages.ts'
import { anAttempt } from './samples.ts'

const machine = anAttempt({ result: 'voicemail', reach: 'answered' })

test('a task leaves no more messages on machines than the campaign allows', () => {
  const once = { machineDetection: 'leaveMessage', voicemailMessagesMax: 1 } as const
  expect(machineDetectionFor(once, [anAttempt()], true)).toBe('leaveMessage')
  expect(machineDetectionFor(once, [anAttempt(), machine], true)).toBe('hangUp')
  expect(machineDetectionFor({ ...once, voicemailMessagesMax: 2 }, [machine], true)).toBe('leaveMessage')
  expect(machineDetectionFor({ ...once, voicemailMessagesMax: 0 }, [], true)).toBe('hangUp')
})

test('where no message is wanted, nothing changes', () => {
  for (const machineDetection of ['off', 'hangUp'] as const) {
    expect(machineDetectionFor({ machineDetection, voicemailMessagesMax: 1 }, [machine], true)).toBe(machineDetection)
  }
})

test('a detector that may not decide only listens', () => {
  for (const machineDetection of ['hangUp', 'leaveMessage'] as const) {
    expect(machineDetectionFor({ machineDetection, voicemailMessagesMax: 1 }, [machine], false)).toBe('listen')
  }
  expect(machineDetectionFor({ machineDetection: 'off', voicemailMessagesMax: 1 }, [], false)).toBe('off')
})
