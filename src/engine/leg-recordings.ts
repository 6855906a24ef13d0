import type { AtMs, Clock } from '../kernel/clock.ts'
import { type LegId, messageOf, type RecordingId } from '../kernel/ids.ts'
import type { OpenRecording, RecordingMade } from '../ports/call-recordings.ts'
import type { OpenCall } from '../ports/open-call.ts'
import type { MessageRules, Pbx, PbxEvent } from '../ports/pbx.ts'

/** The leg of a callee or caller, and what is recorded of it. */
export interface RecordedLeg {
  readonly leg: LegId
  /** Begun; their end is not known yet. */
  readonly openRecordings: OpenRecording[]
  readonly recordings: RecordingMade[]
}

interface LegRecordingsOptions {
  readonly pbx: Pick<Pbx, 'record' | 'takeMessage' | 'stopRecording'>
  readonly clock: Clock
  readonly enqueue: (fact: () => void) => void
}

export type RecordingEnd = Extract<PbxEvent, { type: 'recording.ended' }>

/** Maximum wait for the end of a recording; then the call is recorded without it. A file of one hour takes 1.5 s. */
const END_MAX_MS = 10_000

/**
 * Recordings of dialed and of inbound calls: each has its row with the call, `ready` or `failed` with a reason
 * (INV-O6). They are named by their leg and numbered; a later engine finds them by their names.
 */
export class LegRecordings {
  readonly #options: LegRecordingsOptions
  readonly #owners = new Map<RecordingId, RecordedLeg>()
  readonly #stopped = new Map<RecordingId, AtMs>()
  readonly #tells = new Map<RecordingId, (end: RecordingEnd, made: RecordingMade | undefined) => void>()
  readonly #finishing = new Map<RecordedLeg, () => void>()

  constructor(options: LegRecordingsOptions) {
    this.#options = options
  }

  /** False: a recording of the leg runs already. */
  begin(of: RecordedLeg, rule: Pick<OpenRecording, 'isTranscribed'> = {}): boolean {
    if (of.openRecordings.some(({ id }) => !this.#stopped.has(id))) return false
    const id = recordingOf(of.leg, of.openRecordings.length + of.recordings.length)
    of.openRecordings.push({ id, startedAtMs: this.#options.clock.nowMs(), ...rule })
    this.#owners.set(id, of)
    this.#options.pbx.record(id, of.leg)
    return true
  }

  /** A message of the caller; nothing else is recorded meanwhile. `onEnd` runs once, before `done` of `finish`. */
  take(
    of: RecordedLeg,
    rules: MessageRules,
    rule: Pick<OpenRecording, 'isTranscribed'>,
    onEnd: (end: RecordingEnd, made: RecordingMade | undefined) => void,
  ): RecordingId {
    const startedAtMs = this.#options.clock.nowMs()
    // A silent message leaves no row, so a count would give a name twice.
    const id = messageOf(of.leg, startedAtMs)
    of.openRecordings.push({ id, startedAtMs, isMessage: true, ...rule })
    this.#owners.set(id, of)
    this.#tells.set(id, onEnd)
    this.#options.pbx.takeMessage(id, of.leg, rules)
    return id
  }

  /** An earlier engine began the open recordings of this leg; they go on. */
  adopt(of: RecordedLeg): void {
    for (const { id } of of.openRecordings) this.#owners.set(id, of)
  }

  /** The conversation is over; the call may go on. Stopping twice is silent. */
  stop(of: RecordedLeg): void {
    for (const { id } of of.openRecordings.filter((open) => !this.#stopped.has(open.id))) {
      this.#stopped.set(id, this.#options.clock.nowMs())
      this.#options.pbx.stopRecording(id)
    }
  }

  /** The call is over. `done` runs once, when the end of each recording is known: now, or within 10 s. */
  finish(of: RecordedLeg, done: () => void): void {
    if (of.openRecordings.length === 0) return done()
    const { clock, enqueue } = this.#options
    this.#finishing.set(of, done)
    const why = 'the switch did not say that it has ended'
    for (const { id } of of.openRecordings) {
      const late: RecordingEnd = { type: 'recording.ended', recording: id, result: 'failed', why }
      clock.schedule(clock.nowMs() + END_MAX_MS, () => enqueue(() => this.ended(late)))
    }
    this.stop(of)
  }

  /** Of other recordings, and a second time, it is silent. */
  ended(end: RecordingEnd): void {
    const { recording, result, why } = end
    const of = this.#owners.get(recording)
    const open = of?.openRecordings.find(({ id }) => id === recording)
    if (!of || !open) return
    // A switch that is late says so when the next conversation has begun.
    const endedAtMs = this.#stopped.get(recording) ?? this.#options.clock.nowMs()
    this.#owners.delete(recording)
    this.#stopped.delete(recording)
    of.openRecordings.splice(of.openRecordings.indexOf(open), 1)
    const { id, ...began } = open
    const state = result === 'stored' ? 'ready' : 'failed'
    const made: RecordingMade = { ...began, file: `${id}.wav`, endedAtMs, state, ...(why !== undefined && { why }) }
    // Nothing was said, and nothing is kept.
    if (result !== 'silent') of.recordings.push(made)
    this.#tells.get(id)?.(end, result === 'silent' ? undefined : made)
    this.#tells.delete(id)
    if (of.openRecordings.length > 0) return
    const done = this.#finishing.get(of)
    this.#finishing.delete(of)
    done?.()
  }
}

/** The name of a leg's next recording, after `before` others. Its file is `<name>.wav` (ports/pbx.ts). */
export function recordingOf(leg: LegId, before: number): RecordingId {
  return `${leg}-${before}` as RecordingId
}

/** What an earlier engine stored of the recordings of an inbound call. */
export function recordedSoFar({ leg, progress }: Pick<OpenCall, 'leg' | 'progress'>): RecordedLeg {
  const { open = [], made = [] } = progress?.recordings ?? {}
  return { leg, openRecordings: [...open], recordings: [...made] }
}

/** No recording went on after the call, whenever its end was told. */
export function endedWithCall(recordings: readonly RecordingMade[] = [], callEndedAtMs: AtMs): RecordingMade[] {
  return recordings.map((made) => {
    return { ...made, endedAtMs: Math.max(made.startedAtMs, Math.min(made.endedAtMs, callEndedAtMs)) }
  })
}
