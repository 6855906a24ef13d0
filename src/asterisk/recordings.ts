import type { BridgeId, RecordingId } from '../kernel/ids.ts'
import type { RecordingFailed, RecordingFinished } from './ari-types.ts'
import type { Door } from './door.ts'
import type { Recording } from './ledger.ts'
import type { AriAnswer } from './operation.ts'

/** From our wish to stop until we look for ourselves, should the end not be told. */
const STOP_MAX_MS = 5_000

/** A recording that took so long and holds less than a second of sound holds none. */
const SILENT_AFTER_MS = 5_000

/** What a look at a recording showed. */
export type RecordingState = 'live' | 'stored' | 'gone'

/** Sound of bridges written into files: from the wish to exactly one end, also when bridge or switch go under it. */
export class Recordings {
  readonly #door: Door

  constructor(door: Door) {
    this.#door = door
  }

  record(id: RecordingId, bridge: BridgeId): void {
    const { clock, ledger, wishes } = this.#door
    if (ledger.recordings.has(id) || ledger.hasEnded(id)) return
    const recording: Recording = { id, bridge, wishedAtMs: clock.nowMs(), sent: false, watch: undefined }
    ledger.addRecording(recording)
    const isUnsent = () => ledger.recordings.has(id) && !recording.sent
    let isAgain = false
    const args = { bridgeId: bridge, name: id, format: 'wav', ifExists: 'overwrite' }
    wishes.make(isUnsent, 'POST /bridges/{bridgeId}/record', args, (answer) => {
      recording.sent = answer.status !== 0
      // Asked twice because of a gap: 409 says that it is on already.
      const isOn = answer.ok || (isAgain && answer.status === 409)
      if (answer.status === 0) isAgain = true
      else if (!isOn) this.#end(id, `Asterisk refused: ${answer.why}`)
    })
  }

  /** Also one that an earlier engine began, so that nothing is recorded for ever because an engine was restarted. */
  stop(id: RecordingId): void {
    const { ledger, wishes } = this.#door
    if (ledger.hasEnded(id)) return
    const recording = ledger.recordings.get(id) ?? { id, sent: true, watch: undefined }
    ledger.addRecording(recording)
    this.#watch(recording)
    const isOn = () => ledger.recordings.has(id)
    wishes.make(isOn, 'POST /recordings/live/{recordingName}/stop', { recordingName: id }, (answer) => {
      if (answer.status === 404) void this.#look(id)
    })
  }

  /** Asterisk's own word. `duration` counts whole seconds of sound: where nobody sends any, it stays 0 (measured). */
  ended({ type, recording: { name, duration, cause } }: RecordingFinished | RecordingFailed): void {
    const id = name as RecordingId
    const { clock, ledger } = this.#door
    if (ledger.hasEnded(id)) return
    const wishedAtMs = ledger.recordings.get(id)?.wishedAtMs ?? clock.nowMs()
    const isSilent = duration === 0 && clock.nowMs() - wishedAtMs >= SILENT_AFTER_MS
    if (type === 'RecordingFailed') this.#end(id, cause ?? 'Asterisk does not say why')
    else this.#end(id, isSilent ? 'no sound came' : undefined)
  }

  /** After a gap. A file that Asterisk was writing when it died has no valid header: it cannot be heard (measured). */
  settle(states: ReadonlyMap<RecordingId, RecordingState>, restarted: boolean): void {
    for (const recording of [...this.#door.ledger.recordings.values()].filter(({ sent }) => sent)) {
      const state = states.get(recording.id)
      if (restarted) this.#end(recording.id, 'Asterisk was restarted while it recorded')
      else if (state === 'stored') this.#end(recording.id)
      else if (state === 'gone') this.#end(recording.id, GONE)
      else if (recording.watch) this.#watch(recording)
    }
  }

  #watch(recording: Recording): void {
    const { clock } = this.#door
    recording.watch?.cancel()
    recording.watch = clock.schedule(clock.nowMs() + STOP_MAX_MS, () => void this.#look(recording.id))
  }

  async #look(id: RecordingId): Promise<void> {
    const answer: AriAnswer = await this.#door.ask('GET /recordings/stored/{recordingName}', { recordingName: id })
    // Without an answer, the next look around will show.
    if (answer.status !== 0) this.#end(id, answer.ok ? undefined : GONE)
  }

  #end(id: RecordingId, why?: string): void {
    const { ledger, tell, log } = this.#door
    if (ledger.hasEnded(id)) return
    ledger.endRecording(id)
    if (why !== undefined) log.warn({ recording: id, why }, 'a recording failed')
    const result = why === undefined ? { result: 'stored' as const } : { result: 'failed' as const, why }
    tell({ type: 'recording.ended', recording: id, ...result })
  }
}

const GONE = 'its file is not there'
