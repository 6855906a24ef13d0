/** Facts that a call gets and commands that it gives: the two vocabularies of `flow-run`. */

import type { AtMs } from '../../kernel/clock.ts'
import type {
  AgentName,
  CallId,
  FlowName,
  LegId,
  ListeningId,
  PhoneNumber,
  PlaybackId,
  RequestId,
  StepName,
  TeamName,
} from '../../kernel/ids.ts'
import type { RecordingMode } from '../../ports/call-recordings.ts'
import type { CaseLookup } from '../../ports/directory.ts'
import type { EventData, EventName } from '../../ports/flows/flow-events.ts'
import type { LegEnd, MessageRules, PbxEvent, Volume } from '../../ports/pbx.ts'
import type { SmsResult } from '../../ports/sms.ts'
import type { Utterance } from '../../ports/speech.ts'
import type { TransferTarget } from '../../ports/transfer.ts'
import type { WebAnswer, WebRequest } from '../../ports/web.ts'

/** How a call begins: everything its first command may depend on. */
export interface CallBegins {
  readonly call: CallId
  readonly leg: LegId
  readonly called: string
  /** Absent when withheld. Never proof of identity. */
  readonly caller: string | undefined
  readonly language: string | undefined
  /** Addresses for `${env.…}`. Secrets are not here: the adapter fills them in. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Where the external system of the caller's task, and that of the called number, tell of cases (calls-and-flows-72).
   * Secrets are not here either.
   */
  readonly lookups?: { readonly task?: CaseLookup; readonly number?: CaseLookup }
  /** What `match-caller` found for this number: a call task, or nothing. */
  readonly task: Readonly<Record<string, unknown>> | undefined
  readonly atMs: AtMs
  /** After a restart of the engine, from the beginning. A prompt of the earlier engine may still play. */
  readonly isServedAgain?: true
  /** Where the earlier engine left it, in the words of `run/place.ts`. Absent: the flow begins at its start. */
  readonly place?: object
  /** When the wait steps of the earlier engine end, by the keys of their visits (calls-and-flows-47). */
  readonly waitsUntil?: Readonly<Record<string, AtMs>>
}

/** What a caller says to a step that listens. */
export type SpeechFact = Extract<PbxEvent, { type: 'leg.speaks' | 'leg.said' | 'leg.unheard' }>

type OwnLegFact =
  | SpeechFact
  | Extract<
      PbxEvent,
      {
        type:
          | 'leg.answered'
          | 'leg.digit'
          | 'leg.talking'
          | 'leg.quiet'
          | 'leg.ended'
          | 'playback.started'
          | 'playback.ended'
      }
    >

type LegEnded = Extract<PbxEvent, { type: 'leg.ended' }>

/** Whether the caller's number is on the stop list now, and if not, why. */
export type StoppedFact = {
  readonly type: 'caller.stopped'
  readonly end: 'done' | 'noNumber' | 'failed'
  readonly why?: string
}

/** A message of a caller, as the flow knows it. */
export interface LeftMessage {
  /** Where REST serves it once the call is over; absent while the database could not give it a number. */
  readonly url?: string
  /** Whole ones; at least 1. */
  readonly seconds: number
}

/** What came of a message that the caller was asked for. */
export type MessageFact = { readonly type: 'message.ended' } & (
  | { readonly end: 'done'; readonly message: LeftMessage }
  | { readonly end: 'noInput' | 'failed'; readonly why: string }
)

/**
 * A transfer of the caller. `dialing`: the gate let it pass. `done`: a person was reached, and the talk is over; of a
 * blind one, the other network has taken over the caller.
 */
export type TransferFact =
  | { readonly type: 'transfer.dialing' | 'transfer.connected' }
  | {
      readonly type: 'transfer.ended'
      readonly end: 'done' | 'busy' | 'noAnswer' | 'refused' | 'failed'
      readonly why?: string
    }

/** What the flow wants of a transfer. */
export interface TransferOrder {
  readonly to: TransferTarget
  readonly mode: 'attended' | 'blind'
  readonly ringTimeoutMs: number
  /** Absent: the first number of the trunk. */
  readonly callerId?: PhoneNumber
}

/** The caller may be called back, has a place for it, or why not: they stay in the queue. */
export type QueueCallbackFact = {
  readonly type: 'queue.callback'
  readonly what: 'offered' | 'kept' | 'refused'
  readonly why?: string
}

/** A fact about one call. Plain JSON: the journal keeps it and a replay repeats it. */
export type CallFact =
  | Exclude<OwnLegFact, LegEnded>
  /** `left`: the caller hung up while they left this message. */
  | (LegEnded & { readonly left?: LeftMessage })
  | { readonly type: 'time.passed' }
  | { readonly type: 'request.answered'; readonly request: RequestId; readonly answer: WebAnswer }
  | (StoppedFact & { readonly key: string })
  | { readonly type: 'sms.settled'; readonly key: string; readonly result: SmsResult }
  /** What a wait step waited for; `key` is that of its visit. */
  | { readonly type: 'event.came'; readonly key: string; readonly data: EventData }
  | { readonly type: 'wait.refused'; readonly key: string; readonly why: string }
  | (MessageFact & { readonly key: string })
  | (TransferFact & { readonly key: string })
  | { readonly type: 'queue.refused'; readonly why: 'full' | 'closed' }
  /** `waitMs`: the expected wait; absent where it is not known. */
  | { readonly type: 'queue.position'; readonly position: number; readonly waitMs?: number }
  | QueueCallbackFact
  | { readonly type: 'agent.connected'; readonly agent: AgentName }
  | { readonly type: 'agent.left'; readonly agent: AgentName }
  /** The agent's phone was lost: the caller has their old place in the queue again. */
  | { readonly type: 'agent.lost'; readonly agent: AgentName }
  /** A defect of ours or a command to end: the call gets the built-in apology. */
  | { readonly type: 'call.broken'; readonly why: string }

/** A command of a call. `auth` and headers still have `${secret.…}` as text; the performer fills them in. */
export type CallCommand =
  | { readonly type: 'answer'; readonly leg: LegId }
  | { readonly type: 'hangUp'; readonly leg: LegId }
  /** With `hearsVoice` the caller's voice is told of while it plays. */
  | {
      readonly type: 'play'
      readonly leg: LegId
      readonly playback: PlaybackId
      readonly say: readonly Utterance[]
      readonly hearsVoice?: true
    }
  | { readonly type: 'setVolume'; readonly playback: PlaybackId; readonly volume: Volume }
  | { readonly type: 'stopPlaying'; readonly playback: PlaybackId }
  /** `leg.speaks` and `leg.said` follow each utterance, or `leg.unheard` once, until `stopListening`. */
  | { readonly type: 'listen'; readonly leg: LegId; readonly listening: ListeningId; readonly language: string }
  | { readonly type: 'stopListening'; readonly listening: ListeningId }
  | { readonly type: 'startMusic'; readonly leg: LegId; readonly music: string }
  | { readonly type: 'stopMusic'; readonly leg: LegId }
  | { readonly type: 'request'; readonly request: RequestId; readonly ask: WebRequest }
  | { readonly type: 'cancelRequest'; readonly request: RequestId }
  | { readonly type: 'stopCaller'; readonly key: string; readonly by: string; readonly reason: string }
  /** `event.came` follows once, now or later, unless `stopAwaiting` or the end of the call is first. */
  | ({ readonly type: 'awaitEvent'; readonly key: string; readonly untilMs: AtMs } & EventName)
  | { readonly type: 'stopAwaiting' }
  /** A tone, and then the caller alone is recorded. `message.ended` follows once, unless the leg ends before. */
  | ({ readonly type: 'takeMessage'; readonly key: string; readonly team: TeamName | undefined } & MessageRules)
  | { readonly type: 'endMessage' }
  /** `transfer.ended` follows once, unless `endTransfer` or the end of the leg is first. */
  | ({ readonly type: 'transfer'; readonly key: string } & TransferOrder)
  | { readonly type: 'endTransfer' }
  | {
      readonly type: 'sendSms'
      readonly key: string
      readonly to: string
      readonly text: string
      readonly wantsReport?: true
    }
  | {
      readonly type: 'joinQueue'
      readonly team: TeamName
      readonly priority: number
      /** That the agent must have; absent: any agent of the team. */
      readonly skills?: readonly string[]
      readonly whisper: readonly Utterance[]
      readonly popup: string | undefined
      readonly callerId: string
      /** There exactly when the flow says that the caller agrees to be recorded. */
      readonly recordingConsent?: true
      /** Of the talk that follows; absent: as the team or the number says. */
      readonly recording?: RecordingMode
    }
  | { readonly type: 'leaveQueue' }
  | { readonly type: 'askPosition' }
  /** Of a caller in a queue; `queue.callback` follows both. */
  | { readonly type: 'askCallback' | 'keepPlace' }
  /** The last command of every call, exactly once. */
  | { readonly type: 'endCall'; readonly record: CallRecord }

export interface CallRecord {
  readonly call: CallId
  readonly flow: FlowName
  readonly revision: string
  readonly called: string
  /** Absent when withheld. */
  readonly caller: string | undefined
  readonly outcome: string
  readonly path: readonly StepName[]
  readonly marks: readonly string[]
  readonly activity: Readonly<Record<string, string>>
  readonly agent: AgentName | undefined
  readonly arrivedAtMs: AtMs
  readonly answeredAtMs: AtMs | undefined
  readonly endedAtMs: AtMs
  readonly endedBy: LegEnd | 'us'
}

/** Why the call went where it went: written to the journal beside facts and commands. */
export type CallNote =
  | {
      readonly type: 'step.entered'
      readonly step: StepName
      readonly line: number
      readonly kind: string
      readonly visit: number
    }
  | {
      readonly type: 'step.left'
      readonly step: StepName
      readonly end: string
      readonly to: StepName | undefined
      readonly why: string | undefined
    }
