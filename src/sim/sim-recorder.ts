import type { AtMs, Clock } from '../kernel/clock.ts'
import type { LegId, RecordingId } from '../kernel/ids.ts'
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
  readonly end?: { readonly atMs: AtMs; readonly result: 'stored' | 'failed'; readonly why?: string }
}

interface RecorderListener {
  ended(recording: SimRecording): void
  /** Why this recording fails (a full disk); undefined: it does not. */
  fails(recording: RecordingId): string | undefined
}

/** Finished recordings that are remembered for checkers. */
const KEPT_MAX = 100_000

/** The recordings of the switch: ids with a beginning and an end. An empty recording has failed. */
export class SimRecorder {
  readonly #clock: Clock
  readonly #listener: RecorderListener
  readonly #all = new Map<RecordingId, SimRecording>()
  readonly #running = new Map<RecordingId, { readonly recording: SimRecording; readonly right: Set<string> }>()

  constructor(clock: Clock, listener: RecorderListener) {
    this.#clock = clock
    this.#listener = listener
  }

  get all(): ReadonlyMap<RecordingId, SimRecording> {
    return this.#all
  }

  /** An id in use changes nothing; one that was used before is overwritten. */
  start(id: RecordingId, legId: LegId, leg: SimLeg | undefined, bridge: SimBridge | undefined): void {
    if (this.#running.has(id)) return
    const right = new Set(leg ? othersIn(bridge, leg) : [])
    const left = new Set(leg ? [leg.name] : [])
    const recording: SimRecording = { id, leg: legId, startedAtMs: this.#clock.nowMs(), left, right }
    this.#all.delete(id)
    this.#all.set(id, recording)
    this.#running.set(id, { recording, right })
    if (this.#all.size > KEPT_MAX) this.#all.delete(this.#all.keys().next().value as RecordingId)
    const why = leg ? this.#listener.fails(id) : 'there is no such leg'
    if (why !== undefined) this.#end(recording, why)
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
    for (const { recording } of this.#running.values()) if (recording.leg === leg) this.#end(recording)
  }

  /** The switch dies: unfinished recordings are lost without a report. */
  crash(): void {
    const end = { atMs: this.#clock.nowMs(), result: 'failed', why: 'the switch died' } as const
    for (const [id, { recording }] of this.#running) this.#all.set(id, { ...recording, end })
    this.#running.clear()
  }

  #end(recording: SimRecording, failure?: string): void {
    const atMs = this.#clock.nowMs()
    const why = failure ?? (atMs === recording.startedAtMs ? 'it is empty' : undefined)
    const end = why === undefined ? { atMs, result: 'stored' as const } : { atMs, result: 'failed' as const, why }
    const ended = { ...recording, end }
    this.#running.delete(recording.id)
    this.#all.set(recording.id, ended)
    this.#listener.ended(ended)
  }
}

function othersIn(bridge: SimBridge | undefined, leg: SimLeg): string[] {
  return [...(bridge?.members ?? [])].filter((other) => other !== leg).map(({ name }) => name)
}
