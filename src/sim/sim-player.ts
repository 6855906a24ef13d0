import type { Clock, Timer } from '../kernel/clock.ts'
import type { PlaybackId } from '../kernel/ids.ts'
import type { Sound } from '../ports/speech.ts'
import type { SimEar } from './sim-ear.ts'

/** What the switch says about a prompt. */
export type PlaybackResult = 'finished' | 'stopped' | 'failed'

/** What a player tells: to the switch, and to the ear at the other end. */
interface PlayerListener {
  readonly ear: Pick<SimEar, 'begins' | 'ends'>
  started(playback: PlaybackId): void
  ended(playback: PlaybackId, result: PlaybackResult): void
  /** Words began or ended: somebody may be waiting for them. */
  heardWords(): void
  isPlayable(sound: Sound): boolean
}

interface Prompt {
  readonly playback: PlaybackId
  readonly sounds: readonly Sound[]
}

/** Everything that waits for its turn on one leg: prompts, and deeds that take no time. */
type Turn = Prompt | (() => void)

/** Asterisk queues without a limit; a caller with this many prompts ahead of him is a mistake of ours. */
const TURNS_MAX = 1_000

/**
 * What one leg, or everybody in one bridge, is made to hear. Wishes are served first in, first out, like the actions
 * on an Asterisk channel: music or a bridge asked for during a prompt begins after it.
 */
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

  /** Does something when the prompts asked for before have ended. */
  afterPrompts(deed: () => void): void {
    this.#queue(deed)
  }

  /** A prompt that has its turn still to come is stopped without ever having started. */
  stop(playback: PlaybackId): void {
    if (this.#current?.playback === playback) this.#end('stopped')
    else if (this.#turns.some((turn) => isPrompt(turn) && turn.playback === playback)) {
      this.#turns = this.#turns.filter((turn) => !isPrompt(turn) || turn.playback !== playback)
      this.#listener.ended(playback, 'stopped')
    }
  }

  /**
   * The leg is going. The running prompt is over without a word (the port's promise), and each behind it seems to
   * start (measured: Asterisk says so of prompts that nobody will hear). Gives the names of all of them.
   */
  close(): PlaybackId[] {
    const behind = this.#turns.filter(isPrompt).map(({ playback }) => playback)
    const cutOff = this.#current ? [this.#current.playback] : []
    this.vanish()
    this.#listener.ear.ends('words')
    for (const playback of behind) this.#listener.started(playback)
    return [...cutOff, ...behind]
  }

  /** The switch is gone: nothing more is heard, nothing told. */
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

  /** Speaks one sound and those behind it. `fromMs` adds up, so that a long list does not drift. */
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
