/**
 * Which report of a key is news.
 *
 * Asterisk reports the end of every key at once. But it keeps 45 ms between keys, and replays a key whose beginning it
 * did not take (too soon after the last one, lost, or from SIP INFO) for as long as it was held. A key that ends
 * meanwhile is held back, and when its turn comes it is reported again, with the same duration; the channel is not read
 * in between. While a playback runs, nothing is held back (measured, and `__ast_read` in channel.c of Asterisk 22.10).
 *
 * A telephone that sends a key by RFC 4733 and by INFO is reported twice as well, with two durations.
 */

/** One `ChannelDtmfReceived`. */
export interface KeyReport {
  readonly digit: string
  readonly heldMs: number
  /** The switch's own time, which a busy engine does not change. */
  readonly atMs: number
  /** Whether a playback runs on the leg. */
  readonly isPlaying: boolean
}

/** The pause that Asterisk keeps between two keys (`AST_MIN_DTMF_GAP`). */
const GAP_MS = 45
/** It looks every 20 ms whether a replay is over. */
const TICK_MS = 20
/** A busy Asterisk looks later: 74 ms were seen. */
const LATE_MS = 100
/** A second press of a key cannot end sooner than its length after the first; jitter may take a quarter of that. */
const SOONEST_AGAIN = 0.75

interface Key extends KeyReport {
  /** Whether Asterisk held it back, and its next report is the same key. `maybe`: if the key before is replayed. */
  readonly heldBack: 'surely' | 'maybe' | 'no'
  /** Whether its second report with the same duration has come; there is no third. */
  isRepeated: boolean
}

/** What Asterisk worked on before the latest key. */
interface Before {
  readonly atMs: number
  /** If it is replayed: for so long. */
  readonly replayMs: number
  readonly isReplayed: boolean
}

/** The reports of one leg, in their order. */
export class KeyReports {
  #key: Key | undefined
  #before: Before = { atMs: Number.NEGATIVE_INFINITY, replayMs: 0, isReplayed: false }

  /** False for a repeated report of the latest key. */
  isNew(report: KeyReport): boolean {
    const { atMs, heldMs, isPlaying } = report
    const key = this.#key
    const replayMs = isPlaying ? 0 : heldMs
    if (key && this.#isRepeat(key, report)) {
      key.isRepeated ||= heldMs === key.heldMs
      this.#before = { atMs, replayMs, isReplayed: !isPlaying }
      return false
    }
    if (key && key.atMs > this.#before.atMs) {
      this.#before = { atMs: key.atMs, replayMs: key.isPlaying ? 0 : key.heldMs, isReplayed: false }
    }
    this.#key = { ...report, heldBack: this.#heldBack(report), isRepeated: false }
    return true
  }

  #isRepeat(key: Key, { digit, heldMs, atMs, isPlaying }: KeyReport): boolean {
    const isSame = heldMs === key.heldMs
    if (digit !== key.digit || (isSame && key.isRepeated)) return false
    const laterMs = atMs - key.atMs
    const isTooSoon = laterMs < heldMs * SOONEST_AGAIN
    if (!isSame || key.heldBack === 'surely') return isTooSoon || isSame
    if (key.heldBack === 'maybe') {
      const isInTime = laterMs < heldMs + TICK_MS && this.#mayReplay(atMs)
      return isTooSoon || isInTime || (laterMs < heldMs && this.#mayReplay(atMs - LATE_MS))
    }
    // INFO comes after the pause. During a playback the keys of a fast typist come in a burst.
    return isTooSoon && laterMs < GAP_MS + TICK_MS && !(key.isPlaying && isPlaying)
  }

  #heldBack({ atMs, isPlaying }: KeyReport): Key['heldBack'] {
    if (isPlaying) return 'no'
    const { atMs: beforeMs, replayMs, isReplayed } = this.#before
    if (atMs - beforeMs < GAP_MS + (isReplayed ? replayMs : 0)) return 'surely'
    return this.#mayReplay(atMs) ? 'maybe' : 'no'
  }

  /** Whether a replay of the key before, and the pause after it, would last until then. */
  #mayReplay(atMs: number): boolean {
    const { atMs: beforeMs, replayMs } = this.#before
    return atMs - beforeMs < replayMs + TICK_MS + GAP_MS
  }
}
