/** Carries out a list of call tasks: what each can tell by itself, then what the memory knows (D-07, D-08). */
import type { Campaign } from '../../dialer/campaign.ts'
import { checkCallTasks, type GivenCallTask, type ImportRules } from '../../dialer/import-call-tasks.ts'
import { countryOf } from '../../dialer/phone-number.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CallTaskId, CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import type { DialerAdminRepository, TaskFault } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository, ImportRefusal, NewCallTask } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'

/** What is needed for it. */
export interface CarryDependencies {
  readonly clock: Clock
  readonly dialerAdmin: DialerAdminRepository
  readonly directory: Directory
  readonly dialerRepository: Pick<DialerRepository, 'importCallTasks'>
}

/** A list, or a piece of one, with all that holds for each of its call tasks. */
export interface TaskList {
  /** Carried out once, however often it is asked for. */
  readonly importId: string
  readonly corporation: CorporationId
  readonly campaign: Campaign
  readonly externalSystem: ExternalSystemId
  readonly attemptsMax: number
  readonly intervalMs: number
  /** Place of the first one in the whole list. */
  readonly firstIndex: number
  readonly callTasks: readonly GivenCallTask[]
}

/** What was made, and why not the rest; every submitted call task is in one of them. */
export interface CarriedOut {
  readonly imported: readonly { readonly index: number; readonly id: CallTaskId }[]
  readonly faults: readonly TaskFault[]
}

/** Imports what is in order, in one transaction. `no such campaign`: it went away meanwhile. */
export async function carryOut(
  dependencies: CarryDependencies,
  list: TaskList,
): Promise<CarriedOut | 'no such campaign'> {
  const { clock, directory, dialerRepository } = dependencies
  const { campaign, importId, externalSystem, attemptsMax, intervalMs } = list
  const fields = await directory.infoFields([list.corporation], false)
  const rules: ImportRules = {
    country: countryOf(campaign.callerId),
    allowedCountries: campaign.allowedCountries,
    skipInvalidNumbers: campaign.imports.skipInvalidNumbers,
    fields: new Set(fields.map(({ id }) => id)),
  }
  const checked = await checkCallTasks(list.callTasks, list.firstIndex, rules, () => pause(clock))
  const right = checked.flatMap((one) => (one.ok ? [one.task] : []))
  const settled = await withLastWord(dependencies, list, right)
  const result = await dialerRepository.importCallTasks({
    importId,
    campaign: campaign.id,
    externalSystem,
    attemptsMax,
    intervalMs,
    stoppedNumbers: campaign.imports.dropStoppedNumbers ? 'drop' : 'reject',
    callTasks: right.filter((task) => !isSettled(task, settled)),
    atMs: clock.nowMs(),
  })
  if (result.outcome === 'no such campaign') return result.outcome
  const settledTasks = right.filter((task) => isSettled(task, settled))
  const faults: TaskFault[] = [
    ...settledTasks.map(({ index }) => ({ index, kinds: ['finalFeedback' as const], text: LAST_WORD })),
    ...checked.flatMap((one) => (one.ok ? [] : [one])),
    ...result.refused.map(({ index, why }) => ({ index, kinds: why, text: why.map(sentence).join('; ') })),
  ]
  return { imported: result.imported, faults: notMade(list, result.imported, faults) }
}

/**
 * One fault for each call task that was not made. An import that is repeated after a crash answers as it did then,
 * although the rules may have changed since: what was made has no fault, whatever is found now.
 */
function notMade(
  { firstIndex, callTasks }: TaskList,
  imported: CarriedOut['imported'],
  faults: readonly TaskFault[],
): TaskFault[] {
  const made = new Set(imported.map(({ index }) => index))
  const byIndex = new Map(faults.map((fault) => [fault.index, fault]))
  const indexes = callTasks.map((_, place) => firstIndex + place).filter((index) => !made.has(index))
  return indexes.map((index) => byIndex.get(index) ?? { index, kinds: ['unexpected'], text: UNEXPECTED })
}

const UNEXPECTED = 'it was not imported for a reason that does not hold any more; import it again'
const LAST_WORD = 'an agent has the last word of this customer in this campaign already'

const REFUSALS: Readonly<Record<ImportRefusal, string>> = {
  duplicate: 'an unfinished call task of the campaign has the same system, customer and case, or the same numbers',
  personStopped: 'the customer is on the stop list',
  numberStopped: 'a number of the list is on the stop list',
}

function sentence(why: ImportRefusal): string {
  return REFUSALS[why]
}

/** Customers about whom there is nothing more to be said for a while. */
async function withLastWord(
  { dialerAdmin, clock }: CarryDependencies,
  { campaign, externalSystem }: TaskList,
  tasks: readonly NewCallTask[],
): Promise<ReadonlySet<string>> {
  const { feedbackQuarantineMs } = campaign.imports
  const customers = tasks.flatMap(({ externalCustomer }) => externalCustomer ?? [])
  if (feedbackQuarantineMs === 0 || customers.length === 0) return new Set()
  const sinceAtMs = clock.nowMs() - feedbackQuarantineMs
  return dialerAdmin.withFinalFeedback({ campaign: campaign.id, externalSystem, customers, sinceAtMs })
}

function isSettled({ externalCustomer }: NewCallTask, settled: ReadonlySet<string>): boolean {
  return externalCustomer !== undefined && settled.has(externalCustomer)
}

/** Whoever else waits has a turn. */
function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.schedule(clock.nowMs(), resolve))
}
