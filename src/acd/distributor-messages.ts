/** What the distributor and the engine say to each other about callers, and about agents on behalf of a caller. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, CallTaskId, LegId, PlaybackId, TeamName } from '../kernel/ids.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { Utterance } from '../ports/speech.ts'
import type { Offer } from './ring-agent.machine.ts'

export interface Joining {
  readonly call: CallId
  readonly leg: LegId
  readonly team: TeamName
  readonly priority: number
  /** That the agent must have; absent: any agent of the team. */
  readonly skills?: readonly string[]
  readonly callerId: string
  readonly whisper: readonly Utterance[]
  /** The place in the order of arrival that the caller has kept; absent: they arrive now. */
  readonly sinceAtMs?: AtMs
}

/** The place of somebody who is not on the line: an agent is reserved for them in their turn (calls-and-flows-53). */
export interface KeptPlace {
  readonly task: CallTaskId
  readonly team: TeamName
  readonly priority: number
  readonly skills?: readonly string[]
  readonly sinceAtMs: AtMs
}

export type AgentLegFact =
  | { readonly type: 'leg.answered' | 'leg.heard' | 'leg.silent'; readonly leg: LegId }
  /** `neverSent`: the switch was not there, or refused. */
  | { readonly type: 'leg.ended'; readonly leg: LegId; readonly reason?: LegEnd; readonly neverSent?: true }
  | { readonly type: 'playback.ended'; readonly leg: LegId; readonly playback: PlaybackId }
  /** After a restart of the engine: the leg is alive, and perhaps in a bridge of ours. */
  | { readonly type: 'leg.found'; readonly leg: LegId; readonly isUp: boolean; readonly bridge?: BridgeId }

/** What the distributor asks about an agent, always on behalf of one call. The types are journaled. */
export type RungAgentCommand = { readonly call: CallId; readonly agent: AgentName } & (
  | { readonly type: 'ringAgent'; readonly leg: LegId; readonly callerId: string; readonly ringTimeoutMs: number }
  | {
      readonly type: 'whisper'
      readonly leg: LegId
      readonly playback: PlaybackId
      readonly say: readonly Utterance[]
      /** The bridge of a session, where the agent waits alone: the whisper is played there, and its end names `leg`. */
      readonly bridge?: BridgeId
    }
  /** Tell the call that its agent is there, then join the two. */
  | { readonly type: 'connect'; readonly offer: Offer }
  | { readonly type: 'hangUpAgent'; readonly leg: LegId }
  | { readonly type: 'closeBridge'; readonly bridge: BridgeId }
  /** The agent hung up; the caller is still there. */
  | { readonly type: 'agentLeft' }
  /** The agent's phone was lost: the caller is still there, and waits again at their old place. */
  | { readonly type: 'agentLost' }
  /** The agent did not answer; the caller keeps their place. */
  | { readonly type: 'offerRefused'; readonly leg: LegId }
)
