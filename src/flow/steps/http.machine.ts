/**
 * http: sends a request to a foreign server, plays a filler during a long wait, and repeats a GET if the contract says
 * that it may help (flow-language.md 3.3).
 *
 *   asking ──answered──▶ judging ──retry──▶ pausing ──250 ms──▶ asking
 *     │ (filler after 1.5 s)   └──▶ settling ──filler over──▶ end
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { WebAnswer } from '../../ports/web.ts'
import type { Prompt } from '../model/flow.ts'
import { classifyAnswer, type Expectation, mayRetry } from './http-answer.ts'
import type { StepEnd, StepFact } from './step-talk.ts'

interface Input {
  readonly timeoutMs: number
  /** Further tries that are allowed; 0 for anything but GET. */
  readonly retries: number
  readonly filler: Prompt | undefined
  readonly expectation: Expectation
}

interface Context extends Input {
  readonly answer: WebAnswer | undefined
  readonly filling: boolean
}

/** flow-language.md 3.3: the filler is spoken when this has passed. */
const FILLER_AFTER_MS = 1_500
/** flow-language.md 3.3: between two tries. */
const RETRY_PAUSE_MS = 250
/** The port keeps the time-out; this is for a port that forgets to answer. */
const ANSWER_GRACE_MS = 2_000
/** A filler that never ends must not keep the caller. */
const FILLER_MAX_MS = 15_000

const LATE: WebAnswer = { outcome: 'timeout', why: 'nothing came back' }

/** Input: times, retries, filler and expectation. Ends: done(body), notFound, timeout, malformed, unavailable, 4xx… */
export const httpMachine = setup({
  types: { input: {} as Input, context: {} as Context, events: {} as StepFact },
  actions: {
    ask: command(),
    hush: command(),
    say: command<{ prompt: Prompt }>(),
    end: command<StepEnd>(),
    keepAnswer: assign({ answer: ({ event }) => (event.type === 'answered' ? event.answer : LATE) }),
    countRetry: assign({ retries: ({ context }) => context.retries - 1, answer: undefined }),
    fillerOver: assign({ filling: false }),
  },
  guards: {
    hasFiller: ({ context }) => context.filler !== undefined && !context.filling && context.answer === undefined,
    retryHelps: ({ context }) => context.retries > 0 && mayRetry(context.answer!),
    isFilling: ({ context }) => context.filling,
  },
  delays: { answerMax: ({ context }) => context.timeoutMs + ANSWER_GRACE_MS },
}).createMachine({
  id: 'http',
  context: ({ input }) => ({ ...input, answer: undefined, filling: false }),
  initial: 'asking',
  after: {
    [FILLER_AFTER_MS]: {
      guard: 'hasFiller',
      actions: [assign({ filling: true }), { type: 'say', params: ({ context }) => ({ prompt: context.filler! }) }],
    },
  },
  on: { 'prompt.ended': { actions: 'fillerOver' }, 'prompt.failed': { actions: 'fillerOver' } },
  states: {
    asking: {
      entry: 'ask',
      after: { answerMax: { target: 'judging', actions: 'keepAnswer' } },
      on: { answered: { target: 'judging', actions: 'keepAnswer' } },
    },
    judging: {
      always: [
        { guard: 'retryHelps', target: 'pausing', actions: 'countRetry' },
        { guard: 'isFilling', target: 'settling' },
        { target: 'over' },
      ],
    },
    pausing: { after: { [RETRY_PAUSE_MS]: 'asking' } },
    /** The filler is heard to its end: a cut sentence sounds like a fault. */
    settling: {
      after: { [FILLER_MAX_MS]: { target: 'over', actions: 'hush' } },
      on: { 'prompt.ended': 'over', 'prompt.failed': 'over' },
    },
    over: {
      type: 'final',
      entry: { type: 'end', params: ({ context }) => classifyAnswer(context.answer!, context.expectation) },
    },
  },
})
