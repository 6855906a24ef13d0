/**
 * wait: holds the caller until an outside event comes (calls-and-flows-47).
 *
 *   looking ──0.3 s──▶ speaking ──said──▶ music ──30 s──▶ speaking
 *      └ in all: event.came ──▶ end(done: its data);  time is up ──▶ end(timeout)
 *
 * An event that is there already ends the step before a word is spoken.
 */
import { setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt } from '../model/flow.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly forMs: number
  readonly hold: Prompt | undefined
}

/** The database answers within this time; the caller does not notice it. */
const LOOK_MS = 300
/** Our choice: whoever looks at an app with the phone at the ear forgets what they were told. */
const HOLD_EVERY_MS = 30_000
/** A prompt without an end must not stop the music for ever. */
const HOLD_MAX_MS = 60_000

const toMusic = { target: 'music' } as const

/** Input: the longest time and the prompt. Ends: done(data), timeout, failed. */
export const waitMachine = setup({
  types: { input: {} as Input, context: {} as Input, events: {} as StepFact },
  actions: {
    awaitEvent: command(),
    stopAwaiting: command(),
    musicOn: command(),
    musicOff: command(),
    hush: command(),
    say: command<{ prompt: Prompt }>(),
    end: command<StepEnd>(),
  },
  guards: { hasHold: ({ context }) => context.hold !== undefined },
  delays: { for: ({ context }) => context.forMs },
}).createMachine({
  id: 'wait',
  context: ({ input }) => input,
  initial: 'waiting',
  states: {
    waiting: {
      entry: 'awaitEvent',
      exit: 'hush',
      initial: 'looking',
      after: {
        for: {
          target: 'over',
          actions: ['stopAwaiting', { type: 'end', params: { end: 'timeout', why: 'the event did not come in time' } }],
        },
      },
      on: {
        'event.came': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => ({ end: 'done', value: event.data }) },
        },
        'wait.refused': {
          target: 'over',
          actions: { type: 'end', params: ({ event }) => ({ end: 'failed', why: event.why }) },
        },
      },
      states: {
        looking: { after: { [LOOK_MS]: [{ guard: 'hasHold', target: 'speaking' }, toMusic] } },
        speaking: {
          entry: { type: 'say', params: ({ context }) => ({ prompt: context.hold! }) },
          after: { [HOLD_MAX_MS]: toMusic },
          on: { 'prompt.ended': toMusic, 'prompt.failed': toMusic },
        },
        music: {
          entry: 'musicOn',
          exit: 'musicOff',
          after: { [HOLD_EVERY_MS]: { guard: 'hasHold', target: 'speaking' } },
        },
      },
    },
    over: { type: 'final' },
  },
})
