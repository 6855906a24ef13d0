/** sms: one text, at most once per visit (flow-language.md 0.7). An unknown result counts as not sent. */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { SmsResult } from '../../ports/sms.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

/** F-E6: the caller hears the alternative when the message was not accepted by then. */
const ACCEPTED_WITHIN_MS = 3_000

/** Ends: done(message id), noMobile, undelivered, timeout, failed. */
export const smsMachine = setup({
  types: { events: {} as StepFact },
  actions: { sendText: command(), end: command<StepEnd>() },
}).createMachine({
  id: 'sms',
  initial: 'sending',
  states: {
    sending: {
      entry: 'sendText',
      after: {
        [ACCEPTED_WITHIN_MS]: {
          target: 'over',
          actions: { type: 'end', params: { end: 'timeout', why: 'the gateway did not accept the text in time' } },
        },
      },
      on: {
        'sms.settled': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => endOf(event.result) },
        },
      },
    },
    over: { type: 'final' },
  },
})

/** How the answer of the gateway ends the step. */
export function endOf(result: SmsResult): StepEnd {
  switch (result.outcome) {
    case 'sent':
      return { end: 'done', value: result.messageId }
    case 'noMobile':
      return { end: 'noMobile', why: result.why }
    case 'refused':
    case 'uncertain':
      return { end: 'undelivered', why: result.why }
    case 'failed':
      return { end: 'failed', why: result.why }
  }
}
