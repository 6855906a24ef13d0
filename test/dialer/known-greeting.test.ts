import { expect, test } from 'vitest'
import { knownGreetings } from '../../src/dialer/known-greeting.ts'
import type { AttemptId } from '../../src/kernel/ids.ts'

const isKnown = (machineNumbers: number, persons: number) =>
  knownGreetings([{ id: 1 as AttemptId, print: 'p', machineNumbers, persons }])[0]?.isKnown

test('a greeting is that of machines after three numbers, until one person is met behind it', () => {
  expect([0, 1, 2, 3, 30].map((numbers) => isKnown(numbers, 0))).toEqual([false, false, false, true, true])
  expect([3, 1_000].map((numbers) => isKnown(numbers, 1))).toEqual([false, false])
})
