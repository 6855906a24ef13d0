import { describe, expect, test } from 'vitest'
import { MachineRun } from '../../src/kernel/machine.ts'
import type { DeliveryState } from '../../src/ports/webhook.ts'
import {
  type DeliveryCommand,
  type DeliveryContext,
  type DeliveryEvent,
  deliveryMachine,
} from '../../src/webhooks/delivery.machine.ts'

const WAIT_MS = 5_000
const why = 'answered 500'

/** Every event of a delivery, `refused` in its two meanings. */
const EVENTS = {
  send: { type: 'send', atMs: 7 },
  poisoned: { type: 'poisoned', why },
  accepted: { type: 'accepted', why },
  refused: { type: 'refused', why, isCounted: true, retryInMs: WAIT_MS },
  refusedForGood: { type: 'refused', why, isCounted: true, retryInMs: undefined },
  gone: { type: 'gone', why },
  withdrawn: { type: 'withdrawn', why },
} as const satisfies Record<string, DeliveryEvent>

type EventName = keyof typeof EVENTS

/** The events that lead to each state. */
const PATHS: Record<DeliveryState, readonly EventName[]> = {
  pending: [],
  sending: ['send'],
  waiting: ['send', 'refused'],
  delivered: ['send', 'accepted'],
  dead: ['send', 'refusedForGood'],
  parked: ['poisoned'],
}

/** State → event → next state and commands. Events that are not listed change nothing and command nothing. */
const TABLE: Record<DeliveryState, Partial<Record<EventName, [DeliveryState, ...DeliveryCommand[]]>>> = {
  pending: {
    send: ['sending', { type: 'post' }],
    poisoned: ['parked', { type: 'alarm', why }],
    withdrawn: ['dead'],
  },
  sending: {
    accepted: ['delivered'],
    refused: ['waiting'],
    refusedForGood: ['dead'],
    gone: ['dead', { type: 'disable' }],
  },
  waiting: { withdrawn: ['dead'] },
  delivered: {},
  dead: {},
  parked: {},
}

function at(state: DeliveryState) {
  const { run } = MachineRun.start<DeliveryCommand>(deliveryMachine, undefined, 0)
  for (const name of PATHS[state]) run.send(EVENTS[name], 0)
  expect(run.value).toBe(state)
  return run
}

const contextOf = (run: MachineRun<DeliveryCommand>) => run.context as DeliveryContext

describe.each(Object.keys(PATHS) as DeliveryState[])('a delivery that is %s', (state) => {
  test.each(Object.keys(EVENTS) as EventName[])('has an answer to %s', (name) => {
    const run = at(state)
    const before = run.save()
    const commands = run.send(EVENTS[name], 0)
    const [next, ...expected] = TABLE[state][name] ?? [state]
    expect([run.value, ...commands]).toEqual([next, ...expected])
    if (!TABLE[state][name]) expect(run.save()).toEqual(before)
  })

  test('has a timer only while it waits for a retry', () => {
    const run = at(state)
    expect(run.nextDueAtMs).toBe(state === 'waiting' ? WAIT_MS : undefined)
    expect(run.fireDue(WAIT_MS)).toEqual([])
    expect(run.value).toBe(state === 'waiting' ? 'pending' : state)
  })
})

test('only real attempts use up the schedule, which begins with the first one', () => {
  const run = at('waiting')
  run.fireDue(WAIT_MS)
  run.send({ type: 'send', atMs: WAIT_MS }, WAIT_MS)
  run.send({ ...EVENTS.refused, isCounted: false, why: 'a probe' }, WAIT_MS)
  expect(contextOf(run)).toMatchObject({ failures: 1, firstAtMs: 7, why: 'a probe' })
})

test('given a save while it waits, the restored delivery is due at the original instant', () => {
  const saved = JSON.parse(JSON.stringify(at('waiting').save()))
  const restored = MachineRun.restore<DeliveryCommand>(deliveryMachine, saved)
  expect(restored.fireDue(WAIT_MS - 1)).toEqual([])
  expect(restored.value).toBe('waiting')
  restored.fireDue(WAIT_MS)
  expect(restored.value).toBe('pending')
})
