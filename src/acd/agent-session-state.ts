/** What a seat hears, wishes and remembers: the words of `seat.machine.ts`. */
import type { CallId, LegId } from '../kernel/ids.ts'
import type { Utterance } from '../ports/speech.ts'
import type { WrapUp } from './agent-session-messages.ts'

/** Whom an agent is given. A person is somebody we called; a caller waited in the queue. */
export type Party =
  | { readonly kind: 'person'; readonly leg: LegId; readonly wrapUp: WrapUp }
  | {
      readonly kind: 'caller'
      readonly leg: LegId
      readonly wrapUp: WrapUp
      readonly call: CallId
      readonly whisper: readonly Utterance[]
    }

/** What a seat begins with. `leg` names the first call to the phone; later ones are `<leg>-2`, `<leg>-3` (law 4). */
export interface AgentSessionInput {
  readonly leg: LegId
  /** Whether they log in at a screen, which they need from then on; the plain API needs none. */
  readonly hasScreen: boolean
}

/** What a seat hears. Legs are the agent's own. */
export type AgentSessionEvent =
  | { readonly type: 'leg.answered' | 'leg.ended' | 'agent.joined' }
  /** After a restart of the engine: the leg is alive. */
  | { readonly type: 'leg.found'; readonly isUp: boolean; readonly isInBridge: boolean }
  | { readonly type: 'screen.attached' | 'screen.left' }
  | { readonly type: 'reserve' | 'unreserve' }
  | { readonly type: 'give'; readonly party: Party }
  | { readonly type: 'whispered' }
  /** `left`: their leg is gone. `released`: whoever gave them wants the agent no more. */
  | { readonly type: 'party.joined' | 'party.left' | 'party.released' }
  | { readonly type: 'ready' | 'hangUp' | 'endWrapUp' }
  | { readonly type: 'pause'; readonly reason: string }
  | { readonly type: 'logOut'; readonly reason?: string }
  /** No line depends on them any more. */
  | { readonly type: 'excused' }
  /** The engine was restarted: what was half begun is not known to anybody. */
  | { readonly type: 'restarted' }
  /** After a restart: this person was found in the seat's bridge, whatever was saved of it. */
  | { readonly type: 'adopt'; readonly party: Party }

/** Why a party is let go. `lost`: it never came together. `refused`: a caller who was not told of the agent yet. */
export type LetGo = 'finished' | 'lost' | 'refused' | 'released'

/** What a seat's machine wishes. `leg` is the agent's own. */
export type AgentSessionMachineCommand =
  | { readonly type: 'ring' | 'hold' | 'hangUp'; readonly leg: LegId }
  | { readonly type: 'close' }
  | { readonly type: 'whisper'; readonly leg: LegId; readonly party: Party; readonly number: number }
  | { readonly type: 'hush'; readonly leg: LegId; readonly number: number }
  | { readonly type: 'connect'; readonly leg: LegId; readonly party: Party }
  | { readonly type: 'letGo'; readonly party: Party | undefined; readonly why: LetGo }

/** What a seat remembers beside its states. Plain JSON. */
export interface AgentSessionContext {
  readonly input: AgentSessionInput
  readonly leg: LegId
  /** Calls to the phone, ever. */
  readonly calls: number
  /** Calls to the phone since it was last up for long. */
  readonly tries: number
  readonly wasUp: boolean
  readonly isPhoneUp: boolean
  readonly isLegAlive: boolean
  readonly hangUps: number
  readonly screen: 'none' | 'there' | 'gone' | 'longGone'
  readonly party: Party | undefined
  readonly wrapUp: WrapUp
  readonly whispers: number
  /** Parties in a row who were not brought together with this agent. */
  readonly failures: number
  readonly asked: { readonly to: 'pause' | 'logOut'; readonly reason: string | undefined } | undefined
  /** Why they are paused, or out. */
  readonly reason: string | undefined
  readonly isPhoneGone: boolean
}

/** A seat at log-in. */
export function initialAgentSession(input: AgentSessionInput): AgentSessionContext {
  return {
    input,
    leg: input.leg,
    calls: 0,
    tries: 0,
    wasUp: false,
    isPhoneUp: false,
    isLegAlive: false,
    hangUps: 0,
    screen: 'none',
    party: undefined,
    wrapUp: { kind: 'timed', lengthMs: 0 },
    whispers: 0,
    failures: 0,
    asked: undefined,
    reason: undefined,
    isPhoneGone: false,
  }
}
