/** Supervisors in conversations of agents: they listen, whisper to the agent, or join. */
import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, AgentName, CallId, CorporationId } from '../kernel/ids.ts'
import type { AgentCall, SupervisionMode } from './agent-desktop.ts'

/** Whether a conversation may be supervised, and its agent is told; `untold`: the agent is not. */
export type SupervisionRule = 'told' | 'untold' | 'refused'

/** Who supervises, as the audit trail names them, and whose phone rings. */
export interface Supervisor {
  /** The name of their phone. */
  readonly agent: AgentName
  readonly corporations: readonly CorporationId[]
  readonly credential: string
  readonly user: number
  readonly address: string
  readonly traceId: string
}

/** `ringing`: the supervisor's phone rings, and they hear nothing yet. */
export interface Supervision {
  readonly call: CallId
  readonly agent: AgentName
  readonly supervisor: AgentName
  readonly mode: SupervisionMode
  readonly state: 'ringing' | 'on'
  readonly sinceAtMs: AtMs
}

/** A conversation of an agent that goes on. */
export interface LiveTalk {
  readonly call: CallId
  readonly agent: AgentName
  readonly corporation: CorporationId
  /** Absent of a call that came in: it gets one at its end. */
  readonly activity?: ActivityId
  /** Who takes part, or is about to. */
  readonly supervision?: Supervision
}

/**
 * Why the other side of a conversation does not hear an agent now: on `hold` with music, also while their agent asks
 * somebody else; with music for a lost `phone` that is called again; or the agent is gone, and they wait for the
 * `nextAgent`, with the words or the music of the campaign or queue.
 */
export interface PartyWait {
  readonly why: 'hold' | 'phone' | 'nextAgent'
  /** Absent where the engine did not note it. */
  readonly sinceAtMs?: AtMs
}

/** A conversation as boards show it. */
export interface ShownTalk {
  /** Who talks, or who talked last where the other side waits for the next agent. */
  readonly agent: AgentName
  readonly shown: AgentCall
  readonly sinceAtMs: AtMs
  readonly wait?: PartyWait
}

/** `why` is a sentence with the remedy. */
export type SupervisionAnswer =
  | { readonly ok: true; readonly supervision: Supervision }
  | { readonly ok: false; readonly kind: 'notFound' | 'conflict' | 'unavailable'; readonly why: string }

/** The engine as supervisors use it. */
export interface CallSupervision {
  /** `call`: its name, or the number of its activity. Again with another mode: changes the mode. */
  begin(by: Supervisor, call: string, mode: SupervisionMode): Promise<SupervisionAnswer>
  /** Hangs up the supervisor's phone. False: they supervise no such call. */
  end(supervisor: AgentName, call: string): Promise<boolean>
  talks(): readonly LiveTalk[]
  /** The same, and those whose other side waits for the next agent. */
  shownTalks(): readonly ShownTalk[]
}

/** A part of a supervision, for the audit trail: the seconds of all parts of it are the time in which they heard. */
export interface SupervisedPart extends Pick<Supervision, 'call' | 'agent' | 'mode'> {
  readonly by: Supervisor
  readonly what: 'begin' | 'goes on' | 'end'
  readonly atMs: AtMs
  /** Since the part before. */
  readonly seconds: number
  readonly secondsInAll: number
}
