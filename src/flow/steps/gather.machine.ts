/**
 * gather: asks for digits. The three clocks and the barge-in of flow-language.md 3.3, to the letter.
 *
 *   trying ──▶ prompting ──prompt.ended──▶ awaitingFirst ──firstDigitTimeout──▶ missed(noInput)
 *     ▲  └keys    │ key (bargeIn)              │ key                              │
 *     │  └──────▶ entering ◀───────────────────┘                                  │
 *     │            │ complete, or interDigitTimeout                               │
 *     │         entered ──not valid──▶ missed(invalid) ──tries left──▶ trying      │
 *     │            │ confirm?                            └─none──▶ end             │
 *     └─── 2, silence ── confirming ── 1 ──▶ end(done)                            ▼
 *
 * Where the caller may also speak, `listening` takes the place of `awaitingFirst`. What was said is an entry like a
 * typed one; the first key throws it away. What was not heard well is read back.
 *
 * A key that stops the prompt is the first digit. From the first digit on only the inter-digit clock runs.
 */
import { assign, setup } from 'xstate'
import { command } from '../../kernel/machine.ts'
import type { GatherSpec, Prompt } from '../model/flow.ts'
import { readBackPhrase } from '../model/phrases.ts'
import { afterEntry, isValidEntry, lacksFinish, takeKeys } from './entry.ts'
import { digitsIn } from './spoken-digits.ts'
import type { StepCommand, StepFact } from './step-talk.ts'

type Missed = 'noInput' | 'invalid'
type Say = Omit<Extract<StepCommand, { type: 'say' }>, 'type'>
type End = Omit<Extract<StepCommand, { type: 'end' }>, 'type'>

interface Context {
  readonly spec: GatherSpec
  readonly as: string | undefined
  readonly typed: string
  /** Unread keys: typed before the step began, or during a prompt without barge-in. */
  readonly ahead: string
  readonly complete: boolean
  /** The last entry ended without its finish key: a later one belongs to it. */
  readonly awaitsFinish: boolean
  readonly triesUsed: number
  /** The last failure: the end of the step if no try is left. */
  readonly missed: Missed
  readonly reprompt: Missed | undefined
  readonly language: string
  /** What the caller has said of the entry was not heard well enough to go on without a question. */
  readonly isUnsure: boolean
}

interface Input {
  readonly spec: GatherSpec
  readonly as: string | undefined
  readonly ahead: string
  readonly language: string
}

/** Our choice: engines are right about nearly all that they are so sure of (calls-and-flows-66). */
const SURE = 0.8
/** Whoever speaks for longer says no number. A little more than the switch listens to one utterance. */
const SPEAKING_MAX_MS = 20_000

interface Args {
  readonly context: Context
}

const hasAhead = ({ context }: Args) => context.ahead !== ''
const firstAheadIs = (key: string) => (args: Args) => args.context.ahead[0] === key
const hears = ({ context }: Args) => context.spec.hears
const bargesIn = ({ context }: Args) => context.spec.bargeIn

/** The prompt at the start of a try: the reprompt by reason and try number, then the prompt itself. */
function promptOfTry({ spec, triesUsed, reprompt }: Pick<Context, 'spec' | 'triesUsed' | 'reprompt'>): Prompt {
  const choices = reprompt ? spec.reprompt[reprompt] : []
  const introduction = choices[Math.min(triesUsed, choices.length) - 1] ?? []
  return [...introduction, ...spec.prompt]
}

/** The context after a failed try. An invalid entry also drops the keys after it: they belonged to it. */
const miss =
  (missed: Missed, rest: { introduce: boolean; forgetKeys: boolean }) =>
  ({ context }: Args) => ({
    missed,
    reprompt: rest.introduce ? missed : undefined,
    triesUsed: context.triesUsed + 1,
    typed: '',
    complete: false,
    awaitsFinish: lacksFinish(context.spec, context),
    isUnsure: false,
    ahead: rest.forgetKeys ? '' : context.ahead,
  })

const failed = {
  target: 'over',
  actions: {
    type: 'end',
    params: ({ event }: { event: Extract<StepFact, { type: 'prompt.failed' }> }) => ({ end: 'failed', why: event.why }),
  },
} as const

/** Input: the step's spec, its variable and the keys typed ahead. Ends: done(digits), noInput, invalid, failed. */
export const gatherMachine = setup({
  types: { input: {} as Input, context: {} as Context, events: {} as StepFact },
  actions: {
    say: command<Say>(),
    hush: command(),
    listen: command<{ language: string }>(),
    stopListening: command(),
    end: command<End>(),
    keepKey: assign({
      ahead: ({ context, event }) => withKey(context.ahead, event),
    }),
    /** What was said counts no more: keys win. */
    dropSpoken: assign({ typed: '', isUnsure: false }),
    keepSpoken: assign(withSpoken),
    dropFinish: assign({ awaitsFinish: false }),
    dropKey: assign({ ahead: ({ context }) => context.ahead.slice(1) }),
    missNoInput: assign(miss('noInput', { introduce: true, forgetKeys: false })),
    missInvalid: assign(miss('invalid', { introduce: true, forgetKeys: true })),
    // The caller asks for another try and knows why, so it has no reprompt.
    tryAgain: assign(miss('invalid', { introduce: false, forgetKeys: false })),
  },
  delays: {
    firstDigitTimeout: ({ context }) => context.spec.firstDigitTimeoutMs,
    interDigitTimeout: ({ context }) => context.spec.interDigitTimeoutMs,
    speakingMax: SPEAKING_MAX_MS,
  },
}).createMachine({
  id: 'gather',
  context: ({ input }) => ({
    ...input,
    typed: '',
    complete: false,
    awaitsFinish: false,
    triesUsed: 0,
    missed: 'noInput',
    reprompt: undefined,
    isUnsure: false,
  }),
  initial: 'trying',
  states: {
    trying: {
      always: [{ guard: (args) => hasAhead(args) && bargesIn(args), target: 'entering' }, { target: 'prompting' }],
    },
    prompting: {
      entry: { type: 'say', params: ({ context }) => ({ prompt: promptOfTry(context) }) },
      on: {
        digit: [
          { guard: isLateFinish, actions: 'dropFinish' },
          { guard: bargesIn, target: 'entering', actions: ['hush', 'keepKey'] },
          { actions: 'keepKey' },
        ],
        'prompt.ended': [
          { guard: hasAhead, target: 'entering' },
          { guard: hears, target: 'listening' },
          { target: 'awaitingFirst' },
        ],
        'prompt.failed': failed,
      },
    },
    awaitingFirst: {
      after: { firstDigitTimeout: { target: 'missed', actions: 'missNoInput' } },
      on: {
        digit: [
          { guard: isLateFinish, actions: 'dropFinish' },
          { target: 'entering', actions: 'keepKey' },
        ],
      },
    },
    /** As `awaitingFirst`; the clocks of keys hold for what is said too, and stand while the caller speaks. */
    listening: {
      entry: { type: 'listen', params: ({ context }) => ({ language: context.language }) },
      exit: 'stopListening',
      initial: 'silent',
      states: {
        silent: { after: { firstDigitTimeout: { target: '#gather.missed', actions: 'missNoInput' } } },
        speaking: { after: { speakingMax: { target: '#gather.missed', actions: 'missInvalid' } } },
        pausing: { after: { interDigitTimeout: '#gather.entered' } },
      },
      on: {
        digit: [
          { guard: isLateFinish, actions: 'dropFinish' },
          { target: 'entering', actions: ['dropSpoken', 'keepKey'] },
        ],
        'speech.began': '.speaking',
        'speech.heard': [
          { guard: isNothing, target: 'missed', actions: 'missInvalid' },
          { guard: isComplete, target: 'entered', actions: 'keepSpoken' },
          { target: '.pausing', actions: 'keepSpoken' },
        ],
        'speech.failed': { target: 'awaitingFirst', actions: 'dropSpoken' },
      },
    },
    entering: {
      entry: assign(({ context }) => takeKeys(context.spec, context.typed, context.ahead)),
      always: { guard: ({ context }) => context.complete, target: 'entered' },
      after: { interDigitTimeout: 'entered' },
      on: { digit: { target: 'entering', reenter: true, actions: 'keepKey' } },
    },
    entered: {
      always: [
        {
          guard: ({ context }) => !isValidEntry(context.spec, context.typed),
          target: 'missed',
          actions: 'missInvalid',
        },
        {
          guard: ({ context }) => context.isUnsure || context.spec.confirm !== undefined,
          target: 'confirming',
        },
        { target: 'accepted' },
      ],
    },
    missed: {
      always: [
        { guard: ({ context }) => context.triesUsed < context.spec.tries, target: 'trying' },
        { target: 'over', actions: { type: 'end', params: ({ context }) => ({ end: context.missed }) } },
      ],
    },
    /** Reads keys typed ahead: 1 is yes, 2 is again, any other key is ignored. */
    confirming: {
      always: [
        { guard: firstAheadIs('1'), target: 'accepted', actions: 'dropKey' },
        { guard: firstAheadIs('2'), target: 'missed', actions: ['dropKey', 'tryAgain'] },
        { guard: hasAhead, target: 'confirming', reenter: true, actions: 'dropKey' },
        { target: 'confirmPrompting' },
      ],
    },
    confirmPrompting: {
      entry: {
        type: 'say',
        params: ({ context }) => ({
          prompt: context.spec.confirm ?? readBackPhrase(context.typed, context.language),
          also: context.as === undefined ? undefined : { [context.as]: context.typed },
        }),
      },
      on: {
        digit: [
          { guard: (args) => bargesIn(args) && isDigit(args, '1'), target: 'accepted', actions: 'hush' },
          { guard: (args) => bargesIn(args) && isDigit(args, '2'), target: 'missed', actions: ['hush', 'tryAgain'] },
          { guard: (args) => !bargesIn(args), actions: 'keepKey' },
        ],
        'prompt.ended': [{ guard: hasAhead, target: 'confirming' }, { target: 'awaitingConfirm' }],
        'prompt.failed': failed,
      },
    },
    awaitingConfirm: {
      after: { firstDigitTimeout: { target: 'missed', actions: 'missNoInput' } },
      on: {
        digit: [
          { guard: (args) => isDigit(args, '1'), target: 'accepted' },
          { guard: (args) => isDigit(args, '2'), target: 'missed', actions: 'tryAgain' },
        ],
      },
    },
    accepted: {
      always: {
        target: 'over',
        actions: {
          type: 'end',
          params: ({ context }) => ({
            end: 'done',
            value: context.typed,
            ...(context.spec.confirm || context.isUnsure
              ? { leftover: context.ahead }
              : afterEntry(context.spec, context)),
          }),
        },
      },
    },
    over: { type: 'final' },
  },
})

function spokenIn({ context }: Args, event: StepFact) {
  const { text, confidence } = event.type === 'speech.heard' ? event : { text: '', confidence: 0 }
  return { ...digitsIn(text, context.language), confidence }
}

/** The entry with what was said last. One digit too many is kept: then the entry is not valid. */
function withSpoken({ context, event }: Args & { event: StepFact }) {
  const { digits, isAll, confidence } = spokenIn({ context }, event)
  return {
    typed: (context.typed + digits).slice(0, context.spec.max + 1),
    isUnsure: context.isUnsure || !isAll || confidence < SURE,
  }
}

function isNothing(args: Args & { event: StepFact }): boolean {
  return withSpoken(args).typed === ''
}

function isComplete(args: Args & { event: StepFact }): boolean {
  return withSpoken(args).typed.length >= args.context.spec.max
}

/** Bounds memory when a caller holds a key: keys that no entry can use are dropped. */
const AHEAD_MAX = 64

function withKey(ahead: string, event: StepFact): string {
  return event.type === 'digit' && ahead.length < AHEAD_MAX ? ahead + event.digit : ahead
}

/** "Enter four digits, then press hash": the fourth digit or a silence ended the entry, and the hash comes yet. */
function isLateFinish({ context, event }: Args & { event: StepFact }): boolean {
  return context.awaitsFinish && event.type === 'digit' && event.digit === context.spec.finish
}

function isDigit({ event }: { event: StepFact }, digit: string): boolean {
  return event.type === 'digit' && event.digit === digit
}
