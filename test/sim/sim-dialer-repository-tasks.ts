/** What becomes of call tasks in `SimRecords` from outside the dialer: ends, callbacks, corrections, callers. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { AgentName, AttemptId, CallTaskId, PhoneNumber } from '../../src/kernel/ids.ts'
import { type FinishedStatus, isFinished } from '../../src/ports/call-task.ts'
import type { CallbackRequest, EndCallTask, EndCallTaskResult, MatchedTask } from '../../src/ports/dialer-repository.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import { isWaiting, type SimRepositoryState } from './sim-dialer-repository-state.ts'

/** Between any two attempts at a person, whatever the interval says (D-12). */
const FLOOR_MS = 60_000

/** Ending twice is harmless, and shows how the first end was (D-13). */
export function endCallTask(memory: SimRepositoryState, command: EndCallTask): EndCallTaskResult {
  const task = memory.tasks.get(command.task)
  if (!task || !command.corporations.includes(task.corporation)) return { outcome: 'no such call task' }
  const isOpen = task.finishedAtMs === undefined
  if (isOpen) {
    const change = { status: command.status, finishedAtMs: command.atMs, finishReason: command.reason }
    memory.changeTask(task, change, command.atMs, 'ended from outside')
  }
  const open = memory.attemptsOfTask(task.id).filter(({ ended }) => !ended)
  return {
    outcome: isOpen ? 'ended' : 'already finished',
    status: task.status as FinishedStatus,
    answered: task.answered,
    finishedAtMs: task.finishedAtMs!, // Finished by now, whoever did it.
    activeCall: open.find(({ connectedAtMs }) => connectedAtMs !== null)?.activity ?? null,
    cancel: open.filter(({ connectedAtMs }) => connectedAtMs === null).map(({ id }) => id),
  }
}

/** A reserved task waits again. Any other keeps its status: only its instant changes. */
export function letGo(
  memory: SimRepositoryState,
  task: SimTask,
  nextCallAtMs: AtMs | undefined,
  what: string,
  atMs = memory.nowAtMs,
): void {
  const waits = task.callback ? 'callback' : task.attemptsMade > 0 ? 'waiting' : 'new'
  const status = task.status === 'reserved' ? waits : task.status
  memory.changeTask(task, { status, nextCallAtMs, reserved: undefined }, atMs, what)
}

/** Silent when it is not reserved. */
export function releaseTask(memory: SimRepositoryState, id: CallTaskId, nextCallAtMs: AtMs): void {
  const task = memory.tasks.get(id)
  if (task?.status === 'reserved') letGo(memory, task, nextCallAtMs, 'released')
}

/** While somebody dials it or talks, the date is kept, and the task goes on from there when that is over. */
export function setCallback(memory: SimRepositoryState, request: CallbackRequest): CallTaskId | 'no such call task' {
  const task = memory.tasks.get(request.task)
  if (!task) return 'no such call task'
  const { atMs, askedByContact, agent, nowMs } = request
  return carryPromise(memory, task, { atMs, askedByContact, agent }, nowMs)
}

/** Notes the date on the task, or on the one that goes on where it was finished. */
export function carryPromise(
  memory: SimRepositoryState,
  task: SimTask,
  callback: NonNullable<SimTask['callback']>,
  nowMs: AtMs,
): CallTaskId {
  const carrier = task.finishedAtMs === undefined ? task : followerOf(memory, task, callback.atMs, nowMs)
  const { status } = carrier
  const dated = isWaiting(status) || status === 'reserved' ? { nextCallAtMs: callback.atMs } : {}
  const change = { callback, status: isWaiting(status) ? 'callback' : status, ...dated } as const
  memory.changeTask(carrier, change, nowMs, 'promised a callback')
  return carrier.id
}

/** The first word of a person stands, and the attempt's own result too (INV-O2). One that goes on counts at its end. */
export function correctToMachine(
  memory: SimRepositoryState,
  id: AttemptId,
  agent: AgentName,
  atMs: AtMs,
): 'corrected' | 'no such attempt' {
  const attempt = memory.attempts.get(id)
  if (!attempt) return 'no such attempt'
  if (attempt.correction) return 'corrected'
  attempt.correction = { ...memory.committed(), attempt: id, agent }
  memory.corrections.push(attempt.correction)
  if (!attempt.ended) return 'corrected'
  const task = memory.tasks.get(attempt.task)!
  if (!attempt.counts) {
    attempt.counts = true
    memory.changeTask(task, { attemptsCounted: task.attemptsCounted + 1 }, atMs, 'corrected to a machine')
  }
  followMachine(memory, task, atMs)
  return 'corrected'
}

/** Another task follows one that was finished by what turned out to be a machine, if attempts are left (D-12). */
export function followMachine(memory: SimRepositoryState, task: SimTask, nowMs: AtMs): void {
  const attempts = memory.attemptsOfTask(task.id)
  const wasTalk = attempts.some(({ result, correction }) => result === 'answered' && !correction)
  if (task.status !== 'answered' || wasTalk || attemptsLeft(task) <= 0) return
  const endedAtMs = Math.max(...attempts.map((attempt) => attempt.endedAtMs ?? 0))
  followerOf(memory, task, endedAtMs + Math.max(task.intervalMs, FLOOR_MS), nowMs)
}

/** Active ones first; among equals the one that was dialed or made most recently. */
export function matchCaller(memory: SimRepositoryState, number: PhoneNumber): MatchedTask | undefined {
  const [task] = [...memory.tasksOfNumber(number)].sort(
    (a, b) =>
      Number(isFinished(a.status)) - Number(isFinished(b.status)) || touchedAtMs(b) - touchedAtMs(a) || b.id - a.id,
  )
  if (!task) return undefined
  const { campaign, corporation, receiverName, externalSystem, externalCustomer, externalCaseNumber } = task
  const rings = [...memory.openAttempts].filter(
    (one) => one.connectedAtMs === null && (one.task === task.id || one.number === number),
  )
  return {
    task: task.id,
    campaign,
    corporation,
    receiverName,
    externalSystem,
    isFinished: isFinished(task.status),
    ...(externalCustomer === undefined ? {} : { externalCustomer }),
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ringing: rings.map(({ id }) => id),
  }
}

/** The active task of the same case, else one that is made. One attempt at least: somebody has a reason for it. */
function followerOf(memory: SimRepositoryState, task: SimTask, nextCallAtMs: AtMs, createdAtMs: AtMs): SimTask {
  const attemptsMax = Math.max(1, attemptsLeft(task))
  const row = { ...task, attemptsMax, nextCallAtMs, createdAtMs, importId: undefined, follows: task.id }
  // The twin is looked for first, so that there is room for a follower.
  return memory.activeTwin(task) ?? memory.addTask(row, `follows call task ${task.id}`)!
}

function attemptsLeft({ attemptsMax, attemptsCounted }: SimTask): number {
  return attemptsMax - attemptsCounted
}

function touchedAtMs({ lastCallAtMs, createdAtMs }: SimTask): AtMs {
  return lastCallAtMs ?? createdAtMs
}
