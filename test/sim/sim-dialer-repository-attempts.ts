/** What becomes of attempts in `SimRecords`: connected, ended, written down as calls (R7). */

import { assert } from '../../src/kernel/assert.ts'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { ActivityId, CampaignId, LegId } from '../../src/kernel/ids.ts'
import {
  type AnsweredAttempt,
  type AnsweredSums,
  type Attempt,
  type AttemptConnected,
  type AttemptEnd,
  type AttemptQuery,
  type AttemptTransfers,
  type AttemptWrite,
  type CountedScope,
  type DetectionCounts,
  PROMISE_STANDS_AFTER,
} from '../../src/ports/attempt.ts'
import { isFinished } from '../../src/ports/call-task.ts'
import type { FinishCallResult, FinishedCall } from '../../src/ports/dialer-repository.ts'
import type { OpenCall } from '../../src/ports/open-call.ts'
import { isMachine } from './sim-dialer-repository-greetings.ts'
import type { SimAttempt, TaskState } from './sim-dialer-repository-rows.ts'
import { attemptOf, jsonOf } from './sim-dialer-repository-shape.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'
import { carryPromise, followMachine } from './sim-dialer-repository-tasks.ts'

/** More attempts than one search may answer (D-11). */
const ATTEMPTS_MAX = 1000

/** Told twice, the first instant stands. A finished task stays finished. That of a lost attempt is noted. */
export function attemptConnected(memory: SimRepositoryState, event: AttemptConnected): AttemptWrite {
  const attempt = openOf(memory, event)
  if (attempt === 'fenced off') noteTalk(memory, event)
  if (typeof attempt === 'string') return attempt
  attempt.connectedAtMs ??= event.atMs
  attempt.agent = event.agent
  const task = memory.tasks.get(attempt.task)!
  if (task.finishedAtMs === undefined) memory.changeTask(task, { status: 'inCall' }, event.atMs, 'connected')
  return 'written'
}

/** The newest writing stands. */
export function attemptTransfers(memory: SimRepositoryState, { transfers, ...of }: AttemptTransfers): AttemptWrite {
  const attempt = openOf(memory, of)
  if (typeof attempt === 'string') return attempt
  attempt.transfers = jsonOf(transfers)
  return 'written'
}

/** The first end stands (INV-O2). */
export function endAttempt(memory: SimRepositoryState, end: AttemptEnd): AttemptWrite {
  const attempt = openOf(memory, end)
  if (typeof attempt === 'string') return attempt
  const { result, reach, isRingCutShort = false, atMs } = end
  memory.endAttempt(attempt, {
    result,
    reach,
    isRingCutShort,
    endedAtMs: atMs,
    transfers: null,
    counts: end.counts || attempt.correction !== undefined,
    dialedAtMs: end.dialedAtMs ?? null,
    ringingAtMs: end.ringingAtMs ?? null,
    answeredAtMs: end.answeredAtMs ?? null,
    agent: end.agent ?? attempt.agent,
    sipStatus: end.sipStatus ?? null,
    hangupCause: end.hangupCause ?? null,
    waitMs: end.waitMs ?? null,
    heard: end.heard,
    greeting: end.greeting ?? attempt.greeting,
  })
  moveTaskOn(memory, attempt, end)
  return 'written'
}

/** Told twice, or after the end of the call, nothing changes. */
export function callBegan(memory: SimRepositoryState, node: string, call: OpenCall, isOver: boolean): void {
  if (isOver) return
  const known = memory.openCalls.get(call.call)
  if (!known) memory.openCalls.set(call.call, { node, call: jsonOf(call) })
  else if (call.progress) {
    memory.openCalls.set(call.call, { ...known, call: { ...known.call, progress: jsonOf(call.progress) } })
  }
}

/** Legs of no open and of no finished call. */
export function unknownLegs({ openCalls, calls }: SimRepositoryState, legs: readonly LegId[]): readonly LegId[] {
  const known = new Set<LegId | undefined>([...calls.values()].map(({ leg }) => leg))
  for (const { call } of openCalls.values()) known.add(call.leg)
  return legs.filter((leg) => !known.has(leg))
}

/** Everything about a call that is over, or nothing: its attempt, its activity, its recordings and one event. */
export function finishCall(memory: SimRepositoryState, call: FinishedCall): FinishCallResult {
  assert(call.endedAtMs >= call.createdAtMs, 'a call does not end before it begins')
  const row = call.attempt && memory.attempts.get(call.attempt.attempt)
  const earlier = memory.callNames.get(call.call) ?? settledBefore(memory, call)
  const why = refusalOf(call, row)
  if (why !== undefined && earlier === undefined) return { outcome: 'refused', why }
  if (why !== undefined) return { outcome: 'already recorded', activity: earlier! }
  const isSettledWithout = call.attempt
    ? row!.ended !== undefined && row!.fence !== call.attempt.fence
    : earlier !== undefined && call.hungUpBy !== undefined
  const told = asTalk(call, row)
  // An attempt may have been ended by itself before; the call that it was is still to be told.
  if (told.attempt && !row!.ended) endAttempt(memory, { ...told.attempt, fence: row!.fence })
  const id = earlier ?? call.activity ?? memory.newActivity()
  if (earlier === undefined) memory.addCall(id, told)
  if (isSettledWithout) amendCall(memory, id, call)
  return { outcome: earlier === undefined ? 'recorded' : 'already recorded', activity: id }
}

/** Who is still there when their node is started anew is served under another name: it is the same call. */
function settledBefore(memory: SimRepositoryState, told: FinishedCall): ActivityId | undefined {
  const { call, leg, caller, called, endedAtMs } = told
  const isSame = (one: FinishedCall) =>
    one.leg === leg && one.caller === caller && one.called === called && !one.attempt && isUnseen(one)
  const isUnseen = (one: FinishedCall) => one.hungUpBy === undefined || one.endedAtMs === endedAtMs
  const found = leg === undefined ? undefined : [...memory.calls.values()].find(isSame)
  if (found) memory.openCalls.delete(call)
  return found?.id
}

/** Of a lost attempt it is told that somebody answered, and what another node settled without it (campaigns-123). */
function refusalOf({ attempt }: FinishedCall, row: SimAttempt | undefined) {
  if (!attempt) return undefined
  if (!row) return 'no such attempt'
  return row.fence === attempt.fence || row.ended || attempt.reach === 'answered' ? undefined : 'fenced off'
}

function asTalk(call: FinishedCall, row: SimAttempt | undefined): FinishedCall {
  const { attempt, endedAtMs } = call
  if (attempt?.result !== 'unknown' || !row || row.ended || row.connectedAtMs === null) return call
  const { connectedAtMs: answeredAtMs, agent } = row
  const talked = { result: 'answered', answeredAtMs, ...(agent !== null && { agent }) } as const
  const end = { ...attempt, ...talked, reach: 'answered', next: { status: 'answered' } } as const
  return { ...call, ...talked, talkMs: Math.max(0, endedAtMs - answeredAtMs), attempt: end }
}

/** Whoever settles it finds the talk, or it was settled without. */
function noteTalk(memory: SimRepositoryState, { attempt: id, atMs, agent }: AttemptConnected): void {
  const row = memory.attempts.get(id)!
  if (row.ended && row.result !== 'unknown') return
  Object.assign(row, { connectedAtMs: row.connectedAtMs ?? atMs, agent: row.agent ?? agent })
  if (!row.ended) return
  Object.assign(row, { result: 'answered', reach: 'answered', answeredAtMs: row.answeredAtMs ?? atMs })
  const call = memory.calls.get(row.activity)
  if (call) Object.assign(call, { result: 'answered', answeredAtMs: call.answeredAtMs ?? atMs, agent })
  finishTalkedTask(memory, row, atMs)
}

/** Another node settled it by what it knew; the one that had the call tells what was. */
function amendCall(memory: SimRepositoryState, activity: ActivityId, { attempt, ...call }: FinishedCall): void {
  const row = attempt && memory.attempts.get(attempt.attempt)!
  if (attempt && row) {
    if (row.result !== 'unknown' && !(row.result === 'answered' && attempt.result === 'answered')) return
    const { result, reach, atMs: endedAtMs } = attempt
    const { agent, dialedAtMs, ringingAtMs, answeredAtMs, sipStatus, waitMs } = attempt
    const seen = { agent, dialedAtMs, ringingAtMs, answeredAtMs, sipStatus, waitMs }
    const known = Object.entries(seen).filter(([, value]) => value !== undefined)
    Object.assign(row, { result, reach, endedAtMs, ...Object.fromEntries(known) })
    if (result === 'answered') finishTalkedTask(memory, row, endedAtMs)
  }
  const kept = memory.calls.get(activity)!
  if (attempt || kept.hungUpBy === undefined) {
    const { call: name, createdAtMs, eventName } = kept
    Object.assign(kept, structuredClone({ ...call, call: name, createdAtMs, eventName }))
  }
}

/** A task that is finished, or in its next call, stays so. A promised callback stands. */
function finishTalkedTask(memory: SimRepositoryState, { task: id }: SimAttempt, atMs: AtMs): void {
  const task = memory.tasks.get(id)!
  task.answered = true
  if (task.callback || !['new', 'waiting', 'reserved'].includes(task.status)) return
  memory.changeTask(task, { status: 'answered', finishedAtMs: atMs }, atMs, 'talked after all')
}

/** Within the corporations; nothing is found without a criterion. */
export function findAttempts(memory: SimRepositoryState, by: AttemptQuery): readonly Attempt[] {
  const { corporations, ids, tasks, activities } = by
  if (!ids && !tasks && !activities) return []
  return [...memory.attempts.values()]
    .filter(
      (attempt) =>
        corporations.includes(attempt.corporation) &&
        (ids?.includes(attempt.id) ?? true) &&
        (tasks?.includes(attempt.task) ?? true) &&
        (activities?.includes(attempt.activity) ?? true),
    )
    .slice(0, ATTEMPTS_MAX)
    .map(attemptOf)
}

/** Those that are over, oldest first. A machine is one by the attempt's result, or by a person's word. */
export function answeredCalls(
  memory: SimRepositoryState,
  of: CountedScope,
  sinceAtMs: AtMs,
): readonly AnsweredAttempt[] {
  const answered = [...memory.attempts.values()].flatMap((attempt) => {
    const { id, answeredAtMs, result, correction } = attempt
    if (!isOf(memory, attempt, of) || answeredAtMs === null || answeredAtMs < sinceAtMs) return []
    const isMachine = result === 'voicemail' || correction !== undefined
    return [{ attempt: id, answeredAtMs, isMachine, isAbandoned: result === 'dropped' }]
  })
  return answered.sort((a, b) => a.answeredAtMs - b.answeredAtMs)
}

/** The same as sums. */
export function answeredSums(
  memory: SimRepositoryState,
  of: CountedScope,
  fromAtMs: AtMs,
  beforeAtMs: AtMs,
): AnsweredSums {
  const calls = answeredCalls(memory, of, fromAtMs).filter(({ answeredAtMs }) => answeredAtMs < beforeAtMs)
  const persons = calls.filter(({ isMachine }) => !isMachine)
  const abandoned = persons.filter(({ isAbandoned }) => isAbandoned).length
  return { persons: persons.length, machines: calls.length - persons.length, abandoned }
}

/** Calls that were only listened to, by the word of their agent. */
export function detectionCounts(memory: SimRepositoryState, campaign: CampaignId, sinceAtMs: AtMs): DetectionCounts {
  const measured = [...memory.attempts.values()].filter((attempt) => {
    const { answeredAtMs, connectedAtMs, endedAtMs, heard } = attempt
    const isOver = endedAtMs !== null && connectedAtMs !== null && heard !== undefined
    return attempt.campaign === campaign && isOver && answeredAtMs !== null && answeredAtMs >= sinceAtMs
  })
  const persons = measured.filter((attempt) => !isMachine(attempt))
  const machines = measured.filter(isMachine)
  const errors = (isCalledMachine: (attempt: SimAttempt) => boolean) => ({
    personsTaken: persons.filter(isCalledMachine).length,
    machinesMissed: machines.filter((attempt) => !isCalledMachine(attempt)).length,
  })
  return {
    persons: persons.length,
    machines: machines.length,
    pauses: errors(({ heard }) => heard === 'machine'),
    greeting: errors(({ greeting }) => greeting?.isKnown === true),
  }
}

/** The caller id is that of the call as it was made. */
function isOf(memory: SimRepositoryState, { campaign, corporation, activity }: SimAttempt, of: CountedScope): boolean {
  if ('campaign' in of) return campaign === of.campaign
  if (corporation !== of.corporation) return false
  return of.callerId === undefined || memory.calls.get(activity)?.caller === of.callerId
}

function openOf(
  memory: SimRepositoryState,
  { attempt, fence }: Pick<AttemptEnd, 'attempt' | 'fence'>,
): SimAttempt | Exclude<AttemptWrite, 'written'> {
  const row = memory.attempts.get(attempt)
  if (!row) return 'no such attempt'
  if (row.fence !== fence) return 'fenced off'
  return row.result === null ? row : 'already ended'
}

/** While other numbers of the task still ring, only an end that finishes it says where it goes on. */
function moveTaskOn(memory: SimRepositoryState, attempt: SimAttempt, { next: given, atMs, ...end }: AttemptEnd): void {
  const { result, reach } = end
  const task = memory.tasks.get(attempt.task)!
  const isLast = memory.attemptsOfTask(task.id).every(({ ended }) => ended)
  // A promise stands until an attempt that was placed at or after its date has reached somebody.
  const { callback } = task
  const isUnkept = reach === 'nothing' || PROMISE_STANDS_AFTER.includes(result)
  const isPromised = callback && (isUnkept || attempt.claimedAtMs < callback.atMs)
  // A typed number is dialed once (campaigns-113).
  const isOnce = task.isTyped === true && !isPromised
  // The engine decided by the task as it was before the change; the gate decides by what it is now.
  const isOutdated =
    task.isChangedInCall && !isOnce && ['new', 'waiting', 'maxAttempts', 'noCallableNumber'].includes(given.status)
  const isCut = isOnce && isLast && !isFinished(given.status)
  const next = isCut
    ? ({ status: 'endedBySystem' } as const)
    : isOutdated
      ? ({ status: 'waiting', nextCallAtMs: atMs } as const)
      : given
  const settles = task.finishedAtMs === undefined && (isFinished(next.status) || isLast)
  const promise = isPromised ? givenIn(attempt, callback, atMs) : undefined
  const counted: Partial<TaskState> = {
    attemptsCounted: task.attemptsCounted + (attempt.counts ? 1 : 0),
    answered: task.answered || result === 'answered',
    isChangedInCall: task.isChangedInCall && !(isOutdated && isLast),
    ...(isCut &&
      settles && { finishReason: `${reach === 'nothing' ? 'not dialed' : 'dialed once, by hand'}: ${result}` }),
  }
  memory.changeTask(task, settles ? { ...counted, ...settled(promise, next, atMs) } : counted, atMs, result)
  if (!settles) return
  // A talk that was marked as a machine may use up the attempts: what was promised in it stays.
  const isGivenNow = promise !== undefined && isGivenIn(attempt, promise)
  const leavesPromise = next.status === 'answered' || (next.status === 'maxAttempts' && isGivenNow)
  if (promise && leavesPromise) carryPromise(memory, task, promise, atMs)
  else if (next.status === 'answered' && attempt.correction) followMachine(memory, task, atMs)
}

function isGivenIn({ claimedAtMs }: SimAttempt, { promisedAtMs }: NonNullable<TaskState['callback']>): boolean {
  return promisedAtMs !== undefined && promisedAtMs >= claimedAtMs
}

/** A promise that was given in this very call: the quiet of its own talk does not hold it. */
function givenIn(
  attempt: SimAttempt,
  callback: NonNullable<TaskState['callback']>,
  endedAtMs: AtMs,
): TaskState['callback'] {
  if (!isGivenIn(attempt, callback)) return callback
  return { ...callback, promisedAtMs: Math.max(callback.promisedAtMs!, endedAtMs) }
}

/** Only what the contact asked for comes before the interval is over (D-12). */
function settled(promise: TaskState['callback'], next: AttemptEnd['next'], atMs: AtMs): Partial<TaskState> {
  if (!('nextCallAtMs' in next)) return { status: next.status, finishedAtMs: atMs, callback: promise }
  const { status, nextCallAtMs } = next
  if (!promise) {
    const callback = status === 'callback' ? { atMs: nextCallAtMs, askedByContact: false } : undefined
    return { status, nextCallAtMs, callback }
  }
  const waits = { status: 'callback', callback: promise } as const
  if (promise.askedByContact && promise.atMs > atMs) return { ...waits, nextCallAtMs: promise.atMs }
  return { ...waits, nextCallAtMs: status === 'callback' ? nextCallAtMs : Math.max(promise.atMs, nextCallAtMs) }
}
