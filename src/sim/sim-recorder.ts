import type { AtMs, Clock } from '../kernel/clock.ts'
import type { BridgeId, LegId, RecordingId } from '../kernel/ids.ts'
import type { SimBridge } from './sim-bridge.ts'

/** A recording as the switch made it, whatever was told of it. */
export interface SimRecording {
  readonly id: RecordingId
  readonly bridge: BridgeId
  readonly startedAtMs: AtMs
  /** Everybody who can be heard on it. */
  readonly legs: ReadonlySet<LegId>
  /** Absent while it goes on. */
  readonly end?: { readonly atMs: AtMs; readonly result: 'stored' | 'failed'; readonly why?: string }
}

/** What a recorder tells, and which recordings go wrong. */
export interface RecorderListener {
  ended(recording: SimRecording): void
  /** Why this one fails (no space on the disk); undefined: it does not. */
  fails(recording: RecordingId): string | undefined
}

/** Finished recordings that are remembered for checkers. */
const KEPT_MAX = 100_000

/** The tapes of the switch: names with a beginning and an end. An empty one cannot be heard, and has failed. */
export class SimRecorder {
  readonly #clock: Clock
  readonly #listener: RecorderListener
  readonly #all = new Map<RecordingId, SimRecording>()
  /** Who is heard on those that go on. */
  readonly #running = new Map<RecordingId, { readonly recording: SimRecording; readonly legs: Set<LegId> }>()

  constructor(clock: Clock, listener: RecorderListener) {
    this.#clock = clock
    this.#listener = listener
  }

  /** Every recording, in the order in which they began. */
  get all(): ReadonlyMap<RecordingId, SimRecording> {
    return this.#all
  }

  /** A name that is in use changes nothing; one that was used before is written over. */
  start(id: RecordingId, bridgeId: BridgeId, bridge: SimBridge | undefined): void {
    if (this.#running.has(id)) return
    const legs = new Set([...(bridge?.members ?? [])].map((leg) => leg.id))
    const recording: SimRecording = { id, bridge: bridgeId, startedAtMs: this.#clock.nowMs(), legs }
    this.#all.delete(id)
    this.#all.set(id, recording)
    this.#running.set(id, { recording, legs })
    if (this.#all.size > KEPT_MAX) this.#all.delete(this.#all.keys().next().value as RecordingId)
    const why = bridge ? this.#listener.fails(id) : 'there is no such bridge'
    if (why !== undefined) this.#end(recording, why)
  }

  stop(id: RecordingId): void {
    const running = this.#running.get(id)
    if (running) this.#end(running.recording)
  }

  /** Somebody came into a bridge: from now on they are on its tapes. */
  joined(bridge: BridgeId, leg: LegId): void {
    for (const { recording, legs } of this.#running.values()) if (recording.bridge === bridge) legs.add(leg)
  }

  /** A bridge is empty, or gone: its recordings end by themselves (asterisk.md 5). */
  emptied(bridge: BridgeId): void {
    for (const { recording } of this.#running.values()) if (recording.bridge === bridge) this.#end(recording)
  }

  /** The switch dies: what was being written cannot be heard. Nobody is told. */
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
