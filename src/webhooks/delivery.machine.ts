/**
 * One event on its way to one subscription (D-27).
 *
 *   pending ──send──▶ sending ──accepted──▶ delivered
 *    ▲ │ │             │  └──refused, no retry left; gone──▶ dead
 *    │ │ └─poisoned    │
 *    │ │      ▼     refused
 *    │ │   parked      ▼
 *    └─┼─retryInMs─ waiting ──withdrawn──▶ dead
 *      └──withdrawn──▶ dead
 *
 * A pending delivery is due and waits for its turn; while the circuit of its endpoint is open it uses no attempt. A
 * finished delivery can be sent again by hand: its row then starts a new run with its own schedule.
 */
import { assign, setup } from 'xstate'
import type { AtMs } from '../kernel/clock.ts'
import { command } from '../kernel/machine.ts'

/** `why` is text for the owner of the subscription. */
export type DeliveryEvent =
  | { readonly type: 'send'; readonly atMs: AtMs }
  /** The event cannot be serialized; a retry would not help (F-E13). */
  | { readonly type: 'poisoned'; readonly why: string }
  | { readonly type: 'accepted'; readonly why: string }
  /** `isCounted` false: the receiver was not reached, or it was a probe. Without `retryInMs`: no further attempt. */
  | {
      readonly type: 'refused'
      readonly why: string
      readonly isCounted: boolean
      readonly retryInMs: number | undefined
    }
  | { readonly type: 'gone'; readonly why: string }
  | { readonly type: 'withdrawn'; readonly why: string }

export type DeliveryCommand =
  | { readonly type: 'post' }
  | { readonly type: 'disable' }
  | { readonly type: 'alarm'; readonly why: string }

/** Plain JSON, saved with the row. */
export interface DeliveryContext {
  /** Failures that count towards the schedule. */
  readonly failures: number
  /** Begin of its schedule; undefined before the first attempt. */
  readonly firstAtMs: AtMs | undefined
  /** How the last attempt ended, or what prevents an attempt. */
  readonly why: string
  readonly retryInMs: number
}

const FRESH: DeliveryContext = { failures: 0, firstAtMs: undefined, why: 'not sent yet', retryInMs: 0 }

const withdrawn = { target: 'dead', actions: 'noteWhy' } as const

export const deliveryMachine = setup({
  types: { context: {} as DeliveryContext, events: {} as DeliveryEvent },
  actions: {
    post: command(),
    disable: command(),
    alarm: command<{ why: string }>(),
    begin: assign(({ context, event }) =>
      event.type === 'send' ? { firstAtMs: context.firstAtMs ?? event.atMs } : context,
    ),
    noteWhy: assign(({ context, event }) => ('why' in event ? { why: event.why } : context)),
    countFailure: assign(({ context, event }) => {
      if (event.type !== 'refused') return context
      const { why, isCounted, retryInMs = 0 } = event
      return { why, retryInMs, failures: context.failures + (isCounted ? 1 : 0) }
    }),
  },
  guards: { hasRetry: ({ event }) => event.type === 'refused' && event.retryInMs !== undefined },
  delays: { retry: ({ context }) => context.retryInMs },
}).createMachine({
  id: 'delivery',
  context: FRESH,
  initial: 'pending',
  states: {
    pending: {
      on: { send: { target: 'sending', actions: 'begin' }, poisoned: 'parked', withdrawn },
    },
    sending: {
      entry: 'post',
      on: {
        accepted: { target: 'delivered', actions: 'noteWhy' },
        refused: [
          { guard: 'hasRetry', target: 'waiting', actions: 'countFailure' },
          { target: 'dead', actions: 'countFailure' },
        ],
        gone: { target: 'dead', actions: ['noteWhy', 'disable'] },
      },
    },
    waiting: { after: { retry: 'pending' }, on: { withdrawn } },
    delivered: { type: 'final' },
    dead: { type: 'final' },
    parked: { type: 'final', entry: ['noteWhy', { type: 'alarm', params: ({ context }) => ({ why: context.why }) }] },
  },
})
