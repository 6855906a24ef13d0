import type { LegId, PlaybackId } from '../src/kernel/ids.ts'
import type { PbxEvent } from '../src/ports/pbx.ts'

/** One key at the switch's port. Instants in ms of the machine's monotonic clock, the same in every process. */
export interface KeyTimes {
  readonly keyAtMs: number
  /** When the next prompt had begun; absent when none did. */
  promptAtMs?: number
  /** Whether the key came into a prompt, which had to be stopped first. */
  readonly isBargeIn: boolean
}

interface WatchedLeg {
  readonly keys: KeyTimes[]
  playing: PlaybackId | undefined
}

/** Now, by the clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Notes for each key when it came to the port, and when the next prompt had begun. */
export class KeyWatch {
  readonly #legs = new Map<LegId, WatchedLeg>()
  readonly #callers = new Map<string, WatchedLeg>()

  sees(event: PbxEvent): void {
    const nowMs = machineMs()
    if (event.type === 'leg.arrived') {
      const leg = { keys: [], playing: undefined }
      this.#legs.set(event.leg, leg)
      this.#callers.set(event.caller ?? '', leg)
    }
    const leg = 'leg' in event ? this.#legs.get(event.leg) : undefined
    if (!leg) return
    if (event.type === 'leg.digit') leg.keys.push({ keyAtMs: nowMs, isBargeIn: leg.playing !== undefined })
    if (event.type === 'playback.ended' && leg.playing === event.playback) leg.playing = undefined
    if (event.type !== 'playback.started') return
    leg.playing = event.playback
    const last = leg.keys.at(-1)
    if (last) last.promptAtMs ??= nowMs
  }

  /** Caller's number → keys, in the order in which they came. */
  byCaller(): ReadonlyMap<string, readonly KeyTimes[]> {
    return new Map([...this.#callers].map(([caller, { keys }]) => [caller, keys]))
  }
}
