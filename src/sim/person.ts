/** Scripts for people on the telephone, as data. One script serves a simulated phone and a real one (SIPp). */
import { assert } from '../kernel/assert.ts'
import type { AtMs } from '../kernel/clock.ts'

/** How long a key is held down. */
export const KEY_DOWN_MS = 100
/** The time from one key to the next. */
export const KEY_PAUSE_MS = 100
/** One key in all: 200 ms (flow-language.md 5.2). */
export const KEY_MS = KEY_DOWN_MS + KEY_PAUSE_MS

/** Callers of faulty worlds must end too: they hang up after this unless the script says otherwise. */
const WAITS_MAX_MS = 120_000

/** `afterMs` counts from the answer, the previous action, or the words of `hears` (a bug on a real, deaf phone). */
export interface Cue {
  readonly afterMs: number
  /** Waits for a sound whose text contains these words (any case), after those that an earlier cue waited for. */
  readonly hears?: string
  /** `started`: acts during the prompt (barge-in). Default `ended`: the polite caller. */
  readonly until?: 'started' | 'ended'
}

/** Keys pressed one after another, 200 ms each. */
export interface Press extends Cue {
  /** Of `0123456789*#ABCD`. */
  readonly keys: string
}

/** A stretch of time, by the clock. */
export interface Stretch {
  readonly fromMs: AtMs
  readonly untilMs: AtMs
}

/** Words of a person, from the answer on. */
export interface Talk {
  readonly afterMs: number
  readonly forMs: number
}

/**
 * `accepts`: says so, calls the other, reports success, and ends the call; `staying` leaves that to us. `fails`: the
 * other is busy. `refuses`: does no such thing. `ignores`: never answers.
 */
export type HandOverAnswer = 'accepts' | 'acceptsStaying' | 'refuses' | 'fails' | 'ignores'

export interface Caller {
  readonly presses?: readonly Press[]
  /** In order; silence between them. Absent: speaks all the time. */
  readonly speaks?: readonly Talk[]
  readonly hangsUpAfterMs?: number
  /** Hangs up at this cue, once all `presses` are done. */
  readonly hangsUpOn?: Cue
  /** What the caller's network does when it is asked to call somebody else (REFER); default: it refuses. */
  readonly onHandOver?: HandOverAnswer
  /** Gives up this long after dialing, answered or not. Default two minutes. */
  readonly waitsMaxMs?: number
}

export interface Callee {
  /** `ignore`: it rings until the caller's side gives up. */
  readonly does: 'answer' | 'busy' | 'reject' | 'ignore'
  /** From the first ring to the action. */
  readonly afterMs: number
  /** From the answer to the hang-up; absent: stays until the other side ends the call. */
  readonly hangsUpAfterMs?: number
  /** Of an agent's phone: it answers, and not a packet comes from it. */
  readonly isDumb?: boolean
}

/** What the answering side sounds like: a greeting and talk, a recording without a pause, silence. */
export type Voice = 'person' | 'machine' | 'silent'

/**
 * An answer from which no sound can follow: its SDP names only a codec that was not offered, with keys (telephone-event
 * is offered by both sides) or without, or it has no SDP at all.
 */
export type Soundless = 'otherCodec' | 'otherCodecWithKeys' | 'noSdp'

/** A callee behind a trunk, together with what the network does to the call. */
export interface Contact {
  /** `ignore`: it rings until the switch gives up. `fail`: the network refuses the call, see `code`. */
  readonly does: Callee['does'] | 'fail'
  readonly afterMs: number
  /** From the INVITE to the first ring; absent: it does not ring (a busy line, a network that fails). */
  readonly ringsAfterMs?: number
  /** SIP status of `fail`; default 503. */
  readonly code?: number
  /** Default: `person`. */
  readonly voice?: Voice
  /** The callee answers all the same, this long after the CANCEL: an answer that crosses it, or a slow network. */
  readonly answersCancelAfterMs?: number
  /** Only on a real switch: a second phone answers the same call, this long after the first. */
  readonly secondAnswerAfterMs?: number
  /** How the answer goes wrong; absent: with a codec of ours. The simulated switch tells all of them alike. */
  readonly soundless?: Soundless
  /** Only on a real switch: every such packet of their sound is lost on the way. */
  readonly losesEvery?: number
  /** From the answer to the hang-up; absent: stays until the other side ends the call. */
  readonly hangsUpAfterMs?: number
  /** Only on the simulated switch: keys and a hang-up at what is heard. */
  readonly presses?: readonly Press[]
  readonly hangsUpOn?: Cue
}

/** SIP status of each refusal (asterisk.md 4); `fail` brings its own. */
export const REFUSAL_CODES = { busy: 486, reject: 603, fail: 503 } as const

export interface CallResult {
  /**
   * `connected`: it was answered, however it ended. `refused`: with the SIP status `code`. `gaveUp`: the caller hung up
   * while it rang. `failed`: the switch vanished, or the phone itself broke (see `why`).
   */
  readonly outcome: 'connected' | 'refused' | 'gaveUp' | 'failed'
  readonly code?: number
  readonly why?: string
  /** Which side hung up an answered call. Absent when the switch vanished. */
  readonly hungUpBy?: 'caller' | 'switch'
  readonly ms: number
}

/** The caller's patience in milliseconds. */
export function patienceMs(caller: Caller): number {
  return caller.waitsMaxMs ?? WAITS_MAX_MS
}

/** When the script hangs up, counted from the answer; undefined when it waits for the other side. */
export function hangUpMs({ presses = [], hangsUpAfterMs, hangsUpOn }: Caller): number | undefined {
  const actingMs = presses.reduce((sum, { afterMs, keys }) => sum + afterMs + keys.length * KEY_MS, 0)
  const cueMs = hangsUpOn === undefined ? Number.POSITIVE_INFINITY : actingMs + hangsUpOn.afterMs
  const soonestMs = Math.min(hangsUpAfterMs ?? Number.POSITIVE_INFINITY, cueMs)
  return Number.isFinite(soonestMs) ? soonestMs : undefined
}

/** Throws for keys that no telephone has. */
export function checkKeys(keys: string): void {
  assert(/^[0-9*#A-D]*$/.test(keys), `"${keys}" holds a key that no telephone has; use 0-9 * # A-D`)
}

/** Throws for actions that only a simulated caller can do; for phones that do not understand words. */
export function checkDeaf(caller: Caller): void {
  const cues: readonly Cue[] = [...(caller.presses ?? []), ...(caller.hangsUpOn ? [caller.hangsUpOn] : [])]
  assert(
    cues.every((cue) => cue.hears === undefined),
    'a real phone does not understand words; give `afterMs` without `hears`, or drive it through `press`',
  )
}
