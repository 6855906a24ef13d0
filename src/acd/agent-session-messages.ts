/** What the desk and the rest of the engine say to each other about agents who are logged in ("seats"). */
import type { AgentName, BridgeId, CallId, LegId, PlaybackId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus } from '../ports/agent-desktop.ts'

/** After a conversation: `timed` ends by itself after so long, `byHand` when the agent says so. */
export type WrapUp = { readonly kind: 'timed'; readonly lengthMs: number } | { readonly kind: 'byHand' }

/** Somebody we called has answered, and wants an agent within 2 s. Named by their leg. */
export interface AnsweredCallee {
  readonly leg: LegId
  readonly team: TeamName
  readonly wrapUp: WrapUp
  /** Only this one: the call was made for them (preview, click-to-dial, an agent reserved after a dropped call). */
  readonly agent?: AgentName
}

/** What an agent orders of their own seat; orders about tasks and calls are the engine's. */
export type AgentSessionOrder =
  | { readonly type: 'logIn' }
  | { readonly type: 'logOut' }
  | { readonly type: 'ready' }
  | { readonly type: 'pause'; readonly reason: string }
  | { readonly type: 'hangUp' }
  | { readonly type: 'endWrapUp' }

/** What the desk wishes about a seat. `leg` is the agent's own unless it says otherwise. */
export type AgentSessionCommand = { readonly agent: AgentName } /** Call the agent's phone, to stay up. */ & (
  | { readonly type: 'seat.ring'; readonly leg: LegId; readonly ringTimeoutMs: number }
  /** Their phone is up: open the seat's own bridge with it, or bring it back into it. */
  | { readonly type: 'seat.hold'; readonly leg: LegId; readonly bridge: BridgeId }
  | { readonly type: 'seat.hangUp'; readonly leg: LegId }
  | { readonly type: 'seat.close'; readonly bridge: BridgeId }
  /** For a person we called: here is an agent. The engine tells the attempt, and lets the person into the bridge. */
  | { readonly type: 'agent.given'; readonly person: LegId; readonly agentLeg: LegId; readonly bridge: BridgeId }
  /** The agent who was given is not there after all. */
  | { readonly type: 'agent.lost'; readonly person: LegId }
  /** The agent ended the conversation, or their phone is gone for good. */
  | { readonly type: 'agent.finished'; readonly person: LegId }
  /** For a caller: tell the call that its agent is there, then let its leg into the seat's bridge. */
  | { readonly type: 'seat.join'; readonly bridge: BridgeId; readonly party: LegId; readonly call: CallId }
  /** The other side of a conversation is let go: take its leg out of the seat's bridge. `call`: a caller's. */
  | { readonly type: 'seat.part'; readonly bridge: BridgeId; readonly party: LegId; readonly call?: CallId }
  /** A whisper is over: stop it, should it still play. The next party must not hear it. */
  | { readonly type: 'seat.hush'; readonly playback: PlaybackId }
  /** To be shown, and to be kept where it must outlive the engine. */
  | { readonly type: 'seat.changed'; readonly status: AgentStatus }
)
