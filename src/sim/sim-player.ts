import type { Clock, Timer } from '../kernel/clock.ts'
import type { PlaybackId } from '../kernel/ids.ts'
import type { Volume } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { SimEar } from './sim-ear.ts'

export type PlaybackResult = 'finished' | 'stopped' | 'failed'

/** Reports to the switch, and to the ear at the other end. */
interface PlayerListener {
  readonly ear: Pick<SimEar, 'begins' | 'ends' | 'quietens'>
  started(playback: PlaybackId): void
  ended(playback: PlaybackId, result: PlaybackResult): void
  heardWords(): void
  isPlayable(sound: Sound): boolean
}

interface Prompt {
  readonly playback: PlaybackId
  readonly sounds: readonly Sound[]
}

/** An entry in the queue of one leg: a prompt, or an action without duration. */
type Turn = Prompt | (() => void)

/** Asterisk queues without a limit; this many prompts in front of a caller are a bug. */
const TURNS_MAX = 1_000

/** Prompts of a leg or bridge, first in, first out, as in Asterisk: music or a bridge begins after earlier prompts. */
export class SimPlayer {
  readonly #clock: Clock
  readonly #listener: PlayerListener
  #turns: Turn[] = []
  #current: Prompt | undefined
  #timer: Timer | undefined

  constructor(clock: Clock, listener: PlayerListener) {
    this.#clock = clock
    this.#listener = listener
  }

  play(playback: PlaybackId, sounds: readonly Sound[]): void {
    if (this.#turns.length >= TURNS_MAX) this.#listener.ended(playback, 'failed')
    else this.#queue({ playback, sounds })
  }

  afterPrompts(deed: () => void): void {
    this.#queue(deed)
  }

  /** A prompt still in the queue is stopped without having started. */
  stop(playback: PlaybackId): void {
    if (this.#current?.playback === playback) this.#end('stopped')
    else if (this.#turns.some((turn) => isPrompt(turn) && turn.playback === playback)) {
      this.#turns = this.#turns.filter((turn) => !isPrompt(turn) || turn.playback !== playback)
      this.#listener.ended(playback, 'stopped')
    }
  }

  /** The prompt goes on where it is. */
  setVolume(playback: PlaybackId, volume: Volume): void {
    if (this.#current?.playback === playback && volume === 'quiet') this.#listener.ear.quietens()
  }

  /** The running prompt ends without an event, each queued one seems to start (measured). Returns the ids of all. */
  close(): PlaybackId[] {
    const behind = this.#turns.filter(isPrompt).map(({ playback }) => playback)
    const cutOff = this.#current ? [this.#current.playback] : []
    this.vanish()
    this.#listener.ear.ends('words')
    for (const playback of behind) this.#listener.started(playback)
    return [...cutOff, ...behind]
  }

  /** The switch is gone: no more sounds, no more reports. */
  vanish(): void {
    this.#turns = []
    this.#timer?.cancel()
    this.#current = undefined
  }

  #queue(turn: Turn): void {
    this.#turns.push(turn)
    if (!this.#current) this.#next()
  }

  #next(): void {
    for (let turn = this.#turns.shift(); turn; turn = this.#turns.shift()) {
      if (isPrompt(turn)) {
        this.#begin(turn)
        return
      }
      turn()
    }
  }

  #begin(prompt: Prompt): void {
    this.#current = prompt
    this.#listener.ear.ends('music')
    this.#listener.started(prompt.playback)
    this.#say(0, this.#clock.nowMs())
  }

  /** Plays one sound and those behind it. `fromMs` adds up, to keep a long list from drifting. */
  #say(position: number, fromMs: number): void {
    const sound = this.#current?.sounds[position]
    if (!sound || !this.#listener.isPlayable(sound)) {
      this.#end(!sound && position > 0 ? 'finished' : 'failed')
      return
    }
    const untilMs = fromMs + sound.durationMs
    this.#timer = this.#clock.schedule(untilMs, () => {
      this.#listener.ear.ends('words')
      this.#say(position + 1, untilMs)
      this.#listener.heardWords()
    })
    this.#listener.ear.begins('words', sound.text)
    this.#listener.heardWords()
  }

  #end(result: PlaybackResult): void {
    const ended = this.#current
    if (!ended) return
    this.#current = undefined
    this.#timer?.cancel()
    this.#listener.ear.ends('words')
    this.#listener.ended(ended.playback, result)
    this.#next()
  }
}

function isPrompt(turn: Turn): turn is Prompt {
  return typeof turn !== 'function'
}
