/** Looks at the sound of the present leg, tells the machine what is wrong with it, and reports it to the node. */
import type { Clock, Timer } from '../../kernel/clock.ts'
import { energyCountOf, FlatMicrophone } from './flat-microphone.ts'
import { LevelMeter } from './level-meter.ts'
import { MutedVoice } from './muted-voice.ts'
import type { PhoneReport } from './phone-door.ts'
import type { PhoneEvent } from './phone-messages.ts'
import type { PhoneView } from './phone-view.ts'
import { SoundCounters, soundCountOf, soundPathOf } from './sound-counters.ts'
import { qualityCountOf, SoundQuality, type SoundQualityFigures } from './sound-quality.ts'

interface SoundWatchOptions {
  readonly clock: Clock
  readonly view: () => PhoneView
  /** Counters of the present leg. */
  readonly stats: () => Promise<RTCStatsReport | undefined>
  readonly track: () => MediaStreamTrack | undefined
  readonly audio: () => AudioContext
  readonly tell: (event: PhoneEvent) => void
  readonly report: (report: PhoneReport) => void
}

const LOOK_EVERY_MS = 1_000
const LISTEN_EVERY_MS = 200
/** What lasts is said again, so that nobody takes it for over. */
const REPORT_EVERY_MS = 10_000

/** One for a phone. */
export class SoundWatch {
  /** Whether somebody is at the other end: a held leg gets nothing. */
  expectsSound = false
  readonly #options: SoundWatchOptions
  readonly #counters = new SoundCounters()
  readonly #quality = new SoundQuality()
  readonly #flat = new FlatMicrophone()
  readonly #meter = new LevelMeter()
  readonly #voice = new MutedVoice()
  #leg: string | undefined
  #path: unknown
  #reported: PhoneReport['what'] = 'good'
  #reportedAtMs = 0
  #listening: Timer | undefined
  #listenedTo: MediaStreamTrack | undefined

  constructor(options: SoundWatchOptions) {
    this.#options = options
  }

  /** Once a second, as long as the page is there. */
  start(isOver: () => boolean): void {
    const { clock } = this.#options
    if (isOver()) return
    clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => {
      void this.#look()
        .catch(() => {})
        .then(() => this.start(isOver))
    })
  }

  /** After each change: a muted agent who speaks in a call is told. */
  listen(): void {
    const { clock, view, track, audio, tell } = this.#options
    const { state, isInCall, isMuted } = view()
    const heard = state === 'live' && isInCall && isMuted ? track() : undefined
    if (heard === this.#listenedTo) return
    this.#listenedTo = heard
    this.#listening?.cancel()
    if (!heard) return this.#meter.close()
    this.#meter.open(audio(), heard)
    this.#voice.begin(clock.nowMs())
    let wasHeard = false
    const again = () => clock.schedule(clock.nowMs() + LISTEN_EVERY_MS, look)
    const look = () => {
      this.#listening = again()
      const isHeard = this.#voice.take(this.#meter.level(), clock.nowMs())
      if (isHeard !== wasHeard) tell({ type: 'voice', isHeard })
      wasHeard = isHeard
    }
    this.#listening = again()
  }

  async #look(): Promise<void> {
    const { clock, view, stats, tell } = this.#options
    const counted = await stats()
    const { state, leg, failure, isInCall, isMuted, poor, isFlat: wasFlat } = view()
    if (!counted || state !== 'live' || leg === undefined) return
    const nowMs = clock.nowMs()
    const rows = [...counted.values()]
    if (leg !== this.#leg) this.#begin(leg, nowMs)
    this.#lookAtPath(leg, soundPathOf(rows))
    const way = this.#counters.take(soundCountOf(rows), nowMs, this.expectsSound)
    if (way !== undefined) tell({ type: 'sound.unstable', leg, way })
    // ICE tells its own return.
    else if (failure === 'silentIn' || failure === 'silentOut') tell({ type: 'sound.back', leg })
    const figures = this.#quality.take(qualityCountOf(rows), nowMs)
    if (figures && figures.poor !== poor) tell({ type: 'sound.quality', leg, poor: figures.poor })
    const mayBeHeard = isInCall && !isMuted && this.expectsSound
    if (!mayBeHeard) this.#flat.begin()
    const isFlat = mayBeHeard && this.#flat.take(energyCountOf(rows), nowMs)
    if (isFlat !== wasFlat) tell({ type: 'flat', isFlat })
    const silent = way === 'in' ? 'silentIn' : way === 'out' || isFlat ? 'silentOut' : undefined
    this.#report(silent ?? figures?.poor ?? 'good', figures, nowMs)
  }

  /** Browsers move by themselves, and tell of it here alone. */
  #lookAtPath(leg: string, path: unknown): void {
    const before = this.#path
    this.#path = path
    if (before !== undefined && path !== before) this.#options.tell({ type: 'sound.moved', leg })
  }

  #begin(leg: string, nowMs: number): void {
    this.#leg = leg
    this.#path = undefined
    this.#counters.begin(nowMs)
    this.#quality.begin()
    this.#flat.begin()
  }

  #report(what: PhoneReport['what'], figures: SoundQualityFigures | undefined, nowMs: number): void {
    const isDue = what !== 'good' && nowMs - this.#reportedAtMs >= REPORT_EVERY_MS
    if (what === this.#reported && !isDue) return
    this.#reported = what
    this.#reportedAtMs = nowMs
    const { lossPercent, roundTripMs } = figures ?? {}
    this.#options.report({
      what,
      ...(lossPercent !== undefined && { lossPercent: Math.round(10 * lossPercent) / 10 }),
      ...(roundTripMs !== undefined && { roundTripMs: Math.round(roundTripMs) }),
    })
  }
}
