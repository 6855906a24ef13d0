import { assert } from '../kernel/assert.ts'
import type { Clock } from '../kernel/clock.ts'
import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { Sound } from '../ports/speech.ts'
import type { Heard } from './sim-ear.ts'
import type { SimLeg } from './sim-leg.ts'
import { type PlaybackResult, SimPlayer } from './sim-player.ts'

/** Reports prompts that are played into a bridge, each under one leg that hears it. */
interface BridgeListener {
  started(playback: PlaybackId, leg: LegId): void
  ended(playback: PlaybackId, leg: LegId, result: PlaybackResult): void
  isPlayable(sound: Sound): boolean
}

/** Legs that hear each other, and prompts to all of them. Prompts of one bridge queue up behind each other. */
export class SimBridge {
  readonly id: BridgeId
  readonly members = new Set<SimLeg>()
  readonly player: SimPlayer
  readonly #listener: BridgeListener
  /** Prompts that have not ended, and the leg under which each is reported. */
  readonly #prompts = new Map<PlaybackId, LegId>()
  /** The words that are being played; a leg that joins late hears the rest. */
  #words: string | undefined

  constructor(clock: Clock, id: BridgeId, listener: BridgeListener) {
    this.id = id
    this.#listener = listener
    const ear = {
      begins: (what: Heard['what'], text: string) => this.#begins(what, text),
      ends: (what?: Heard['what']) => this.#ends(what),
      quietens: () => undefined,
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

  hears(playback: PlaybackId, leg: LegId, sounds: readonly Sound[]): void {
    this.#prompts.set(playback, leg)
    this.player.play(playback, sounds)
  }

  /** Closes the bridge; its prompts fail. */
  close(): void {
    this.player.vanish()
    for (const playback of [...this.#prompts.keys()]) this.#ended(playback, 'failed')
  }

  join(leg: SimLeg): void {
    this.members.add(leg)
    this.meet(leg)
    leg.bridge = this.id
    if (this.#words !== undefined) leg.holder.ear.begins('words', this.#words)
  }

  /** The others stay, in silence, until their legs end (asterisk.md 5). */
  leave(leg: SimLeg): void {
    leg.bridge = undefined
    if (!this.members.delete(leg)) return
    leg.holder.ear.ends('person')
    if (this.#words !== undefined) leg.holder.ear.ends('words', this.#words)
    this.hush(leg)
  }

  /** The leg and the others hear each other from now on, as far as packets come. */
  meet(leg: SimLeg): void {
    for (const other of this.members) {
      if (other === leg || leg.holder.isSilent || other.holder.isSilent) continue
      if (!leg.isMuted) other.holder.ear.begins('person', leg.name)
      if (!other.isMuted) leg.holder.ear.begins('person', other.name)
    }
  }

  /** The leg stays, and is heard no more. */
  hush(leg: SimLeg): void {
    // The same person on another leg: a browser with a fresh one.
    const same = [...this.members].find((one) => one !== leg && one.name === leg.name && isHeard(one))
    for (const other of this.members) {
      other.holder.ear.ends('person', leg.name)
      if (same && other !== same && !other.holder.isSilent) other.holder.ear.begins('person', same.name)
    }
  }

  /** The leg hears as before. */
  unhush(leg: SimLeg): void {
    for (const other of this.members) if (other !== leg) other.holder.ear.begins('person', leg.name)
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

function isHeard({ isMuted, holder }: SimLeg): boolean {
  return isMuted !== true && holder.isSilent !== true
}
