/** The phones of a centre that lose their node in one moment do not ask for it in one. */
import { expect, test } from 'vitest'
import { phoneMachine } from '../../src/console/phone/phone.machine.ts'
import type { PhoneCommand } from '../../src/console/phone/phone-messages.ts'
import { MachineRun } from '../../src/kernel/machine.ts'

test.each([
  [0, 1_000],
  [0.5, 2_000],
  [0.999, 2_998],
])('a phone with the chance %d that reaches nothing asks again after %d ms', (chance, waitMs) => {
  const { run } = MachineRun.start<PhoneCommand>(phoneMachine, { isMuted: false, chance }, 0)
  for (const type of ['start', 'lock.taken', 'microphone.open', 'credentials.failed'] as const) run.send({ type }, 0)
  expect(run.fireDue(waitMs - 1)).toEqual([])
  expect(run.fireDue(waitMs)).toEqual([{ type: 'askCredentials', takeOver: false }])
})
