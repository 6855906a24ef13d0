/**
 * sms with `awaitDelivery`: one text, and the caller hears music until the provider reports (calls-and-flows-60).
 *
 *   waiting ──event.came──▶ end(done: message id | undelivered)
 *      ├ time is up, or no report can come ──▶ end(timeout)
 *      └ the gateway refused the text ──▶ end(noMobile | undelivered | failed)
 *
 * An answer of the gateway that is late or missing decides nothing: the report tells what happened.
 */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { DeliveryReport } from '../../ports/sms.ts'
import { endOf } from './sms.machine.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

/** Input: the longest time. Ends: done(message id), noMobile, undelivered, timeout, failed. */
export const deliveryMachine = setup({
  types: {
    input: {} as { readonly forMs: number },
    context: {} as { readonly forMs: number },
    events: {} as StepFact,
  },
  actions: {
    awaitEvent: command(),
    stopAwaiting: command(),
    sendText: command(),
    musicOn: command(),
    musicOff: command(),
    end: command<StepEnd>(),
  },
  guards: {
    isRefused: ({ event }) =>
      event.type === 'sms.settled' && event.result.outcome !== 'sent' && event.result.outcome !== 'uncertain',
  },
  delays: { for: ({ context }) => context.forMs },
}).createMachine({
  id: 'delivery',
  context: ({ input }) => input,
  initial: 'waiting',
  states: {
    waiting: {
      // The wait is stored before the text leaves: an engine after a crash still knows when it ends.
      entry: ['awaitEvent', 'sendText', 'musicOn'],
      exit: 'musicOff',
      after: {
        for: {
          target: 'over',
          actions: ['stopAwaiting', { type: 'end', params: { end: 'timeout', why: 'no delivery report in time' } }],
        },
      },
      on: {
        'event.came': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => reported(event.data as unknown as DeliveryReport) },
        },
        'wait.refused': {
          target: 'over',
          actions: ['stopAwaiting', { type: 'end', params: ({ event }) => ({ end: 'timeout', why: event.why }) }],
        },
        'sms.settled': {
          guard: 'isRefused',
          target: 'over',
          actions: ['stopAwaiting', { type: 'end', params: ({ event }) => endOf(event.result) }],
        },
      },
    },
    over: { type: 'final' },
  },
})

function reported({ messageId, delivered, why }: DeliveryReport): StepEnd {
  return delivered ? { end: 'done', value: messageId } : { end: 'undelivered', why }
}
