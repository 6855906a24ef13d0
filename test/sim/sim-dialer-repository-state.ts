import { assert } from '../../src/kernel/assert.ts'
import type { AtMs } from '../../src/kernel/clock.ts'
import {
  type ActivityId,
  type AttemptId,
  type CallTaskId,
  type CampaignId,
  type CorporationId,
  type Fence,
  type LegId,
  OUR_PREFIX,
  type PhoneNumber,
} from '../../src/kernel/ids.ts'
import type { NodeLease } from '../../src/ports/attempt.ts'
import { isFinished } from '../../src/ports/call-task.ts'
import type {
  CallbackRequest,
  FinishedCall,
  ImportResult,
  Stop,
  StoredCampaign,
} from '../../src/ports/dialer-repository.ts'
import type { CallerFeedback } from '../../src/ports/outcome.ts'
import type { KeepPlace, PlaceInQueue } from '../../src/ports/queue-place.ts'
import { SimDueList } from './sim-dialer-repository-due.ts'
import type {
  Committed,
  Correction,
  KillSwitchChange,
  SimAgentSession,
  SimAttempt,
  SimCall,
  SimDialerRepositoryView,
  SimEvent,
  SimGreeting,
  SimLearning,
  SimLease,
  SimOpenCall,
  SimTask,
  StopChange,
  StoredStatus,
  TaskState,
} from './sim-dialer-repository-rows.ts'

/** What is given of a new task; everything else begins the same for all. */
export type NewSimTask = Omit<SimTask, keyof typeof FRESH | 'updatedAtMs' | 'nextCallAtMs' | 'id' | 'history'> & {
  readonly nextCallAtMs: AtMs
}

/** What is given of a new attempt. */
export type NewSimAttempt = Pick<SimAttempt, 'number' | 'lane' | 'permit' | 'fence' | 'madeFor' | 'claimedAtMs'>

/** Whether a task waits for its instant. */
export function isWaiting(status: StoredStatus): boolean {
  return status === 'new' || status === 'waiting' || status === 'callback'
}

/** Each kind of id has its own range: an id of the wrong kind finds nothing. */
const FIRST = { task: 10_001, attempt: 200_001, activity: 3_000_001, fence: 41 }

/** A person, and numbers at which they, or others, are called. */
export interface SimCallee extends Pick<SimTask, 'person' | 'corporation'> {
  readonly numbers: readonly Pick<SimTask['numbers'][number], 'number'>[]
}

/**
 * The tables of `SimRecords`, and the rules that PostgreSQL keeps by unique indexes: no callee is dialed twice at once
 * (INV-D3), no case is listed twice (D-07, 201), what is finished stays finished (INV-O3). Every write goes through
 * here, and a write that breaks a rule is not made.
 */
export class SimRepositoryState implements SimDialerRepositoryView {
  readonly campaigns = new Map<CampaignId, StoredCampaign>()
  learning: readonly SimLearning[] = []
  readonly tasks = new Map<CallTaskId, SimTask>()
  readonly attempts = new Map<AttemptId, SimAttempt>()
  readonly calls = new Map<ActivityId, SimCall>()
  readonly openCalls = new Map<string, SimOpenCall>()
  /** Calls that came in, by the caller as the network sent it. */
  readonly callsFrom = new Map<string, SimCall[]>()
  readonly callNames = new Map<string, ActivityId>()
  readonly events: SimEvent[] = []
  readonly callerFeedback: CallerFeedback[] = []
  readonly feedback: (SimDialerRepositoryView['feedback'][number] & object)[] = []
  readonly corrections: Correction[] = []
  /** Every promise that was to be noted, also a refused one. */
  readonly callbacks: CallbackRequest[] = []
  /** Places that callers keep in a queue, by their tasks. */
  readonly places = new Map<CallTaskId, PlaceInQueue & Pick<KeepPlace, 'call'>>()
  readonly greetings = new Map<AttemptId, SimGreeting>()
  readonly stops: StopChange[] = []
  readonly killSwitch: KillSwitchChange[] = []
  readonly leases = new Map<string, SimLease>()
  readonly givenLeases: (SimDialerRepositoryView['givenLeases'][number] & object)[] = []
  sessions: readonly SimAgentSession[] = []
  readonly imports = new Map<string, ImportResult>()
  latestSeenAtMs: AtMs = 0
  readonly #now: () => AtMs
  readonly #next = { ...FIRST }
  readonly #due = new Map<CampaignId, SimDueList>()
  readonly #activeByKey = new Map<string, SimTask>()
  readonly #attemptsOfTask = new Map<CallTaskId, SimAttempt[]>()
  readonly #attemptsOfPerson = new Map<string, SimAttempt[]>()
  readonly #attemptsAtNumber = new Map<PhoneNumber, SimAttempt[]>()
  readonly #tasksOfNumber = new Map<PhoneNumber, SimTask[]>()
  readonly #tasksOfPerson = new Map<string, SimTask[]>()
  readonly #open = new Set<SimAttempt>()
  readonly #eventNames = new Set<string>()
  readonly #stopped = new Set<string>()
  #step = 0

  /** `now` is the database's own clock. */
  constructor(now: () => AtMs) {
    this.#now = now
  }

  get nowAtMs(): AtMs {
    return this.#now()
  }

  get openAttempts(): ReadonlySet<SimAttempt> {
    return this.#open
  }

  /** Every request is one step, whether it changes something or not. */
  beginStep(): void {
    this.#step++
  }

  committed(): Committed {
    return { atMs: this.nowAtMs, step: this.#step }
  }

  newFence(): Fence {
    return this.#next.fence++ as Fence
  }

  newActivity(): ActivityId {
    return this.#next.activity++ as ActivityId
  }

  holdsLease({ node, fence }: Pick<NodeLease, 'node' | 'fence'>): boolean {
    const lease = this.leases.get(node)
    return lease?.fence === fence && lease.expiresAtMs > this.nowAtMs
  }

  isKillSwitchOn(): boolean {
    return this.killSwitch.at(-1)?.isOn ?? false
  }

  isStopped(corporation: CorporationId, stop: Stop): boolean {
    return this.#stopped.has(stopKey(corporation, stop))
  }

  /** False: it was so already. */
  changeStop(corporation: CorporationId, stop: Stop, what: StopChange['what']): boolean {
    if (this.isStopped(corporation, stop) === (what === 'added')) return false
    const key = stopKey(corporation, stop)
    if (what === 'added') this.#stopped.add(key)
    else this.#stopped.delete(key)
    this.stops.push({ ...this.committed(), corporation, stop, what })
    return true
  }

  attemptsOfTask(task: CallTaskId): readonly SimAttempt[] {
    return this.#attemptsOfTask.get(task) ?? []
  }

  /** Attempts at the person or at a number of the task, within its corporation. */
  attemptsAtCalleeOf({ person, numbers, corporation }: SimCallee): SimAttempt[] {
    const ofPerson = person === undefined ? [] : (this.#attemptsOfPerson.get(person) ?? [])
    const atNumbers = numbers.flatMap(({ number }) => this.#attemptsAtNumber.get(number) ?? [])
    return [...new Set([...ofPerson, ...atNumbers])].filter((attempt) => attempt.corporation === corporation)
  }

  /** Calls that came in from a number of the person, and are over. */
  callsFromCalleeOf(callee: SimCallee): SimCall[] {
    return this.#callersOf(callee).flatMap((caller) => this.callsFrom.get(caller) ?? [])
  }

  isCalleeOnLine(task: SimTask): boolean {
    const callers = this.#callersOf(task)
    return [...this.openCalls.values()].some(({ call }) => callers.includes(call.caller))
  }

  /** When the network last said that the number does not exist, unless a phone rang there since. */
  deadSinceAtMs(corporation: CorporationId, number: PhoneNumber): AtMs | undefined {
    const attempts = (this.#attemptsAtNumber.get(number) ?? []).filter((one) => one.corporation === corporation)
    const isAlive = ({ reach }: SimAttempt) => reach === 'rang' || reach === 'answered'
    const ends = attempts.flatMap(({ id, result, endedAtMs }) => {
      const isDead = result === 'invalidNumber' && endedAtMs !== null
      return isDead && !attempts.some((one) => one.id > id && isAlive(one)) ? [endedAtMs] : []
    })
    return ends.length === 0 ? undefined : Math.max(...ends)
  }

  /** The numbers of all tasks of the person, as networks send them. */
  #callersOf({ person, corporation, numbers }: SimCallee): string[] {
    const tasks = person === undefined ? [] : (this.#tasksOfPerson.get(person) ?? [])
    const theirs = tasks.filter((task) => task.corporation === corporation).flatMap((task) => task.numbers)
    const known = new Set([...numbers, ...theirs].map(({ number }) => number))
    return [...known].flatMap((number) => [number, number.slice(1), `00${number.slice(1)}`])
  }

  tasksOfNumber(number: PhoneNumber): readonly SimTask[] {
    return this.#tasksOfNumber.get(number) ?? []
  }

  dueTasks(campaign: CampaignId, atMs: AtMs): Iterable<CallTaskId> {
    return this.#due.get(campaign)?.dueAt(atMs) ?? []
  }

  followersOf(task: CallTaskId): readonly SimTask[] {
    return [...this.tasks.values()].filter(({ follows }) => follows === task)
  }

  /** The unfinished task of the same case. */
  activeTwin(task: Pick<SimTask, 'campaign' | 'duplicateKey'>): SimTask | undefined {
    return this.#activeByKey.get(activeKey(task))
  }

  /** The activity, its name, and the one event that tells of it. */
  addCall(id: ActivityId, call: FinishedCall): void {
    assert(!this.calls.has(id), `activity ${id} is that of another call`)
    assert(!this.#eventNames.has(call.eventName), `the event ${call.eventName} tells of another call`)
    const { eventName, corporation, direction, caller } = call
    const committed = this.committed()
    const kept = { ...structuredClone(call), id, committed }
    this.calls.set(id, kept)
    this.callNames.set(call.call, id)
    this.openCalls.delete(call.call)
    if (direction === 'in') push(this.callsFrom, caller, kept)
    this.#eventNames.add(eventName)
    this.events.push({ eventName, activity: id, corporation, committed })
  }

  /** Undefined: there is an unfinished one of the same case. */
  addTask(row: NewSimTask, what: string): SimTask | undefined {
    if (this.activeTwin(row)) return undefined
    const id = this.#next.task++ as CallTaskId
    const task: SimTask = { ...row, ...FRESH, id, updatedAtMs: row.createdAtMs, history: [] }
    this.tasks.set(id, task)
    this.#activeByKey.set(activeKey(task), task)
    this.#listNumbers(task)
    if (task.person !== undefined) push(this.#tasksOfPerson, task.person, task)
    this.#listAsDue(task)
    this.#remember(task, what)
    return task
  }

  changeTask(task: SimTask, change: Partial<TaskState>, atMs: AtMs, what: string): void {
    const wasFinished = task.finishedAtMs !== undefined
    const { status, finishedAtMs } = { ...task, ...change }
    assert(!wasFinished || status === task.status, `call task ${task.id} is ${task.status}, it cannot become ${status}`)
    assert(isFinished(status) === (finishedAtMs !== undefined), `call task ${task.id} is ${status}, or has no end`)
    if (task.nextCallAtMs !== undefined) this.#due.get(task.campaign)?.remove(task.nextCallAtMs, task.id)
    if (change.duplicateKey !== undefined) this.#activeByKey.delete(activeKey(task))
    Object.assign(task, change, { updatedAtMs: atMs })
    if (change.duplicateKey !== undefined) this.#activeByKey.set(activeKey(task), task)
    if (change.numbers) this.#listNumbers(task)
    if (!wasFinished && isFinished(task.status)) {
      Object.assign(task, { nextCallAtMs: undefined, reserved: undefined })
      this.#activeByKey.delete(activeKey(task))
    }
    this.#listAsDue(task)
    this.#remember(task, what)
  }

  /** Undefined: its task, its number or its person is being dialed, and so it is not made. */
  addAttempt(task: SimTask, row: NewSimAttempt): SimAttempt | undefined {
    if (this.#isTaken(task, row)) return undefined
    const id = this.#next.attempt++ as AttemptId
    const { corporation, campaign, person } = task
    const attempt: SimAttempt = {
      ...DIALING,
      ...row,
      id,
      task: task.id,
      campaign,
      corporation,
      person,
      claimedUnder: row.fence,
      activity: this.newActivity(),
      attemptNumber: task.attemptsMade + 1,
      leg: `${OUR_PREFIX}att-${id}` as LegId,
      committed: this.committed(),
    }
    this.attempts.set(id, attempt)
    this.#open.add(attempt)
    push(this.#attemptsOfTask, task.id, attempt)
    push(this.#attemptsAtNumber, attempt.number, attempt)
    if (person !== undefined) push(this.#attemptsOfPerson, person, attempt)
    return attempt
  }

  /** The person is free when the last of the numbers dialed together has ended. */
  endAttempt(attempt: SimAttempt, change: Partial<SimAttempt>): void {
    assert(attempt.result === null, `attempt ${attempt.id} has ended once, as ${attempt.result}`)
    Object.assign(attempt, change, { ended: this.committed() })
    assert(attempt.result !== null && attempt.endedAtMs !== null, `attempt ${attempt.id} ends with a result`)
    this.#open.delete(attempt)
    const together = this.attemptsOfTask(attempt.task)
    if (together.every((one) => one.ended)) for (const one of together) one.holdsPerson = false
  }

  /** The attempt was never made: the database is an older one. */
  takeBack(attempt: SimAttempt): void {
    this.attempts.delete(attempt.id)
    this.#open.delete(attempt)
    for (const index of [this.#attemptsOfTask, this.#attemptsOfPerson, this.#attemptsAtNumber]) drop(index, attempt)
    const atMs = this.nowAtMs
    this.changeTask(this.tasks.get(attempt.task)!, { ...FRESH, nextCallAtMs: atMs }, atMs, 'put back')
  }

  /** The three unique indexes. */
  #isTaken(task: SimTask, { number, lane }: NewSimAttempt): boolean {
    for (const open of this.#open) if (open.number === number) return true
    if (lane > 0) return false
    const ofPerson = task.person === undefined ? [] : (this.#attemptsOfPerson.get(task.person) ?? [])
    return [...this.attemptsOfTask(task.id), ...ofPerson].some((one) => one.holdsPerson && one.lane === 0)
  }

  #listAsDue({ campaign, status, nextCallAtMs, id }: SimTask): void {
    if (nextCallAtMs === undefined || !isWaiting(status)) return
    const list = this.#due.get(campaign) ?? new SimDueList()
    this.#due.set(campaign, list)
    list.add(nextCallAtMs, id)
  }

  /** A number that was taken from the task finds it no more. */
  #listNumbers(task: SimTask): void {
    drop(this.#tasksOfNumber, task)
    for (const number of new Set(task.numbers.map((one) => one.number))) push(this.#tasksOfNumber, number, task)
  }

  #remember(task: SimTask, what: string): void {
    const { status, nextCallAtMs, finishedAtMs } = task
    task.history.push({ ...this.committed(), what, status, nextCallAtMs, isFinished: finishedAtMs !== undefined })
  }
}

const FRESH = {
  status: 'new',
  answered: false,
  attemptsCounted: 0,
  attemptsMade: 0,
  lastCallAtMs: undefined,
  callback: undefined,
  waitsFor: undefined,
  putOffVersion: undefined,
  reserved: undefined,
  finishedAtMs: undefined,
  finishReason: undefined,
  isChangedInCall: false,
  isClosed: false,
} as const satisfies Partial<TaskState>

const DIALING = {
  dialedAtMs: null,
  ringingAtMs: null,
  answeredAtMs: null,
  connectedAtMs: null,
  endedAtMs: null,
  result: null,
  reach: null,
  agent: null,
  sipStatus: null,
  hangupCause: null,
  transfers: null,
  holdsPerson: true,
  counts: null,
  isRingCutShort: false,
  waitMs: null,
  ended: undefined,
  correction: undefined,
} as const satisfies Partial<SimAttempt>

function activeKey({ campaign, duplicateKey }: Pick<SimTask, 'campaign' | 'duplicateKey'>): string {
  return `${campaign} ${duplicateKey}`
}

function stopKey(corporation: CorporationId, stop: Stop): string {
  const what = stop.kind === 'number' ? [stop.number] : [stop.externalSystem, stop.externalCustomer]
  return JSON.stringify([corporation, stop.kind, ...what])
}

function push<Key, Row>(index: Map<Key, Row[]>, key: Key, row: Row): void {
  const rows = index.get(key)
  if (rows) rows.push(row)
  else index.set(key, [row])
}

function drop<Row>(index: ReadonlyMap<unknown, Row[]>, row: Row): void {
  for (const rows of index.values()) if (rows.includes(row)) rows.splice(rows.indexOf(row), 1)
}

/** The version of a campaign's settings. */
export function versionOf(memory: SimRepositoryState, campaign: CampaignId): number {
  return memory.campaigns.get(campaign)?.settingsVersion ?? 0
}
