/** How rows leave `SimRecords`: as copies, which keeps callers from changing the stored rows. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { ExternalSystemId } from '../../src/kernel/ids.ts'
import { type Attempt, type DueTask, type EarlierAttempt, TOUCHES_MAX, type Touch } from '../../src/ports/attempt.ts'
import type { SimAttempt, SimTask } from './sim-dialer-repository-rows.ts'
import type { SimCallee, SimRepositoryState } from './sim-dialer-repository-state.ts'
import { isNumberStopped, isPersonStopped } from './sim-dialer-repository-stops.ts'

/** A value as it comes back from a column of JSON: a copy, without what JSON cannot say. */
export function jsonOf<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

/** Who is dialed, for all campaigns together (INV-D3); undefined where the external system gave no customer. */
export function personOf(system: ExternalSystemId, customer: string | undefined): string | undefined {
  return customer === undefined ? undefined : `${system}:${customer}`
}

/** An attempt as the port shows it. */
export function attemptOf(row: SimAttempt): Attempt {
  const { id, task, campaign, activity, attemptNumber, number, leg, fence, claimedAtMs, dialedAtMs, ringingAtMs } = row
  const { answeredAtMs, connectedAtMs, endedAtMs, result, reach, agent, sipStatus, hangupCause, permit, transfers } =
    row
  return {
    id,
    task,
    campaign,
    activity,
    attemptNumber,
    number,
    leg,
    fence,
    claimedAtMs,
    dialedAtMs,
    ringingAtMs,
    answeredAtMs,
    connectedAtMs,
    endedAtMs,
    result,
    reach,
    agent,
    sipStatus,
    hangupCause,
    permit,
    transfers: transfers && jsonOf(transfers),
    isMarkedMachine: row.correction !== undefined,
  }
}

/** A task as the gate sees it. */
export function dueTaskOf(memory: SimRepositoryState, task: SimTask, dialedSinceAtMs: AtMs): DueTask {
  const { id, corporation, campaign, receiverName, externalSystem, externalCustomer, externalCaseNumber } = task
  const { person, callback, attemptsMax, intervalMs, validFromAtMs, validToAtMs } = task
  const ofCallee = memory.attemptsAtCalleeOf(task)
  const callsIn = memory.callsFromCalleeOf(task)
  const lastTalkAtMs = lastTalkOf(memory, task, task)
  const lastDropAtMs = latest(ofCallee.map((attempt) => stillDropped(memory, task, attempt)))
  const isAsking = ({ call }: (typeof callsIn)[number]) => call === memory.places.get(task.id)?.call
  const lastCalledInAtMs = latest(callsIn.filter((one) => !isAsking(one)).map(({ endedAtMs }) => endedAtMs))
  return {
    id,
    corporation,
    campaign,
    receiverName,
    externalSystem,
    attemptsMax,
    intervalMs,
    status: task.status,
    numbers: task.numbers.map(({ number }, position) => {
      const deadSinceAtMs = memory.deadSinceAtMs(corporation, number)
      const stopped = isNumberStopped(memory, corporation, number)
      return { number, position, stopped, ...(deadSinceAtMs === undefined ? {} : { deadSinceAtMs }) }
    }),
    ...(externalCustomer === undefined ? {} : { externalCustomer }),
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ...(person === undefined ? {} : { person }),
    isClosed: task.isClosed,
    isPersonStopped: isPersonStopped(memory, task),
    attempts: memory.attemptsOfTask(id).map(earlierOf),
    ...(callback === undefined ? {} : { callback }),
    ...(validFromAtMs === undefined ? {} : { validFromAtMs }),
    ...(validToAtMs === undefined ? {} : { validToAtMs }),
    touches: [...new Set([...ofCallee, ...memory.attemptsOfTask(id)])]
      .filter((one) => one.reach !== 'nothing' && !isSpared(one) && one.claimedAtMs >= dialedSinceAtMs - intervalMs)
      .sort((a, b) => b.claimedAtMs - a.claimedAtMs || b.id - a.id)
      .slice(0, TOUCHES_MAX)
      .map((attempt) => touchOf(memory, attempt)),
    ...(lastTalkAtMs === undefined ? {} : { lastTalkAtMs }),
    ...(lastDropAtMs === undefined ? {} : { lastDropAtMs }),
    isOnOurLine: memory.isCalleeOnLine(task),
    ...(lastCalledInAtMs === undefined ? {} : { lastCalledInAtMs }),
    inFlight: inFlightBeside(memory, task),
  }
}

/** Attempts that have not ended: of the task, of one of its numbers, of its person. */
export function inFlightBeside(memory: SimRepositoryState, task: SimTask): DueTask['inFlight'] {
  const numbers = task.numbers.map(({ number }) => number)
  const count = (isMeant: (attempt: SimAttempt) => boolean) => [...memory.openAttempts].filter(isMeant).length
  return {
    ofTask: count((attempt) => attempt.task === task.id),
    ofNumber: count(({ number }) => numbers.includes(number)),
    ofContact: count(({ person }) => person !== undefined && person === task.person),
  }
}

/** What a machine said does not count, as soon as that is known. */
function endedAs({ result, correction, endedAtMs }: SimAttempt, meant: 'answered' | 'dropped'): AtMs | undefined {
  return result === meant && !correction ? (endedAtMs ?? undefined) : undefined
}

function lastTalkOf(memory: SimRepositoryState, callee: SimCallee, caller: SimCallee): AtMs | undefined {
  const talksIn = memory.callsFromCalleeOf(caller).flatMap(({ agent, endedAtMs, corporation }) => {
    return agent === undefined || corporation !== callee.corporation ? [] : [endedAtMs]
  })
  return latest([...memory.attemptsAtCalleeOf(callee).map((one) => endedAs(one, 'answered')), ...talksIn])
}

/** A talk with another person at another number of the task does not end the protection of whom this one dropped. */
function stillDropped(memory: SimRepositoryState, task: SimTask, dropped: SimAttempt): AtMs | undefined {
  const droppedAtMs = endedAs(dropped, 'dropped')
  if (droppedAtMs === undefined) return undefined
  const { person, corporation, number } = dropped
  const callee = { person, corporation, numbers: [{ number }] }
  const caller = person !== undefined && person === task.person ? task : { ...callee, person: undefined }
  return (lastTalkOf(memory, callee, caller) ?? 0) > droppedAtMs ? undefined : droppedAtMs
}

function touchOf(memory: SimRepositoryState, attempt: SimAttempt): Touch {
  const { externalCaseNumber } = memory.tasks.get(attempt.task)!
  const { callerId } = attempt.permit as Pick<Touch, 'callerId'>
  return {
    ...earlierOf(attempt),
    task: attempt.task,
    campaign: attempt.campaign,
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ...(callerId === undefined ? {} : { callerId }),
  }
}

/** The carrier was down and no phone rang (campaigns-43). */
export function isSpared({ result, reach, counts }: Pick<SimAttempt, 'result' | 'reach' | 'counts'>): boolean {
  return reach === 'sent' && (result === 'failed' || result === 'noAnswer') && counts === false
}

function earlierOf(attempt: SimAttempt): EarlierAttempt {
  const { id, number, result, reach, claimedAtMs, endedAtMs, correction } = attempt
  return {
    id,
    number,
    claimedAtMs,
    result: result === null ? 'inProgress' : correction ? 'voicemail' : result,
    reach: reach ?? 'answered',
    endedAtMs: endedAtMs ?? undefined,
    ...(isSpared(attempt) && { isSpared: true }),
  }
}

function latest(instants: readonly (AtMs | undefined)[]): AtMs | undefined {
  const known = instants.filter((atMs) => atMs !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
