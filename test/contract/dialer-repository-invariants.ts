/** The invariants of faults.md 3.1 that a database can break, checked on everything in the simulated one. */
import { isFinished } from '../../src/ports/call-task.ts'
import type { SimAttempt, SimDialerRepositoryView, SimTask, StopChange } from '../sim/sim-dialer-repository-rows.ts'

type Check = (view: SimDialerRepositoryView) => string[]

/** Violations, each as a sentence that begins with the invariant's name. */
export function brokenInvariants(view: SimDialerRepositoryView): string[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => check(view).map((fault) => `${name}: ${fault}`))
}

const CHECKS: Readonly<Record<string, Check>> = {
  'INV-D1': ({ tasks, attempts }) =>
    [...tasks.values()].flatMap((task) => {
      const counted = attemptsOf(attempts, task).filter(({ counts }) => counts).length
      if (counted > task.attemptsMax) return [`task ${task.id} has ${counted} of ${task.attemptsMax} attempts`]
      return counted === task.attemptsCounted ? [] : [`task ${task.id} counts ${task.attemptsCounted}, not ${counted}`]
    }),
  'INV-D3': ({ attempts }) => {
    const all = [...attempts.values()]
    return all.flatMap((one, index) =>
      all
        .slice(index + 1)
        .filter((other) => overlaps(one, other) && collides(one, other))
        .map((other) => `attempts ${one.id} and ${other.id} are in flight together`),
    )
  },
  'INV-D4': ({ tasks, attempts }) =>
    [...attempts.values()].flatMap(({ id, task, committed }) => {
      const finish = tasks.get(task)?.history.find((change) => change.isFinished)
      return finish && finish.step < committed.step ? [`attempt ${id} was made for a finished task`] : []
    }),
  'INV-D5': ({ tasks, attempts, stops }) =>
    [...attempts.values()].flatMap((attempt) => {
      const task = tasks.get(attempt.task)!
      const before = stops.filter(({ step }) => step < attempt.committed.step)
      const isStopped = new Map(before.map((change) => [JSON.stringify(change.stop), change.what === 'added']))
      const hit = before.find((change) => isStopped.get(JSON.stringify(change.stop)) && concerns(change, attempt, task))
      return hit ? [`attempt ${attempt.id} was made after a stop of ${JSON.stringify(hit.stop)}`] : []
    }),
  'INV-O2': ({ attempts }) =>
    [...attempts.values()]
      .filter(({ result, endedAtMs, ended }) => (result === null) !== (ended === undefined || endedAtMs === null))
      .map(({ id }) => `attempt ${id} has ended or has it not`),
  'INV-O3': ({ tasks, attempts }) =>
    [...tasks.values()].flatMap((task) => {
      const end = task.history.findIndex((change) => change.isFinished)
      const later = end < 0 ? [] : task.history.slice(end)
      const faults = later
        .filter(({ status }) => status !== task.status)
        .map(({ what }) => `task ${task.id} was ${what}`)
      const isTalk = ({ result }: SimAttempt) => result === 'answered'
      const owesEnd = !isFinished(task.status) && attemptsOf(attempts, task).some(isTalk)
      return owesEnd ? [...faults, `task ${task.id} was answered and is not finished`] : faults
    }),
  'INV-O5': ({ calls, events, attempts }) => {
    const told = [...calls.keys()].filter((id) => events.filter(({ activity }) => activity === id).length !== 1)
    const open = [...calls.values()].filter(({ attempt }) => attempt && !attempts.get(attempt.attempt)?.ended)
    return [
      ...told.map((id) => `call ${id} has not exactly one event`),
      ...open.map(({ id }) => `call ${id} is over, and its attempt is not`),
    ]
  },
  'one case once': ({ tasks }) => {
    const active = [...tasks.values()].filter(({ status }) => !isFinished(status))
    const keys = active.map(({ campaign, duplicateKey }) => `${campaign} ${duplicateKey}`)
    return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} is listed twice`)
  },
  'no task is forgotten': ({ tasks, attempts }) =>
    [...tasks.values()]
      .filter((task) => {
        const rings = attemptsOf(attempts, task).some(({ ended }) => !ended)
        if (isFinished(task.status)) return task.reserved !== undefined || task.nextCallAtMs !== undefined
        if (task.status === 'reserved') return task.reserved === undefined || rings
        if (task.status === 'dialing' || task.status === 'inCall') return !rings
        return rings || task.nextCallAtMs === undefined || task.reserved !== undefined
      })
      .map(({ id, status }) => `task ${id} is ${status}, and nothing will come of it`),
}

function attemptsOf(attempts: SimDialerRepositoryView['attempts'], { id }: Pick<SimTask, 'id'>): SimAttempt[] {
  return [...attempts.values()].filter(({ task }) => task === id)
}

function overlaps(one: SimAttempt, other: SimAttempt): boolean {
  const endOf = ({ ended }: SimAttempt) => ended?.step ?? Number.POSITIVE_INFINITY
  return one.committed.step < endOf(other) && other.committed.step < endOf(one)
}

/** Numbers of one task may ring together if one claim started them. */
function collides(one: SimAttempt, other: SimAttempt): boolean {
  if (one.number === other.number) return true
  if (one.task === other.task) return one.committed.step !== other.committed.step
  return one.person !== undefined && one.person === other.person
}

function concerns({ corporation, stop }: StopChange, attempt: SimAttempt, task: SimTask): boolean {
  if (corporation !== attempt.corporation) return false
  if (stop.kind === 'number') return stop.number === attempt.number
  return stop.externalSystem === task.externalSystem && stop.externalCustomer === task.externalCustomer
}
