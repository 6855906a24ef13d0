import type { AtMs } from '../kernel/clock.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import { type EarlierAttempt, PROMISE_STANDS_AFTER } from '../ports/attempt.ts'
import type { FinishedStatus } from '../ports/call-task.ts'
import type { CallTask } from './call-task.ts'
import type { Campaign } from './campaign.ts'
import { countsAsAttempt, wasPlaced } from './outcome.ts'

/** What a call task waits for. `floor`: the shortest time between two attempts at anything. */
type WaitsFor = 'nothing' | 'validity' | 'floor' | 'carrier' | 'interval' | 'callback' | 'quietAfterDropped'

export type NextAttempt =
  | { readonly kind: 'finished'; readonly end: FinishedStatus }
  | { readonly kind: 'inFlight' }
  | {
      readonly kind: 'due'
      readonly attemptNo: number
      /** One number, or several that ring together, in the order of the task's list. */
      readonly numbers: readonly PhoneNumber[]
      readonly fromAtMs: AtMs
      readonly waitsFor: WaitsFor
      /** From then on without a reserved agent. Absent: only with one. */
      readonly withoutAgentFromAtMs: AtMs | undefined
      /** When its callback was promised: the quiet time of a talk until then does not hold it. */
      readonly promisedAtMs: AtMs | undefined
      /** When the last call ended that nobody, or a machine, answered. None for a callback: it has its own time. */
      readonly metNobody: Readonly<Partial<Record<'noAnswer' | 'voicemail', AtMs | undefined>>>
    }

export type RetryRules = Pick<Campaign, 'parallelNumbers' | 'afterDropped' | 'callbacks' | 'retryAfterMs'>

/** Minimum between any two attempts, whatever the interval (D-12). */
export const FLOOR_MS = 60_000
/** Quiet after a person was dropped: the former rule of Ofcom, dialing-rules.md 5.1. */
export const DROPPED_QUIET_MS = 72 * 3_600_000

/** After a failure of the carrier (campaigns-43): long enough for an outage to end or to be known. */
export const SPARED_MS = 5 * 60_000

const EVER: AtMs = 0
const RETRIED = ['busy', 'noAnswer', 'voicemail'] as const

/**
 * Decides when, and on which numbers, a call task is tried again; by elapsed time only: daylight saving never shortens
 * an interval. `mayDialNow` checks windows, lists and caps. Floor, interval and quiet count every call to the person or
 * to a number of the task, whichever task placed it. After a dropped call the person gets quiet or an agent until a
 * conversation takes place.
 */
export function nextAttempt(task: CallTask, rules: RetryRules): NextAttempt {
  if (task.end !== undefined) return { kind: 'finished', end: task.end }
  if (task.attempts.some(({ result, endedAtMs }) => result === 'inProgress' || endedAtMs === undefined)) {
    return { kind: 'inFlight' }
  }
  const callback = openCallback(task)
  const isAnswered = task.attempts.some(({ result }) => result === 'answered')
  if (isAnswered && !callback) return { kind: 'finished', end: 'answered' }
  const counted = task.attempts.filter(({ result, reach, isSpared }) => !isSpared && countsAsAttempt(result, reach))
  const left = task.attemptsMax - counted.length
  if (!(left > 0)) return { kind: 'finished', end: 'maxAttempts' }
  const attemptNo = 1 + task.attempts.filter(({ reach }) => wasPlaced(reach)).length
  const numbers = promisedNumber(task, callback) ?? numbersFor(task, attemptNo, Math.min(rules.parallelNumbers, left))
  if (numbers.length === 0) return { kind: 'finished', end: 'noCallableNumber' }
  const promisedAtMs = callback?.promisedAtMs
  return { kind: 'due', attemptNo, numbers, promisedAtMs, ...waitOf(task, callback, rules) }
}

type Wait = Pick<Extract<NextAttempt, { kind: 'due' }>, 'fromAtMs' | 'waitsFor' | 'withoutAgentFromAtMs' | 'metNobody'>

function waitOf(task: CallTask, callback: CallTask['callback'], rules: RetryRules): Wait {
  const { afterDropped, callbacks, retryAfterMs } = rules
  // The person's other calls; the task itself knows its own, newer ones included.
  const others = (task.touches ?? []).filter((touch) => touch.task !== task.id && touch.endedAtMs !== undefined)
  const all = [...task.attempts, ...others]
  const lastEndAtMs = latestEnd(all, () => true)
  const placedEndAtMs = latestOf(
    latestEnd(all, ({ reach, isSpared }) => wasPlaced(reach) && !isSpared),
    task.lastTalkAtMs,
  )
  const endOf = (result: keyof typeof retryAfterMs) => latestEnd(all, (one) => one.result === result && !one.isSpared)
  const ends = { busy: endOf('busy'), noAnswer: endOf('noAnswer'), voicemail: endOf('voicemail') }
  const retries = RETRIED.map((result) => later(ends[result], retryAfterMs[result] ?? 0))
  const metNobody = callback ? {} : { noAnswer: ends.noAnswer, voicemail: ends.voicemail }
  const sparedEndAtMs = latestEnd(task.attempts, ({ isSpared }) => isSpared === true)
  const triedAtMs = latestEnd(task.attempts, (attempt) => isTryOf(callback, attempt))
  const droppedHereAtMs = latestEnd(task.attempts, ({ result }) => result === 'dropped')
  const quietUntilAtMs = later(latestOf(droppedHereAtMs, task.lastDropAtMs), DROPPED_QUIET_MS)
  const waits: readonly (readonly [WaitsFor, AtMs | undefined])[] = [
    ['nothing', EVER],
    ['validity', task.validFromAtMs],
    ['floor', later(lastEndAtMs, FLOOR_MS)],
    ['carrier', later(sparedEndAtMs, SPARED_MS)],
    ['interval', callback?.askedByContact ? undefined : later(placedEndAtMs, task.attemptIntervalMs)],
    ...(callback ? [] : retries.map((atMs) => ['interval', atMs] as const)),
    ['callback', later(triedAtMs, callbacks.retryMs) ?? callback?.atMs],
    ['quietAfterDropped', afterDropped === 'quietAndAgent' ? quietUntilAtMs : undefined],
  ]
  // One NaN makes the result NaN, and no instant comes after NaN.
  const fromAtMs = Math.max(...waits.map(([, atMs]) => atMs ?? EVER))
  const waitsFor = waits.find(([, atMs]) => atMs === fromAtMs)?.[0] ?? 'nothing'
  const wait = { fromAtMs, waitsFor, metNobody }
  if (quietUntilAtMs === undefined) return { ...wait, withoutAgentFromAtMs: fromAtMs }
  const quietEndsIt = afterDropped === 'quietOrAgent'
  return { ...wait, withoutAgentFromAtMs: quietEndsIt ? Math.max(fromAtMs, quietUntilAtMs) : undefined }
}

function latestOf(one: AtMs | undefined, other: AtMs | undefined): AtMs | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)
}

function latestEnd(
  attempts: readonly EarlierAttempt[],
  isMeant: (attempt: EarlierAttempt) => boolean,
): AtMs | undefined {
  const ends = attempts.filter(isMeant).map(({ endedAtMs }) => endedAtMs ?? Number.NaN)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function later(atMs: AtMs | undefined, byMs: number): AtMs | undefined {
  return atMs === undefined ? undefined : atMs + byMs
}

function openCallback({ callback, attempts }: CallTask): CallTask['callback'] {
  const isOver = attempts.some((one) => isTryOf(callback, one) && !STANDS_AFTER.has(one.result))
  return isOver ? undefined : callback
}

const STANDS_AFTER: ReadonlySet<EarlierAttempt['result']> = new Set(PROMISE_STANDS_AFTER)

/** An attempt at or after the date of a callback is an attempt to keep it. */
function isTryOf(callback: CallTask['callback'], { reach, claimedAtMs, isSpared }: EarlierAttempt): boolean {
  return callback !== undefined && wasPlaced(reach) && !isSpared && claimedAtMs >= callback.atMs
}

/** A callback goes to the number that was talked on, alone, as long as that number may be called (campaigns-48). */
function promisedNumber({ numbers }: CallTask, callback: CallTask['callback']): PhoneNumber[] | undefined {
  const mayBeCalled = ({ isStopped, isDead }: CallTask['numbers'][number]) => !isStopped && !isDead
  const promised = numbers.find((one) => one.number === callback?.number && mayBeCalled(one))
  return promised?.number === undefined ? undefined : [promised.number]
}

/**
 * Position (k − 1) mod n of the list, without repetition and without numbers that may not be called or are dead (D-12,
 * INV-D7).
 */
function numbersFor({ numbers }: CallTask, attemptNo: number, countMax: number): PhoneNumber[] {
  const chosen = new Set<PhoneNumber>()
  for (let passed = 0; passed < numbers.length && chosen.size < countMax; passed++) {
    const candidate = numbers[(attemptNo - 1 + passed) % numbers.length]!
    if (candidate.number !== undefined && !candidate.isStopped && !candidate.isDead) chosen.add(candidate.number)
  }
  return [...chosen]
}
