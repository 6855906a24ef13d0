/** Changes of call tasks after their import, and the end of their validity, in `SimRecords`. */
import type { AtMs } from '../../src/kernel/clock.ts'
import { isFinished } from '../../src/ports/call-task.ts'
import type { ChangeCallTask, ChangeCallTaskResult } from '../../src/ports/dialer-repository.ts'
import { duplicateKey } from './sim-dialer-repository-import.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import { isWaiting, type SimRepositoryState } from './sim-dialer-repository-state.ts'

/** The `finishReason` of a task whose validity is over. */
export const EXPIRED_REASON = 'validTo is over'

/** That of a typed number which nobody dialed, and how long it waits. */
const LEFT_REASON = 'not dialed: the service stopped before'
const LEFT_AFTER_MS = 60_000

/** What rings, talks or is on a screen expires afterwards. */
export function expireTasks(memory: SimRepositoryState, atMs: AtMs): number {
  const untilAtMs = Math.min(atMs, memory.nowAtMs)
  const over = [...memory.tasks.values()].filter(
    ({ status, validToAtMs }) => isWaiting(status) && validToAtMs !== undefined && validToAtMs <= untilAtMs,
  )
  const change = { status: 'expired', finishedAtMs: atMs, finishReason: EXPIRED_REASON } as const
  for (const task of over) memory.changeTask(task, change, atMs, 'expired')
  const isLeft = ({ isTyped, status, updatedAtMs }: SimTask) =>
    isTyped && (status === 'new' || status === 'waiting') && updatedAtMs < untilAtMs - LEFT_AFTER_MS
  const left = [...memory.tasks.values()].filter(isLeft)
  const ended = { status: 'endedBySystem', finishedAtMs: atMs, isClosed: true, finishReason: LEFT_REASON } as const
  for (const task of left) memory.changeTask(task, ended, atMs, 'left open')
  return over.length + left.length
}

/** A line that is up goes on; its end lets the gate decide afresh. */
export function changeCallTask(memory: SimRepositoryState, command: ChangeCallTask): ChangeCallTaskResult {
  const { change, atMs } = command
  const task = memory.tasks.get(command.task)
  if (!task || !command.corporations.includes(task.corporation)) return { outcome: 'no such call task' }
  if (isFinished(task.status)) return { outcome: 'finished', status: task.status }
  const { numbers: given, attemptsMax, intervalMs, priority = task.priority } = change
  const { validFromAtMs = task.validFromAtMs, validToAtMs = task.validToAtMs } = change
  if ((validToAtMs ?? Number.POSITIVE_INFINITY) <= (validFromAtMs ?? 0)) return { outcome: 'validity is empty' }
  const { corporation, externalSystem } = task
  const numbers = given?.filter(({ number }) => !memory.isStopped(corporation, { kind: 'number', number }))
  const isCut = numbers && numbers.length < given!.length
  if (isCut && (command.stoppedNumbers === 'reject' || numbers.length === 0)) {
    return { outcome: 'refused', why: 'numberStopped' }
  }
  const key = numbers ? duplicateKey(externalSystem, task, numbers) : task.duplicateKey
  if (key !== task.duplicateKey && memory.activeTwin({ ...task, duplicateKey: key })) {
    return { outcome: 'refused', why: 'duplicate' }
  }
  const isInCall = task.status === 'dialing' || task.status === 'inCall'
  const isDueAnew = Object.keys(change).some((name) => name !== 'priority')
  const changed = {
    attemptsMax: attemptsMax ?? task.attemptsMax,
    intervalMs: intervalMs ?? task.intervalMs,
    priority,
    validFromAtMs: validFromAtMs ?? undefined,
    validToAtMs: validToAtMs ?? undefined,
    ...(numbers && { numbers, duplicateKey: key }),
    isChangedInCall: task.isChangedInCall || (isInCall && isDueAnew),
    nextCallAtMs: isDueAnew ? dueAnewAtMs(task, validFromAtMs ?? 0, atMs) : task.nextCallAtMs,
  }
  memory.changeTask(task, changed, atMs, 'changed from outside')
  return { outcome: 'changed', isInCall }
}

/** A follower waits for the interval of the task before. */
function dueAnewAtMs(task: SimTask, validFromAtMs: AtMs, atMs: AtMs): AtMs | undefined {
  if (task.nextCallAtMs === undefined) return undefined
  const waits = task.follows !== undefined && task.attemptsMade === 0
  return Math.max(waits ? task.nextCallAtMs : atMs, validFromAtMs, waits ? 0 : (task.callback?.atMs ?? 0))
}
