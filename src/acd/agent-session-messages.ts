/** Messages between distributor and engine about logged-in agents. `seat` in a stored name means a session. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, LegId, PlaybackId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus } from '../ports/agent-desktop.ts'

/** After a conversation: `timed` ends by itself after that time, `byHand` when the agent ends it. */
export type WrapUp = { readonly kind: 'timed'; readonly lengthMs: number } | { readonly kind: 'byHand' }

/** A callee has answered, and needs an agent within 2 s. Named by their leg. */
export interface AnsweredCallee {
  readonly leg: LegId
  readonly team: TeamName
  readonly wrapUp: WrapUp
  /** Only this agent: the call was made for them (preview, click-to-dial, reserved after an abandoned call). */
  readonly agent?: AgentName
}

/** An agent's orders about their own session; the engine handles orders about tasks and calls. */
export type AgentSessionOrder =
  | { readonly type: 'logIn' }
  | { readonly type: 'logOut'; readonly reason?: string }
  | { readonly type: 'ready'; readonly sinceAtMs?: AtMs }
  | { readonly type: 'renewLeg' | 'doubtPhone' }
  | { readonly type: 'pause'; readonly reason: string }
  | { readonly type: 'hangUp' }
  | { readonly type: 'endWrapUp' }

/** Commands of the distributor for a session. `leg` is the agent's own unless it says otherwise. Journaled types. */
export type AgentSessionCommand = { readonly agent: AgentName } /** Call the agent's phone, to stay up. */ & (
  | { readonly type: 'seat.ring'; readonly leg: LegId; readonly ringTimeoutMs: number }
  /** The phone is up: open the session's bridge with it, or bring it back into the bridge. */
  | { readonly type: 'seat.hold'; readonly leg: LegId; readonly bridge: BridgeId }
  /** Ask whether packets come from the phone. */
  | { readonly type: 'seat.listen'; readonly leg: LegId; readonly withinMs: number | undefined }
  | { readonly type: 'seat.hangUp'; readonly leg: LegId }
  | { readonly type: 'seat.close'; readonly bridge: BridgeId }
  /** A callee gets an agent. The engine informs the attempt, and joins the callee to the bridge. */
  | { readonly type: 'agent.given'; readonly person: LegId; readonly agentLeg: LegId; readonly bridge: BridgeId }
  /** Agent and callee are in one bridge: the conversation has begun. */
  | { readonly type: 'agent.connected'; readonly person: LegId }
  /**
   * The agent's phone was lost in the conversation and is called again: the callee is alone in the bridge for 2 s.
   * `waits`: with music for the whole grace of a phone in the browser, and so does a caller.
   */
  | { readonly type: 'agent.away'; readonly person: LegId; readonly bridge: BridgeId; readonly waits?: true }
  /** The phone is back: whoever waited and the agent are together again. */
  | { readonly type: 'agent.back'; readonly person: LegId }
  /** They could not be joined, or no packet came from the agent's phone, or it was lost in the conversation. */
  | { readonly type: 'agent.lost'; readonly person: LegId }
  /** The agent ended the conversation. */
  | { readonly type: 'agent.finished'; readonly person: LegId }
  /** A caller gets an agent: tell the call, then join its leg to the session's bridge. `leg`: of the agent. */
  | {
      readonly type: 'seat.join'
      readonly leg: LegId
      readonly bridge: BridgeId
      readonly party: LegId
      readonly call: CallId
    }
  /** Agent and caller are in one bridge, and a packet came from the phone: the conversation has begun. */
  | { readonly type: 'agentMet'; readonly call: CallId }
  /** The party is released: take its leg out of the session's bridge. `call`: of a caller. */
  | { readonly type: 'seat.part'; readonly bridge: BridgeId; readonly party: LegId; readonly call?: CallId }
  /** The whisper is over: stop it if it still plays. The next party must not hear it. */
  | { readonly type: 'seat.hush'; readonly playback: PlaybackId }
  /** Show the status, and save the session if a restart needs it. */
  | { readonly type: 'seat.changed'; readonly status: AgentStatus }
)
