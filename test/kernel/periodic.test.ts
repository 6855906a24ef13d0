import { expect, test } from 'vitest'
import { Periodic } from '../../src/kernel/periodic.ts'
import { everythingAwaited, VirtualClock } from '../support/virtual-clock.ts'

test('pauses after each run, never runs twice at once, and stops when the present run has ended', async () => {
  const clock = new VirtualClock(0)
  const seen: string[] = []
  let gate = Promise.withResolvers<void>()
  const periodic = new Periodic({
    clock,
    pauseMs: () => 10,
    work: async (mayGoOn) => {
      seen.push(`begins ${clock.nowMs()}`)
      await gate.promise
      seen.push(`ends ${clock.nowMs()} ${mayGoOn()}`)
    },
  })
  periodic.start(5)
  clock.run(4)
  expect(seen).toEqual([])
  clock.run(100)
  gate.resolve()
  await everythingAwaited()
  gate = Promise.withResolvers()
  clock.run(10)
  const stopped = periodic.stop()
  gate.resolve()
  await stopped
  await periodic.stop()
  clock.run(100)
  expect(seen).toEqual(['begins 5', 'ends 104 true', 'begins 114', 'ends 114 false'])
})
