/**
 * queue: the caller waits for an agent of a team, with music and regular announcements of their position.
 *
 *   waiting ──announceEvery──▶ asking ──position──▶ announcing ──said──▶ waiting
 *      │ in all: agent.connected ──▶ talking ──agent.left──▶ end(done)
 *      │                                └─────agent.lost──▶ comforting ──said──▶ waiting
 *      └ in all: timeout, full, closed ──▶ end
 *
 * After `agent.lost` the caller is in the queue already, and the time-out begins anew.
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt } from '../model/flow.ts'
import { momentPhrase, positionPhrase } from '../model/phrases.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly timeoutMs: number
  /** Absent: no announcements. */
  readonly announceEveryMs: number | undefined
  readonly language: string
}

interface Context extends Input {
  readonly position: number
}

/** Without announcements the timer still needs a length; a day is longer than any queue's time-out. */
const NEVER_MS = 24 * 3_600_000
/** A distributor that does not answer must not stop the music for long. */
const POSITION_MAX_MS = 2_000
const ANNOUNCEMENT_MAX_MS = 20_000

const backToMusic = { target: 'waiting', actions: 'musicOn' } as const

/** Input: time-out, announcements, language. Ends: done, timeout, full, closed. */
export const queueMachine = setup({
  types: { input: {} as Input, context: {} as Context, events: {} as StepFact },
  actions: {
    join: command(),
    leave: command(),
    askPosition: command(),
    musicOn: command(),
    musicOff: command(),
    hush: command(),
    mark: command(),
    say: command<{ prompt: Prompt }>(),
    end: command<StepEnd>(),
  },
  delays: {
    timeout: ({ context }) => context.timeoutMs,
    announceEvery: ({ context }) => context.announceEveryMs ?? NEVER_MS,
  },
}).createMachine({
  id: 'queue',
  context: ({ input }) => ({ ...input, position: 0 }),
  initial: 'joining',
  states: {
    joining: { entry: ['musicOn', 'join'], always: 'queued' },
    queued: {
      initial: 'waiting',
      after: {
        timeout: {
          target: 'over',
          actions: ['leave', 'hush', 'musicOff', { type: 'end', params: { end: 'timeout' } }],
        },
      },
      on: {
        'queue.refused': {
          target: 'over',
          actions: ['musicOff', { type: 'end', params: ({ event }) => ({ end: event.why }) }],
        },
        'agent.connected': { target: 'talking', actions: ['hush', 'musicOff', 'mark'] },
      },
      states: {
        waiting: { after: { announceEvery: 'asking' } },
        asking: {
          entry: 'askPosition',
          after: { [POSITION_MAX_MS]: 'waiting' },
          on: {
            'queue.position': [
              // 0: an agent's phone rings for this caller; a position would be wrong a moment later.
              { guard: ({ event }) => event.position === 0, target: 'waiting' },
              { target: 'announcing', actions: assign({ position: ({ event }) => event.position }) },
            ],
          },
        },
        announcing: {
          entry: [
            'musicOff',
            { type: 'say', params: ({ context }) => ({ prompt: positionPhrase(context.position, context.language) }) },
          ],
          after: { [ANNOUNCEMENT_MAX_MS]: backToMusic },
          on: { 'prompt.ended': backToMusic, 'prompt.failed': backToMusic },
        },
        comforting: {
          entry: { type: 'say', params: ({ context }) => ({ prompt: momentPhrase(context.language) }) },
          after: { [ANNOUNCEMENT_MAX_MS]: backToMusic },
          on: { 'prompt.ended': backToMusic, 'prompt.failed': backToMusic },
        },
      },
    },
    talking: {
      on: {
        'agent.left': { target: 'over', actions: { type: 'end', params: { end: 'done' } } },
        'agent.lost': 'queued.comforting',
      },
    },
    over: { type: 'final' },
  },
})
