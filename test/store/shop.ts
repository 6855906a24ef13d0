import type { CallTaskId, CampaignId, CorporationId, ExternalSystemId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { AttemptEnd, Claim, ClaimedAttempt, NodeLease, Verdict } from '../../src/ports/attempt.ts'
import type { CallTask, CallTaskFilter, CallTaskSearch } from '../../src/ports/call-task.ts'
import type { DialerRepository, Import, NewCallTask } from '../../src/ports/dialer-repository.ts'
import type { Pools } from '../../src/store/db/pools.ts'
import { callTaskStream } from '../../src/store/dialer/call-task-stream.ts'
import { type DialerRepositoryWithStops, postgresWithStops } from '../support/stop-control.ts'

/** The instant at which the tests begin. */
export const NOON = Date.UTC(2026, 0, 2, 12)
export const HOUR_MS = 3_600_000
export const CORPORATION = 1 as CorporationId
export const SYSTEM = 3 as ExternalSystemId
export const CAMPAIGN = 7 as CampaignId

/** A corporation with an external system, a campaign and an information field, and call tasks to work with. */
export async function openShop(pools: Pools): Promise<DialerRepositoryWithStops> {
  await pools.jobs.query(`
    insert into corporations (id, name, created_at_ms) values (1, 'Collectors', 0), (2, 'Others', 0)
      on conflict do nothing;
    insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'Debt system')
      on conflict do nothing;
    insert into property_fields (id, corporation_id, name) values (5, 1, 'Amount') on conflict do nothing;`)
  const dialerRepository = postgresWithStops(pools)
  await dialerRepository.saveCampaign(campaign(CAMPAIGN), NOON)
  return dialerRepository
}

/** A campaign of the corporation. */
export function campaign(id: CampaignId, active = true) {
  return { id, corporation: CORPORATION, externalSystem: SYSTEM, name: `Campaign ${id}`, active, settings: {} }
}

let imports = 0

/** An import of the campaign, with an id of its own. */
export function importOf(callTasks: readonly NewCallTask[], change: Partial<Import> = {}): Import {
  return {
    importId: `import-${++imports}`,
    campaign: CAMPAIGN,
    externalSystem: SYSTEM,
    attemptsMax: 3,
    intervalMs: HOUR_MS,
    stoppedNumbers: 'reject',
    callTasks,
    atMs: NOON,
    ...change,
  }
}

/** The debtor of this place, with a case, a customer number and a telephone of their own. */
export function debtor(index: number, change: Partial<NewCallTask> = {}): NewCallTask {
  return {
    index,
    receiverName: `Debtor ${index}`,
    numbers: [{ given: number(index), number: number(index) }],
    externalCustomer: `c${index}`,
    externalCaseNumber: `case ${index}`,
    properties: [{ field: 5, value: `${index} kroner` }],
    ...change,
  }
}

/** The debtors of places from 0 on. */
export function debtors(count: number): NewCallTask[] {
  return Array.from({ length: count }, (_, index) => debtor(index))
}

export function number(index: number): PhoneNumber {
  return `+45${String(70_000_000 + index)}` as PhoneNumber
}

/** A claim that dials the first number of every task. */
export function claimOf(lease: NodeLease, change: Partial<Claim> = {}): Claim {
  return {
    lease,
    campaign: CAMPAIGN,
    tasksMax: 100,
    atMs: NOON,
    dialedSinceAtMs: NOON - 7 * 24 * HOUR_MS,
    decide: (task) => dial(task.numbers[0]!.number),
    ...change,
  }
}

/** The gate's permit to dial these numbers. */
export function dial(...numbers: readonly PhoneNumber[]): Verdict {
  return { verdict: 'dial', numbers: numbers.map((number) => ({ number, permit: { rules: 'none', number } })) }
}

/** The attempts of a claim that must succeed. */
export async function claim(
  dialerRepository: DialerRepository,
  lease: NodeLease,
  change: Partial<Claim> = {},
): Promise<ClaimedAttempt[]> {
  const result = await dialerRepository.claimDueTasks(claimOf(lease, change))
  if (result.outcome !== 'claimed') throw new Error(result.outcome)
  return [...result.attempts]
}

/** The end of an unanswered attempt, to be repeated in an hour. */
export function noAnswer({ id }: ClaimedAttempt, lease: NodeLease, atMs = NOON + 30_000) {
  const next = { status: 'waiting', nextCallAtMs: atMs + HOUR_MS } as const
  return { attempt: id, fence: lease.fence, result: 'noAnswer', reach: 'rang', counts: true, atMs, next } as const
}

/** The end of an attempt with a conversation. */
export function answered(attempt: ClaimedAttempt, lease: NodeLease, atMs = NOON + 90_000): AttemptEnd {
  const seen = { dialedAtMs: atMs - 80_000, ringingAtMs: atMs - 75_000, answeredAtMs: atMs - 60_000 }
  return {
    ...noAnswer(attempt, lease, atMs),
    ...seen,
    result: 'answered',
    reach: 'answered',
    counts: false,
    next: { status: 'answered' },
  }
}

/** The call task of this id, as a search returns it. */
export async function taskOf(pools: Pools, id: CallTaskId): Promise<CallTask> {
  const { callTasks } = await searchCallTasks(pools, searchOf({ ids: [id] }))
  return callTasks[0]!
}

/** The compared fields. */
const SUMMARY = [
  'id',
  'campaign',
  'receiverName',
  'externalCustomer',
  'externalCaseNumber',
  'status',
  'finished',
  'answered',
  'attemptsCounted',
  'nextCallAtMs',
  'lastCallAtMs',
  'callbackAtMs',
  'createdAtMs',
  'updatedAtMs',
] as const satisfies readonly (keyof CallTask)[]

/** A page of summaries, and how many there are on all pages. */
export async function searchCallTasks(
  pools: Pools,
  search: CallTaskSearch,
): Promise<{ foundRows: number; callTasks: CallTask[] }> {
  const shape = Object.fromEntries(SUMMARY.map((of) => [of, { of }]))
  const { rows, count } = await callTaskStream.streamCallTasks(pools, search, shape)
  const callTasks: CallTask[] = []
  for await (const part of rows) callTasks.push(...part.map((text) => JSON.parse(text) as CallTask))
  return { foundRows: await count(), callTasks }
}

/** A search of everything of the corporation, by id. */
export function searchOf(filter: Partial<CallTaskFilter> = {}, change: Partial<CallTaskSearch> = {}): CallTaskSearch {
  const sort = { by: 'id', descending: false } as const
  return { filter: { corporations: [CORPORATION], ...filter }, sort, page: 0, rowsMax: 50, atMs: NOON, ...change }
}
