/**
 * queue: the caller waits for an agent of a team, with music and regular announcements, and may leave a place behind.
 *
 *   waiting ──announceEvery──▶ asking ──position──▶ announcing ──said──▶ waiting
 *      │ ──callbackAfter──▶ checking ──offered──▶ announcing (the offer; from then on after each announcement)
 *      │                       └─refused──▶ waiting ──1 min──▶ checking
 *      │ in all, once offered: key ──▶ keeping ──kept──▶ promising ──said──▶ end(key)
 *      │                                  └─refused──▶ regretting ──said──▶ waiting
 *      │ in all: agent.connected ──▶ talking ──agent.left──▶ end(done)
 *      │                                └─────agent.lost──▶ comforting ──said──▶ waiting
 *      └ in all: timeout, full, closed ──▶ end
 *
 * The caller leaves the queue when the place is stored, not before. After `agent.lost` the caller is in the queue
 * already, and the time-out begins anew.
 */
import { assign, cancel, raise, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { Prompt, QueueSpec } from '../model/flow.ts'
import { keptPhrase, momentPhrase, offerPhrase, positionPhrase, waitPhrase } from '../model/phrases.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly timeoutMs: number
  /** Absent: no announcements. */
  readonly announceEveryMs: number | undefined
  readonly announces: { readonly position: boolean; readonly wait: boolean }
  readonly callback: QueueSpec['callback']
  readonly language: string
}

interface Context extends Input {
  /** What is announced. */
  readonly prompt: Prompt
  /** The callback: not yet, to be asked for, and told to the caller. */
  readonly offer: 'later' | 'due' | 'made'
}

/** Without announcements the timer still needs a length; a day is longer than any queue's time-out. */
const NEVER_MS = 24 * 3_600_000
/** A distributor that does not answer must not stop the music for long. */
const POSITION_MAX_MS = 2_000
const ANNOUNCEMENT_MAX_MS = 20_000
/** Our choice: agents come back from a break, and hours begin, while the caller waits. */
const OFFER_AGAIN_MS = 60_000
/** The database answers by then, or the caller stays in the queue. Our choice. */
const KEPT_WITHIN_MS = 5_000

const backToMusic = { target: 'waiting', actions: 'musicOn' } as const
/** A state that speaks, and then goes back to the music. */
const speaking = (...entry: object[]) => ({
  entry: ['musicOff', ...entry] as never,
  after: { [ANNOUNCEMENT_MAX_MS]: backToMusic },
  on: { 'prompt.ended': backToMusic, 'prompt.failed': backToMusic },
})

function announced({ announces, language, ...context }: Context, position: number, waitMs: number | undefined): Prompt {
  return [
    ...(announces.position ? positionPhrase(position, language) : []),
    ...(announces.wait && waitMs !== undefined ? waitPhrase(waitMs, language) : []),
    ...(context.offer === 'made' ? offered({ language, ...context }) : []),
  ]
}

function offered({ callback, language }: Pick<Context, 'callback' | 'language'>): Prompt {
  return callback ? offerPhrase(callback.key, language) : []
}

/** Input: time-out, announcements, callback, language. Ends: done, the key of the callback, timeout, full, closed. */
export const queueMachine = setup({
  types: { input: {} as Input, context: {} as Context, events: {} as StepFact | { readonly type: 'offer.again' } },
  actions: {
    join: command(),
    leave: command(),
    askPosition: command(),
    askCallback: command(),
    keepPlace: command(),
    musicOn: command(),
    musicOff: command(),
    hush: command(),
    mark: command(),
    say: command<{ prompt: Prompt }>(),
    end: command<StepEnd>(),
  },
  guards: {
    isOfferDue: ({ context }) => context.offer === 'due',
    isKey: ({ context, event }) =>
      context.offer === 'made' && event.type === 'digit' && event.digit === context.callback?.key,
  },
  delays: {
    timeout: ({ context }) => context.timeoutMs,
    announceEvery: ({ context }) => context.announceEveryMs ?? NEVER_MS,
    callbackAfter: ({ context }) => context.callback?.afterMs ?? NEVER_MS,
  },
}).createMachine({
  id: 'queue',
  context: ({ input }) => ({ ...input, prompt: [], offer: 'later' }),
  initial: 'joining',
  states: {
    joining: { entry: ['musicOn', 'join'], always: 'queued' },
    queued: {
      exit: cancel('offer.again'),
      initial: 'waiting',
      after: {
        timeout: {
          target: 'over',
          actions: ['leave', 'hush', 'musicOff', { type: 'end', params: { end: 'timeout' } }],
        },
        callbackAfter: { guard: ({ context }) => context.offer === 'later', actions: assign({ offer: 'due' }) },
      },
      on: {
        'queue.refused': {
          target: 'over',
          actions: ['musicOff', { type: 'end', params: ({ event }) => ({ end: event.why }) }],
        },
        'agent.connected': { target: 'talking', actions: ['hush', 'musicOff', 'mark'] },
        'offer.again': { guard: ({ context }) => context.offer === 'later', actions: assign({ offer: 'due' }) },
        digit: { guard: 'isKey', target: '.keeping', actions: 'hush' },
      },
      states: {
        waiting: {
          initial: 'listening',
          after: { announceEvery: 'asking' },
          states: {
            listening: { always: { guard: 'isOfferDue', target: 'checking' } },
            // Within `waiting`: it does not put the next announcement off.
            checking: {
              entry: [
                'askCallback',
                assign({ offer: 'later' }),
                raise({ type: 'offer.again' }, { id: 'offer.again', delay: OFFER_AGAIN_MS }),
              ],
              after: { [POSITION_MAX_MS]: 'listening' },
              on: {
                'queue.callback': [
                  {
                    guard: ({ event }) => event.what === 'offered',
                    target: '#queue.queued.announcing',
                    actions: assign({ offer: 'made', prompt: ({ context }) => offered(context) }),
                  },
                  { target: 'listening' },
                ],
              },
            },
          },
        },
        asking: {
          entry: 'askPosition',
          after: { [POSITION_MAX_MS]: 'waiting' },
          on: {
            'queue.position': [
              // 0: an agent's phone rings for this caller; a position would be wrong a moment later.
              { guard: ({ event }) => event.position === 0, target: 'waiting' },
              {
                guard: ({ context, event }) => announced(context, event.position, event.waitMs).length > 0,
                target: 'announcing',
                actions: assign({ prompt: ({ context, event }) => announced(context, event.position, event.waitMs) }),
              },
              { target: 'waiting' },
            ],
          },
        },
        announcing: speaking({
          type: 'say',
          params: ({ context }: { context: Context }) => ({ prompt: context.prompt }),
        }),
        keeping: {
          entry: 'keepPlace',
          after: { [KEPT_WITHIN_MS]: 'regretting' },
          on: {
            digit: {},
            'queue.callback': [
              { guard: ({ event }) => event.what === 'kept', target: '#queue.promising', actions: 'leave' },
              { target: 'regretting' },
            ],
          },
        },
        regretting: speaking({
          type: 'say',
          params: ({ context }: { context: Context }) => ({ prompt: keptPhrase(false, context.language) }),
        }),
        comforting: {
          entry: { type: 'say', params: ({ context }) => ({ prompt: momentPhrase(context.language) }) },
          after: { [ANNOUNCEMENT_MAX_MS]: backToMusic },
          on: { 'prompt.ended': backToMusic, 'prompt.failed': backToMusic },
        },
      },
    },
    promising: {
      entry: ['musicOff', { type: 'say', params: ({ context }) => ({ prompt: keptPhrase(true, context.language) }) }],
      after: { [ANNOUNCEMENT_MAX_MS]: 'promised' },
      on: { 'prompt.ended': 'promised', 'prompt.failed': 'promised' },
    },
    promised: {
      entry: { type: 'end', params: ({ context }) => ({ end: `key:${context.callback!.key}` }) },
      always: 'over',
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
