/** Facts and commands of a step's machine. `flow-run` connects it to the call. */
import type { AgentName, PlaybackId } from '../../kernel/ids.ts'
import type { EventData } from '../../ports/flows/flow-events.ts'
import type { HeardWords } from '../../ports/hearing.ts'
import type { SmsResult } from '../../ports/sms.ts'
import type { WebAnswer } from '../../ports/web.ts'
import type { MessageFact, QueueCallbackFact, StoppedFact, TransferFact } from '../model/call-messages.ts'
import type { Prompt } from '../model/flow.ts'

/** What happens to a prompt that the caller's voice can stop. */
export type VoiceFact =
  | { readonly type: 'playback.started'; readonly playback: PlaybackId }
  | { readonly type: 'leg.talking' | 'leg.quiet' }

/** Facts for a step. Facts about an older prompt or request never reach it. */
export type StepFact =
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'prompt.ended' }
  | { readonly type: 'speech.began' }
  | ({ readonly type: 'speech.heard' } & HeardWords)
  /** Nothing is heard of the caller from now on; keys still are. */
  | { readonly type: 'speech.failed'; readonly why: string }
  | { readonly type: 'prompt.failed'; readonly why: string }
  | VoiceFact
  | { readonly type: 'answered'; readonly answer: WebAnswer }
  | { readonly type: 'sms.settled'; readonly result: SmsResult }
  | StoppedFact
  | MessageFact
  | TransferFact
  | { readonly type: 'event.came'; readonly data: EventData }
  | { readonly type: 'wait.refused'; readonly why: string }
  | { readonly type: 'queue.refused'; readonly why: 'full' | 'closed' }
  | { readonly type: 'queue.position'; readonly position: number; readonly waitMs?: number }
  | QueueCallbackFact
  | { readonly type: 'agent.connected'; readonly agent: AgentName }
  | { readonly type: 'agent.left'; readonly agent: AgentName }
  /** The agent's phone was lost: the caller has their old place in the queue again. */
  | { readonly type: 'agent.lost'; readonly agent: AgentName }

/** How a step ended: `done` or a named end of its kind (flow-language.md 3.2), and why, for the trace. */
export interface StepEnd {
  readonly end: string
  readonly value?: unknown
  readonly why?: string | undefined
  /** A key that belongs to this step if it is the next one to come. */
  readonly lateKey?: string | undefined
}

/** Commands of a step, without ids. `end` is the last. */
export type StepCommand =
  /** Speak; one `prompt.ended` or `prompt.failed` follows. `also` adds values the prompt may mention. */
  | { readonly type: 'say'; readonly prompt: Prompt; readonly also?: Readonly<Record<string, unknown>> | undefined }
  /** Stop speaking; nothing follows. */
  | { readonly type: 'hush' }
  /** Listen to what the caller says, in this language, until `stopListening`. */
  | { readonly type: 'listen'; readonly language: string }
  | { readonly type: 'stopListening' }
  | { readonly type: 'ask' }
  | { readonly type: 'sendText' }
  | { readonly type: 'stopCaller' }
  | { readonly type: 'awaitEvent' }
  | { readonly type: 'stopAwaiting' }
  | { readonly type: 'takeMessage' }
  | { readonly type: 'endMessage' }
  | { readonly type: 'transfer' }
  | { readonly type: 'endTransfer' }
  | { readonly type: 'join' }
  | { readonly type: 'leave' }
  | { readonly type: 'askPosition' }
  | { readonly type: 'askCallback' | 'keepPlace' }
  | { readonly type: 'musicOn' }
  | { readonly type: 'musicOff' }
  | { readonly type: 'mark' }
  | ({
      readonly type: 'end'
      /** Keys that were typed but not used: they belong to the next step that asks. */
      readonly leftover?: string | undefined
    } & StepEnd)
