import { expect } from 'vitest'
import type { AtMs } from '../../src/kernel/clock.ts'
import type {
  ActivityId,
  AgentName,
  BridgeId,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  LegId,
  PhoneNumber,
  TeamName,
} from '../../src/kernel/ids.ts'
import type {
  Attempt,
  AttemptConnected,
  AttemptEnd,
  Claim,
  ClaimedAttempt,
  DueTask,
  NodeLease,
  Reservation,
  Verdict,
} from '../../src/ports/attempt.ts'
import type {
  Campaign,
  EndCallTask,
  FinishedCall,
  Import,
  ImportResult,
  NewCallTask,
  SavedAgentSession,
} from '../../src/ports/dialer-repository.ts'
import type { DialerRepositoryWithStops } from '../support/stop-control.ts'

/** As it is stored. */
export interface StoredCall {
  readonly result: string | null
  readonly agent: string | null
  readonly talkMs: number
  readonly recordings: number
}

/** A database to run the suite on. Nothing else in it may dial, claim or end during a test. */
export interface DialerRepositoryWorld {
  readonly dialerRepository: DialerRepositoryWithStops
  /** An instant that the database's clock has reached. It grows, and stays close to that clock. */
  nowMs(): AtMs
  /** How many rows of the outbox are about this call. */
  eventsAbout(activity: ActivityId): Promise<number>
  /** How the call is stored, with the number of its recordings. */
  callOf(activity: ActivityId): Promise<StoredCall>
  close(): Promise<void>
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** These exist in every world. */
export const CORPORATION = 1 as CorporationId
export const OTHERS = 2 as CorporationId
export const SYSTEM = 3 as ExternalSystemId
export const FIELD = 5
export const ANNA = 'anna' as AgentName
export const BO = 'bo' as AgentName

/** Grows over all tests: no two share a campaign, number, person or name, and all can share a database. */
let made = 0

/** What a test works with: a campaign, a lease, and people of its own. */
export class Shop {
  readonly dialerRepository: DialerRepositoryWithStops
  readonly campaign: CampaignId
  readonly node: string
  readonly lease: NodeLease
  readonly #world: DialerRepositoryWorld

  private constructor(world: DialerRepositoryWorld, campaign: CampaignId, lease: NodeLease) {
    this.#world = world
    this.dialerRepository = world.dialerRepository
    this.campaign = campaign
    this.node = lease.node
    this.lease = lease
  }

  static async open(world: DialerRepositoryWorld): Promise<Shop> {
    const lease = await world.dialerRepository.takeLease(`node-${++made}`, HOUR_MS)
    return new Shop(world, await saveCampaign(world), lease)
  }

  nowMs(): AtMs {
    return this.#world.nowMs()
  }

  anotherCampaign(change: Partial<Campaign> = {}): Promise<CampaignId> {
    return saveCampaign(this.#world, change)
  }

  changeCampaign(change: Partial<Campaign>): Promise<CampaignId> {
    return saveCampaign(this.#world, { id: this.campaign, ...change })
  }

  number(): PhoneNumber {
    return `+45${20_000_000 + ++made}` as PhoneNumber
  }

  /** A debtor with a number, a customer number and a case of their own, at a place of an import. */
  debtor(index = 0, change: Partial<NewCallTask> = {}): NewCallTask {
    const number = this.number()
    return {
      index,
      receiverName: `Debtor ${made}`,
      numbers: [{ given: number.slice(3), number }],
      externalCustomer: `customer ${made}`,
      externalCaseNumber: `case ${made}`,
      properties: [{ field: FIELD, value: `${made} kroner` }],
      ...change,
    }
  }

  /** A debtor with several numbers. */
  debtorWith(numbers: readonly PhoneNumber[], change: Partial<NewCallTask> = {}): NewCallTask {
    return this.debtor(0, { numbers: numbers.map((number) => ({ given: number.slice(3), number })), ...change })
  }

  importOf(callTasks: readonly NewCallTask[], change: Partial<Import> = {}): Import {
    return {
      importId: `import-${++made}`,
      campaign: this.campaign,
      externalSystem: SYSTEM,
      attemptsMax: 3,
      intervalMs: HOUR_MS,
      stoppedNumbers: 'reject',
      callTasks,
      atMs: this.nowMs(),
      ...change,
    }
  }

  /** Imports a valid list, and returns the ids in its order. */
  async import(callTasks: readonly NewCallTask[], change: Partial<Import> = {}): Promise<CallTaskId[]> {
    const result = importedBy(await this.dialerRepository.importCallTasks(this.importOf(callTasks, change)))
    expect(result.refused).toEqual([])
    return result.imported.map(({ id }) => id)
  }

  async importOne(given = this.debtor(), change: Partial<Import> = {}): Promise<CallTaskId> {
    const [id] = await this.import([given], change)
    return id!
  }

  claimOf(change: Partial<Claim> = {}): Claim {
    const atMs = this.nowMs()
    const dialedSinceAtMs = atMs - 7 * DAY_MS
    const { lease, campaign } = this
    return { lease, campaign, tasksMax: 100, atMs, dialedSinceAtMs, decide: dialFirst, ...change }
  }

  /** The attempts of a claim that must succeed. */
  async claim(change: Partial<Claim> = {}): Promise<readonly ClaimedAttempt[]> {
    const result = await this.dialerRepository.claimDueTasks(this.claimOf(change))
    if (result.outcome !== 'claimed') throw new Error(result.outcome)
    return result.attempts
  }

  async claimOne(change: Partial<Claim> = {}): Promise<ClaimedAttempt> {
    const attempts = await this.claim(change)
    expect(attempts).toHaveLength(1)
    return attempts[0]!
  }

  /** Imports a debtor and dials them. */
  async dialed(given = this.debtor(), change: Partial<Import> = {}): Promise<ClaimedAttempt> {
    const only = await this.importOne(given, change)
    return this.claimOne({ only })
  }

  /** The tasks that the gate is asked about, without changing any. */
  async shown(change: Partial<Claim> = {}): Promise<DueTask[]> {
    const shown: DueTask[] = []
    const decide = (task: DueTask): Verdict => {
      shown.push(task)
      return { verdict: 'leave' }
    }
    await this.claim({ ...change, decide })
    return shown
  }

  reservationOf(change: Partial<Reservation> = {}): Reservation {
    const { lease, campaign, atMs, dialedSinceAtMs, decide } = this.claimOf()
    return { lease, campaign, agent: ANNA, atMs, dialedSinceAtMs, decide, ...change }
  }

  async reserve(change: Partial<Reservation> = {}): Promise<DueTask> {
    const task = await this.dialerRepository.reserveTask(this.reservationOf(change))
    if (typeof task === 'string') throw new Error(task)
    return task
  }

  connected(attempt: Pick<Attempt, 'id'>, change: Partial<AttemptConnected> = {}): AttemptConnected {
    return { attempt: attempt.id, fence: this.lease.fence, atMs: this.nowMs(), agent: ANNA, ...change }
  }

  /** No answer, and the next attempt may be an hour later. */
  noAnswer(attempt: Pick<Attempt, 'id'>, change: Partial<AttemptEnd> = {}): AttemptEnd {
    const atMs = this.nowMs()
    return {
      attempt: attempt.id,
      fence: this.lease.fence,
      result: 'noAnswer',
      reach: 'rang',
      counts: true,
      atMs,
      next: { status: 'waiting', nextCallAtMs: atMs + HOUR_MS },
      ...change,
    }
  }

  /** A conversation with Anna, without feedback. */
  talked(attempt: Pick<Attempt, 'id'>, change: Partial<AttemptEnd> = {}): AttemptEnd {
    const answered = { result: 'answered', reach: 'answered', counts: false, agent: ANNA } as const
    return this.noAnswer(attempt, { ...answered, next: { status: 'answered' }, ...change })
  }

  /** Ends an attempt; its task may be dialed again at once. */
  async endAndRetry(attempt: ClaimedAttempt, change: Partial<AttemptEnd> = {}): Promise<void> {
    const next = { status: 'waiting', nextCallAtMs: this.nowMs() } as const
    expect(await this.dialerRepository.endAttempt(this.noAnswer(attempt, { next, ...change }))).toBe('written')
  }

  /** A finished inbound call. */
  callIn(change: Partial<FinishedCall> = {}): FinishedCall {
    const atMs = this.nowMs()
    return {
      call: `call-${++made}` as CallId,
      corporation: CORPORATION,
      direction: 'in',
      caller: this.number(),
      called: '+4570000000',
      createdAtMs: atMs,
      answeredAtMs: atMs,
      endedAtMs: atMs,
      talkMs: 0,
      waitMs: 0,
      recordings: [],
      eventName: `event-${made}`,
      ...change,
    }
  }

  /** The call of an attempt. */
  callOut(attempt: ClaimedAttempt, end: AttemptEnd, change: Partial<FinishedCall> = {}): FinishedCall {
    const { activity, number } = attempt
    const { answeredAtMs: _, ...call } = this.callIn({ direction: 'out', called: number, caller: '+4570000000' })
    return { ...call, activity, attempt: end, result: end.result, ...change }
  }

  endOf(task: CallTaskId, change: Partial<EndCallTask> = {}): EndCallTask {
    return { task, corporations: [CORPORATION], status: 'endedBySystem', atMs: this.nowMs(), ...change }
  }

  session(agent: AgentName, saved: object = { state: 'ready' }): SavedAgentSession {
    const name = ++made
    return { agent, leg: `leg-${name}` as LegId, bridge: `bridge-${name}` as BridgeId, saved }
  }

  async attemptsOf(task: CallTaskId): Promise<readonly Attempt[]> {
    return this.dialerRepository.findAttempts({ corporations: [CORPORATION], tasks: [task] })
  }

  /** The task in its present state, whatever its status. */
  async task(id: CallTaskId): Promise<DueTask> {
    const [task] = await this.dialerRepository.describeTasks([id], this.nowMs() - 7 * DAY_MS)
    return task!
  }

  eventsAbout(activity: ActivityId): Promise<number> {
    return this.#world.eventsAbout(activity)
  }

  callOf(activity: ActivityId): Promise<StoredCall> {
    return this.#world.callOf(activity)
  }
}

/** A gate that accepts everything, on the first number of a task. */
export function dialFirst(task: DueTask): Verdict {
  return dialAll(task.numbers.slice(0, 1).map(({ number }) => number))
}

/** Dials these together. */
export function dialAll(numbers: readonly PhoneNumber[]): Verdict {
  return { verdict: 'dial', numbers: numbers.map((number) => ({ number, permit: { rules: 'none' } })) }
}

/** The result of an import for a known campaign. */
export function importedBy(result: ImportResult): Extract<ImportResult, { outcome: 'imported' }> {
  if (result.outcome !== 'imported') throw new Error(result.outcome)
  return result
}

/** A promise, and the function that resolves it. */
export function news<T>(): { readonly come: Promise<T>; tell(value: T): void } {
  let tell: (value: T) => void = () => {}
  const come = new Promise<T>((resolve) => {
    tell = resolve
  })
  return { come, tell }
}

async function saveCampaign(
  { dialerRepository, nowMs }: DialerRepositoryWorld,
  change: Partial<Campaign> = {},
): Promise<CampaignId> {
  const id = (1000 + ++made) as CampaignId
  const team = 'collectors' as TeamName
  const usual = { id, corporation: CORPORATION, externalSystem: SYSTEM, name: `Campaign ${id}`, active: true, team }
  const campaign: Campaign = { ...usual, settings: { mode: 'progressive' }, ...change }
  await dialerRepository.saveCampaign(campaign, nowMs())
  return campaign.id
}
