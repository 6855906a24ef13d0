/** What the engine holds and may touch: its parts, its live calls, its desk. `reactions` and `perform` work on it. */
import type { CallDistributor, DistributorCommand } from '../acd/distributor.ts'
import type { Staff } from '../acd/team.ts'
import type { CallFact, CallRecord } from '../flow/model/call-messages.ts'
import type { FlowRun } from '../flow/run/flow-run.ts'
import type { NumberConfig } from '../installation/config.ts'
import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { BridgeId, CallId, Ids, LegId, PhoneNumber, RequestId, TeamName } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { AgentStatus } from '../ports/agent-desktop.ts'
import type { CampaignBoard } from '../ports/board.ts'
import type { DialerRepository, MatchedTask } from '../ports/dialer-repository.ts'
import type { Journal } from '../ports/journal.ts'
import type { CallEventLog, Pbx, PbxEvent } from '../ports/pbx.ts'
import type { Sms } from '../ports/sms.ts'
import type { Speech } from '../ports/speech.ts'
import type { Spool } from '../ports/spool.ts'
import type { Web } from '../ports/web.ts'
import type { Trace } from './call-trace.ts'
import type { FlowRegistry } from './flow-registry.ts'
import type { Dialer } from './loop/dialer.ts'
import type { Player } from './player.ts'

/** The world as the engine asks for it. Everything that could differ between two runs comes through here. */
export interface EngineDependencies {
  readonly clock: Clock
  /** For the names of events; another chance than that of the switch's names. */
  readonly random: Random
  readonly ids: Ids
  readonly log: Log
  readonly journal: Journal
  readonly pbx: Pbx
  readonly speech: Speech
  readonly web: Web
  readonly sms: Sms
  readonly flows: FlowRegistry
  /** Values of `${env.…}`. */
  readonly env: Readonly<Record<string, string>>
  /** The value of `${secret.name}`; undefined when it is not set. */
  readonly secret: (name: string) => string | undefined
  /** Calls at once; the next one hears congestion instead of taking the others down. */
  readonly callsMax?: number
  /** What dialing and the records of calls need; without it callers are served, and nothing is dialed or kept. */
  readonly dialer?: DialerOptions
}

/** One call that has not ended. */
export interface LiveCall {
  readonly call: CallId
  readonly leg: LegId
  readonly run: FlowRun
  readonly called: string
  /** Absent when withheld. */
  readonly caller: string | undefined
  readonly requests: Map<RequestId, { cancel(): void }>
  timer: (Timer & { readonly atMs: AtMs }) | undefined
  /** The call task that the caller's number belongs to. */
  readonly matched: MatchedTask | undefined
  /** What the flow wants the agent's screen to open. */
  popup: string | undefined
  /** When an agent came to the line. */
  connectedAtMs: AtMs | undefined
  /** When the caller began to wait for one. */
  queuedAtMs: AtMs | undefined
  team: TeamName | undefined
  /** The conversation is over, because the agent or their phone ended it. */
  hasAgentLeft: boolean
  /** Our own mistake hit this call once: the next one ends it at once. */
  broken: boolean
}

/** The engine's inside. Only `engine`, `reactions` and `perform` see it. */
export interface EngineContext {
  readonly dependencies: EngineDependencies
  readonly distributor: CallDistributor
  readonly player: Player
  readonly trace: Trace
  readonly callsByLeg: Map<LegId, LiveCall>
  readonly calls: Map<CallId, LiveCall>
  /** Conversations that an earlier engine connected: kept until one side hangs up. */
  readonly adopted: Map<LegId, { readonly bridge: BridgeId; readonly legs: readonly LegId[] }>
  numbers: ReadonlyMap<string, NumberConfig>
  /** Performs the first wish of a new call, and wakes it in time should nothing come of that. */
  begin(live: LiveCall): void
  /** Tells a call something, now: commands that follow are performed before this returns. */
  sendToCall(call: CallId, fact: CallFact): void
  /** Something will have happened to a call: it is told in its turn. */
  later(call: CallId, fact: CallFact): void
  callRecorded(record: CallRecord): void
  /** Takes a fact in its turn: nothing else happens while it is worked on (law 2). */
  enqueue(fact: () => void): void
  performDistributor(commands: readonly DistributorCommand[]): void
  readonly dialer: Dialer | undefined
  /** Who works where, as the set-up in force says. */
  staff(): Staff
  /** Legs that arrived and whose number is being looked up. */
  readonly arriving: Map<LegId, Arrival>
  eventName(): string
}

/** A leg whose caller's number is being looked up. */
export interface Arrival {
  readonly call: CallId
  readonly event: Extract<PbxEvent, { type: 'leg.arrived' }>
  readonly timer: Timer
}

/** What a carrier bears and which numbers are ours on it: the part of the set-up that dialing reads. */
export interface TrunkLimits {
  readonly name: string
  readonly linesMax: number
  readonly callsPerSecondMax: number
  readonly callerIds: readonly PhoneNumber[]
}

/** What a robot is made of, beside the engine's own parts. */
export interface DialerOptions {
  readonly dialerRepository: DialerRepository
  /** The name of this node; its lease, its seats and its calls are kept under it. */
  readonly node: string
  readonly spool: Spool
  /** Undefined where the switch keeps no records that we could read. */
  readonly callEventLog: CallEventLog | undefined
  /** The carriers of the set-up; it may change while lines are out. */
  readonly trunks: () => readonly TrunkLimits[]
  /** The template of an external system's page, by the system's id or code; undefined where it has none. */
  readonly page: (externalSystem: number | string) => string | undefined
  /** False while another engine may be at work: then nothing is dialed. */
  readonly mayDial?: () => boolean
  /** Told of every change of an agent's state, for boards and other nodes. */
  readonly onStatus?: (status: AgentStatus) => void
  /** Told how a campaign is paced, at most once a second for each. */
  readonly onBoard?: (board: CampaignBoard) => void
}
