import { signsApart } from '../flow/model/spoken.ts'
import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Pbx, PlayOptions, Volume } from '../ports/pbx.ts'
import type { Sound, Speech, SpeechResult, Utterance } from '../ports/speech.ts'

interface Rendering {
  readonly leg: LegId
  readonly sounds: (Sound | undefined)[]
  missing: number
}

/** With `bridge`, all its legs hear the prompt, and its end is reported for the leg. */
interface PlayerOptions extends PlayOptions {
  readonly bridge?: BridgeId | undefined
}

/** Plays prompts: speech renders them, then the switch plays them. */
export class Player {
  readonly #speech: Speech
  readonly #pbx: Pbx
  readonly #log: Log
  readonly #failed: (playback: PlaybackId, leg: LegId) => void
  readonly #rendering = new Map<PlaybackId, Rendering>()

  /** `failed` runs when a prompt could not be rendered; the switch reports all other ends. */
  constructor(speech: Speech, pbx: Pbx, log: Log, failed: (playback: PlaybackId, leg: LegId) => void) {
    this.#speech = speech
    this.#pbx = pbx
    this.#log = log
    this.#failed = failed
  }

  play(playback: PlaybackId, leg: LegId, say: readonly Utterance[], { bridge, hearsVoice }: PlayerOptions = {}): void {
    const pieces = say.flatMap(inPieces)
    const rendering: Rendering = { leg, sounds: pieces.map(() => undefined), missing: pieces.length }
    this.#rendering.set(playback, rendering)
    for (const [place, utterance] of pieces.entries()) {
      this.#render(utterance, hearsVoice, (result) => {
        // Stopped meanwhile, or another utterance failed.
        if (this.#rendering.get(playback) !== rendering) return
        if (!result.ok) return this.#fail(playback, leg, result.why)
        rendering.sounds[place] = result.sound
        if (--rendering.missing > 0) return
        this.#rendering.delete(playback)
        const sounds = rendering.sounds as Sound[]
        if (bridge) this.#pbx.playInBridge(playback, bridge, leg, sounds)
        else this.#pbx.play(playback, leg, sounds, { ...(hearsVoice && { hearsVoice }) })
      })
    }
  }

  stop(playback: PlaybackId): void {
    if (!this.#rendering.delete(playback)) this.#pbx.stopPlaying(playback)
  }

  setVolume(playback: PlaybackId, volume: Volume): void {
    this.#pbx.setVolume(playback, volume)
  }

  /** A prompt that hears the caller's voice has a quiet twin. */
  #render(utterance: Utterance, hearsVoice: boolean | undefined, done: (result: SpeechResult) => void): void {
    this.#speech.render(utterance, (result) => {
      if (!result.ok || !hearsVoice) done(result)
      else this.#speech.quieten(result.sound, (sound) => done({ ok: true, sound }))
    })
  }

  #fail(playback: PlaybackId, leg: LegId, why: string): void {
    this.#rendering.delete(playback)
    this.#log.error({ leg, why }, 'a prompt could not be turned into sound')
    this.#failed(playback, leg)
  }
}

/** Journals have whole utterances: secrets are masked in them, and replays compare them. */
function inPieces(utterance: Utterance): readonly Utterance[] {
  if (!('text' in utterance)) return [utterance]
  return signsApart(utterance.text).map((text) => ({ ...utterance, text }))
}
