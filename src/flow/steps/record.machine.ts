/**
 * record: speaks the prompt, and takes a message after a tone (calls-and-flows-51).
 *
 *   speaking ──said, or the finish key──▶ taking ──message.ended──▶ end(done: url and seconds), noInput, failed
 *                                          └ finish key: endMessage
 *
 * The switch ends the message at the silence and at the maximum. Keys other than `finish` count for nothing.
 */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt } from '../model/flow.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly prompt: Prompt
  readonly finish: string
  readonly maxMs: number
}

/** For the tone, and for the switch to close the file. A switch that says nothing must not keep the caller. */
const LATE_MS = 15_000

/** Input: the prompt, the finish key and the longest time. Ends: done(the message), noInput, failed. */
export const recordMachine = setup({
  types: { input: {} as Input, context: {} as Input, events: {} as StepFact },
  actions: {
    say: command<{ prompt: Prompt }>(),
    hush: command(),
    takeMessage: command(),
    endMessage: command(),
    end: command<StepEnd>(),
  },
  guards: {
    isFinish: ({ context, event }) => event.type === 'digit' && event.digit === context.finish,
  },
  delays: { late: ({ context }) => context.maxMs + LATE_MS },
}).createMachine({
  id: 'record',
  context: ({ input }) => input,
  initial: 'speaking',
  states: {
    speaking: {
      entry: { type: 'say', params: ({ context }) => ({ prompt: context.prompt }) },
      on: {
        digit: { guard: 'isFinish', target: 'taking', actions: 'hush' },
        'prompt.ended': 'taking',
        'prompt.failed': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => ({ end: 'failed', why: event.why }) },
        },
      },
    },
    taking: {
      entry: 'takeMessage',
      after: {
        late: {
          target: 'over',
          actions: [
            'endMessage',
            { type: 'end', params: { end: 'failed', why: 'the switch did not end the message' } },
          ],
        },
      },
      on: {
        digit: { guard: 'isFinish', actions: 'endMessage' },
        'message.ended': { target: 'over', actions: { type: 'end', params: ({ event }) => endOf(event) } },
      },
    },
    over: { type: 'final' },
  },
})

function endOf(fact: Extract<StepFact, { type: 'message.ended' }>): StepEnd {
  return fact.end === 'done' ? { end: 'done', value: fact.message } : { end: fact.end, why: fact.why }
}
