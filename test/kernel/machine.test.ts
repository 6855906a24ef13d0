import { expect, test } from 'vitest'
import { assign, setup } from 'xstate'
import { command, MachineRun } from '../../src/kernel/machine.ts'

type Command = { type: 'ring'; times: number } | { type: 'giveUp' }

const bell = setup({
  types: { input: {} as { times: number }, context: {} as { times: number } },
  actions: { ring: command<{ times: number }>(), giveUp: command(), once: assign({ times: 1 }) },
  delays: { patience: ({ context }) => context.times * 1000 },
}).createMachine({
  id: 'bell',
  context: ({ input }) => input,
  initial: 'ringing',
  states: {
    ringing: {
      entry: { type: 'ring', params: ({ context }) => ({ times: context.times }) },
      after: { patience: { target: 'over', actions: 'giveUp' } },
      on: { again: { target: 'ringing', reenter: true, actions: 'once' }, answered: 'over' },
    },
    over: { type: 'final' },
  },
})

test('actions become commands with their parameters, without side effects', () => {
  const { run, commands } = MachineRun.start<Command>(bell, { times: 3 }, 0)
  expect(commands).toEqual([{ type: 'ring', times: 3 }])
  expect(run.nextDueAtMs).toBe(3000)
})

test('a timer fires once, at its instant and not before', () => {
  const { run } = MachineRun.start<Command>(bell, { times: 3 }, 100)
  expect(run.fireDue(3099)).toEqual([])
  expect(run.fireDue(3100)).toEqual([{ type: 'giveUp' }])
  expect(run.isDone).toBe(true)
  expect(run.nextDueAtMs).toBeUndefined()
})

test('leaving a state cancels its timer; entering it again starts the timer anew', () => {
  const { run } = MachineRun.start<Command>(bell, { times: 3 }, 0)
  expect(run.send({ type: 'again' }, 2000)).toEqual([{ type: 'ring', times: 1 }])
  expect(run.nextDueAtMs).toBe(3000)
  run.send({ type: 'answered' }, 2500)
  expect(run.nextDueAtMs).toBeUndefined()
  expect(run.fireDue(9000)).toEqual([])
})

test('given a save in the middle of a wait, the restored machine fires at the original instant', () => {
  const { run } = MachineRun.start<Command>(bell, { times: 3 }, 1000)
  const saved = JSON.parse(JSON.stringify(run.save()))
  const restored = MachineRun.restore<Command>(bell, saved)
  expect(restored.nextDueAtMs).toBe(4000)
  expect(restored.fireDue(4000)).toEqual([{ type: 'giveUp' }])
})

test('a finished machine ignores further events', () => {
  const { run } = MachineRun.start<Command>(bell, { times: 3 }, 0)
  run.send({ type: 'answered' }, 1)
  expect(run.send({ type: 'again' }, 2)).toEqual([])
})
