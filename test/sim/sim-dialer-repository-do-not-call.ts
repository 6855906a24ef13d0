import type { CallTaskId } from '../../src/kernel/ids.ts'
import type { DoNotCall } from '../../src/ports/dialer-repository.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'
import { endCallTask } from './sim-dialer-repository-tasks.ts'

/** Stops the number and, where a task tells who it is, the person; what may be dialed no more is finished. */
export function doNotCall(memory: SimRepositoryState, request: DoNotCall): readonly CallTaskId[] {
  const { corporation, number, reason, atMs } = request
  memory.changeStop(corporation, { kind: 'number', number }, 'added')
  const found = request.task === undefined ? undefined : memory.tasks.get(request.task)
  const dialed = found?.corporation === corporation ? found : undefined
  if (dialed?.externalSystem !== undefined && dialed.externalCustomer !== undefined) {
    const { externalSystem, externalCustomer } = dialed
    memory.changeStop(corporation, { kind: 'person', externalSystem, externalCustomer }, 'added')
  }
  const isTheirs = (task: SimTask) =>
    task === dialed ||
    (task.person !== undefined && task.person === dialed?.person) ||
    (task.numbers.some((one) => one.number === number) &&
      task.numbers.every((one) => memory.isStopped(corporation, { kind: 'number', number: one.number })))
  const open = [...memory.tasks.values()].filter(
    (task) => task.corporation === corporation && task.finishedAtMs === undefined && isTheirs(task),
  )
  for (const task of open) {
    memory.changeTask(task, { status: 'stopped', finishedAtMs: atMs, finishReason: reason }, atMs, 'stopped by words')
  }
  const ids = open.map(({ id }) => id)
  if (dialed) {
    const end = { task: dialed.id, corporations: [corporation], status: 'stopped', reason, atMs } as const
    const chain = endCallTask(memory, end)
    if (chain.outcome !== 'no such call task') ids.push(...chain.followers)
  }
  return ids.sort((one, other) => one - other)
}
