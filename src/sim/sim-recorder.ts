import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { LegId, RecordingId } from '../kernel/ids.ts'
import type { MessageRules, PbxEvent } from '../ports/pbx.ts'
import type { Stretch } from './person.ts'
import type { SimBridge } from './sim-bridge.ts'
import type { SimLeg } from './sim-leg.ts'

export interface SimRecording {
  readonly id: RecordingId
  readonly leg: LegId
  readonly startedAtMs: AtMs
  /** The parties on its two channels: that of the leg, and those that it heard. Names as of `SimLeg`. */
  readonly left: ReadonlySet<string>
  readonly right: ReadonlySet<string>
  /** Absent while it lasts. */
  readonly end?: { readonly atMs: AtMs } & RecordingEnd
}

type RecordingEnd = Omit<Extract<PbxEvent, { type: 'recording.ended' }>, 'type' | 'recording'>

interface Running {
  readonly recording: SimRecording
  readonly right: Set<string>
  /** Of a message. */
  readonly message?: { readonly talks: readonly Stretch[]; readonly timer: Timer }
}

/** What becomes of recordings. */
export interface RecordingOptions {
  /** Why a recording fails (a full disk); undefined: it does not. */
  readonly recordingFails?: (recording: RecordingId) => string | undefined
  /** Writes the file, before the end is told; resolves with why that failed. Absent: there are no files. */
  readonly writeRecording?: (sound: RecordedSound) => Promise<string | undefined>
}

/** The sound of a recording: two channels, or one of a message. */
export interface RecordedSound {
  readonly recording: RecordingId
  readonly channels: 1 | 2
  readonly lengthMs: number
}

/** A look at the file of a message takes so long: its end is told after that of the leg. */
const LOOK_MS = 20
/** The tone before a message (Asterisk's sound `beep`). */
const TONE_MS = 460
/** Of the silence that ends a message so much stays (measured, 22.10.1). */
const SILENCE_KEPT_MS = 200
/** Words shorter than this are a click. */
const SPOKEN_MIN_MS = 200
const ALWAYS: readonly Stretch[] = [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }]

/** Finished recordings that are remembered for checkers. */
const KEPT_MAX = 100_000

/** The recordings of the switch: ids with a beginning and an end. An empty recording has failed. */
export class SimRecorder {
  readonly #clock: Clock
  readonly #options: RecordingOptions
  readonly #ended: (recording: SimRecording) => void
  readonly #all = new Map<RecordingId, SimRecording>()
  readonly #running = new Map<RecordingId, Running>()

  constructor(clock: Clock, options: RecordingOptions, ended: (recording: SimRecording) => void) {
    this.#clock = clock
    this.#options = options
    this.#ended = ended
  }

  get all(): ReadonlyMap<RecordingId, SimRecording> {
    return this.#all
  }

  /** An id in use changes nothing; one that was used before is overwritten. */
  start(id: RecordingId, legId: LegId, leg: SimLeg | undefined, bridge: SimBridge | undefined, afterMs = 0): void {
    if (this.#running.has(id)) return
    const right = new Set(leg ? othersIn(bridge, leg) : [])
    const left = new Set(leg ? [leg.name] : [])
    const recording: SimRecording = { id, leg: legId, startedAtMs: this.#clock.nowMs() + afterMs, left, right }
    this.#all.delete(id)
    this.#all.set(id, recording)
    this.#running.set(id, { recording, right })
    if (this.#all.size > KEPT_MAX) this.#all.delete(this.#all.keys().next().value as RecordingId)
    const why = leg ? this.#options.recordingFails?.(id) : 'there is no such leg'
    if (why !== undefined) this.#end(recording, why)
  }

  /** What the leg says, until it is silent or the time is over. */
  takeMessage(id: RecordingId, legId: LegId, leg: SimLeg | undefined, rules: MessageRules): void {
    if (this.#running.has(id)) return
    this.start(id, legId, leg, undefined, TONE_MS)
    const running = this.#running.get(id)
    if (!running || !leg) return
    const talks = leg.holder.talks ?? ALWAYS
    const { recording } = running
    const { startedAtMs } = recording
    const { holder } = leg
    holder.ear.begins('words', 'tone')
    this.#clock.schedule(startedAtMs, () => {
      holder.ear.ends('words', 'tone')
      holder.heardWords()
    })
    const quietAtMs = quietAt(talks, startedAtMs, rules.silenceMs)
    const isOverAtMs = startedAtMs + rules.maxMs
    const trimMs = quietAtMs < isOverAtMs ? rules.silenceMs - SILENCE_KEPT_MS : 0
    const timer = this.#clock.schedule(Math.min(quietAtMs, isOverAtMs), () =>
      this.#end(recording, undefined, { trimMs }),
    )
    this.#running.set(id, { ...running, message: { talks, timer } })
  }

  /** Whether a message of the leg is recorded: Asterisk adds it to no bridge meanwhile (409; measured, 22.10.1). */
  isTaking(leg: LegId): boolean {
    return [...this.#running.values()].some(({ message, recording }) => message !== undefined && recording.leg === leg)
  }

  stop(id: RecordingId): void {
    const running = this.#running.get(id)
    if (running) this.#end(running.recording)
  }

  /** A leg joined a bridge: from now on its members hear each other, and their recordings do. */
  joined(bridge: SimBridge): void {
    for (const { recording, right } of this.#running.values()) {
      const leg = [...bridge.members].find(({ id }) => id === recording.leg)
      for (const name of leg ? othersIn(bridge, leg) : []) right.add(name)
    }
  }

  /** The recording of a leg ends with the leg (measured). */
  ended(leg: LegId): void {
    for (const { recording } of this.#running.values()) {
      if (recording.leg === leg) this.#end(recording, undefined, { hasHungUp: true })
    }
  }

  /** The switch dies: unfinished recordings are lost without a report. */
  crash(): void {
    const end = { atMs: this.#clock.nowMs(), result: 'failed', why: 'the switch died' } as const
    for (const [id, { recording, message }] of this.#running) {
      message?.timer.cancel()
      this.#all.set(id, { ...recording, end })
    }
    this.#running.clear()
  }

  #end(recording: SimRecording, failure?: string, { trimMs = 0, hasHungUp = false } = {}): void {
    const atMs = this.#clock.nowMs()
    const { message } = this.#running.get(recording.id)!
    const why = failure ?? (atMs === recording.startedAtMs && !message ? 'it is empty' : undefined)
    const end: RecordingEnd = why === undefined ? { result: 'stored' } : { result: 'failed', why }
    const lengthMs = atMs - recording.startedAtMs - trimMs
    const isSilent = message && spokenMs(message.talks, recording.startedAtMs, atMs) < SPOKEN_MIN_MS
    const ofMessage: RecordingEnd = isSilent ? { result: 'silent' } : { ...end, lengthMs }
    const ended = {
      ...recording,
      end: { atMs, ...(message ? ofMessage : end), ...(message && hasHungUp && { hasHungUp }) },
    }
    message?.timer.cancel()
    this.#running.delete(recording.id)
    if (!this.#options.writeRecording) this.#all.set(recording.id, ended)
    const sound = { recording: recording.id, channels: message ? (1 as const) : (2 as const), lengthMs }
    if (message) this.#clock.schedule(atMs + LOOK_MS, () => this.#write(ended, sound))
    else this.#write(ended, sound)
  }

  #write(recording: SimRecording, sound: RecordedSound): void {
    const tell = (ended: SimRecording) => {
      this.#all.set(ended.id, ended)
      this.#ended(ended)
    }
    const { end } = recording
    const { writeRecording } = this.#options
    if (!writeRecording || end?.result !== 'stored') return tell(recording)
    void writeRecording(sound).then((why) =>
      tell(why === undefined ? recording : { ...recording, end: { atMs: end.atMs, result: 'failed', why } }),
    )
  }
}

/** When there has been silence for so long. */
function quietAt(talks: readonly Stretch[], fromMs: AtMs, silenceMs: number): AtMs {
  let quietFromMs = fromMs
  for (const talk of talks) {
    if (talk.untilMs > fromMs && talk.fromMs <= quietFromMs + silenceMs)
      quietFromMs = Math.max(quietFromMs, talk.untilMs)
  }
  return quietFromMs + silenceMs
}

function spokenMs(talks: readonly Stretch[], fromMs: AtMs, untilMs: AtMs): number {
  const parts = talks.map((talk) => Math.min(talk.untilMs, untilMs) - Math.max(talk.fromMs, fromMs))
  return parts.reduce((sum, ms) => sum + Math.max(0, ms), 0)
}

function othersIn(bridge: SimBridge | undefined, leg: SimLeg): string[] {
  return [...(bridge?.members ?? [])].filter((other) => other !== leg).map(({ name }) => name)
}
