/** What the caller of a test sees of their call, whoever carries it: virtual time, or a real switch. */
import type { CallCommand, CallNote, CallRecord } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { StepName } from '../kernel/ids.ts'
import type { EventData, EventName } from '../ports/flows/flow-events.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { WebRequest } from '../ports/web.ts'
import type { Sentence } from './heard.ts'
import type { Verb } from './script.ts'
import type { Text } from './sent-texts.ts'
import type { Transferred } from './simulated-transfers.ts'
import type { Message } from './tape.ts'

export type Joined = Extract<CallCommand, { type: 'joinQueue' }>
export type Stopped = Extract<CallCommand, { type: 'stopCaller' }>
export type Awaited = Extract<CallCommand, { type: 'awaitEvent' }>

/**
 * Somebody who acts, and waits by `yield` for the next thing that happens, by that instant at the latest. The answer is
 * whether anything did.
 */
export type Act<Result> = Generator<AtMs | undefined, Result, boolean>

/** A call and everything that has happened in it. */
export interface ScriptedCall {
  readonly nowMs: AtMs
  readonly sentences: readonly Sentence[]
  readonly requests: readonly Pick<WebRequest, 'method' | 'url' | 'body'>[]
  /** Requests that nobody answers. */
  readonly unanswered: readonly Pick<WebRequest, 'method' | 'url'>[]
  readonly texts: readonly Pick<Text, 'to' | 'text'>[]
  readonly stops: readonly Stopped[]
  readonly joins: readonly Joined[]
  /** Joinings whose place is kept for a callback. */
  readonly kept: readonly Joined[]
  readonly waits: readonly Awaited[]
  readonly tape: {
    /** Whether the caller is recorded now. */
    readonly isOn: boolean
    readonly messages: readonly Message[]
    /** The caller begins to speak, after the tone; returns when they will have spoken. */
    say(forMs: number, nowMs: AtMs): AtMs
  }
  readonly transfers: { readonly all: readonly Transferred[] }
  /** Whether a step listens for words. */
  readonly ear: { readonly isOpen: boolean }
  /** Whether a prompt is being said that the caller's voice can stop. */
  readonly hearsVoice: boolean
  readonly queue: 'none' | 'waiting' | 'talking'
  readonly stepName: StepName | undefined
  /** Whether the caller, or we, have hung up. */
  readonly hasLeft: boolean
  readonly record: CallRecord | undefined
  readonly lines: readonly JournalLine[]
  readonly notes: readonly CallNote[]
  /** Broken promises: each fails a test. */
  readonly faults: readonly string[]
  press(digit: string): void
  /** The caller speaks over a prompt that can be stopped so, from now on. */
  talk(forMs: number): void
  /** Digits, in words or figures, and how sure the engine for speech is of them. */
  speak(text: string, confidence: number): void
  hangUp(): void
  agent(does: Extract<Verb, { kind: 'agent' }>['does']): void
  postEvent(event: EventName, data: EventData): void
  crash(): void
}
