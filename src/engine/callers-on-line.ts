import type { AttemptId, PhoneNumber } from '../kernel/ids.ts'
import type { DueTask } from '../ports/attempt.ts'
import type { EngineContext } from './context.ts'

/**
 * Whether a caller with one of the numbers arrives, is in the flow, in a queue or with an agent. Only the digits are
 * compared: a number that looks like a callee's is theirs. A withheld number is nobody's.
 */
export function isCallerOnLine(
  { calls, arriving }: Pick<EngineContext, 'calls' | 'arriving'>,
  { numbers }: { readonly numbers: readonly { readonly number: PhoneNumber }[] },
): boolean {
  if (calls.size + arriving.size === 0) return false
  const callees = new Set(numbers.map(({ number }) => number.slice(1)))
  const isCallee = (caller: string | undefined) => caller !== undefined && callees.has(digitsOf(caller))
  for (const { caller } of calls.values()) if (isCallee(caller)) return true
  for (const { event } of arriving.values()) if (isCallee(event.caller)) return true
  return false
}

interface AtTask {
  readonly attempt: AttemptId
  readonly number: PhoneNumber
  readonly group: { readonly task: Pick<DueTask, 'numbers' | 'person'> }
}

/**
 * Whether this engine has another attempt at the person or at a number of theirs, also one that the database has
 * forgotten (campaigns-143). Attempts that are dialed together have one task.
 */
export function isInAttempt(task: AtTask['group']['task'], attempts: Iterable<Omit<AtTask, 'attempt'>>): boolean {
  const numbers = new Set(task.numbers.map(({ number }) => number))
  for (const { number, group } of attempts) {
    const isTheirs = numbers.has(number) || (task.person !== undefined && group.task.person === task.person)
    if (isTheirs && group.task !== task) return true
  }
  return false
}

/** Attempts at call tasks that have the caller's number, whichever of their numbers is dialed. */
export function attemptsAt(caller: string | undefined, attempts: Iterable<AtTask>): AttemptId[] {
  const digits = digitsOf(caller ?? '')
  const isTheirs = ({ group }: AtTask) => group.task.numbers.some(({ number }) => number.slice(1) === digits)
  return [...attempts].filter(isTheirs).map(({ attempt }) => attempt)
}

/** Without separators and international prefix. */
function digitsOf(caller: string): string {
  return caller.replaceAll(/[^0-9]/g, '').replace(/^00/, '')
}
