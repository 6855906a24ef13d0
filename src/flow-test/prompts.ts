import type { CallCommand } from '../flow/model/call-messages.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { PlaybackId } from '../kernel/ids.ts'
import { type Sentence, sentenceOf } from './heard.ts'

type Play = Extract<CallCommand, { type: 'play' }>

/** What a caller hears, one prompt at a time: the prompt of an earlier engine is heard to its end first. */
export class Prompts {
  readonly sentences: Sentence[] = []
  #playing: { readonly playback: PlaybackId; readonly sentence: Sentence; readonly hearsVoice: boolean } | undefined

  /** When it is heard; without an end it cannot be. */
  play(
    { playback, say, hearsVoice }: Play,
    nowMs: AtMs,
    canPlay: (sentence: string) => boolean,
  ): { readonly fromMs: AtMs; readonly endsAtMs?: AtMs } {
    const sentence = sentenceOf(say, Math.max(nowMs, this.#playing?.sentence.endsAtMs ?? 0))
    const { fromMs, endsAtMs } = sentence
    if (!canPlay(sentence.text)) return { fromMs }
    this.sentences.push(sentence)
    this.#playing = { playback, sentence, hearsVoice: hearsVoice ?? false }
    return { fromMs, endsAtMs }
  }

  /** False: it is not being said. */
  stop(playback: PlaybackId, nowMs: AtMs): boolean {
    if (this.#playing?.playback !== playback) return false
    const { sentence } = this.#playing
    sentence.endsAtMs = Math.min(sentence.endsAtMs, nowMs)
    return true
  }

  ended(playback: PlaybackId): void {
    if (this.#playing?.playback === playback) this.#playing = undefined
  }

  /** Whether a prompt is being said that the caller's voice can stop. */
  hearsVoiceAt(nowMs: AtMs): boolean {
    const { sentence, hearsVoice } = this.#playing ?? {}
    return hearsVoice === true && sentence !== undefined && sentence.fromMs < nowMs && nowMs < sentence.endsAtMs
  }
}
