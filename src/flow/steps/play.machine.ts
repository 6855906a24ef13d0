/** play: speaks, without interruption. Keys typed meanwhile wait for the next gather (flow-language.md 3.2). */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt } from '../model/flow.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Context {
  readonly prompt: Prompt
}

/** Input: the prompt. Ends with `done`, or `failed` when the sound is missing. */
export const playMachine = setup({
  types: { input: {} as Context, context: {} as Context, events: {} as StepFact },
  actions: { say: command<{ prompt: Prompt }>(), end: command<StepEnd>() },
}).createMachine({
  id: 'play',
  context: ({ input }) => input,
  initial: 'speaking',
  states: {
    speaking: {
      entry: { type: 'say', params: ({ context }) => ({ prompt: context.prompt }) },
      on: {
        'prompt.ended': { target: 'over', actions: { type: 'end', params: { end: 'done' } } },
        'prompt.failed': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => ({ end: 'failed', why: event.why }) },
        },
      },
    },
    over: { type: 'final' },
  },
})
