/**
 * Whether the predictive dialer of this engine may dial. The picture in docs/dialing.md is drawn from this machine.
 *
 * Beside `past`, which must be `ready`, the switch must be `up`. Two more proofs are asked at each instant, because
 * they change without an event: the lease is still certainly ours, and no record waits to be written.
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'

export type ReadinessEvent =
  /** The first lease, or a new one after a loss: another engine may have dialed meanwhile. */
  | { readonly type: 'lease.taken' | 'lease.lost' }
  /** What an earlier engine left is known; the switch may be started. */
  | { readonly type: 'past.read' }
  /** Every call of the earlier engine goes on here or is recorded as ended. */
  | { readonly type: 'past.settled' }
  /** The engine may have lost track of an attempt: a claim without an answer, an attempt that no engine runs. */
  | { readonly type: 'doubt' }
  /** Answers to `settleDoubt`. The answer about an older doubt has no effect. */
  | { readonly type: 'doubt.settled' | 'doubt.remains'; readonly doubt: number }
  | { readonly type: 'switch.up' | 'switch.down' }
  | { readonly type: 'stop' }

export type ReadinessCommand =
  | { readonly type: 'readPast' | 'saveSessions' }
  /** Compare the attempts of the database with those of this engine. */
  | { readonly type: 'settleDoubt'; readonly doubt: number }

interface Context {
  readonly doubts: number
}

const RETRY_MS = 500
const toDoubt = { target: '#readiness.running.past.inDoubt', actions: 'newDoubt' } as const
const onNewLease = { target: '#readiness.running.past.inDoubt', actions: ['saveSessions', 'newDoubt'] } as const

export const readinessMachine = setup({
  types: { context: {} as Context, events: {} as ReadinessEvent },
  actions: {
    readPast: command(),
    saveSessions: command(),
    settleDoubt: command<{ doubt: number }>(),
    newDoubt: assign(({ context }) => ({ doubts: context.doubts + 1 })),
  },
  guards: {
    hasDoubt: ({ context }) => context.doubts > 0,
    isLatestDoubt: ({ context, event }) => 'doubt' in event && event.doubt === context.doubts,
  },
}).createMachine({
  id: 'readiness',
  context: { doubts: 0 },
  initial: 'running',
  states: {
    running: {
      type: 'parallel',
      on: { stop: 'stopped' },
      states: {
        past: {
          initial: 'waitingForLease',
          states: {
            waitingForLease: { on: { 'lease.taken': 'preparing' } },
            preparing: {
              entry: 'readPast',
              on: {
                'past.read': 'settling',
                'lease.taken': { actions: ['saveSessions', 'newDoubt'] },
                'lease.lost': { actions: 'newDoubt' },
                doubt: { actions: 'newDoubt' },
              },
            },
            settling: {
              on: {
                'past.settled': [{ guard: 'hasDoubt', ...toDoubt }, { target: 'ready' }],
                'lease.taken': { actions: ['saveSessions', 'newDoubt'] },
                'lease.lost': { actions: 'newDoubt' },
                doubt: { actions: 'newDoubt' },
              },
            },
            ready: { on: { doubt: toDoubt, 'lease.lost': toDoubt, 'lease.taken': onNewLease } },
            inDoubt: {
              on: {
                doubt: { ...toDoubt, reenter: true },
                'lease.taken': { ...onNewLease, reenter: true },
                'doubt.settled': { guard: 'isLatestDoubt', target: 'ready' },
              },
              initial: 'asking',
              states: {
                asking: {
                  entry: { type: 'settleDoubt', params: ({ context }) => ({ doubt: context.doubts }) },
                  on: { 'doubt.remains': { guard: 'isLatestDoubt', target: 'waiting' } },
                },
                waiting: { after: { [RETRY_MS]: 'asking' } },
              },
            },
          },
        },
        switch: {
          initial: 'down',
          states: { down: { on: { 'switch.up': 'up' } }, up: { on: { 'switch.down': 'down' } } },
        },
      },
    },
    stopped: { type: 'final' },
  },
})
