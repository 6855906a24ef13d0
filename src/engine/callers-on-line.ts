import type { AttemptId, PhoneNumber } from '../kernel/ids.ts'
import type { DueTask } from '../ports/attempt.ts'
import type { EngineContext } from './context.ts'

/**
 * Whether a caller with one of the numbers arrives, is in the flow, in a queue or with an agent. Only the digits are
 * compared: a number that looks like a callee's is theirs. A withheld number is nobody's.
 */
export function isCallerOnLine(
  { calls, arriving }: Pick<EngineContext, 'calls' | 'arriving'>,
  numbers: readonly PhoneNumber[],
): boolean {
  if (calls.size + arriving.size === 0) return false
  const callees = new Set(numbers.map((number) => number.slice(1)))
  const isCallee = (caller: string | undefined) => caller !== undefined && callees.has(digitsOf(caller))
  for (const { caller } of calls.values()) if (isCallee(caller)) return true
  for (const { event } of arriving.values()) if (isCallee(event.caller)) return true
  return false
}

interface AtTask {
  readonly attempt: AttemptId
  readonly group: { readonly task: Pick<DueTask, 'numbers'> }
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
