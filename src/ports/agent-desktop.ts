import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  CallId,
  CallTaskId,
  CampaignId,
  LegId,
  OutcomeId,
  TeamName,
} from '../kernel/ids.ts'
import type { FieldValue } from './outcome.ts'

/** What an agent does. The engine derives it from the agent's channel and screen; it is never set by hand. */
export type AgentState =
  | 'loggedOut'
  | 'calling' // their phone is being called, at log-in or after it was lost
  | 'ready'
  | 'reserved' // a task is offered or dialed for them alone
  | 'talking'
  | 'wrapUp'
  | 'paused'

/** `listen`: nobody hears the supervisor; `whisper`: the agent alone; `join`: both sides. */
export type SupervisionMode = 'listen' | 'whisper' | 'join'

export interface AgentStatus {
  readonly agent: AgentName
  readonly state: AgentState
  readonly sinceAtMs: AtMs
  /** Why they are paused, or were logged out. */
  readonly reason?: string
  /** When the state ends by itself. */
  readonly untilAtMs?: AtMs
  /** What was asked for and waits: a pause or log-out for the lines that need them, a log-in for their phone. */
  readonly asked?: 'pause' | 'logOut' | 'logIn'
}

/**
 * The call that an order is about, as its notification named it; the present or the last one where it is missing. In
 * the first seconds of a new call an order without it is refused (campaigns-54).
 */
interface AboutCall {
  readonly call?: CallId
}

/** What an agent may order, at their screen or through the API. */
export type AgentOrder =
  | { readonly type: 'logIn' }
  | { readonly type: 'logOut'; readonly reason?: string }
  /** With an instant: ends the wrap-up or pause that began then, and no other state (console-49). */
  | { readonly type: 'ready'; readonly sinceAtMs?: AtMs }
  /** Calls their phone anew and lets the old leg go after: the page was loaded again, or its sound is gone. */
  | { readonly type: 'renewLeg' }
  /** Their phone may not be heard: the page of the browser that it is hears nothing, or is gone. */
  | { readonly type: 'doubtPhone' }
  | { readonly type: 'pause'; readonly reason: string }
  /** Dials the task that is offered to them (preview), or one of their choice; `number`: at this number alone. */
  | { readonly type: 'dial'; readonly task?: CallTaskId; readonly number?: string }
  /** Dials a number as they write it, in a campaign that lets them (campaigns-111). */
  | { readonly type: 'dialNumber'; readonly number: string; readonly campaign: CampaignId }
  /** Refuses the task that is offered to them. With a name no other one: the next may be there before a key is. */
  | { readonly type: 'skip'; readonly task?: CallTaskId; readonly reason?: string }
  | ({ readonly type: 'hangUp' } & AboutCall)
  /** The other side of the present conversation waits with music; `resume` takes it back. */
  | ({ readonly type: 'hold' | 'resume' } & AboutCall)
  /** Nobody hears the agent, in this conversation and the next ones, until `unmute`. */
  | ({ readonly type: 'mute' | 'unmute' } & AboutCall)
  /** Presses keys (`0-9*#`) for the other side: menus of machines and exchanges. */
  | ({ readonly type: 'digits'; readonly digits: string } & AboutCall)
  /** Talks with somebody else while the other side waits; `transfer` leaves the two as soon as they can talk. */
  | ({ readonly type: 'consult' | 'transfer'; readonly to: ConsultTarget } & AboutCall)
  /** `connect`: leaves the two alone; `join`: all three talk; `back`: lets the third go, and takes the other back. */
  | ({ readonly type: 'connect' | 'join' | 'back' } & AboutCall)
  /** With a call: the wrap-up of that one alone. */
  | ({ readonly type: 'endWrapUp' } & AboutCall)
  | ({
      readonly type: 'feedback'
      readonly feedbackType: string
      readonly isFinal: boolean
      readonly note?: string
    } & AboutCall)
  /** An outcome of the catalogue of the call's campaign (campaigns-104). */
  | ({ readonly type: 'outcome' } & OutcomeGiven & AboutCall)
  | ({ readonly type: 'callback'; readonly atMs: AtMs; readonly askedByContact: boolean } & AboutCall)
  /** The other side asks not to be called again; `reason` is what they said. */
  | ({ readonly type: 'doNotCall'; readonly reason: string } & AboutCall)
  /** The other side agrees to be recorded: recording begins now, where the campaign records by consent. */
  | ({ readonly type: 'recordingConsent' } & AboutCall)
  /** "This was a machine": of the present call, or of an earlier one. */
  | ({ readonly type: 'machine' } & AboutCall)

/** A colleague who is ready, or a number as somebody writes it. */
export type ConsultTarget = { readonly colleague: AgentName } | { readonly number: string }

/** `ringing`: not answered; `talking`: the other side waits; `all`: all three talk; `asked`: a colleague asks us. */
export type ConsultState = 'ringing' | 'talking' | 'all' | 'asked'

/** An outcome as an agent chooses it. */
export interface OutcomeGiven {
  readonly outcome: OutcomeId
  readonly note?: string
  readonly callback?: { readonly atMs: AtMs; readonly askedByContact: boolean; readonly isForTeam: boolean }
  readonly fields: readonly FieldValue[]
}

/** The result of an order. `why` is a sentence for the agent; `about` is the part of the order that is wrong. */
export type OrderAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly about?: WrongPart }

/** A part of an outcome; a number is the place of a field value. */
export type WrongPart = 'outcome' | 'callback' | 'fields' | number

export type AgentNotification =
  | { readonly type: 'status'; readonly status: AgentStatus }
  /** The agent's phone is called now; a phone in the browser answers this leg, and no other. */
  | { readonly type: 'leg'; readonly leg: LegId }
  /** The engine hangs it up. A phone in the browser ends its side, also where SIP does not reach it. */
  | { readonly type: 'legEnded'; readonly leg: LegId }
  /** Look at it, then `dial` or `skip`. */
  | { readonly type: 'preview'; readonly task: OfferedTask; readonly untilAtMs: AtMs }
  | { readonly type: 'call'; readonly call: AgentCall }
  | { readonly type: 'callEnded'; readonly call: CallId; readonly why?: string }
  /** The call ends because the two sides could not be brought together; the agent may have left them already. */
  | { readonly type: 'notConnected'; readonly call: CallId; readonly why: string }
  /** Whether nobody hears the agent, and whether the other side of their call waits with music. */
  | { readonly type: 'sound'; readonly isMuted: boolean; readonly isHeld: boolean }
  /** Whom the agent consults, or who consults them; `state` null: not any more, and why it ended by itself. */
  | {
      readonly type: 'consult'
      readonly with: string
      /** To show: the name of the person, or the number. */
      readonly name: string
      readonly state: ConsultState | null
      readonly sinceAtMs?: AtMs
      readonly why?: string
    }
  /** The external system's page about the call; once per call and agent (D-28). */
  | {
      readonly type: 'popup'
      readonly reason: 'a' | 'b' | 'c'
      readonly url: string
      readonly call: CallId
      readonly activity?: ActivityId
      readonly task?: CallTaskId
    }
  /** The task was ended while it is talked about (D-13), or ended or stopped while it is offered: no offer any more. */
  | { readonly type: 'taskEnded'; readonly task: CallTaskId }
  /** A supervisor takes part in the agent's call, in this way; null: not any more. */
  | {
      readonly type: 'supervisor'
      readonly call: CallId
      readonly supervisor: AgentName
      readonly mode: SupervisionMode | null
    }
  /** The callback that the agent promised will not be called: its task was ended or stopped. */
  | { readonly type: 'callbackRefused'; readonly task: CallTaskId; readonly why: string }

/** A task as its agent sees it before and while it is dialed. */
export interface OfferedTask {
  readonly task: CallTaskId
  readonly campaign: CampaignId
  readonly receiverName: string
  readonly externalCaseNumber?: string
  readonly externalCustomer?: string
}

export interface AgentCall {
  readonly call: CallId
  readonly direction: 'in' | 'out'
  readonly number: string
  readonly activity?: ActivityId
  readonly task?: OfferedTask
  /** Whose agent took a call that came in: its outcomes are those of the catalogue of this team. */
  readonly team?: TeamName
  /** The code of a case that the caller typed: of the system of the number that they called. */
  readonly typedCode?: string
}

/** Callers who wait for a team on this node, and its agents. */
export interface QueueStatus {
  readonly team: TeamName
  readonly waiting: number
  readonly longestSinceAtMs: AtMs | undefined
  /** Agents who wait for a call. */
  readonly ready: number
  /** Logged-in agents who are neither on a break nor without their phone, and those whose phone rings or talks. */
  readonly atWork: number
}

/** The engine as agents' screens use it. The engine implements it; `rest` offers it over WebSocket and HTTP. */
export interface AgentDesktop {
  /** Orders are carried out one after another; the answer says whether it was possible. */
  order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer>
  /** Attaches a screen: it receives notifications from now on, first the state. The returned function detaches it. */
  attach(agent: AgentName, listener: (notification: AgentNotification) => void): () => void
  statuses(): readonly AgentStatus[]
  /** Whether the agent is ready, and neither asked nor needed for a line that is being dialed. */
  isSpare(agent: AgentName): boolean
  /** Hears what every agent is notified of, and counts as nobody's screen. The returned function ends it. */
  listen(listener: (agent: AgentName, notification: AgentNotification) => void): () => void
  queues(): readonly QueueStatus[]
  /** The teams of the configuration that this agent belongs to, whether or not they are at work. */
  teamsOf(agent: AgentName): readonly TeamName[]
  /** The campaigns in which this agent may dial numbers that they type, by name. */
  campaignsToDialIn(agent: AgentName): readonly { readonly campaign: CampaignId; readonly name: string }[]
}
