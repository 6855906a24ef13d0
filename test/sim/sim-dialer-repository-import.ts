/** Imports into `SimRecords`: in one step, once for each import id (D-07, D-08). */

import type { CallTaskId, ExternalSystemId } from '../../src/kernel/ids.ts'
import type { Campaign, Import, ImportRefusal, ImportResult, NewCallTask } from '../../src/ports/dialer-repository.ts'
import { jsonOf, personOf } from './sim-dialer-repository-shape.ts'
import type { SimRepositoryState } from './sim-dialer-repository-state.ts'

/** The earlier place in the list wins among duplicates. */
export function importCallTasks(memory: SimRepositoryState, request: Import): ImportResult {
  const earlier = memory.imports.get(request.importId)
  if (earlier) return earlier
  const campaign = memory.campaigns.get(request.campaign)
  if (!campaign) return { outcome: 'no such campaign' }
  const imported: { index: number; id: CallTaskId }[] = []
  const refused: { index: number; why: readonly ImportRefusal[] }[] = []
  for (const given of request.callTasks) {
    const made = importOne(memory, request, campaign, given)
    if (typeof made === 'number') imported.push({ index: given.index, id: made })
    else refused.push({ index: given.index, why: made })
  }
  const result: ImportResult = { outcome: 'imported', imported, refused }
  memory.imports.set(request.importId, result)
  return result
}

function importOne(
  memory: SimRepositoryState,
  request: Import,
  { id: campaign, corporation }: Campaign,
  given: NewCallTask,
): CallTaskId | readonly ImportRefusal[] {
  const { externalSystem, stoppedNumbers, attemptsMax, intervalMs, atMs, importId } = request
  const { receiverName, externalCustomer, externalCaseNumber } = given
  const why: ImportRefusal[] = []
  const isPersonStopped =
    externalCustomer !== undefined &&
    memory.isStopped(corporation, { kind: 'person', externalSystem, externalCustomer })
  if (isPersonStopped) why.push('personStopped')
  const numbers = given.numbers.filter(({ number }) => !memory.isStopped(corporation, { kind: 'number', number }))
  const isWhole = numbers.length === given.numbers.length
  if (!isWhole && (stoppedNumbers === 'reject' || numbers.length === 0)) why.push('numberStopped')
  if (why.length > 0) return why
  const row = {
    corporation,
    campaign,
    externalSystem,
    receiverName,
    externalCustomer,
    externalCaseNumber,
    importId,
    attemptsMax,
    intervalMs,
    createdAtMs: atMs,
    nextCallAtMs: Math.max(atMs, given.validFromAtMs ?? 0),
    validFromAtMs: given.validFromAtMs,
    validToAtMs: given.validToAtMs,
    priority: given.priority ?? 0,
    follows: undefined,
    numbers: jsonOf(numbers),
    properties: jsonOf(given.properties),
    duplicateKey: duplicateKey(externalSystem, given, numbers),
    person: personOf(externalSystem, externalCustomer),
  }
  return memory.addTask(row, 'imported')?.id ?? ['duplicate']
}

/** D-07, 201: system, customer and case number; without the last two, the set of numbers. */
export function duplicateKey(
  externalSystem: ExternalSystemId,
  given: { readonly [Name in 'externalCustomer' | 'externalCaseNumber']?: string | undefined },
  numbers: NewCallTask['numbers'],
): string {
  const { externalCustomer, externalCaseNumber } = given
  if (externalCustomer !== undefined || externalCaseNumber !== undefined) {
    return JSON.stringify([externalSystem, externalCustomer ?? null, externalCaseNumber ?? null])
  }
  return [...new Set(numbers.map(({ number }) => number))].sort().join(' ')
}
