/**
 * One agent and their phone, for calls that come from a queue.
 *
 *   free ──offer──▶ ringing ──answered──▶ briefing ──whispered──▶ talking ──ended──▶ free
 *    ▲                 │ ended, too long      │ ended                │ caller.left          (lost ──▶ paused)
 *    │ pauseMs         ▼                      ▼                      ▼
 *    └────────────── paused ◀──ended── closing(missed)           closing ──ended──▶ free
 *
 *   ringing ──the switch does not ring it──▶ unsent ──2 s──▶ free
 *   free, paused, unsent ──loggedOut──▶ away ──12 h──▶ free
 *
 * Only `leg.ended` ends a leg: a hang-up command leads to `closing`, where an answer that crossed the command is hung
 * up again. An agent who does not answer is not rung for a while: the next caller must not wait for the same agent.
 * Whoever logs out has gone: their phone rings for no caller for the rest of that shift (campaigns-76).
 */
import { assign, setup } from 'xstate'
import type { AgentName, BridgeId, CallId, LegId } from '../kernel/ids.ts'
import { command } from '../kernel/machine.ts'
import type { Utterance } from '../ports/speech.ts'

/** One caller offered to one agent; every id is chosen before the switch is asked for anything. */
export interface Offer {
  readonly call: CallId
  readonly callerLeg: LegId
  readonly agentLeg: LegId
  readonly bridge: BridgeId
  readonly callerId: string
  readonly whisper: readonly Utterance[]
  readonly ringTimeoutMs: number
  readonly pauseAfterMissMs: number
}

/** Events of an agent's machine. Legs are the agent's own. */
export type AgentEvent =
  | { readonly type: 'offer'; readonly offer: Offer }
  | { readonly type: 'leg.answered' | 'whispered' | 'caller.left' }
  /** `isLost`: nobody hung up; the phone fell silent, and the switch gave it up. `isUnsent`: it was never rung. */
  | { readonly type: 'leg.ended'; readonly isLost: boolean; readonly isUnsent: boolean }
  /** The agent's session is over. */
  | { readonly type: 'loggedOut' }

/** Commands of an agent's machine. `leg` is always the agent's own. */
export type AgentCommand =
  | { readonly type: 'ring'; readonly offer: Offer }
  | { readonly type: 'whisper'; readonly offer: Offer }
  | { readonly type: 'connect'; readonly offer: Offer }
  | { readonly type: 'hangUp'; readonly offer: Offer }
  | { readonly type: 'refused'; readonly offer: Offer }
  | { readonly type: 'left' | 'lost'; readonly offer: Offer }

interface Context {
  readonly agent: AgentName
  readonly offer: Offer | undefined
}

/** The switch ends a ringing leg by itself; our own timer is a little longer, in case it does not. */
const RING_GRACE_MS = 2_000
/** A whisper that never ends must not keep the caller from the agent. */
const BRIEFING_MAX_MS = 20_000
const CLOSING_RETRY_MS = 5_000
/** Our choice: a switch that is away is asked so often, and whoever waits does not wait long when it is back. */
const UNSENT_MS = 2_000
/** Our choice: longer than the rest of any shift, shorter than the way to the same hour of the next day. */
export const AWAY_MS = 12 * 3_600_000

const theOffer = ({ context }: { context: Context }) => ({ offer: context.offer! })

const toAway = { target: 'away', reenter: true } as const
const toPaused = { target: 'paused', actions: { type: 'refused', params: theOffer } } as const

export const ringAgentMachine = setup({
  types: { input: {} as { agent: AgentName }, context: {} as Context, events: {} as AgentEvent },
  actions: {
    ring: command<{ offer: Offer }>(),
    whisper: command<{ offer: Offer }>(),
    connect: command<{ offer: Offer }>(),
    hangUp: command<{ offer: Offer }>(),
    refused: command<{ offer: Offer }>(),
    left: command<{ offer: Offer }>(),
    lost: command<{ offer: Offer }>(),
  },
  guards: {
    isLost: ({ event }) => event.type === 'leg.ended' && event.isLost,
    isUnsent: ({ event }) => event.type === 'leg.ended' && event.isUnsent,
  },
  delays: {
    ringTimeout: ({ context }) => context.offer!.ringTimeoutMs + RING_GRACE_MS,
    pauseAfterMiss: ({ context }) => context.offer!.pauseAfterMissMs,
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({ agent: input.agent, offer: undefined }),
  initial: 'free',
  states: {
    free: {
      on: { offer: { target: 'ringing', actions: assign({ offer: ({ event }) => event.offer }) }, loggedOut: toAway },
    },
    ringing: {
      entry: { type: 'ring', params: theOffer },
      after: { ringTimeout: { target: 'closingMissed', actions: { type: 'refused', params: theOffer } } },
      on: {
        'leg.answered': 'briefing',
        'leg.ended': [{ guard: 'isUnsent', ...toPaused, target: 'unsent' }, toPaused],
        'caller.left': 'closing',
      },
    },
    briefing: {
      entry: { type: 'whisper', params: theOffer },
      after: { [BRIEFING_MAX_MS]: 'talking' },
      on: { whispered: 'talking', 'leg.ended': toPaused, 'caller.left': 'closing' },
    },
    talking: {
      entry: { type: 'connect', params: theOffer },
      on: {
        'leg.ended': [
          // The caller's next agent must not be the same one at once.
          { guard: 'isLost', target: 'paused', actions: { type: 'lost', params: theOffer } },
          { target: 'free', actions: { type: 'left', params: theOffer } },
        ],
        'caller.left': 'closing',
      },
    },
    closing: {
      entry: { type: 'hangUp', params: theOffer },
      after: { [CLOSING_RETRY_MS]: { target: 'closing', reenter: true } },
      on: { 'leg.answered': { target: 'closing', reenter: true }, 'leg.ended': 'free' },
    },
    closingMissed: {
      entry: { type: 'hangUp', params: theOffer },
      after: { [CLOSING_RETRY_MS]: { target: 'closingMissed', reenter: true } },
      on: { 'leg.answered': { target: 'closingMissed', reenter: true }, 'leg.ended': 'paused' },
    },
    paused: { after: { pauseAfterMiss: 'free' }, on: { loggedOut: toAway } },
    unsent: { after: { [UNSENT_MS]: 'free' }, on: { loggedOut: toAway } },
    away: { after: { [AWAY_MS]: 'free' }, on: { loggedOut: toAway } },
  },
})
