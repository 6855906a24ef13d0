/**
 * When a campaign pauses itself (F-F7). A list of dead numbers, or a caller id that networks and people reject, would
 * otherwise be dialed a thousand times a minute. Each attempt is a trial of the campaign or irrelevant; the campaign
 * pauses when more than 60 % of the last 50 trials failed.
 */
import type { AttemptResult, TriedAttempt } from '../ports/attempt.ts'

export type Trial = 'fine' | 'failed' | 'invalidNumber' | 'rejected' | 'hungUpAtOnce'

const TRIALS_MAX = 50
/** 60 % of them. One more pauses the campaign, even before 50 trials: later ones cannot change the verdict. */
const FAILURES_MAX = 30
/** F-F7: a callee who hangs up this fast has not listened. */
const AT_ONCE_MS = 1_000
/** RFC 3261 21.4.4: the carrier works and refuses this call. */
const FORBIDDEN = 403

/**
 * The trial of each result. Busy and no answer are normal; a machine or a dropped person proves a good number. A call
 * that the engine cancelled, never sent, or did not see end is no trial.
 */
const SAYS: Readonly<Record<AttemptResult, Trial | undefined>> = {
  answered: 'fine',
  lost: 'fine',
  dropped: 'fine',
  voicemail: 'fine',
  noAnswer: 'fine',
  busy: 'fine',
  // Networks also answer this for a blocked caller id (607, 608).
  rejected: 'rejected',
  failed: 'failed',
  invalidNumber: 'invalidNumber',
  cancelled: undefined,
  withdrawn: undefined,
  blocked: undefined,
  unknown: undefined,
}

/** Undefined: no trial. `isCarrierDown`: the carrier may fail for all; its circuit breaker handles that (F-A11). */
export function trialOf(attempt: TriedAttempt, isCarrierDown: boolean): Trial | undefined {
  const { result, reach, sipStatus, answeredAtMs, endedAtMs } = attempt
  if (reach === 'nothing') return undefined
  if (result === 'failed' && isCarrierDown && sipStatus !== FORBIDDEN) return undefined
  const isShort = answeredAtMs !== undefined && endedAtMs - answeredAtMs <= AT_ONCE_MS
  if (isShort && (result === 'answered' || result === 'lost')) return 'hungUpAtOnce'
  return SAYS[result]
}

/** The latest trials including the new one. */
export function withTrial(trials: readonly Trial[], trial: Trial): readonly Trial[] {
  return [...trials, trial].slice(-TRIALS_MAX)
}

const NAMES: Readonly<Record<Exclude<Trial, 'fine'>, string>> = {
  invalidNumber: 'no such number',
  rejected: 'rejected',
  hungUpAtOnce: 'hung up within a second',
  failed: 'not put through',
}

/** Why a campaign with these trials must pause, as text for its supervisor; undefined: it need not. */
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
