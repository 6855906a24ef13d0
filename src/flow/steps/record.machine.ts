/**
 * record: speaks the prompt, and takes a message after a tone (calls-and-flows-51).
 *
 *   speaking ──said, or the finish key──▶ taking ──message.ended──▶ end(done: url and seconds), noInput, failed
 *                                          └ finish key: endMessage
 *
 * The switch ends the message at the silence and at the maximum; a finish key that comes later belongs to the message.
 * Keys other than `finish` count for nothing.
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt } from '../model/flow.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly prompt: Prompt
  readonly finish: string
  readonly maxMs: number
}

interface Context extends Input {
  /** The caller has pressed the finish key. */
  readonly isFinished: boolean
}

/** For the tone, and for the switch to close the file. A switch that says nothing must not keep the caller. */
const LATE_MS = 15_000

/** Input: the prompt, the finish key and the longest time. Ends: done(the message), noInput, failed. */
export const recordMachine = setup({
  types: { input: {} as Input, context: {} as Context, events: {} as StepFact },
  actions: {
    say: command<{ prompt: Prompt }>(),
    hush: command(),
    takeMessage: command(),
    endMessage: command(),
    end: command<StepEnd>(),
    finish: assign({ isFinished: true }),
  },
  guards: {
    isFinish: ({ context, event }) => event.type === 'digit' && event.digit === context.finish,
  },
  delays: { late: ({ context }) => context.maxMs + LATE_MS },
}).createMachine({
  id: 'record',
  context: ({ input }) => ({ ...input, isFinished: false }),
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
        digit: { guard: 'isFinish', actions: ['endMessage', 'finish'] },
        'message.ended': {
          target: 'over',
          actions: { type: 'end', params: ({ context, event }) => endOf(context, event) },
        },
      },
    },
    over: { type: 'final' },
  },
})

function endOf({ isFinished, finish }: Context, fact: Extract<StepFact, { type: 'message.ended' }>): StepEnd {
  const lateKey = isFinished ? '' : finish
  return fact.end === 'done' ? { end: 'done', value: fact.message, lateKey } : { end: fact.end, why: fact.why, lateKey }
}
