import { expect, test } from 'vitest'
import {
  type ReadinessCommand,
  type ReadinessEvent,
  readinessMachine,
} from '../../../src/engine/loop/readiness.machine.ts'
import { MachineRun } from '../../../src/kernel/machine.ts'

/** Sends events at instant 0; answers the state, the commands, and the run. */
function after(...events: readonly ReadinessEvent[]) {
  const { run } = MachineRun.start<ReadinessCommand>(readinessMachine, undefined, 0)
  const commands = events.flatMap((event) => run.send(event, 0))
  return { run, commands, past: (run.value as { running: { past: unknown } }).running?.past }
}

const STARTED = [{ type: 'lease.taken' }, { type: 'past.read' }, { type: 'switch.up' }] as const
const READY = [...STARTED, { type: 'past.settled' }] as const

test('is ready when lease, past and switch are known', () => {
  const { run, commands } = after(...READY)
  expect(run.value).toEqual({ running: { past: 'ready', switch: 'up' } })
  expect(commands).toEqual([{ type: 'readPast' }])
})

test('a switch that goes down and comes back leaves the past settled', () => {
  const { run } = after(...READY, { type: 'switch.down' })
  expect(run.value).toEqual({ running: { past: 'ready', switch: 'down' } })
  run.send({ type: 'switch.up' }, 0)
  expect(run.value).toEqual({ running: { past: 'ready', switch: 'up' } })
})

test('a doubt before the past is settled is looked into before dialing begins', () => {
  const { past, commands } = after(...STARTED, { type: 'doubt' }, { type: 'past.settled' })
  expect(past).toEqual({ inDoubt: 'asking' })
  expect(commands).toContainEqual({ type: 'settleDoubt', doubt: 2 })
})

test('the answer about an older doubt does not end a newer one', () => {
  const twice = [...READY, { type: 'doubt' }, { type: 'doubt' }] as const
  expect(after(...twice, { type: 'doubt.settled', doubt: 1 }).past).toEqual({ inDoubt: 'asking' })
  expect(after(...twice, { type: 'doubt.settled', doubt: 2 }).past).toBe('ready')
})

test('a doubt that remains is asked about again every 500 ms', () => {
  const { run } = after(...READY, { type: 'doubt' }, { type: 'doubt.remains', doubt: 1 })
  expect(run.fireDue(499)).toEqual([])
  expect(run.fireDue(500)).toEqual([{ type: 'settleDoubt', doubt: 1 }])
})

test('a lost lease and a new one are a doubt each; the new one saves the agent sessions', () => {
  const { past, commands } = after(...READY, { type: 'lease.lost' }, { type: 'lease.taken' })
  expect(past).toEqual({ inDoubt: 'asking' })
  expect(commands.slice(1)).toEqual([
    { type: 'settleDoubt', doubt: 1 },
    { type: 'saveSessions' },
    { type: 'settleDoubt', doubt: 2 },
  ])
})

test('nothing starts a stopped dialer again', () => {
  const { run } = after(...READY, { type: 'stop' }, { type: 'lease.taken' }, { type: 'doubt' })
  expect(run.value).toBe('stopped')
})
