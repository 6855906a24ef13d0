/** What every part of the engine shares: its dependencies, its live calls, the distributor and its other parts. */
import type { CallDistributor, DistributorCommand } from '../acd/distributor.ts'
import type { Staff } from '../acd/team.ts'
import type { AbroadCaps } from '../dialer/abroad.ts'
import type { mayTransferNow, TransferPermit } from '../dialer/may-transfer-now.ts'
import type {
  CallBegins,
  CallCommand,
  CallFact,
  CallRecord,
  LeftMessage,
  StoppedFact,
} from '../flow/model/call-messages.ts'
import type { FlowRun } from '../flow/run/flow-run.ts'
import type { NumberConfig, Trunk } from '../installation/config.ts'
import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type {
  AgentName,
  AttemptId,
  BridgeId,
  CallId,
  CallTaskId,
  Ids,
  LegId,
  PhoneNumber,
  RequestId,
  TeamName,
} from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { AgentNotification, AgentStatus } from '../ports/agent-desktop.ts'
import type { CampaignBoard } from '../ports/board.ts'
import type { FileId } from '../ports/call-activity.ts'
import type { RecordingRule } from '../ports/call-recordings.ts'
import type { MatchedTask } from '../ports/call-task.ts'
import type { DialerRepository, SavedAgentSession } from '../ports/dialer-repository.ts'
import type { ExternalSystem } from '../ports/directory.ts'
import type { FlowEvents } from '../ports/flows/flow-events.ts'
import type { CountsFor } from '../ports/flows/flow-traffic.ts'
import type { Journal } from '../ports/journal.ts'
import type { AgentNodes } from '../ports/nodes.ts'
import type { CallProgress, OpenCall, WaitProgress } from '../ports/open-call.ts'
import type { CallEventLog, Pbx, PbxEvent } from '../ports/pbx.ts'
import type { Sms, SmsResult } from '../ports/sms.ts'
import type { Speech } from '../ports/speech.ts'
import type { Spool } from '../ports/spool.ts'
import type { PartyWait, SupervisedPart } from '../ports/supervision.ts'
import type { TransferProgress, TransferTarget } from '../ports/transfer.ts'
import type { Web } from '../ports/web.ts'
import type { Trace } from './call-trace.ts'
import type { FlowRegistry } from './flow-registry.ts'
import type { LegRecordings, RecordedLeg } from './leg-recordings.ts'
import type { LookupTries } from './lookup-tries.ts'
import type { Player } from './player.ts'
import type { StepEnds } from './step-ends.ts'

export interface EngineDependencies {
  readonly clock: Clock
  /** For event names; separate from the randomness of the switch's ids. */
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
  /** Inbound calls at the same time; the switch refuses further ones with congestion. */
  readonly callsMax?: number
  /** What dialing and call records need. Without it the engine serves callers, dials nothing and records nothing. */
  readonly dialer?: DialerOptions
}

export interface LiveCall extends RecordedLeg {
  readonly call: CallId
  readonly run: FlowRun
  /** Of the flow. */
  readonly revision: string
  /** Which canary of the flow the call counts for. */
  readonly canary: CountsFor | undefined
  readonly stepEnds: StepEnds
  /** What the flow knows of the caller's call task. */
  readonly task: CallBegins['task']
  readonly called: string
  /** Absent when withheld. */
  readonly caller: string | undefined
  readonly requests: Map<RequestId, { cancel(): void }>
  timer: (Timer & { readonly atMs: AtMs }) | undefined
  readonly matched: MatchedTask | undefined
  popup: string | undefined
  connectedAtMs: AtMs | undefined
  queuedAtMs: AtMs | undefined
  team: TeamName | undefined
  hasAgentLeft: boolean
  /** The caller left a queue, and is called back in their turn. */
  keepsPlace?: true
  /** Of the number that was called, at the beginning of the call. */
  recordingRule: RecordingRule
  /** Said by the flow, at the queue step, or by the agent. */
  hasConsented: boolean
  /** Who talked last. */
  agent: AgentName | undefined
  /** The conversation with an agent whose phone was rung. */
  talk: CallProgress['talk']
  /** Text messages by their keys; null: not answered yet. */
  readonly texts: Map<string, SmsResult | null>
  /** The wait step that the call is in. */
  awaits: CallProgress['awaits']
  /** Wait steps by the keys of their visits. */
  readonly waits: Map<string, WaitProgress>
  /** The message that the caller leaves; `hasLeft`: they hung up, and the flow is told when the message is known. */
  message?: { readonly key: string; hasLeft: boolean } | undefined
  /** The message that a caller left who hung up. */
  left?: LeftMessage | undefined
  /** Transfers by the keys of their visits. */
  readonly transfers: Map<string, TransferProgress>
  /** The call as an earlier engine left it. */
  readonly earlier: OpenCall | undefined
  /** Writes a call whose caller has gone already; absent: it is written as it ended here. */
  readonly settle?: () => void
  /** An internal error hit this call once; the next one ends it at once. */
  broken: boolean
}

/** A caller's conversation that an earlier engine connected, and what is known of its agent. */
export interface KeptTalk extends RecordedLeg {
  /** As that engine left it; what has changed since is beside it. */
  readonly call: OpenCall
  agent: AgentName | undefined
  /** With an agent whose phone was rung. */
  talk: CallProgress['talk']
  readonly sinceMs: AtMs
  readonly transfers: Map<string, TransferProgress>
  hasAgentLeft: boolean
}

/** What becomes of kept conversations. Silent about any other call. */
export interface KeptCallers {
  agentLeftCall(call: CallId): void
  /** The phone of the agent is gone for good. */
  agentLost(call: CallId): void
  /** Another agent has taken over the caller. */
  met(call: CallId, agent: AgentName): void
  /** Stores how far the conversation came. */
  went(leg: LegId): void
  /** The caller agrees to be recorded. False: the conversation is not recorded by consent. */
  consented(call: CallId): boolean
}

/** What outlives the engine of sessions. */
export interface SavedSessions {
  /** The agent was muted or unmuted. */
  soundChanged(agent: AgentName): void
  /** Those of an earlier engine come back: what else they had goes on. */
  restored(sessions: readonly SavedAgentSession[]): void
}

/** What dialing offers to the loop. Undefined without a database. */
export interface OutboundSide {
  /** True if the event was about an attempt or a recovered call. */
  handleSwitchEvent(event: PbxEvent): boolean
  afterTurn(): void
  agentStatusChanged(status: AgentStatus): void
  agentAssigned(leg: LegId, agent: AgentName, agentLeg: LegId, bridge: BridgeId): void
  agentAway(leg: LegId, agent: AgentName, bridge: BridgeId): void
  toAttempt(leg: LegId, type: 'agent.connected'): void
  agentLost(leg: LegId, agent: AgentName, hadMusic: boolean): void
  agentFinished(leg: LegId): void
  readonly kept: KeptCallers
  readonly sessions: SavedSessions
  /** Phones that ring for a caller are cut; `ringing`: further ones. */
  callerIsHere(caller: string | undefined, ringing: readonly AttemptId[]): void
}

export interface InboundCalls {
  /** The call waits for an outside event from now on; `event.came` follows when it is there. */
  awaitEvent(live: LiveCall, awaits: NonNullable<CallProgress['awaits']>, untilMs: AtMs): void
  /** `message.ended` follows, or the end of the leg with what was left. */
  takeMessage(live: LiveCall, asked: Extract<CallCommand, { type: 'takeMessage' }>): void
  /** Records that a call began. `found` gets the call task of the caller's number, once, as a fact of the queue. */
  callArrived(call: CallId, event: ArrivedEvent, found: (matched: MatchedTask | undefined) => void): void
  /** A call that no flow has served. `hungUpBy`: the caller if absent. */
  callMissed(call: CallId, event: ArrivedEvent, hungUpBy?: 'us'): void
  /** Stores how far the call came, if that has changed. `onKept` runs when a crash cannot lose it any more. */
  callWent(live: LiveCall, onKept?: () => void): void
  callEnded(record: CallRecord, live: LiveCall): void
  /** Caller and agent are being joined: what the number says of its talks decides whether a recording begins. */
  talkBegan(live: LiveCall): void
  talkEnded(live: LiveCall): void
  /** The caller agrees to be recorded. False: the number does not record by consent. */
  consented(live: LiveCall): boolean
  /** The number of a caller who asks not to be called again goes to the stop list, with this call as evidence. */
  stopCaller(live: LiveCall, by: string, reason: string): Pick<StoppedFact, 'end' | 'why'>
  readonly queueCallbacks: QueueCallbackDesk
  readonly transfers: TransferDesk
}

/** Callers on their way to telephones outside of the call centre. */
export interface TransferDesk {
  /** `transfer.ended` follows, or `end` is called. A transfer that an earlier engine began is taken over, or over. */
  begin(live: LiveCall, asked: Extract<CallCommand, { type: 'transfer' }>): void
  /** Whatever runs is ended; nothing follows. */
  end(live: LiveCall): void
  /** True if the event was about the other side of a transfer. */
  handleSwitchEvent(event: PbxEvent): boolean
  /** A caller of an earlier engine is served again. Says whether the bridge that they are in stays. */
  takeOver(call: OpenCall, found: ReadonlyMap<LegId, { readonly isUp: boolean; readonly bridge?: BridgeId }>): boolean
  /** Whether the leg is the other side of a transfer that goes on. */
  owns(leg: LegId): boolean
  /** For an agent: whether somebody outside may be called now, and over which trunk. Nobody is called by it. */
  permit(to: TransferTarget, callerId: PhoneNumber | undefined): Promise<ReturnType<typeof mayTransferNow>>
  /** Calls with a permit; the trunk counts the line until `dialedEnded`. */
  dial(leg: LegId, permit: TransferPermit, number: PhoneNumber, ringTimeoutMs: number): void
  dialedEnded(leg: LegId): void
  /** An earlier engine dialed it, and it goes on. */
  dialedBefore(leg: LegId, trunk: string): void
}

/** Callbacks that callers in queues ask for. */
export interface QueueCallbackDesk {
  /** `queue.callback` follows: `offered`, or why not. */
  offer(live: LiveCall): void
  /** `queue.callback` follows: `kept` when the place is stored, or why not. */
  keep(live: LiveCall): void
  /** Since when the caller has a place in the queue of the team, which ends: the caller is here. */
  takePlace(live: LiveCall, team: TeamName): AtMs | undefined
  /** The turn of a place has come, and the agent is reserved for it. */
  callBack(task: CallTaskId, agent: AgentName): void
}

/** Supervisors' legs. */
export interface SupervisionDesk {
  /** True if the event was about a supervisor's leg. */
  handleSwitchEvent(event: PbxEvent): boolean
  afterTurn(): void
  /** Tells a screen that came later whether a supervisor takes part. */
  repeat(agent: AgentName, listener: (notification: AgentNotification) => void): void
}

/** What the phones of agents in conversations do by themselves. `call`: whose other side waits. */
export interface PhonesInTalks {
  /** The phone of a logged-in agent was answered. */
  legAnswered(leg: LegId): void
  phoneAway(agent: AgentName, call: CallId): void
  phoneBack(agent: AgentName): void
  /** It did not come back. Whether the other side had music, which is over. */
  phoneGone(agent: AgentName): boolean
  waitOf(call: CallId): PartyWait | undefined
  isMuted(agent: AgentName): boolean
  isMutedOn(leg: LegId): boolean
  /** Under an earlier engine; the switch has the leg muted still. */
  wasMuted(agent: AgentName, leg: LegId): void
}

/** A caller in a conversation, as far as the screen of their agent needs to know them. */
export type MetCaller = Pick<LiveCall, 'call' | 'leg' | 'caller' | 'called' | 'team' | 'matched' | 'popup'>

export interface AgentScreens {
  /** True if the event was about the leg of somebody whom an agent consults. */
  handleSwitchEvent(event: PbxEvent): boolean
  notifyAgent(agent: AgentName, notification: AgentNotification): void
  /** `isNew`: false for who talked to them before a crash; no page opens again. */
  callerConnected(agent: AgentName, caller: MetCaller, isNew?: boolean): void
  callerParted(agent: AgentName, call: CallId): void
  readonly talkActs: PhonesInTalks
  /** Conversations may have ended. */
  afterTurn(): void
}

/** The parts of one engine; `outbound` to `supervisions` are undefined without a database. */
export interface EngineContext {
  readonly dependencies: EngineDependencies
  readonly distributor: CallDistributor
  readonly player: Player
  readonly trace: Trace
  readonly recordings: LegRecordings
  readonly outbound: OutboundSide | undefined
  readonly inboundCalls: InboundCalls | undefined
  readonly agentDesktop: AgentScreens | undefined
  readonly supervisions: SupervisionDesk | undefined
  readonly callsByLeg: Map<LegId, LiveCall>
  readonly calls: Map<CallId, LiveCall>
  /** Legs that arrived; the engine is still looking up the caller's number. */
  readonly arriving: Map<LegId, Arrival>
  /** How many callers were refused since the start, by reason. */
  readonly refused: Map<string, number>
  readonly lookupTries: LookupTries
  /** Conversations that an earlier engine connected; the engine keeps them until one side hangs up. */
  readonly adopted: Map<LegId, { readonly bridge: BridgeId; readonly legs: readonly LegId[] }>
  /** Callers' conversations that an earlier engine connected, by their legs; until the caller hangs up. */
  readonly keptTalks: Map<LegId, KeptTalk>
  numbers: ReadonlyMap<string, NumberConfig>
  trunks: ReadonlyMap<string, Pick<Trunk, 'country'>> | undefined
  staff(): Staff
  /** Performs the first commands of a new call and schedules its next wake-up. */
  begin(live: LiveCall): void
  /** Sends a fact to a call now; the resulting commands are performed before this returns. */
  sendToCall(call: CallId, fact: CallFact): void
  later(call: CallId, fact: CallFact): void
  callRecorded(record: CallRecord): void
  /** Queues a fact. The engine works on one fact at a time (law 2). */
  enqueue(fact: () => void): void
  performDistributor(commands: readonly DistributorCommand[]): void
  eventName(): string
}

export type ArrivedEvent = Extract<PbxEvent, { type: 'leg.arrived' }>

export interface Arrival {
  readonly call: CallId
  readonly event: ArrivedEvent
  readonly timer: Timer
}

export interface TrunkLimits {
  readonly name: string
  readonly linesMax: number
  readonly callsPerSecondMax: number
  readonly callerIds: readonly PhoneNumber[]
  readonly host?: string
  /** What may go to each other country than those of its caller ids; absent: nothing. */
  readonly abroad?: AbroadCaps
  /** Countries (ISO 3166-1) to whose numbers callers may be transferred over it; absent: none. */
  readonly transferCountries?: readonly string[]
  /** Callers may be transferred to `sip:` addresses of its host. */
  readonly sipTransfers?: boolean
}

export interface DialerOptions {
  readonly dialerRepository: DialerRepository
  readonly flowEvents: FlowEvents
  /** The name of this node; its lease, agent sessions and calls are stored under it. */
  readonly node: string
  readonly spool: Spool
  /** Undefined where the switch has no call event log that the engine can read. */
  readonly callEventLog: CallEventLog | undefined
  readonly trunks: () => readonly TrunkLimits[]
  /** An external system by its id or code; undefined where it is not active. */
  readonly externalSystem: (
    idOrCode: number | string,
  ) => Pick<ExternalSystem, 'corporation' | 'code' | 'popupUrlTemplate' | 'lookup'> | undefined
  /** Where REST serves a file of this number. */
  readonly fileAddress: (file: FileId) => string
  /** What tells this engine from another one with the same `node`, also after a restart. */
  readonly instance?: string
  /** False while another process may have the name of this node: then a lease is neither taken nor renewed. */
  readonly mayHoldLease?: () => boolean
  /** False while another engine dials, or may: then this one does not. */
  readonly mayDial?: () => boolean
  /** Where agents are logged in; undefined where there is no other node. */
  readonly agentNodes?: AgentNodes
  /** Writes a part of a supervision to the audit trail; absent: nobody supervises. */
  readonly keepSupervised?: (part: SupervisedPart) => Promise<void>
  /** Called at every change of an agent's state, for boards and other nodes. */
  readonly onStatus?: (status: AgentStatus) => void
  /** Called when a campaign's board changes, at most once a second for each campaign. */
  readonly onBoard?: (board: CampaignBoard) => void
}
