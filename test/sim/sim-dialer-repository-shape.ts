/** How rows leave `SimRecords`: as copies, so that nobody holds a piece of the memory in their hands. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type { ExternalSystemId } from '../../src/kernel/ids.ts'
import type { Attempt, DueTask, EarlierAttempt } from '../../src/ports/attempt.ts'
import type { SimAttempt, SimTask } from './sim-dialer-repository-rows.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

/** More instants than any cap on calls needs. */
const DIALED_MAX = 100

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
  const { answeredAtMs, connectedAtMs, endedAtMs, result, reach, agent, sipStatus, hangupCause } = row
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
  }
}

/** A task as the gate sees it. */
export function dueTaskOf(memory: SimRepositoryState, task: SimTask, dialedSinceAtMs: AtMs): DueTask {
  const { id, corporation, campaign, receiverName, externalSystem, externalCustomer, externalCaseNumber } = task
  const { person, callback, attemptsMax, intervalMs } = task
  const ofPerson = memory.attemptsAtPersonOf(task)
  const lastTalkAtMs = latest([...ofPerson.map(talkedAtMs), ...talksOfCallers(memory, task)])
  const stop =
    externalCustomer === undefined ? undefined : ({ kind: 'person', externalSystem, externalCustomer } as const)
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
      return { number, position, stopped: memory.isStopped(corporation, { kind: 'number', number }) }
    }),
    ...(externalCustomer === undefined ? {} : { externalCustomer }),
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ...(person === undefined ? {} : { person }),
    isPersonStopped: stop !== undefined && memory.isStopped(corporation, stop),
    attempts: memory.attemptsOfTask(id).map(earlierOf),
    ...(callback === undefined ? {} : { callback }),
    dialedAtMs: ofPerson
      .filter(({ reach, claimedAtMs }) => reach !== 'nothing' && claimedAtMs >= dialedSinceAtMs)
      .map(({ claimedAtMs }) => claimedAtMs)
      .sort((a, b) => b - a)
      .slice(0, DIALED_MAX),
    ...(lastTalkAtMs === undefined ? {} : { lastTalkAtMs }),
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

/** Whether somebody talked with somebody: what a machine said does not count, as soon as that is known. */
function talkedAtMs({ result, correction, endedAtMs }: SimAttempt): AtMs | undefined {
  return result === 'answered' && !correction ? (endedAtMs ?? undefined) : undefined
}

/** Whoever phoned in from one of the numbers and talked to an agent has talked to us as well. */
function talksOfCallers(memory: SimRepositoryState, { numbers }: SimTask): AtMs[] {
  return numbers.flatMap(({ number }) => memory.talksWithCallers.get(number) ?? [])
}

function earlierOf({ id, number, result, reach, claimedAtMs, endedAtMs, correction }: SimAttempt): EarlierAttempt {
  return {
    id,
    number,
    claimedAtMs,
    result: result === null ? 'inProgress' : correction ? 'voicemail' : result,
    reach: reach ?? 'answered',
    endedAtMs: endedAtMs ?? undefined,
  }
}

function latest(instants: readonly (AtMs | undefined)[]): AtMs | undefined {
  const known = instants.filter((atMs) => atMs !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
