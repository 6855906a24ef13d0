/**
 * What people do with their telephones, as data. One script serves a simulated phone and a real one (SIPp), so
 * that a story can be told on both.
 */
import { assert } from '../kernel/assert.ts'

/** How long a key is held down. */
export const KEY_DOWN_MS = 100
/** How long the finger travels to the next key. */
export const KEY_PAUSE_MS = 100
/** One key in all: 200 ms (flow-language.md 5.2). */
export const KEY_MS = KEY_DOWN_MS + KEY_PAUSE_MS

/** Callers of worlds that go wrong must end too: nobody holds the line longer than this unless the script says so. */
const WAITS_MAX_MS = 120_000

/**
 * When a person acts: `afterMs` after the answer, or after the action before; with `hears`, after these words.
 * Only simulated people understand words; for a real phone `hears` is our mistake.
 */
export interface Cue {
  readonly afterMs: number
  /** Waits for a sound whose text contains these words (any case), behind those that an earlier cue waited for. */
  readonly hears?: string
  /** `started`: acts into the prompt (barge-in). Default `ended`: the polite caller. */
  readonly until?: 'started' | 'ended'
}

/** Keys pressed one after another, 200 ms each. */
export interface Press extends Cue {
  /** Of `0123456789*#ABCD`. */
  readonly keys: string
}

/** Somebody who phones in. */
export interface Caller {
  readonly presses?: readonly Press[]
  /** Puts the phone down this long after the answer, whatever is going on. */
  readonly hangsUpAfterMs?: number
  /** Puts the phone down at this cue, once all `presses` are done. */
  readonly hangsUpOn?: Cue
  /** Gives up this long after dialing, answered or not. Default two minutes. */
  readonly waitsMaxMs?: number
}

/** Somebody whose phone rings. */
export interface Callee {
  /** `ignore`: it rings until the caller's side gives up. */
  readonly does: 'answer' | 'busy' | 'reject' | 'ignore'
  /** From the first ring to what the person does. */
  readonly afterMs: number
  /** From the answer to putting the phone down; absent: stays until the other side ends it. */
  readonly hangsUpAfterMs?: number
}

/** What is to be heard of whoever answers: a greeting and talk, a recorded text without a pause, nothing at all. */
export type Voice = 'person' | 'machine' | 'silent'

/** Somebody who is called over a trunk, together with what the network makes of the call. */
export interface Contact {
  /** `ignore`: it rings until the switch gives up. `fail`: the network does not put the call through, see `code`. */
  readonly does: Callee['does'] | 'fail'
  /** From the INVITE to the answer or the refusal. */
  readonly afterMs: number
  /** From the INVITE to the first ring; absent: it does not ring (a busy line, a network that fails). */
  readonly ringsAfterMs?: number
  /** SIP status of `fail`; 503 unless it says otherwise. */
  readonly code?: number
  /** `person` unless it says otherwise. */
  readonly voice?: Voice
  /** From the answer to putting the phone down; absent: stays until the other side ends it. */
  readonly hangsUpAfterMs?: number
  /** Only on the simulated switch: keys and a hang-up at what is heard. */
  readonly presses?: readonly Press[]
  readonly hangsUpOn?: Cue
}

/** SIP status of each refusal (asterisk.md 4); `fail` brings its own. */
export const REFUSAL_CODES = { busy: 486, reject: 603, fail: 503 } as const

/** How a call looked from the caller's side. */
export interface CallResult {
  /**
   * `connected`: it was answered, however it ended. `refused`: with the SIP status `code`. `gaveUp`: the caller
   * put the phone down while it rang. `failed`: the switch vanished, or the phone itself broke (see `why`).
   */
  readonly outcome: 'connected' | 'refused' | 'gaveUp' | 'failed'
  readonly code?: number
  readonly why?: string
  /** Who put the phone down, when it was answered. Absent when the switch vanished. */
  readonly hungUpBy?: 'caller' | 'switch'
  /** From dialing to the end. */
  readonly ms: number
}

/** The caller's patience in milliseconds. */
export function patienceMs(caller: Caller): number {
  return caller.waitsMaxMs ?? WAITS_MAX_MS
}

/** When the script puts the phone down, counted from the answer; undefined when it waits for the other side. */
export function hangUpMs({ presses = [], hangsUpAfterMs, hangsUpOn }: Caller): number | undefined {
  const actingMs = presses.reduce((sum, { afterMs, keys }) => sum + afterMs + keys.length * KEY_MS, 0)
  const cueMs = hangsUpOn === undefined ? Number.POSITIVE_INFINITY : actingMs + hangsUpOn.afterMs
  const soonestMs = Math.min(hangsUpAfterMs ?? Number.POSITIVE_INFINITY, cueMs)
  return Number.isFinite(soonestMs) ? soonestMs : undefined
}

/** Refuses scripts with keys that no telephone has; a slip in a test, hence thrown. */
export function checkKeys(keys: string): void {
  assert(/^[0-9*#A-D]*$/.test(keys), `"${keys}" holds a key that no telephone has; use 0-9 * # A-D`)
}

/** Refuses what only a simulated caller can do; for phones that hear sound and not words. */
export function checkDeaf(caller: Caller): void {
  const cues: readonly Cue[] = [...(caller.presses ?? []), ...(caller.hangsUpOn ? [caller.hangsUpOn] : [])]
  assert(
    cues.every((cue) => cue.hears === undefined),
    'a real phone does not understand words; give `afterMs` without `hears`, or drive it through `press`',
  )
}
