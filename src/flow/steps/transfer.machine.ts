/**
 * transfer: brings the caller to somebody outside of the call centre (calls-and-flows-63).
 *
 *   asking ──transfer.dialing──▶ ringing (music) ──transfer.connected──▶ talking ──transfer.ended──▶ end(done)
 *      └ in both: transfer.ended ──▶ end(busy, noAnswer, refused, failed);  no answer in time ──▶ end(noAnswer)
 *
 * A blind transfer has no talk of ours: it ends when the other network has taken over the caller, or refused to.
 */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import { OUTSIDE_TALK_MAX_MS } from '../../ports/transfer.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  /** How long the other side may ring, or its network may take to answer. */
  readonly timeoutMs: number
  readonly isBlind: boolean
}

/** The gate and the switch answer by then; the switch ends ringing by itself before. */
const GRACE_MS = 10_000

const ended = { type: 'end', params: ({ event }: { event: StepFact }) => endOf(event) } as const

/** Input: the longest time. Ends: done, busy, noAnswer, refused, failed. */
export const transferMachine = setup({
  types: { input: {} as Input, context: {} as Input, events: {} as StepFact },
  actions: {
    transfer: command(),
    endTransfer: command(),
    musicOn: command(),
    musicOff: command(),
    mark: command(),
    end: command<StepEnd>(),
  },
  guards: { isBlind: ({ context }) => context.isBlind },
  delays: { timeout: ({ context }) => context.timeoutMs + GRACE_MS, talkMax: () => OUTSIDE_TALK_MAX_MS },
}).createMachine({
  id: 'transfer',
  context: ({ input }) => input,
  initial: 'trying',
  states: {
    trying: {
      entry: 'transfer',
      initial: 'asking',
      after: {
        timeout: [
          {
            guard: 'isBlind',
            target: 'over',
            actions: ['endTransfer', { type: 'end', params: { end: 'failed', why: 'the network did not answer' } }],
          },
          {
            target: 'over',
            actions: ['endTransfer', { type: 'end', params: { end: 'noAnswer', why: 'nobody answered in time' } }],
          },
        ],
      },
      on: {
        'transfer.connected': { target: 'talking', actions: 'mark' },
        'transfer.ended': { target: 'over', actions: ended as never },
      },
      states: {
        asking: {
          on: {
            // Music would stand in the way of a caller who is handed over.
            'transfer.dialing': { guard: ({ context }) => !context.isBlind, target: 'ringing' },
          },
        },
        ringing: { entry: 'musicOn', exit: 'musicOff' },
      },
    },
    talking: {
      after: {
        talkMax: { target: 'over', actions: ['endTransfer', { type: 'end', params: { end: 'done' } }] },
      },
      on: { 'transfer.ended': { target: 'over', actions: { type: 'end', params: { end: 'done' } } } },
    },
    over: { type: 'final' },
  },
})

function endOf(event: StepFact): StepEnd {
  return event.type === 'transfer.ended' ? { end: event.end, why: event.why } : { end: 'failed' }
}
