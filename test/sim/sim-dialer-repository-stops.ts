import type { CorporationId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Stop } from '../../src/ports/dialer-repository.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

export function isPersonStopped(memory: SimRepositoryState, task: SimTask): boolean {
  const { corporation, externalSystem, externalCustomer } = task
  if (externalCustomer === undefined) return false
  return memory.isStopped(corporation, { kind: 'person', externalSystem, externalCustomer })
}

/** The stop of a person protects the numbers that their tasks have (campaigns-33). */
export function isNumberStopped(memory: SimRepositoryState, corporation: CorporationId, number: PhoneNumber): boolean {
  if (memory.isStopped(corporation, { kind: 'number', number })) return true
  return memory.tasksOfNumber(number).some((task) => task.corporation === corporation && isPersonStopped(memory, task))
}

/** What the port answers. */
export function isStopped(memory: SimRepositoryState, corporation: CorporationId, stop: Stop): boolean {
  return stop.kind === 'number'
    ? isNumberStopped(memory, corporation, stop.number)
    : memory.isStopped(corporation, stop)
}
