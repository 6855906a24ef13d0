import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, CorporationId, LegId, TeamName } from '../kernel/ids.ts'
import type { OpenRecording, RecordingMade } from './call-recordings.ts'
import type { MatchedTask } from './call-task.ts'
import type { EventData, EventName } from './flows/flow-events.ts'
import type { CallTraffic, CountsFor } from './flows/flow-traffic.ts'
import type { SmsResult } from './sms.ts'
import type { TransferProgress } from './transfer.ts'

/** A call that came in and goes on, as far as an engine after a crash needs to know it. */
export interface OpenCall {
  readonly call: CallId
  readonly leg: LegId
  readonly corporation: CorporationId
  readonly caller: string
  readonly called: string
  readonly createdAtMs: AtMs
  /** Absent until it is answered. */
  readonly progress?: CallProgress
}

/** One without an end, of a node that has no lease. */
export interface LeftCall extends OpenCall {
  readonly node: string
}

/** How far an inbound call came: an engine after a crash goes on from here, and records it. */
export interface CallProgress {
  readonly answeredAtMs: AtMs
  /** The caller has hung up; steps of `onHangup` run. */
  readonly endedAtMs?: AtMs
  /** The first time that it waited for an agent. */
  readonly queuedAtMs?: AtMs
  readonly team?: TeamName
  /** Who talked last. */
  readonly agent?: AgentName
  /** The first time that it was connected with an agent. */
  readonly connectedAtMs?: AtMs
  /** The conversation that goes on with an agent whose phone was rung; logged-in agents have their sessions. */
  readonly talk?: { readonly agentLeg: LegId; readonly bridge: BridgeId }
  /** Its talk is recorded by consent, as step, team or number said: no supervisor listens. */
  readonly isByConsent?: true
  /** What was recorded so far, and what an engine after a crash must end, or let go on. */
  readonly recordings?: { readonly open: readonly OpenRecording[]; readonly made: readonly RecordingMade[] }
  /** Where it is in which revision of the flow, in the flow's own words, with the call task of the caller. */
  readonly place?: { readonly revision: string; readonly task?: Readonly<Record<string, unknown>>; readonly at: object }
  /** The call task of the caller, as it was when the call came in. */
  readonly matched?: MatchedTask
  /** The case whose page opens for an agent, as the flow says: the one that the caller typed. */
  readonly popup?: string
  /** How the steps of this revision ended so far, and for which canary they count. */
  readonly traffic?: { readonly revision: string; readonly ends: CallTraffic['ends']; readonly canary?: CountsFor }
  /** The outside event that it waits for now: who posts one learns whether a call waits. */
  readonly awaits?: EventName & { readonly visit: string }
  /** Wait steps by the keys of their visits. */
  readonly waits?: Readonly<Record<string, WaitProgress>>
  /** Transfers by the keys of their visits, stored before anybody is called: nobody is called twice. */
  readonly transfers?: Readonly<Record<string, TransferProgress>>
  /** Text messages by their keys, stored before they leave: none is sent twice. Null: the answer is not known. */
  readonly texts: Readonly<Record<string, SmsResult | null>>
}

/** One visit of a wait step: an engine after a crash ends it at the same instant, or as it had ended. */
export interface WaitProgress {
  readonly untilMs: AtMs
  readonly came?: { readonly id: number; readonly data: EventData }
}
