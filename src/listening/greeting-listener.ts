/**
 * Listens to who answered: a person, who greets and waits for an answer, or a machine, which speaks on.
 *
 *   listening ──pause after speech──────────▶ person
 *       │  ├────silence, or time is over────▶ unsure
 *       │  └────much speech, or a beep──────▶ machine ──its beep, or a long silence──▶ greeting over
 *
 * In doubt it is a person. It hears sound and pauses, no words: the same for every language. Pure: frames in, facts
 * out.
 */
import { LineNoise } from './line-noise.ts'
import { pureToneOf, SAMPLE_RATE_HZ } from './tone.ts'

/** Sound of one frame. */
export const FRAME_MS = 20
/** Samples of one frame. */
export const FRAME_SAMPLES = (SAMPLE_RATE_HZ * FRAME_MS) / 1_000

/** When a verdict is given; sound and silence in milliseconds. */
export interface ListeningSettings {
  /** A person says no more than this, from the first word on, without a pause. */
  readonly speechMaxMs: number
  /** So much silence after speech: somebody waits for an answer. */
  readonly pauseMs: number
  /** Nobody has spoken by then: unsure. */
  readonly silenceMaxMs: number
  /** From the first frame to the verdict, at the latest. */
  readonly verdictMaxMs: number
}

/**
 * Patient: the longest greeting of a person in the corpus takes 5.9 s. `npm run bench -- detection` shows both error
 * rates of these settings, and of any others.
 */
export const PATIENT: ListeningSettings = {
  speechMaxMs: 6_400,
  pauseMs: 700,
  silenceMaxMs: 2_500,
  verdictMaxMs: 10_000,
}

/** What was heard. One verdict; after `machine` one end of the greeting, unless the greeting never ends. */
export type Heard =
  | { readonly type: 'judged'; readonly verdict: 'person' | 'machine' | 'unsure' }
  | { readonly type: 'greetingEnded'; readonly by: 'beep' | 'silence' }

/** Shorter sounds are clicks. */
const WORD_MIN_MS = 100
const WORD_GAP_MAX_MS = 60
const BEEP_MS = { min: 120, max: 2_000 }
const BEEP_DRIFT_HZ = 40
/** The last frame of a tone holds a part of it, and so is no pure tone; more sound after it makes it no beep. */
const EDGE_MAX_MS = 40
/** After a beep the machine is silent; after a tone within a melody it is not. */
const AFTER_BEEP_MS = 200
/** A beep makes a machine only of somebody who has said a sentence: telephones and recorders of people beep too. */
const BEEP_AFTER_SPEECH_MS = 2_000
/** Machines without a beep; pauses within greetings of the corpus are shorter. */
const GREETING_SILENCE_MS = 2_500

/** One listener for one answered leg, from the answer on. */
export class GreetingListener {
  readonly #settings: ListeningSettings
  readonly #noise = new LineNoise()
  #verdict: 'person' | 'machine' | 'unsure' | undefined
  #isKnown = false
  #isOver = false
  #atMs = 0
  #speechMs = 0
  #wordMs = 0
  #hasSpoken = false
  #silenceMs = 0
  #toneMs = 0
  #toneHz = 0
  #saidBeforeToneMs = 0
  #edgeMs = 0

  constructor(settings: ListeningSettings = PATIENT) {
    this.#settings = settings
  }

  /** Whether further frames change nothing. */
  get isDone(): boolean {
    return this.#isOver || (this.#verdict !== undefined && !this.#isMachine)
  }

  /** The greeting is that of a machine, whatever the pauses say: its end is told. */
  goesOnToTheEnd(): void {
    this.#isKnown = true
  }

  get #isMachine(): boolean {
    return this.#isKnown || this.#verdict === 'machine'
  }

  /** The next 20 ms. */
  takes(frame: Int16Array): readonly Heard[] {
    if (this.isDone) return []
    this.#atMs += FRAME_MS
    const { isAudible, isAboveNoise } = this.#noise.hears(frame)
    const toneHz = isAudible ? pureToneOf(frame) : undefined
    if (toneHz !== undefined) this.#hearsTone(toneHz)
    else if (isAboveNoise) this.#hearsSpeech()
    else this.#silenceMs += FRAME_MS
    if (this.#hasSpoken) this.#speechMs += FRAME_MS
    if (this.#silenceMs > WORD_GAP_MAX_MS) this.#wordMs = 0
    const isBeep = this.#toneMs >= BEEP_MS.min && this.#toneMs <= BEEP_MS.max
    const hasBeeped = isBeep && this.#silenceMs >= AFTER_BEEP_MS
    if (this.#silenceMs >= AFTER_BEEP_MS) this.#toneMs = 0
    return [...this.#judges(hasBeeped), ...this.#endsGreeting(hasBeeped)]
  }

  /** From the first word to the last one so far. */
  get #saidMs(): number {
    return Math.max(0, this.#speechMs - this.#silenceMs)
  }

  #hearsTone(hz: number): void {
    const isSame = this.#toneMs > 0 && Math.abs(hz - this.#toneHz) <= BEEP_DRIFT_HZ
    if (!isSame) this.#saidBeforeToneMs = this.#saidMs
    this.#toneMs = isSame ? this.#toneMs + FRAME_MS : FRAME_MS
    this.#toneHz = hz
    this.#silenceMs = 0
    this.#edgeMs = 0
    // Too long for a beep: music, a fax, a line that is out of order. All of it counts.
    if (this.#toneMs > BEEP_MS.max) this.#speaks(this.#toneMs)
  }

  #hearsSpeech(): void {
    this.#edgeMs += FRAME_MS
    if (this.#edgeMs > EDGE_MAX_MS) this.#toneMs = 0
    this.#silenceMs = 0
    this.#speaks(this.#wordMs + FRAME_MS)
  }

  #speaks(wordMs: number): void {
    this.#wordMs = wordMs
    if (this.#hasSpoken || wordMs < WORD_MIN_MS) return
    this.#hasSpoken = true
    this.#speechMs = wordMs
  }

  #judges(hasBeeped: boolean): readonly Heard[] {
    if (this.#verdict !== undefined) return []
    const { speechMaxMs, pauseMs, silenceMaxMs, verdictMaxMs } = this.#settings
    const isMachine = this.#saidMs >= speechMaxMs || (hasBeeped && this.#saidBeforeToneMs >= BEEP_AFTER_SPEECH_MS)
    if (isMachine) this.#verdict = 'machine'
    else if (this.#hasSpoken && this.#silenceMs >= pauseMs) this.#verdict = 'person'
    else if ((!this.#hasSpoken && this.#atMs >= silenceMaxMs) || this.#atMs >= verdictMaxMs) this.#verdict = 'unsure'
    return this.#verdict === undefined ? [] : [{ type: 'judged', verdict: this.#verdict }]
  }

  #endsGreeting(hasBeeped: boolean): readonly Heard[] {
    if (!this.#isMachine) return []
    if (!hasBeeped && this.#silenceMs < GREETING_SILENCE_MS) return []
    this.#isOver = true
    return [{ type: 'greetingEnded', by: hasBeeped ? 'beep' : 'silence' }]
  }
}
