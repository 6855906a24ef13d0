/** Events, commands and context of `agent-session.machine.ts`. Sessions are saved: the names in the context stay. */
import type { CallId, LegId } from '../kernel/ids.ts'
import type { Utterance } from '../ports/speech.ts'
import type { WrapUp } from './agent-session-messages.ts'

/** How long an agent's phone rings at log-in, and each time it is called again. */
export const SESSION_RING_TIMEOUT_MS = 20_000
/** `byHand` means until the agent ends it, but not for ever. */
export const WRAP_UP_BY_HAND_MAX_MS = 15 * 60_000
/** A working day. */
export const PAUSED_MAX_MS = 8 * 3_600_000

/** The other side of an agent. A `person` is a callee; a `caller` waited in the queue. */
export type Party =
  | { readonly kind: 'person'; readonly leg: LegId; readonly wrapUp: WrapUp }
  | {
      readonly kind: 'caller'
      readonly leg: LegId
      readonly wrapUp: WrapUp
      readonly call: CallId
      readonly whisper: readonly Utterance[]
    }

/**
 * The input of a session. `leg` names the first call to the phone; later ones are `<leg>-2`, `<leg>-3` (law 4), and
 * after a restart of the engine `<another>-4`.
 */
export interface AgentSessionInput {
  readonly leg: LegId
  /** Whether the agent logs in at a screen, which is needed from then on; the plain API needs none. */
  readonly hasScreen: boolean
  /** So long a party waits with music for a phone that is lost; undefined: for the words of an apology. */
  readonly graceMs?: number
}

/** Events of a session. Legs are the agent's own. */
export type AgentSessionEvent =
  /** The call never left the switch, which is away: the phone is no reason. */
  | { readonly type: 'leg.unsent' }
  | { readonly type: 'leg.answered' | 'leg.ended' | 'leg.heard' | 'leg.silent' | 'agent.joined' }
  /** After a restart of the engine: the leg is alive. */
  | { readonly type: 'leg.found'; readonly isUp: boolean; readonly isInBridge: boolean }
  | { readonly type: 'screen.attached' | 'screen.left' }
  /** `isConsulted`: for a colleague's conversation, and not for a call of their own. */
  | { readonly type: 'reserve'; readonly isConsulted?: true }
  | { readonly type: 'unreserve' }
  | { readonly type: 'give'; readonly party: Party }
  | { readonly type: 'whispered' }
  /** `left`: the party's leg is gone. `released`: the attempt needs the agent no more. */
  | { readonly type: 'party.joined' | 'party.left' | 'party.released' }
  | { readonly type: 'ready' | 'hangUp' | 'endWrapUp' | 'renewLeg' | 'doubtPhone' }
  | { readonly type: 'pause'; readonly reason: string }
  | { readonly type: 'logOut'; readonly reason?: string }
  /** No line depends on the agent any more. */
  | { readonly type: 'excused' }
  /** The engine was restarted: the session settles what was half begun. */
  | { readonly type: 'restarted' }
  /** After a restart: this callee is in the session's bridge, whatever the saved session says. */
  | { readonly type: 'adopt'; readonly party: Party }

/**
 * Why a party is let go. `lost`: never together. `vanished`: the agent's phone was lost in the conversation. `refused`:
 * a caller whom the flow has not told of the agent yet.
 */
export type LetGo = 'finished' | 'lost' | 'vanished' | 'refused' | 'released'

/** Commands of the session's machine. `leg` is the agent's own. */
export type AgentSessionMachineCommand =
  | { readonly type: 'ring' | 'hold' | 'hangUp' | 'hangUpOld'; readonly leg: LegId }
  | { readonly type: 'listen'; readonly leg: LegId; readonly withinMs?: number }
  | { readonly type: 'close' }
  | { readonly type: 'whisper'; readonly leg: LegId; readonly party: Party; readonly number: number }
  | { readonly type: 'hush'; readonly leg: LegId; readonly number: number }
  | { readonly type: 'connect' | 'met' | 'comfort' | 'back'; readonly leg: LegId; readonly party: Party }
  | { readonly type: 'letGo'; readonly party: Party | undefined; readonly why: LetGo }

/** What a session remembers beside its states. Plain JSON; saved. */
export interface AgentSessionContext {
  readonly input: AgentSessionInput
  readonly leg: LegId
  readonly calls: number
  /** Calls to the phone since it was last up for long. */
  readonly tries: number
  readonly wasUp: boolean
  readonly isPhoneUp: boolean
  readonly isLegAlive: boolean
  /** While the phone is called anew: the leg that goes on until the fresh one is heard. */
  readonly oldLeg?: LegId | undefined
  /** Fresh legs in a row that were never heard. */
  readonly renewals?: number
  /** Calls in a row that the switch did not take: the phone is no reason. */
  readonly unsent?: number
  /** Reserved for a colleague's conversation, which may last as long as any. */
  readonly isConsulted?: boolean
  /** The phone answered, and no packet has come from it. */
  readonly isSilent: boolean
  readonly hangUps: number
  readonly screen: 'none' | 'there' | 'gone' | 'longGone'
  readonly party: Party | undefined
  readonly wrapUp: WrapUp
  readonly whispers: number
  /** Parties in a row who could not be joined with this agent. */
  readonly failures: number
  readonly asked: { readonly to: 'pause' | 'logOut'; readonly reason: string | undefined } | undefined
  readonly reason: string | undefined
  readonly isPhoneGone: boolean
}

/** The context at log-in. */
export function initialAgentSession(input: AgentSessionInput): AgentSessionContext {
  return {
    input,
    leg: input.leg,
    calls: 0,
    tries: 0,
    wasUp: false,
    isPhoneUp: false,
    isLegAlive: false,
    isSilent: false,
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

/** Why the agent's phone is not called, or was not. */
export const NOT_TAKEN = 'the telephone system takes no calls to the phone'

/** What the agent is told when the phone is given up. */
export function reasonOfLoss({ isSilent, wasUp, unsent }: AgentSessionContext): string {
  if (unsent) return NOT_TAKEN
  if (isSilent) return 'the phone answered and sent no sound'
  return wasUp ? 'the phone was lost and could not be called back' : 'the phone did not answer'
}

/** The next call to the phone, after an earlier one has ended. */
export function withNextLeg({ input, calls, tries }: AgentSessionContext): Partial<AgentSessionContext> {
  const leg = calls === 0 ? input.leg : (`${input.leg}-${calls + 1}` as LegId)
  return { leg, calls: calls + 1, tries: tries + 1, isLegAlive: true, isSilent: false, hangUps: 0 }
}

/** A call to the phone beside the one that is up. */
export function withFreshLeg({ input, calls, leg, renewals = 0 }: AgentSessionContext): Partial<AgentSessionContext> {
  const fresh = `${input.leg}-${calls + 1}` as LegId
  return { renewals: renewals + 1, oldLeg: leg, leg: fresh, calls: calls + 1, isSilent: false, hangUps: 0 }
}
