import type { AtMs } from '../kernel/clock.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import type { EarlierAttempt } from '../ports/attempt.ts'
import type { FinishedStatus } from '../ports/call-task.ts'
import type { CallTask } from './call-task.ts'
import type { AfterDropped, Campaign } from './campaign.ts'
import { countsAsAttempt, wasPlaced } from './outcome.ts'

/** What a call task waits for. `floor`: the shortest time between two attempts at anything. */
type WaitsFor = 'nothing' | 'floor' | 'interval' | 'callback' | 'quietAfterDropped'

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
    }

export type RetryRules = Pick<Campaign, 'parallelNumbers' | 'afterDropped'>

/** Minimum between any two attempts, whatever the interval (D-12). */
export const FLOOR_MS = 60_000
/** After a person was dropped: the former rule of Ofcom, dialing-rules.md 5.1. */
export const DROPPED_QUIET_MS = 72 * 3_600_000

const EVER: AtMs = 0

/**
 * Decides by elapsed time only: daylight saving never shortens an interval. `mayDialNow` checks windows, lists and
 * caps. After a dropped call the person gets quiet or an agent until a conversation takes place.
 */
export function nextAttempt(task: CallTask, rules: RetryRules): NextAttempt {
  if (task.end !== undefined) return { kind: 'finished', end: task.end }
  if (task.attempts.some(({ result, endedAtMs }) => result === 'inProgress' || endedAtMs === undefined)) {
    return { kind: 'inFlight' }
  }
  const callback = openCallback(task)
  const isAnswered = task.attempts.some(({ result }) => result === 'answered')
  if (isAnswered && !callback) return { kind: 'finished', end: 'answered' }
  const left = task.attemptsMax - task.attempts.filter(({ result, reach }) => countsAsAttempt(result, reach)).length
  if (!(left > 0)) return { kind: 'finished', end: 'maxAttempts' }
  const attemptNo = 1 + task.attempts.filter(({ reach }) => wasPlaced(reach)).length
  const numbers = numbersFor(task, attemptNo, Math.min(rules.parallelNumbers, left))
  if (numbers.length === 0) return { kind: 'finished', end: 'noCallableNumber' }
  return { kind: 'due', attemptNo, numbers, ...waitOf(task, callback, rules.afterDropped) }
}

type Wait = Pick<Extract<NextAttempt, { kind: 'due' }>, 'fromAtMs' | 'waitsFor' | 'withoutAgentFromAtMs'>

function waitOf(task: CallTask, callback: CallTask['callback'], afterDropped: AfterDropped): Wait {
  const lastEndAtMs = latestEnd(task.attempts, () => true)
  const placedEndAtMs = latestEnd(task.attempts, ({ reach }) => wasPlaced(reach))
  const droppedAtMs = latestEnd(task.attempts, ({ result }) => result === 'dropped')
  const quietUntilAtMs = later(droppedAtMs, DROPPED_QUIET_MS)
  const waits: readonly (readonly [WaitsFor, AtMs | undefined])[] = [
    ['nothing', EVER],
    ['floor', later(lastEndAtMs, FLOOR_MS)],
    ['interval', callback?.askedByContact ? undefined : later(placedEndAtMs, task.attemptIntervalMs)],
    ['callback', callback?.atMs],
    ['quietAfterDropped', afterDropped === 'quietAndAgent' ? quietUntilAtMs : undefined],
  ]
  // One NaN makes the result NaN, and no instant comes after NaN.
  const fromAtMs = Math.max(...waits.map(([, atMs]) => atMs ?? EVER))
  const waitsFor = waits.find(([, atMs]) => atMs === fromAtMs)?.[0] ?? 'nothing'
  if (quietUntilAtMs === undefined) return { fromAtMs, waitsFor, withoutAgentFromAtMs: fromAtMs }
  const quietEndsIt = afterDropped === 'quietOrAgent'
  return { fromAtMs, waitsFor, withoutAgentFromAtMs: quietEndsIt ? Math.max(fromAtMs, quietUntilAtMs) : undefined }
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
  if (!callback) return undefined
  return attempts.some(({ reach, claimedAtMs }) => wasPlaced(reach) && claimedAtMs >= callback.atMs)
    ? undefined
    : callback
}

/** Position (k − 1) mod n of the list, without numbers that may not be called (D-12, INV-D7) and without repetition. */
function numbersFor({ numbers }: CallTask, attemptNo: number, countMax: number): PhoneNumber[] {
  const chosen = new Set<PhoneNumber>()
  for (let passed = 0; passed < numbers.length && chosen.size < countMax; passed++) {
    const candidate = numbers[(attemptNo - 1 + passed) % numbers.length]!
    if (candidate.number !== undefined && !candidate.isStopped) chosen.add(candidate.number)
  }
  return [...chosen]
}
