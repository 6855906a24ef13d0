/**
 * One attempt: one dial of one number for one call task, from its claim to its outcome.
 *
 *   claimed ──permitted──▶ dialing ──ringing──▶ ringing ──minRing──▶ ringingLong
 *      │ refused              │ answered           │ answered            │ answered
 *      ▼                      └────────────────────┴──────────┬──────────┘
 *     done                                                    ▼
 *      ▲                                     answered ──▶ detecting ──machine──▶ hearingGreeting, closing
 *      │ leg.ended, anywhere                     │            │ person
 *      │                                         ▼            ▼
 *   closing ◀──spoken── speaking ◀──agentWait── waitingForAgent ──given──▶ connecting ──together──▶ talking
 *      ▲                   ▲                            ▲────agent lost────────┘ ▲                     │ │
 *      │                   └──18 s── waitingForNext ──given────────────────────────┘                     │ │
 *      │                                    ▲────────────────────agent lost────────────────────────────┘ │
 *      ├──────────────────────────────────agent finished─────────────────────────────────────────────────┘
 *   cancelling ◀──cancel, ring timeout── dialing, ringing, ringingLong        (answered too late ──▶ closing)
 *
 * Only `leg.ended` finishes an attempt, or `dial.refused`; a hang-up command does not (law 5). A callee who answers
 * while the hang-up command is on its way hears silence and counts as dropped. After an answer a cancellation has no
 * effect (F-F6). A cancellation before `minRingMs` cuts the ring short, and the report says so. The engine releases an
 * agent who is given to a finished attempt, because a finished machine emits nothing.
 */
import { assign, setup } from 'xstate'
import type { AgentName, AttemptId, LegId, PhoneNumber } from '../kernel/ids.ts'
import { command } from '../kernel/machine.ts'
import type { AttemptResult } from '../ports/attempt.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { AttemptMessage, MachineDetection } from './campaign.ts'
import { countsAsAttempt, type LegFacts, outcomeOf } from './outcome.ts'

/** Everything an attempt depends on, chosen before the first command to the switch (law 4). */
export interface AttemptInput {
  readonly attempt: AttemptId
  readonly leg: LegId
  readonly number: PhoneNumber
  readonly callerId: PhoneNumber
  /** From the dial until the switch gives up a line, whatever it rang. */
  readonly dialTimeoutMs: number
  /** From the first ring. */
  readonly ringTimeoutMs: number
  readonly minRingMs: number
  readonly agentWaitMs: number
  readonly machineDetection: MachineDetection
}

/** A leg is the callee's unless its name says otherwise. */
export type AttemptEvent =
  /** The claim is committed, and the gate was asked once more. */
  | { readonly type: 'permitted' | 'refused' }
  /** The switch refused the command: no INVITE was sent. */
  | { readonly type: 'dial.refused' }
  | { readonly type: 'leg.ringing' | 'leg.answered' }
  /** `wasAnswered`: the engine missed the answer and read it in the event log; the callee heard no agent. */
  | {
      readonly type: 'leg.ended'
      readonly reason: LegEnd
      readonly code?: number | undefined
      readonly wasAnswered?: boolean
    }
  /** `withdraw`: another number of the task was answered; nobody would talk on this one (campaigns-66). */
  | { readonly type: 'cancel'; readonly why: 'cancel' | 'withdraw' }
  | { readonly type: 'person.heard' | 'machine.heard' | 'machine.marked' }
  /** The machine records from now on. */
  | { readonly type: 'greeting.ended' }
  /** `passedOn`: this agent takes the conversation over from the one before. */
  | { readonly type: 'agent.given' | 'agent.passedOn'; readonly agent: AgentName; readonly agentLeg: LegId }
  /** The agent's session alone decides whether agent and callee are together; it says so, or `agent.lost`. */
  | { readonly type: 'agent.connected' }
  /** `lost`: the agent's phone is not there, or was lost in the conversation; `finished`: the agent ended the call. */
  | { readonly type: 'agent.finished' }
  /** `hadMusic`: the callee waited for the phone, and hears nothing now. */
  | { readonly type: 'agent.lost'; readonly hadMusic?: boolean }
  /** Playbacks of one leg queue up: an apology may end while the message after it is waited for. */
  | { readonly type: 'playback.ended'; readonly message: AttemptMessage }

export type AttemptCommand =
  | { readonly type: 'originate'; readonly input: AttemptInput }
  | { readonly type: 'hangUp' | 'detectMachine' | 'askForAgent' | 'withdrawAsk'; readonly leg: LegId }
  | { readonly type: 'connect'; readonly leg: LegId; readonly agent: AgentName; readonly agentLeg: LegId }
  /** The attempt does not need the agent any more: given too late, or done. */
  | { readonly type: 'releaseAgent'; readonly agent: AgentName }
  | { readonly type: 'speak'; readonly leg: LegId; readonly message: AttemptMessage }
  /** Words end it by themselves. */
  | { readonly type: 'startMusic' | 'stopMusic'; readonly leg: LegId }
  /** The last command of every attempt, exactly once. */
  | { readonly type: 'report'; readonly report: AttemptReport }

/** The result of an attempt, with the facts behind it. */
export interface AttemptReport {
  readonly attempt: AttemptId
  readonly result: AttemptResult
  /** Whether it counts towards the maximum of its task (D-12). */
  readonly counts: boolean
  readonly facts: LegFacts
  /** The engine hung up before the minimum ring; counts against the budget of short rings (dialing-rules.md 0.4). */
  readonly isRingCutShort: boolean
  /** The agent ended the conversation, by command or because their phone was gone for too long. */
  readonly isEndedByAgent: boolean
}

interface Context {
  readonly input: AttemptInput
  readonly facts: LegFacts
  readonly isRingCutShort: boolean
  readonly isEndedByAgent: boolean
  readonly agent: { readonly agent: AgentName; readonly agentLeg: LegId } | undefined
  /** Agents who were given and did not join. */
  readonly agentsMissing: number
  readonly message: AttemptMessage
}

/** A permit lives for 2 s; a claim without a permit by then is given up. */
const CLAIM_MAX_MS = 10_000
/** The switch ends a line that does not ring by itself; this timer is longer and covers a switch that does not. */
const RING_GRACE_MS = 2_000
/** The switch says by then who answered (ari/listening.ts). */
const DETECTION_MAX_MS = 13_000
/** Our choice. Music, a fax, or a greeting that has no end: nothing would record the message. */
const GREETING_MAX_MS = 40_000
/** Our choice: one more agent is tried, not a third. */
const AGENTS_MISSING_MAX = 1
const MESSAGE_MAX_MS = 60_000
/** Our choice: whoever was in a conversation waits no longer for the next agent, and hears music so long at a time. */
const NEXT_AGENT_MAX_MS = 18_000
const WORDS_AFTER_MS = 6_500
/** F-F13. */
const TALK_MAX_MS = 4 * 3_600_000
const HANG_UP_RETRY_MS = 5_000

const FACTS_AT_FIRST: LegFacts = {
  isBlocked: false,
  reach: 'nothing',
  earlyEnd: undefined,
  agentConnected: false,
  isMachine: false,
  endedByUs: false,
  end: undefined,
}

interface At {
  readonly context: Context
}

const theLeg = ({ context }: At) => ({ leg: context.input.leg })
const theAgent = ({ context }: At) => ({ agent: context.agent!.agent })
const theMessage = ({ context }: At) => ({ leg: context.input.leg, message: context.message })
const andFacts = ({ context }: At, seen: Partial<LegFacts>) => ({ facts: { ...context.facts, ...seen } })
const apology = {
  type: 'speak',
  params: ({ context }: At) => ({ leg: context.input.leg, message: 'apology' as const }),
} as const
const music = { type: 'startMusic', params: theLeg } as const

function theReport({ context }: At): { report: AttemptReport } {
  const { input, facts, isRingCutShort, isEndedByAgent } = context
  const result = outcomeOf(facts)
  const counts = countsAsAttempt(result, facts.reach)
  return { report: { attempt: input.attempt, result, counts, facts, isRingCutShort, isEndedByAgent } }
}

const toBlocked = { target: 'done', actions: 'blocked' } as const
const toRingTimeout = { target: 'cancelling', actions: 'ringTimedOut' } as const
const toCancelling = { target: 'cancelling', actions: 'commandedEarlyEnd' } as const
const toNeverSent = { target: 'done', actions: 'neverSent' } as const
const toAnswered = { target: 'answered', actions: 'answered' } as const
const onMachine = [
  { guard: 'leavesMessage', target: 'hearingGreeting', actions: ['machineAnswered', 'willLeaveMessage'] },
  { guard: 'hangsUp', target: 'closing', actions: 'machineAnswered' },
] as const
/** F-F1: an apology and the next agent; then the campaign's message instead of a further wait. */
const onAgentMissing = [
  { guard: 'mayTalkOn', target: '#attempt.waitingForNext.words', actions: ['agentMissing', apology] },
  { guard: 'mayTryAnother', target: '#attempt.waitingForAgent', actions: ['agentMissing', apology] },
  { target: '#attempt.speaking', actions: 'endedByUs' },
] as const

export const attemptMachine = setup({
  types: { input: {} as AttemptInput, context: {} as Context, events: {} as AttemptEvent },
  actions: {
    originate: command<{ input: AttemptInput }>(),
    hangUp: command<{ leg: LegId }>(),
    detectMachine: command<{ leg: LegId }>(),
    askForAgent: command<{ leg: LegId }>(),
    withdrawAsk: command<{ leg: LegId }>(),
    connect: command<{ leg: LegId; agent: AgentName; agentLeg: LegId }>(),
    releaseAgent: command<{ agent: AgentName }>(),
    speak: command<{ leg: LegId; message: AttemptMessage }>(),
    startMusic: command<{ leg: LegId }>(),
    stopMusic: command<{ leg: LegId }>(),
    report: command<{ report: AttemptReport }>(),
    blocked: assign((at) => andFacts(at, { isBlocked: true })),
    sent: assign((at) => andFacts(at, { reach: 'sent' })),
    // No phone was left to ring out.
    neverSent: assign((at) => {
      const { earlyEnd } = at.context.facts
      return andFacts(at, { reach: 'nothing', earlyEnd: earlyEnd === 'ringTimeout' ? undefined : earlyEnd })
    }),
    rang: assign((at) => andFacts(at, { reach: 'rang' })),
    answered: assign((at) => andFacts(at, { reach: 'answered' })),
    commandedEarlyEnd: assign((at) => andFacts(at, at.event.type === 'cancel' ? { earlyEnd: at.event.why } : {})),
    ringTimedOut: assign((at) => andFacts(at, { earlyEnd: 'ringTimeout' })),
    ringCutShort: assign({ isRingCutShort: true }),
    endedByAgent: assign({ isEndedByAgent: true }),
    machineAnswered: assign((at) => andFacts(at, { isMachine: true, endedByUs: true })),
    machineMarked: assign((at) => andFacts(at, { isMachine: true })),
    endedByUs: assign((at) => andFacts(at, { endedByUs: true })),
    agentConnected: assign((at) => andFacts(at, { agentConnected: true })),
    legEnded: assign((at) => {
      if (at.event.type !== 'leg.ended') return {}
      const { reason, code, wasAnswered } = at.event
      const unseen = wasAnswered && at.context.facts.reach !== 'answered'
      const end = code === undefined ? { reason } : { reason, code }
      return andFacts(at, { end, ...(unseen && ({ reach: 'answered', endedByUs: true } as const)) })
    }),
    agentGiven: assign(({ event }) => {
      return 'agentLeg' in event ? { agent: { agent: event.agent, agentLeg: event.agentLeg } } : {}
    }),
    // A callee who hangs up during the apology was dropped by us.
    agentMissing: assign((at) => ({
      agentsMissing: at.context.agentsMissing + 1,
      ...andFacts(at, { endedByUs: true }),
    })),
    willLeaveMessage: assign({ message: 'voicemail' }),
  },
  guards: {
    decides: ({ context: { input } }) =>
      input.machineDetection === 'hangUp' || input.machineDetection === 'leaveMessage',
    listens: ({ context }) => context.input.machineDetection === 'listen',
    hangsUp: ({ context }) => context.input.machineDetection === 'hangUp',
    leavesMessage: ({ context }) => context.input.machineDetection === 'leaveMessage',
    mayTryAnother: ({ context }) => context.agentsMissing < AGENTS_MISSING_MAX,
    mayTalkOn: ({ context: { facts, agentsMissing } }) => facts.agentConnected && agentsMissing < AGENTS_MISSING_MAX,
    hadMusic: ({ event }) => event.type === 'agent.lost' && event.hadMusic === true,
    isMachine: ({ context }) => context.facts.isMachine,
    isApology: ({ event }) => event.type === 'playback.ended' && event.message === 'apology',
    isTheMessage: ({ context, event }) => event.type === 'playback.ended' && event.message === context.message,
  },
  delays: {
    dialMax: ({ context }) => context.input.dialTimeoutMs + RING_GRACE_MS,
    minRing: ({ context }) => context.input.minRingMs,
    restOfRing: ({ context: { input } }) => Math.max(0, input.ringTimeoutMs - input.minRingMs),
    agentWait: ({ context }) => context.input.agentWaitMs,
  },
}).createMachine({
  id: 'attempt',
  context: ({ input }) => ({
    input,
    facts: FACTS_AT_FIRST,
    isRingCutShort: false,
    isEndedByAgent: false,
    agent: undefined,
    agentsMissing: 0,
    message: 'dropped',
  }),
  initial: 'claimed',
  on: {
    'leg.ended': { target: '.done', actions: 'legEnded' },
    // The callee does not wait any more: the agent must not stay reserved (INV-A5).
    'agent.given': { actions: { type: 'releaseAgent', params: ({ event }) => ({ agent: event.agent }) } },
  },
  states: {
    claimed: {
      after: { [CLAIM_MAX_MS]: toBlocked },
      on: { permitted: 'dialing', refused: toBlocked, cancel: { target: 'done', actions: 'commandedEarlyEnd' } },
    },
    dialing: {
      entry: ['sent', { type: 'originate', params: ({ context }) => ({ input: context.input }) }],
      after: { dialMax: toRingTimeout },
      on: {
        'dial.refused': toNeverSent,
        'leg.ringing': 'ringing',
        'leg.answered': toAnswered,
        cancel: toCancelling,
      },
    },
    ringing: {
      entry: 'rang',
      after: { minRing: 'ringingLong' },
      on: {
        'leg.answered': toAnswered,
        cancel: { target: 'cancelling', actions: ['commandedEarlyEnd', 'ringCutShort'] },
      },
    },
    ringingLong: {
      after: { restOfRing: toRingTimeout },
      on: { 'leg.answered': toAnswered, cancel: toCancelling },
    },
    answered: {
      always: [
        { guard: 'decides', target: 'detecting' },
        { guard: 'listens', target: 'waitingForAgent', actions: { type: 'detectMachine', params: theLeg } },
        { target: 'waitingForAgent' },
      ],
    },
    detecting: {
      entry: { type: 'detectMachine', params: theLeg },
      after: { [DETECTION_MAX_MS]: 'waitingForAgent' },
      on: { 'person.heard': 'waitingForAgent', 'machine.heard': onMachine },
    },
    waitingForAgent: {
      entry: { type: 'askForAgent', params: theLeg },
      exit: { type: 'withdrawAsk', params: theLeg },
      after: { agentWait: { target: 'speaking', actions: 'endedByUs' } },
      on: {
        'agent.given': { target: 'withAgent', actions: 'agentGiven' },
        'machine.heard': onMachine,
        // An earlier engine's agent has said so, and is not there any more.
        'machine.marked': { target: 'closing', actions: 'machineAnswered' },
      },
    },
    withAgent: {
      exit: { type: 'releaseAgent', params: theAgent },
      initial: 'connecting',
      states: {
        connecting: {
          entry: { type: 'connect', params: ({ context }) => ({ leg: context.input.leg, ...context.agent! }) },
          on: {
            'agent.connected': 'talking',
            'agent.lost': onAgentMissing,
            'agent.finished': onAgentMissing,
          },
        },
        talking: {
          entry: 'agentConnected',
          after: { [TALK_MAX_MS]: { target: '#attempt.closing', actions: 'endedByUs' } },
          on: {
            'agent.finished': { target: '#attempt.closing', actions: ['endedByUs', 'endedByAgent'] },
            // Nobody waits at the other end of a machine.
            'agent.lost': [
              { guard: 'isMachine', target: '#attempt.closing', actions: 'endedByUs' },
              { guard: 'hadMusic', target: '#attempt.waitingForNext.words', actions: apology },
              { target: '#attempt.waitingForNext', actions: music },
            ],
            'machine.marked': { actions: 'machineMarked' },
            // A colleague takes over the conversation.
            'agent.passedOn': { actions: 'agentGiven' },
          },
        },
      },
    },
    // The conversation has happened, whatever comes: it is answered, and no ledger counts it as abandoned.
    // Sound begins before the ask, which may be answered at once.
    waitingForNext: {
      entry: { type: 'askForAgent', params: theLeg },
      exit: [
        { type: 'stopMusic', params: theLeg },
        { type: 'withdrawAsk', params: theLeg },
      ],
      after: { [NEXT_AGENT_MAX_MS]: { target: 'speaking', actions: ['endedByUs', 'endedByAgent'] } },
      on: { 'agent.given': { target: 'withAgent', actions: 'agentGiven' } },
      initial: 'music',
      states: {
        music: { after: { [WORDS_AFTER_MS]: { target: 'words', actions: apology } } },
        words: { on: { 'playback.ended': { guard: 'isApology', target: 'music', actions: music } } },
      },
    },
    // A message over the greeting is not recorded.
    hearingGreeting: {
      after: { [GREETING_MAX_MS]: 'closing' },
      on: { 'greeting.ended': 'speaking' },
    },
    speaking: {
      entry: { type: 'speak', params: theMessage },
      after: { [MESSAGE_MAX_MS]: 'closing' },
      on: { 'playback.ended': { guard: 'isTheMessage', target: 'closing' } },
    },
    cancelling: {
      entry: { type: 'hangUp', params: theLeg },
      after: { [HANG_UP_RETRY_MS]: { target: 'cancelling', reenter: true } },
      on: { 'leg.answered': { target: 'closing', actions: 'answered' }, 'dial.refused': toNeverSent },
    },
    closing: {
      entry: { type: 'hangUp', params: theLeg },
      after: { [HANG_UP_RETRY_MS]: { target: 'closing', reenter: true } },
    },
    done: { type: 'final', entry: { type: 'report', params: theReport } },
  },
})
