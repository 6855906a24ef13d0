import type { LegId, RecordingId, SideName } from '../kernel/ids.ts'
import type { JoinSides } from '../ports/recordings/join-channels.ts'
import type { AriContext } from './ari-context.ts'
import type { RecordingFailed, RecordingFinished } from './ari-types.ts'
import type { Recording, Side } from './channel-registry.ts'
import { readSideName, SIDES, sideName } from './recording-channels.ts'

/** From the command to stop until the engine looks itself, if no end is reported. */
const STOP_MAX_MS = 5_000

/** The state of a file that is, or was, being written. */
export type SideState = 'live' | 'stored' | 'gone'

/**
 * Recordings of legs: each ends exactly once, even if the leg ends or the switch dies.
 *
 *   snoop in  ──in our application──▶ record ─▶ left.wav  ┐
 *   snoop out ──in our application──▶ record ─▶ right.wav ┴─ both ended ─▶ joined: <recording>.wav
 *
 * Two snooping channels listen to the leg, one to each direction, in whichever bridge it is. They begin to write
 * within 4 ms of each other, and write silence where no sound comes, so both files stay in step; together they cost as
 * much as one recording of a whole bridge (all measured, 22.10.1). They end with their leg.
 */
export class Recordings {
  readonly #context: AriContext
  readonly #joinSides: JoinSides
  readonly #joining = new Set<Promise<void>>()

  constructor(context: AriContext, joinSides: JoinSides) {
    this.#context = context
    this.#joinSides = joinSides
  }

  record(id: RecordingId, leg: LegId): void {
    const { registry } = this.#context
    if (registry.recordings.has(id) || registry.hasEnded(id)) return
    const recording = newRecording(id, 'requested')
    registry.addRecording(recording)
    for (const side of recording.sides) this.#listenTo(leg, recording, side)
  }

  /** A snooping channel is in our application. Both sides begin together, to keep them in step. */
  listening(name: string): void {
    const { recording, side } = this.#find(name as SideName) ?? {}
    // The recording was stopped meanwhile.
    if (!recording || !side || side.end) return this.#hangUp(name as SideName)
    if (side.step === 'requested' || side.step === 'made') side.step = 'here'
    this.#begin(recording)
  }

  /** Also stops a recording that an earlier engine began: otherwise it would run on after a restart. */
  stop(id: RecordingId): void {
    const { registry } = this.#context
    if (registry.hasEnded(id)) return
    const recording = registry.recordings.get(id) ?? this.#inherit(id)
    this.#watch(recording)
    for (const side of recording.sides.filter(({ end }) => !end)) {
      this.#hangUp(side.name, () => void this.#look(recording, side))
      if (side.step !== 'asked' && side.step !== 'on')
        this.#sideEnded(recording, side, 'it was stopped before it began')
    }
  }

  recordingEnded({ type, recording: { name, cause } }: RecordingFinished | RecordingFailed): void {
    const read = readSideName(name)
    if (!read || this.#context.registry.hasEnded(read.recording)) return
    if (!this.#context.registry.recordings.has(read.recording)) this.#inherit(read.recording)
    const { recording, side } = this.#find(name as SideName) ?? {}
    const failure = type === 'RecordingFailed' ? (cause ?? 'Asterisk does not say why') : undefined
    if (recording && side) this.#sideEnded(recording, side, failure)
  }

  /** After a gap. What Asterisk wrote before it died is kept; the recording counts as failed. */
  settle(states: ReadonlyMap<SideName | RecordingId, SideState>, restarted: boolean): void {
    for (const recording of [...this.#context.registry.recordings.values()]) {
      for (const side of recording.sides.filter(({ end }) => !end)) {
        const state = states.get(side.name)
        if (restarted && side.step !== 'requested') this.#sideEnded(recording, side, RESTARTED)
        else if (state === 'stored' || state === 'gone') this.#sideEnded(recording, side)
        // The event of its entry into our application may be lost.
        else if (side.step === 'made') this.listening(side.name)
      }
      if (recording.watch) this.#watch(recording)
    }
  }

  /** Resolves when no sides are being joined. */
  async idle(): Promise<void> {
    while (this.#joining.size > 0) await Promise.all(this.#joining)
  }

  #listenTo(leg: LegId, recording: Recording, side: Side): void {
    const { app, registry, commands } = this.#context
    const isUnmade = () => registry.recordings.has(recording.id) && side.step === 'requested' && !side.end
    let isAgain = false
    const args = { channelId: leg, snoopId: side.name, spy: side.spy, app, appArgs: 'side' }
    commands.send(isUnmade, 'POST /channels/{channelId}/snoop/{snoopId}', args, (answer) => {
      if (answer.ok && side.step === 'requested') side.step = 'made'
      if (answer.ok || side.step !== 'requested') return
      // The request was repeated after a gap: 409 says that the channel exists; its event may be lost.
      if (answer.status === 0) isAgain = true
      else if (isAgain && answer.status === 409) this.listening(side.name)
      else this.#sideEnded(recording, side, `Asterisk refused: ${answer.why}`)
    })
  }

  #begin(recording: Recording): void {
    const open = recording.sides.filter(({ end }) => !end)
    if (open.some(({ step }) => step === 'requested' || step === 'made')) return
    for (const side of open.filter(({ step }) => step === 'here')) this.#write(recording, side)
  }

  #write(recording: Recording, side: Side): void {
    const { registry, commands } = this.#context
    side.step = 'asked'
    const isUnanswered = () => registry.recordings.has(recording.id) && side.step === 'asked' && !side.end
    let isAgain = false
    const args = { channelId: side.name, name: side.name, format: 'wav', ifExists: 'overwrite' }
    commands.send(isUnanswered, 'POST /channels/{channelId}/record', args, (answer) => {
      if (answer.status === 0) isAgain = true
      else side.step = 'on'
      const isOn = answer.ok || answer.status === 0 || (isAgain && answer.status === 409)
      if (!isOn) this.#sideEnded(recording, side, `Asterisk refused: ${answer.why}`)
    })
  }

  #hangUp(name: SideName, missing?: () => void): void {
    this.#context.commands.send(always, 'DELETE /channels/{channelId}', { channelId: name }, (answer) => {
      if (answer.status === 404) missing?.()
    })
  }

  #watch(recording: Recording): void {
    const { clock } = this.#context
    recording.watch?.cancel()
    recording.watch = clock.schedule(clock.nowMs() + STOP_MAX_MS, () => {
      for (const side of recording.sides) void this.#look(recording, side)
    })
  }

  /** The join later shows whether there is a file, and what is in it. */
  async #look(recording: Recording, side: Side): Promise<void> {
    if (side.end) return
    const answer = await this.#context.ask('GET /recordings/stored/{recordingName}', { recordingName: side.name })
    // Without an answer, the next survey decides.
    if (answer.status !== 0) this.#sideEnded(recording, side)
  }

  #sideEnded(recording: Recording, side: Side, why?: string): void {
    if (side.end || this.#context.registry.recordings.get(recording.id) !== recording) return
    side.end = { why }
    if (recording.sides.every(({ end }) => end)) this.#join(recording)
    else this.#begin(recording)
  }

  #join({ id, sides }: Recording): void {
    const [left, right] = sides
    const files = { left: `${left.name}.wav`, right: `${right.name}.wav` }
    const failure = left.end?.why ?? right.end?.why
    const joined = this.#joinSides(`${id}.wav`, files).then((why) => {
      this.#joining.delete(joined)
      this.#end(id, failure ?? why)
    })
    this.#joining.add(joined)
  }

  #inherit(id: RecordingId): Recording {
    const recording = newRecording(id, 'on')
    this.#context.registry.addRecording(recording)
    return recording
  }

  #find(name: SideName): { recording: Recording; side: Side } | undefined {
    const read = readSideName(name)
    const recording = read && this.#context.registry.recordings.get(read.recording)
    const side = recording?.sides.find((one) => one.name === name)
    return recording && side && { recording, side }
  }

  #end(id: RecordingId, why?: string): void {
    const { registry, emit, log } = this.#context
    if (registry.hasEnded(id)) return
    registry.endRecording(id)
    if (why !== undefined) log.warn({ recording: id, why }, 'a recording failed')
    const result = why === undefined ? { result: 'stored' as const } : { result: 'failed' as const, why }
    emit({ type: 'recording.ended', recording: id, ...result })
  }
}

const always = () => true
const RESTARTED = 'Asterisk was restarted while it recorded'

function newRecording(id: RecordingId, step: Side['step']): Recording {
  const side = (kind: keyof typeof SIDES): Side => ({
    name: sideName(kind, id),
    spy: SIDES[kind],
    step,
    end: undefined,
  })
  return { id, sides: [side('left'), side('right')], watch: undefined }
}
