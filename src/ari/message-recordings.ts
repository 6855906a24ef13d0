import type { Timer } from '../kernel/clock.ts'
import type { LegId, RecordingId } from '../kernel/ids.ts'
import type { MessageRules } from '../ports/pbx.ts'
import type { KeepMessage } from '../ports/recordings/keep-message.ts'
import type { AriContext } from './ari-context.ts'
import type { RecordingFailed, RecordingFinished } from './ari-types.ts'
import type { SideState } from './channel-recordings.ts'

interface Message {
  readonly id: RecordingId
  /** Undefined: an earlier engine began it. */
  readonly leg: LegId | undefined
  /** Asterisk has the request. */
  isOn: boolean
  /** Its file is being looked at. */
  hasEnded: boolean
  watch: Timer | undefined
}

/** From the command to stop until the engine looks itself, if no end is reported. */
const STOP_MAX_MS = 5_000

/**
 * Messages of callers: Asterisk records the leg itself, after its own tone. A message ends exactly once, and its file
 * says how: Asterisk also writes "done" for a file without a word, and its `talking_duration` is 1 s or more for a
 * caller who says nothing (measured, 22.10.1).
 */
export class MessageRecordings {
  readonly #context: AriContext
  readonly #keep: KeepMessage
  readonly #messages = new Map<RecordingId, Message>()
  readonly #keeping = new Set<Promise<void>>()

  constructor(context: AriContext, keep: KeepMessage) {
    this.#context = context
    this.#keep = keep
  }

  /** Those that Asterisk writes: their ends may be missed in a gap. */
  get written(): readonly RecordingId[] {
    return [...this.#messages.values()].filter(({ isOn, hasEnded }) => isOn && !hasEnded).map(({ id }) => id)
  }

  take(id: RecordingId, leg: LegId, { maxMs, silenceMs }: MessageRules): void {
    if (this.#messages.has(id) || this.#context.registry.hasEnded(id)) return
    const message: Message = { id, leg, isOn: false, hasEnded: false, watch: undefined }
    this.#messages.set(id, message)
    const seconds = { maxDurationSeconds: maxMs / 1_000, maxSilenceSeconds: silenceMs / 1_000 }
    // The flow ends it at its key: it may be any key, and a telephone may send it twice (calls-and-flows-44).
    const rules = { ...seconds, beep: true, ifExists: 'fail', terminateOn: 'none' }
    const isUnsent = () => this.#messages.has(id) && !message.isOn && !message.hasEnded
    let isAgain = false
    const args = { channelId: leg, name: id, format: 'wav', ...rules }
    this.#context.commands.send(isUnsent, 'POST /channels/{channelId}/record', args, (answer) => {
      // The request was repeated after a gap: 409 says that Asterisk has it.
      if (answer.ok || (isAgain && answer.status === 409)) message.isOn = true
      else if (answer.status === 0) isAgain = true
      else this.#ended(message, `Asterisk refused: ${answer.why}`)
    })
  }

  /** Also of an earlier engine. */
  stop(id: RecordingId): void {
    const { registry, clock, commands } = this.#context
    if (registry.hasEnded(id)) return
    const message = this.#messages.get(id) ?? { id, leg: undefined, isOn: true, hasEnded: false, watch: undefined }
    this.#messages.set(id, message)
    const isOn = () => this.#messages.has(id) && !message.hasEnded
    commands.send(isOn, 'POST /recordings/live/{recordingName}/stop', { recordingName: id }, (answer) => {
      if (answer.status === 404) this.#ended(message)
    })
    message.watch?.cancel()
    message.watch = clock.schedule(clock.nowMs() + STOP_MAX_MS, () => this.#ended(message))
  }

  recordingEnded({ type, recording: { name, cause } }: RecordingFinished | RecordingFailed): void {
    const message = this.#messages.get(name as RecordingId)
    if (message) this.#ended(message, type === 'RecordingFailed' ? (cause ?? 'Asterisk does not say why') : undefined)
  }

  /** After a gap. What Asterisk wrote before it died is a message too. */
  settle(states: ReadonlyMap<string, SideState>, restarted: boolean): void {
    for (const message of [...this.#messages.values()].filter(({ isOn }) => isOn)) {
      if (restarted || (states.get(message.id) ?? 'live') !== 'live') this.#ended(message)
    }
  }

  stopWatches(): void {
    for (const { watch } of this.#messages.values()) watch?.cancel()
  }

  /** Resolves when no file is being looked at. */
  async idle(): Promise<void> {
    while (this.#keeping.size > 0) await Promise.all(this.#keeping)
  }

  /** `why`: in case there is no voice in its file. A message that can be heard is kept in any case. */
  #ended(message: Message, why?: string): void {
    if (message.hasEnded) return
    message.hasEnded = true
    message.watch?.cancel()
    const kept = this.#keep(`${message.id}.wav`).then((judged) => {
      this.#keeping.delete(kept)
      const { registry, emit, log } = this.#context
      this.#messages.delete(message.id)
      registry.endRecording(message.id)
      const end = judged.result === 'stored' || why === undefined ? judged : { result: 'failed' as const, why }
      if (end.result === 'failed') log.warn({ recording: message.id, why: end.why }, 'a message failed')
      const leg = message.leg && registry.legs.get(message.leg)
      const hasHungUp = message.leg !== undefined && (!leg || leg.hangUpCause !== undefined)
      emit({ type: 'recording.ended', recording: message.id, ...end, ...(hasHungUp && { hasHungUp }) })
    })
    this.#keeping.add(kept)
  }
}
