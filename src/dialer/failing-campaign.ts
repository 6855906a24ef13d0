/**
 * When a campaign pauses itself (F-F7): a list of dead numbers, or a caller id that networks and people refuse, would
 * otherwise be called a thousand times a minute. What came of each placed attempt says something about the campaign or
 * nothing; it pauses when more than 60 % of the last 50 that say something were failures.
 */
import type { AttemptResult, TriedAttempt } from '../ports/attempt.ts'

/** What an attempt says about its campaign. */
export type Trial = 'fine' | 'failed' | 'invalidNumber' | 'rejected' | 'hungUpAtOnce'

/** So many of the latest trials are looked at. */
const TRIALS_MAX = 50
/** 60 % of them. One more is too many, also before there are 50: the others cannot change it any more. */
const FAILURES_MAX = 30
/** F-F7: whoever hangs up so soon has not listened to anybody. */
const AT_ONCE_MS = 1_000
/** RFC 3261 21.4.4: the carrier works, and will not place this call. */
const FORBIDDEN = 403

/**
 * What each result says. Busy and no answer are the life of dialing; a machine and somebody whom we dropped had a good
 * number. What we took back ourselves, never sent, or did not see the end of, says nothing.
 */
const SAYS: Readonly<Record<AttemptResult, Trial | undefined>> = {
  answered: 'fine',
  lost: 'fine',
  dropped: 'fine',
  voicemail: 'fine',
  noAnswer: 'fine',
  busy: 'fine',
  // Also what networks say where a caller id is blocked (607, 608).
  rejected: 'rejected',
  failed: 'failed',
  invalidNumber: 'invalidNumber',
  cancelled: undefined,
  withdrawn: undefined,
  blocked: undefined,
  unknown: undefined,
}

/**
 * What an attempt that is over says about its campaign; undefined: nothing. `isCarrierDown`: its carrier fails for
 * everybody just now, or nobody knows any more whether it did; that is looked after elsewhere (F-A11).
 */
export function trialOf(attempt: TriedAttempt, isCarrierDown: boolean): Trial | undefined {
  const { result, reach, sipStatus, answeredAtMs, endedAtMs } = attempt
  if (reach === 'nothing') return undefined
  if (result === 'failed' && isCarrierDown && sipStatus !== FORBIDDEN) return undefined
  const isShort = answeredAtMs !== undefined && endedAtMs - answeredAtMs <= AT_ONCE_MS
  if (isShort && (result === 'answered' || result === 'lost')) return 'hungUpAtOnce'
  return SAYS[result]
}

/** The latest trials, the new one among them. */
export function withTrial(trials: readonly Trial[], trial: Trial): readonly Trial[] {
  return [...trials, trial].slice(-TRIALS_MAX)
}

const NAMES: Readonly<Record<Exclude<Trial, 'fine'>, string>> = {
  invalidNumber: 'no such number',
  rejected: 'rejected',
  hungUpAtOnce: 'hung up within a second',
  failed: 'not put through',
}

/** Why a campaign with these latest trials must pause, in words for whoever may lift it; undefined: it need not. */
export function whyFailing(trials: readonly Trial[]): string | undefined {
  const latest = trials.slice(-TRIALS_MAX)
  const failures = latest.filter((trial) => trial !== 'fine')
  if (failures.length <= FAILURES_MAX) return undefined
  const kinds = (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((kind) => {
    const count = failures.filter((failure) => failure === kind).length
    return count === 0 ? [] : [`${count} ${NAMES[kind]}`]
  })
  return `${failures.length} of its last ${latest.length} calls failed: ${kinds.join(', ')}`
}
