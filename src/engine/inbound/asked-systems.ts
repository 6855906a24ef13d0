/** The external systems that a call may ask about cases (calls-and-flows-72). */
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { EngineContext } from '../context.ts'

type Task = Readonly<Record<string, unknown>> | undefined

/** An active system of the first corporation, as calls that come in belong to it (calls-and-flows-26). */
export function systemOfCalls({ dependencies }: EngineContext, idOrCode: number | string | undefined) {
  const system = idOrCode === undefined ? undefined : dependencies.dialer?.externalSystem(idOrCode)
  return system?.corporation === FIRST_CORPORATION ? system : undefined
}

/** Where the systems of the caller's task and of the called number tell of cases, as the call begins. */
export function lookupsOf(context: EngineContext, called: string, task: Task) {
  const code = task?.['systemCode']
  const ofTask = typeof code === 'string' ? systemOfCalls(context, code)?.lookup : undefined
  const ofNumber = systemOfCalls(context, context.numbers.get(called)?.externalSystem)?.lookup
  return { ...(ofTask && { task: ofTask }), ...(ofNumber && { number: ofNumber }) }
}
