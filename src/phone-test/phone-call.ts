/**
 * One call of a test by phone. What the engine decided is read from its journal, what it asked for from the servers
 * around it, and what the caller heard from the sound that arrived.
 */
import type { RtpPeer } from '../../demo/sip/rtp-peer.ts'
import type { SipCaller } from '../../demo/sip/sip-caller.ts'
import type { CallCommand, CallFact, CallNote, CallRecord } from '../flow/model/call-messages.ts'
import { type Sentence, sentenceOf } from '../flow-test/heard.ts'
import type { Awaited, Joined, ScriptedCall, Stopped } from '../flow-test/scripted-call.ts'
import type { AtMs, Clock } from '../kernel/clock.ts'
import type { CallId, PlaybackId, StepName } from '../kernel/ids.ts'
import type { EventData, EventName } from '../ports/flows/flow-events.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { Utterance } from '../ports/speech.ts'
import type { OutsideWorld } from './outside-world.ts'
import type { PhoneTape } from './phone-tape.ts'

/** What a call by phone needs of its place. */
interface PhoneCallParts {
  /** The time of the service. */
  readonly clock: Clock
  readonly world: OutsideWorld
  readonly tape: PhoneTape
  readonly lengthMs: (utterance: Utterance) => number | undefined
  /** The caller's sound. */
  readonly sound: RtpPeer
  /** An agent of the team. A rejection fails the test. */
  readonly agent: (does: AgentDoes, team: string) => Promise<void>
  readonly postEvent: (event: EventName, data: EventData) => Promise<void>
}

type AgentDoes = Parameters<ScriptedCall['agent']>[0]

interface Prompt extends Pick<Extract<CallCommand, { type: 'play' }>, 'say' | 'hearsVoice'> {
  sentence?: Sentence
  /** Sound that had arrived when it began. */
  soundMs: number
}

/** Nothing happens for so long: the call hangs. Longer than any test may wait, see `why-not-by-phone`. */
const STALLED_MS = 75_000
/** Of a prompt of this length and more, a part must have been heard. Our choice: shorter ones may be one soft word. */
const AUDIBLE_FROM_MS = 800
const AUDIBLE_SHARE = 0.2

/** The call. Facts come in through `hear` and `ended`; everybody else is told of them by `next`. */
export class PhoneCall implements ScriptedCall {
  readonly sentences: Sentence[] = []
  readonly joins: Joined[] = []
  readonly kept: Joined[] = []
  readonly stops: Stopped[] = []
  readonly waits: Awaited[] = []
  readonly lines: JournalLine[] = []
  readonly notes: CallNote[] = []
  readonly faults: string[] = []
  /** Nobody outside is called, and nobody understands words: see `why-not-by-phone`. */
  readonly transfers = { all: [] }
  readonly ear = { isOpen: false }
  queue: ScriptedCall['queue'] = 'none'
  stepName: StepName | undefined
  record: CallRecord | undefined
  hasLeft = false
  readonly #parts: PhoneCallParts
  readonly #prompts = new Map<PlaybackId, Prompt>()
  /** What is being played now. */
  #spoken: Prompt | undefined
  #call: CallId | undefined
  #caller: SipCaller | undefined
  #closedAtMs: AtMs | undefined
  #bell = Promise.withResolvers<true>()

  constructor(parts: PhoneCallParts) {
    this.#parts = parts
  }

  get nowMs(): AtMs {
    return this.#closedAtMs ?? this.#parts.clock.nowMs()
  }

  get requests(): ScriptedCall['requests'] {
    return this.#parts.world.requests
  }

  get unanswered(): ScriptedCall['unanswered'] {
    return this.#parts.world.unanswered
  }

  get texts(): ScriptedCall['texts'] {
    return this.#parts.world.texts
  }

  get tape(): PhoneTape {
    return this.#parts.tape
  }

  /** The phone is connected. */
  answered(caller: SipCaller): void {
    this.#caller = caller
  }

  /** Something happened: whoever waits looks again. */
  ring(): void {
    const bell = this.#bell
    this.#bell = Promise.withResolvers()
    bell.resolve(true)
  }

  /** Waits for the next thing, by `untilMs` at the latest. False: nothing came by then; the call hangs or is over. */
  async next(untilMs?: AtMs): Promise<boolean> {
    if (this.record && untilMs === undefined) return false
    const { clock } = this.#parts
    const late = Promise.withResolvers<false>()
    const timer = clock.schedule(untilMs ?? clock.nowMs() + STALLED_MS, () => late.resolve(false))
    const hasHappened = await Promise.race([this.record ? late.promise : this.#bell.promise, late.promise])
    timer.cancel()
    return hasHappened
  }

  /** A line of the journal, as the engine writes it. */
  hear(line: JournalLine): void {
    if (line.what.type === 'call.began') this.#call ??= line.call
    if (line.call !== this.#call || line.by !== 'call') return
    this.lines.push(line)
    if (line.kind === 'command') this.#command(line.what as unknown as CallCommand)
    else if (line.kind === 'fact') this.#fact(line.what as unknown as CallFact)
    else this.#note(line.what as unknown as CallNote)
    this.ring()
  }

  /** The engine has ended the call. */
  ended(record: CallRecord): void {
    this.hasLeft = true
    this.record = record
    this.ring()
  }

  press(digit: string): void {
    this.#parts.sound.press(digit)
  }

  get hearsVoice(): boolean {
    return this.#spoken?.hearsVoice === true
  }

  talk(forMs: number): void {
    this.tape.say(forMs, this.nowMs)
  }

  speak(): void {
    this.faults.push('words cannot be said by phone')
  }

  hangUp(): void {
    this.hasLeft = true
    this.#caller?.hangUp()
  }

  agent(does: AgentDoes): void {
    const team = this.joins.at(-1)?.team
    if (team === undefined) return
    this.#inBackground(this.#parts.agent(does, team))
  }

  postEvent(event: EventName, data: EventData): void {
    this.#inBackground(this.#parts.postEvent(event, data))
  }

  crash(): void {
    this.faults.push('a crash cannot be played by phone')
  }

  /** Until the call is over; an agent who still talks leaves. False: it hangs. */
  async finish(): Promise<boolean> {
    while (!this.record) {
      if (this.queue === 'talking') this.agent('leaves')
      if (!(await this.next())) break
    }
    return this.record !== undefined
  }

  /** Nothing more is played: the time of the call stands still. */
  close(): void {
    this.#closedAtMs = this.record?.endedAtMs ?? this.nowMs
  }

  #inBackground(work: Promise<void>): void {
    work
      .catch((error: unknown) => this.faults.push(error instanceof Error ? error.message : String(error)))
      .finally(() => this.ring())
  }

  #note(note: CallNote): void {
    this.notes.push(note)
    if (note.type === 'step.entered') this.stepName = note.step
  }

  #command(command: CallCommand): void {
    if (command.type === 'play') this.#prompts.set(command.playback, { ...command, soundMs: 0 })
    else if (command.type === 'joinQueue') {
      this.joins.push(command)
      this.queue = 'waiting'
    } else if (command.type === 'leaveQueue') this.queue = 'none'
    else if (command.type === 'stopCaller') this.stops.push(command)
    else if (command.type === 'awaitEvent') this.waits.push(command)
    else if (command.type === 'takeMessage') this.tape.take(command, this.nowMs)
  }

  #fact(fact: CallFact): void {
    if (fact.type === 'playback.started') this.#begins(fact.playback)
    else if (fact.type === 'playback.ended') this.#ends(fact)
    else if (fact.type === 'agent.connected') this.queue = 'talking'
    else if (fact.type === 'agent.left' || fact.type === 'queue.refused') this.queue = 'none'
    else if (fact.type === 'agent.lost') this.queue = 'waiting'
    else if (fact.type === 'queue.callback' && fact.what === 'kept') this.kept.push(this.joins.at(-1)!)
    else if (fact.type === 'message.ended') this.tape.ended(fact.end === 'done' ? fact.message : undefined)
    else if (fact.type === 'leg.ended') {
      this.hasLeft = true
      this.tape.ended(fact.left)
      const cutOff = this.#spoken?.sentence
      if (cutOff) cutOff.endsAtMs = Math.min(cutOff.endsAtMs, this.nowMs)
    }
  }

  #begins(playback: PlaybackId): void {
    const prompt = this.#prompts.get(playback)
    if (!prompt || prompt.sentence) return
    prompt.sentence = sentenceOf(prompt.say, this.nowMs, this.#parts.lengthMs)
    prompt.soundMs = this.#soundMs
    this.sentences.push(prompt.sentence)
    this.#spoken = prompt
  }

  #ends({ playback, result }: Extract<CallFact, { type: 'playback.ended' }>): void {
    const prompt = this.#prompts.get(playback)
    const sentence = prompt?.sentence
    if (!sentence) return
    if (prompt === this.#spoken) this.#spoken = undefined
    if (result !== 'finished') {
      sentence.endsAtMs = Math.min(sentence.endsAtMs, this.nowMs)
      return
    }
    const lengthMs = this.nowMs - sentence.fromMs
    const heardMs = this.#soundMs - prompt.soundMs
    if (sentence.words.length === 0 || lengthMs < AUDIBLE_FROM_MS || heardMs >= lengthMs * AUDIBLE_SHARE) return
    this.faults.push(`"${sentence.text}" was played for ${lengthMs} ms, and the phone heard ${heardMs} ms of sound`)
  }

  get #soundMs(): number {
    return this.#parts.sound.ear.heard.soundMs
  }
}
