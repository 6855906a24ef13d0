/** Imports a list of call tasks: checks each one, then against the database (D-07, D-08). */
import type { Campaign } from '../../dialer/campaign.ts'
import { checkCallTasks, type GivenCallTask, type ImportRules } from '../../dialer/check-import.ts'
import { countryOf } from '../../dialer/phone-number.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CallTaskId, CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import type { DialerAdminRepository, TaskFault } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository, ImportRefusal, NewCallTask } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'

export interface CarryDependencies {
  readonly clock: Clock
  readonly dialerAdmin: DialerAdminRepository
  readonly directory: Directory
  readonly dialerRepository: Pick<DialerRepository, 'importCallTasks'>
}

/** A list, or a piece of one, with the settings of its call tasks. */
interface TaskList {
  /** An id is carried out once, however often it is submitted. */
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

/** Imports the call tasks without faults, in one transaction. `no such campaign`: it was deleted meanwhile. */
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
    acceptsPossibleNumbers: campaign.acceptsPossibleNumbers,
    fields: new Set(fields.map(({ id }) => id)),
  }
  const checked = await checkCallTasks(list.callTasks, list.firstIndex, rules, () => pause(clock))
  const right = checked.flatMap((one) => (one.ok ? [one.task] : []))
  const quarantined = await customersWithFinalFeedback(dependencies, list, right)
  const result = await dialerRepository.importCallTasks({
    importId,
    campaign: campaign.id,
    externalSystem,
    attemptsMax,
    intervalMs,
    stoppedNumbers: campaign.imports.dropStoppedNumbers ? 'drop' : 'reject',
    callTasks: right.filter((task) => !isQuarantined(task, quarantined)),
    atMs: clock.nowMs(),
  })
  if (result.outcome === 'no such campaign') return result.outcome
  const quarantinedTasks = right.filter((task) => isQuarantined(task, quarantined))
  const faults: TaskFault[] = [
    ...quarantinedTasks.map(({ index }) => ({ index, kinds: ['finalFeedback' as const], text: FINAL_FEEDBACK })),
    ...checked.flatMap((one) => (one.ok ? [] : [one])),
    ...result.refused.map(({ index, why }) => ({
      index,
      kinds: why,
      text: why.map((reason) => REFUSALS[reason]).join('; '),
    })),
  ]
  return { imported: result.imported, faults: notMade(list, result.imported, faults) }
}

/** A fault for each call task not imported. One imported before a crash has none, even if the rules have changed. */
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

const UNEXPECTED = 'the call task was rejected in an earlier run of this import; the cause is gone, so submit it again'
const FINAL_FEEDBACK =
  'an agent recorded final feedback for this customer in this campaign; the customer cannot be imported again before ' +
  'the quarantine ends'

const REFUSALS: Readonly<Record<ImportRefusal, string>> = {
  duplicate:
    'an unfinished call task of the campaign has the same external system, customer and case, or the same numbers',
  personStopped: 'the customer is on the stop list',
  numberStopped: 'a number of the list is on the stop list',
}

/** Customers with final feedback, who are in quarantine. */
async function customersWithFinalFeedback(
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

function isQuarantined({ externalCustomer }: NewCallTask, quarantined: ReadonlySet<string>): boolean {
  return externalCustomer !== undefined && quarantined.has(externalCustomer)
}

/** Lets other work of the process run. */
function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.schedule(clock.nowMs(), resolve))
}
