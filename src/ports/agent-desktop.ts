import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, AgentName, CallId, CallTaskId, CampaignId } from '../kernel/ids.ts'

/** What an agent does, read off their channel and their screen; never set by hand (issue of every other dialer). */
export type AgentState =
  | 'loggedOut'
  | 'calling' // their phone is being called, at log-in or after it was lost
  | 'ready'
  | 'reserved' // a task is offered or dialed for them alone
  | 'talking'
  | 'wrapUp'
  | 'paused'

export interface AgentStatus {
  readonly agent: AgentName
  readonly state: AgentState
  readonly sinceAtMs: AtMs
  /** Why they are paused, or were logged out. */
  readonly reason?: string
  /** When the state ends by itself. */
  readonly untilAtMs?: AtMs
  /** A pause or log-out that was asked for, and takes effect when the lines that need them are resolved. */
  readonly asked?: 'pause' | 'logOut'
}

/** What an agent may order, at their screen or through the API. */
export type AgentOrder =
  | { readonly type: 'logIn' }
  | { readonly type: 'logOut' }
  | { readonly type: 'ready' }
  | { readonly type: 'pause'; readonly reason: string }
  /** Dials the task that is offered to them (preview), or one of their choice (click-to-dial). */
  | { readonly type: 'dial'; readonly task?: CallTaskId }
  | { readonly type: 'skip' }
  | { readonly type: 'hangUp' }
  | { readonly type: 'endWrapUp' }
  | { readonly type: 'feedback'; readonly feedbackType: string; readonly isFinal: boolean; readonly note?: string }
  | { readonly type: 'callback'; readonly atMs: AtMs; readonly askedByContact: boolean }
  /** The other side agrees to be recorded: recording begins now, where the campaign records by consent. */
  | { readonly type: 'recordingConsent' }
  /** "This was a machine": of the present call, or of the one that is being wrapped up. */
  | { readonly type: 'machine' }

/** What came of an order. `why` is a sentence for the agent. */
export type OrderAnswer = { readonly ok: true } | { readonly ok: false; readonly why: string }

export type AgentNotification =
  | { readonly type: 'status'; readonly status: AgentStatus }
  /** Look at it, then `dial` or `skip`. */
  | { readonly type: 'preview'; readonly task: OfferedTask; readonly untilAtMs: AtMs }
  | { readonly type: 'call'; readonly call: AgentCall }
  | { readonly type: 'callEnded'; readonly call: CallId; readonly why?: string }
  /** The external system's page about the call; once per call and agent (D-28). */
  | {
      readonly type: 'popup'
      readonly reason: 'a' | 'b' | 'c'
      readonly url: string
      readonly call: CallId
      readonly activity?: ActivityId
      readonly task?: CallTaskId
    }
  /** The integrator ended the task while it is talked about (D-13). */
  | { readonly type: 'taskEnded'; readonly task: CallTaskId }

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
}

/** The engine, as people at screens see it. The engine implements it, `rest` speaks it over WebSocket and HTTP. */
export interface AgentDesktop {
  /** Orders are carried out one after another; the answer says whether it was possible. */
  order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer>
  /** A screen is there: it hears everything from now on, first the state. The answer takes it away again. */
  attach(agent: AgentName, listener: (notification: AgentNotification) => void): () => void
  statuses(): readonly AgentStatus[]
}
