import { assert } from '../kernel/assert.ts'
import type { Clock } from '../kernel/clock.ts'
import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { Sound } from '../ports/speech.ts'
import type { Heard } from './sim-ear.ts'
import type { SimLeg } from './sim-leg.ts'
import { type PlaybackResult, SimPlayer } from './sim-player.ts'

/** What a bridge tells of the prompts that are played into it, each under the name of one who hears it. */
interface BridgeListener {
  started(playback: PlaybackId, leg: LegId): void
  ended(playback: PlaybackId, leg: LegId, result: PlaybackResult): void
  isPlayable(sound: Sound): boolean
}

/** Legs that hear each other, and what is played to all of them. Prompts of one bridge queue up behind each other. */
export class SimBridge {
  readonly id: BridgeId
  readonly members = new Set<SimLeg>()
  readonly player: SimPlayer
  readonly #listener: BridgeListener
  /** Prompts asked for and not over, and the leg under whose name each is told. */
  readonly #prompts = new Map<PlaybackId, LegId>()
  /** What is said into it right now; who comes late hears the rest. */
  #words: string | undefined

  constructor(clock: Clock, id: BridgeId, listener: BridgeListener) {
    this.id = id
    this.#listener = listener
    const ear = {
      begins: (what: Heard['what'], text: string) => this.#begins(what, text),
      ends: (what?: Heard['what']) => this.#ends(what),
    }
    const heardWords = () => {
      for (const { holder } of [...this.members]) holder.heardWords()
    }
    this.player = new SimPlayer(clock, {
      ear,
      heardWords,
      isPlayable: (sound) => listener.isPlayable(sound),
      started: (playback) => listener.started(playback, this.#nameOf(playback)),
      ended: (playback, result) => this.#ended(playback, result),
    })
  }

  /** Plays something to everybody. */
  hears(playback: PlaybackId, leg: LegId, sounds: readonly Sound[]): void {
    this.#prompts.set(playback, leg)
    this.player.play(playback, sounds)
  }

  /** The bridge is gone, and what was played into it has failed. */
  close(): void {
    this.player.vanish()
    for (const playback of [...this.#prompts.keys()]) this.#ended(playback, 'failed')
  }

  join(leg: SimLeg): void {
    for (const other of this.members) {
      other.holder.ear.begins('person', leg.name)
      leg.holder.ear.begins('person', other.name)
    }
    this.members.add(leg)
    leg.bridge = this.id
    if (this.#words !== undefined) leg.holder.ear.begins('words', this.#words)
  }

  /** The others stay, in silence, until somebody ends them (asterisk.md 5). */
  leave(leg: SimLeg): void {
    leg.bridge = undefined
    if (!this.members.delete(leg)) return
    leg.holder.ear.ends('person')
    if (this.#words !== undefined) leg.holder.ear.ends('words', this.#words)
    for (const other of this.members) other.holder.ear.ends('person', leg.name)
  }

  #ended(playback: PlaybackId, result: PlaybackResult): void {
    const leg = this.#nameOf(playback)
    this.#prompts.delete(playback)
    this.#listener.ended(playback, leg, result)
  }

  #nameOf(playback: PlaybackId): LegId {
    const leg = this.#prompts.get(playback)
    assert(leg !== undefined, `${playback} is not played into ${this.id}`)
    return leg
  }

  #begins(what: Heard['what'], text: string): void {
    if (what !== 'words') return
    this.#words = text
    for (const { holder } of this.members) holder.ear.begins('words', text)
  }

  #ends(what: Heard['what'] | undefined): void {
    if (what !== 'words' || this.#words === undefined) return
    for (const { holder } of this.members) holder.ear.ends('words', this.#words)
    this.#words = undefined
  }
}
