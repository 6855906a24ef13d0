/** Whether a muted agent speaks, by the level of their microphone. Pure. */

/** Of full scale, root mean square. Our choice: a room through noise suppression stays below a tenth of it. */
const SPEECH = 0.02
/** About a second of speech; coughs are shorter. */
const SPEAKS_AFTER_MS = 1_000
/** Between words; a longer one begins anew. */
const PAUSE_MS = 1_000
/** The words stay to be read. */
const OVER_AFTER_MS = 3_000
/** A late look says little of the time since the last one. */
const LOOK_MAX_MS = 500

/** One time of being muted; `begin` for the next one. */
export class MutedVoice {
  #lookedAtMs = 0
  #heardAtMs = 0
  #heardMs = 0
  #isSpeaking = false

  begin(nowMs: number): void {
    this.#lookedAtMs = nowMs
    this.#heardAtMs = nowMs
    this.#heardMs = 0
    this.#isSpeaking = false
  }

  /** A few looks a second. True while they speak, and for a moment after it. */
  take(level: number, nowMs: number): boolean {
    const sinceMs = Math.min(nowMs - this.#lookedAtMs, LOOK_MAX_MS)
    this.#lookedAtMs = nowMs
    if (nowMs - this.#heardAtMs > PAUSE_MS) this.#heardMs = 0
    if (level >= SPEECH) {
      this.#heardMs += sinceMs
      this.#heardAtMs = nowMs
    }
    if (this.#heardMs >= SPEAKS_AFTER_MS) this.#isSpeaking = true
    if (nowMs - this.#heardAtMs >= OVER_AFTER_MS) this.#isSpeaking = false
    return this.#isSpeaking
  }
}
