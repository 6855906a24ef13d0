/** What becomes of call tasks in `SimRecords` from outside the dialer: ends, callbacks, corrections, callers. */
import type { AtMs } from '../../src/kernel/clock.ts'
import type {
  AgentName,
  CallId,
  CallTaskId,
  CampaignId,
  CorporationId,
  ExternalSystemId,
  PhoneNumber,
} from '../../src/kernel/ids.ts'
import type { MachineWord } from '../../src/ports/attempt.ts'
import {
  type FinishedStatus,
  isFinished,
  type MatchedTask,
  type TaskOfNumber,
  type TypedNumber,
} from '../../src/ports/call-task.ts'
import type {
  CallbackRequest,
  DueCallback,
  EndCallTask,
  EndCallTaskResult,
  Stop,
} from '../../src/ports/dialer-repository.ts'
import type { CallerFeedback, Feedback, SavedOutcome } from '../../src/ports/outcome.ts'
import type { CallbackRefusal, KeepPlace } from '../../src/ports/queue-place.ts'
import { learnGreeting } from './sim-dialer-repository-greetings.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import { jsonOf, personOf } from './sim-dialer-repository-shape.ts'
import { isWaiting, type SimRepositoryState, versionOf } from './sim-dialer-repository-state.ts'

/** What no import gave. */
const OF_NO_IMPORT = {
  importId: undefined,
  follows: undefined,
  validFromAtMs: undefined,
  validToAtMs: undefined,
  properties: [],
  intervalMs: 0,
  priority: 0,
}
/** Between any two attempts at a person, whatever the interval says (D-12). */
const FLOOR_MS = 60_000

/** Ending twice is harmless, and shows how the first end was (D-13). */
export function endCallTask(
  memory: SimRepositoryState,
  command: Omit<EndCallTask, 'status'> & { readonly status: FinishedStatus },
): EndCallTaskResult {
  const task = memory.tasks.get(command.task)
  if (!task || !command.corporations.includes(task.corporation)) return { outcome: 'no such call task' }
  const wasOpen = (one: SimTask) => one.finishedAtMs === undefined
  const followers = withFollowers(memory, task).slice(1)
  const chain = [task, ...followers]
  const ended = chain.filter(wasOpen)
  for (const one of ended) {
    const change = { status: command.status, finishedAtMs: command.atMs, finishReason: command.reason }
    memory.changeTask(one, { ...change, isClosed: true }, command.atMs, 'ended from outside')
  }
  for (const one of chain) one.isClosed = true
  const open = chain.flatMap(({ id }) => memory.attemptsOfTask(id)).filter(({ ended }) => !ended)
  return {
    outcome: ended.length > 0 ? 'ended' : 'already finished',
    status: task.status as FinishedStatus,
    answered: task.answered,
    finishedAtMs: task.finishedAtMs!, // Finished by now, by any cause.
    activeCall: open.find(({ connectedAtMs }) => connectedAtMs !== null)?.activity ?? null,
    cancel: open.filter(({ connectedAtMs }) => connectedAtMs === null).map(({ id }) => id),
    followers: ended.filter((one) => one !== task).map(({ id }) => id),
  }
}

function withFollowers(memory: SimRepositoryState, task: SimTask): SimTask[] {
  return [task, ...memory.followersOf(task.id).flatMap((follower) => withFollowers(memory, follower))]
}

/** A reserved task waits again. Any other keeps its status: only its instant changes. */
export function letGo(
  memory: SimRepositoryState,
  task: SimTask,
  nextCallAtMs: AtMs | undefined,
  what: string,
  atMs = memory.nowAtMs,
): void {
  const isCalled = memory.attemptsOfTask(task.id).some(({ reach }) => reach !== 'nothing')
  const waits = task.callback ? 'callback' : isCalled ? 'waiting' : 'new'
  const status = task.status === 'reserved' ? waits : task.status
  memory.changeTask(task, { status, nextCallAtMs, reserved: undefined }, atMs, what)
}

/** Silent when it is not reserved. */
export function releaseTask(
  memory: SimRepositoryState,
  id: CallTaskId,
  nextCallAtMs: AtMs,
  waitsFor: 'skipped' | undefined,
): void {
  const task = memory.tasks.get(id)
  if (task?.status !== 'reserved') return
  letGo(memory, task, nextCallAtMs, 'released')
  task.waitsFor = waitsFor
  task.putOffVersion = undefined
}

/** While somebody dials it or talks, the date is kept, and the task goes on from there when that is over. */
export function setCallback(memory: SimRepositoryState, request: CallbackRequest): CallTaskId | CallbackRefusal {
  memory.callbacks.push(request)
  const task = memory.tasks.get(request.task)
  if (!task) return 'no such call task'
  const { atMs, askedByContact, nowMs } = request
  if ((task.promiseNotedAtMs ?? 0) >= nowMs) return carrierOf(memory, task)
  if (atMs >= (task.validToAtMs ?? Number.POSITIVE_INFINITY)) return 'task ended'
  const agent = request.isForTeam ? {} : { agent: request.agent }
  const talk = request.attempt === undefined ? undefined : memory.attempts.get(request.attempt)
  const promisedAtMs = Math.max(nowMs, talk?.endedAtMs ?? 0)
  const number = talk && { number: talk.number }
  const carrier = carryPromise(memory, task, { atMs, askedByContact, ...agent, promisedAtMs, ...number }, nowMs)
  if (carrier !== 'task ended') task.promiseNotedAtMs = nowMs
  return carrier
}

function carrierOf(memory: SimRepositoryState, task: SimTask): CallTaskId | 'task ended' {
  if (task.finishedAtMs === undefined) return task.id
  const carrier = memory.followersOf(task.id).at(-1) ?? memory.activeTwin(task)
  return task.isClosed || !carrier ? 'task ended' : carrier.id
}

/** Notes the date on the task, or on the one that goes on where it was finished. */
export function carryPromise(
  memory: SimRepositoryState,
  task: SimTask,
  callback: NonNullable<SimTask['callback']>,
  nowMs: AtMs,
): CallTaskId | 'task ended' {
  const carrier = task.finishedAtMs === undefined ? task : followerOf(memory, task, callback.atMs, nowMs)
  if (!carrier) return 'task ended'
  const { status } = carrier
  const dated = isWaiting(status) || status === 'reserved' ? { nextCallAtMs: callback.atMs } : {}
  const change = { callback, status: isWaiting(status) ? 'callback' : status, ...dated } as const
  memory.changeTask(carrier, change, nowMs, 'promised a callback')
  return carrier.id
}

/** A promised callback with a place in a queue. The same number has one open place in a campaign. */
export function keepPlace(memory: SimRepositoryState, request: KeepPlace): CallTaskId | 'stopped' | 'no such campaign' {
  const { campaign, corporation, call, number, externalSystem, externalCustomer, nowMs: atMs } = request
  const person = externalSystem === undefined ? undefined : personOf(externalSystem, externalCustomer)
  const stops: Stop[] = [
    { kind: 'number', number },
    ...(person === undefined ? [] : [{ kind: 'person', externalSystem, externalCustomer } as Stop]),
  ]
  if (stops.some((stop) => memory.isStopped(corporation, stop))) return 'stopped'
  const { corporation: owner, active } = memory.campaigns.get(campaign) ?? {}
  if (owner !== corporation || !active) return 'no such campaign'
  const { receiverName, externalCaseNumber, attemptsMax } = request
  const row = {
    corporation,
    campaign,
    receiverName,
    externalSystem: externalSystem as ExternalSystemId,
    externalCustomer,
    externalCaseNumber,
    attemptsMax,
    person,
    ...OF_NO_IMPORT,
    createdAtMs: atMs,
    nextCallAtMs: atMs,
    numbers: [{ given: number, number }],
    duplicateKey: number,
  }
  const task = memory.addTask(row, 'keeps a place') ?? memory.activeTwin(row)!
  const callback = { atMs, askedByContact: true, number, promisedAtMs: atMs }
  const isFree = isWaiting(task.status)
  const dated = isFree || task.status === 'reserved' ? { nextCallAtMs: atMs } : {}
  memory.changeTask(task, { callback, ...(isFree && { status: 'callback' }), ...dated }, atMs, 'keeps a place')
  const { priority, sinceAtMs } = memory.places.get(task.id) ?? request
  memory.places.set(task.id, {
    call,
    priority: Math.max(priority, request.priority),
    sinceAtMs: Math.min(sinceAtMs, request.sinceAtMs),
    skills: request.skills,
  })
  return task.id
}

/** Those that wait to be called, the oldest promise first. */
export function dueCallbacks(
  memory: SimRepositoryState,
  campaigns: readonly CampaignId[],
  untilAtMs: AtMs,
): readonly DueCallback[] {
  const due: DueCallback[] = []
  for (const task of memory.tasks.values()) {
    const { id, campaign, status, callback } = task
    if (status !== 'callback' || !callback || callback.atMs > untilAtMs || !campaigns.includes(campaign)) continue
    const { atMs, agent } = callback
    const isOutdated = (task.putOffVersion ?? Number.POSITIVE_INFINITY) < versionOf(memory, campaign)
    const nextCallAtMs = isOutdated ? atMs : task.nextCallAtMs!
    const { call: _, ...kept } = memory.places.get(id) ?? {}
    const place = 'sinceAtMs' in kept ? { place: { ...kept, number: callback.number! } } : {}
    due.push({ task: id, campaign, atMs, nextCallAtMs, ...(agent !== undefined && { agent }), ...place })
  }
  return due.sort((a, b) => a.atMs - b.atMs || a.task - b.task).slice(0, 1_000)
}

/** The first word of a person stands, and the attempt's own result too (INV-O2). One that goes on counts at its end. */
export function correctToMachine(
  memory: SimRepositoryState,
  [id, agent, atMs, greeting]: MachineWord,
): 'corrected' | 'no such attempt' {
  const attempt = memory.attempts.get(id)
  if (!attempt) return 'no such attempt'
  if (attempt.correction) return 'corrected'
  attempt.correction = { ...memory.committed(), attempt: id, agent }
  memory.corrections.push(attempt.correction)
  if (greeting) learnGreeting(memory, attempt, greeting, atMs)
  if (!attempt.ended) return 'corrected'
  const task = memory.tasks.get(attempt.task)!
  if (!attempt.counts) {
    attempt.counts = true
    memory.changeTask(task, { attemptsCounted: task.attemptsCounted + 1 }, atMs, 'corrected to a machine')
  }
  followMachine(memory, task, atMs)
  return 'corrected'
}

/** Another task follows one that was finished by what turned out to be a machine, if attempts are left (D-12). */
export function followMachine(memory: SimRepositoryState, task: SimTask, nowMs: AtMs): void {
  const attempts = memory.attemptsOfTask(task.id)
  const wasTalk = attempts.some(({ result, correction }) => result === 'answered' && !correction)
  if (task.status !== 'answered' || task.isClosed || task.isTyped || wasTalk || attemptsLeft(task) <= 0) return
  const endedAtMs = Math.max(...attempts.map((attempt) => attempt.endedAtMs ?? 0))
  followerOf(memory, task, endedAtMs + Math.max(task.intervalMs, FLOOR_MS), nowMs)
}

/** Active ones of the corporation first; among equals the one that was dialed or made most recently. */
export function matchCaller(
  memory: SimRepositoryState,
  own: CorporationId,
  number: PhoneNumber,
): MatchedTask | undefined {
  const [task] = [...memory.tasksOfNumber(number)]
    .filter((one) => one.corporation === own)
    .sort(
      (a, b) =>
        Number(isFinished(a.status)) - Number(isFinished(b.status)) || touchedAtMs(b) - touchedAtMs(a) || b.id - a.id,
    )
  if (!task) return undefined
  const { campaign, corporation, receiverName, externalSystem, externalCustomer, externalCaseNumber } = task
  const rings = [...memory.openAttempts].filter(
    (one) => one.connectedAtMs === null && (one.task === task.id || one.number === number),
  )
  return {
    task: task.id,
    campaign,
    corporation,
    receiverName,
    externalSystem,
    isFinished: isFinished(task.status),
    ...(externalCustomer === undefined ? {} : { externalCustomer }),
    ...(externalCaseNumber === undefined ? {} : { externalCaseNumber }),
    ringing: rings.map(({ id }) => id),
  }
}

/** The active task of the same case, else one that is made. One attempt at least: somebody has a reason for it. */
function followerOf(
  memory: SimRepositoryState,
  task: SimTask,
  nextCallAtMs: AtMs,
  createdAtMs: AtMs,
): SimTask | undefined {
  if (!mayBeFollowed(memory, task)) return undefined
  const attemptsMax = Math.max(1, attemptsLeft(task))
  const row = { ...task, attemptsMax, nextCallAtMs, createdAtMs, importId: undefined, follows: task.id, isTyped: false }
  // The twin comes first, to leave room for a follower.
  return memory.activeTwin(task) ?? memory.addTask(row, `follows call task ${task.id}`)!
}

/** Only what the dialer finished itself, by a talk or a machine, and what was not ended or stopped afterwards. */
function mayBeFollowed(memory: SimRepositoryState, task: SimTask): boolean {
  const { status, isClosed, corporation, externalSystem, externalCustomer } = task
  if (isClosed || (status !== 'answered' && status !== 'maxAttempts')) return false
  if (externalCustomer === undefined) return true
  return !memory.isStopped(corporation, { kind: 'person', externalSystem, externalCustomer })
}

function attemptsLeft({ attemptsMax, attemptsCounted }: SimTask): number {
  return attemptsMax - attemptsCounted
}

function touchedAtMs({ lastCallAtMs, createdAtMs }: SimTask): AtMs {
  return lastCallAtMs ?? createdAtMs
}

/** Said twice, as after an answer that got lost, it is kept once. */
export function recordFeedback(memory: SimRepositoryState, feedback: Feedback): void {
  const { activity, agent, atMs } = feedback
  const isKept = memory.feedback.some((one) => one.activity === activity && one.agent === agent && one.atMs === atMs)
  if (!isKept) memory.feedback.push({ ...jsonOf(feedback), committed: memory.committed() })
}

/** Said twice, it is kept once. */
export function recordCallerFeedback(memory: SimRepositoryState, feedback: CallerFeedback): void {
  const { call, agent, atMs } = feedback
  const isSame = (one: CallerFeedback) => one.call === call && one.agent === agent && one.atMs === atMs
  if (!memory.callerFeedback.some(isSame)) memory.callerFeedback.push(jsonOf(feedback))
}

/** The call of this name, if the agent had it, and it ended since then or goes on with somebody else. */
export function callOfAgent({ calls, openCalls }: SimRepositoryState, name: CallId, agent: AgentName, sinceAtMs: AtMs) {
  const over = [...calls.values()].find(({ call }) => call === name)
  const open = openCalls.get(name)?.call
  const hasAsked = (transfers: object = {}) => Object.values(transfers).some(({ by }) => by === agent)
  const isTheirs = over && (over.agent === agent || hasAsked(over.transfers)) && over.endedAtMs >= sinceAtMs
  const isAskers = open && hasAsked(open.progress?.transfers)
  const found = isTheirs ? over : isAskers ? { ...open, team: open.progress?.team } : undefined
  if (!found) return undefined
  const { leg, caller, team } = found
  return { caller, ...(leg && { leg }), ...(team && { team }) }
}

/** Feedback, callback and end at once. */
export function recordOutcome(
  memory: SimRepositoryState,
  outcome: SavedOutcome,
): 'recorded' | 'already recorded' | 'task ended' {
  const before = memory.feedback.length
  recordFeedback(memory, outcome)
  if (memory.feedback.length === before) return 'already recorded'
  const { callback, task, agent, attempt, atMs, corporation, isFinal } = outcome
  if (isFinal) endCallTask(memory, { task, corporations: [corporation], status: 'answered', atMs })
  else if (!callback) takeBackPromises(memory, outcome)
  const carrier = callback && setCallback(memory, { ...callback, task, agent, attempt, nowMs: atMs })
  return typeof carrier === 'string' ? 'task ended' : 'recorded'
}

/** Of earlier outcomes of the agent about this call (campaigns-141). */
function takeBackPromises(memory: SimRepositoryState, { activity, agent, attempt, atMs, ...of }: SavedOutcome): void {
  const task = memory.tasks.get(of.task)!
  const ours = memory.feedback.filter((one) => one.activity === activity && one.agent === agent)
  const said = ours.map((one: Partial<SavedOutcome>) => one.callback?.atMs)
  for (const one of new Set([task, ...memory.followersOf(task.id), memory.activeTwin(task) ?? task])) {
    const { callback, status, finishedAtMs, follows } = one
    const isInCall = status === 'dialing' || status === 'inCall'
    const isUnderWay = isInCall && (one !== task || memory.attempts.get(attempt)?.ended)
    if (!callback || !said.includes(callback.atMs) || finishedAtMs !== undefined || isUnderWay) continue
    const over = { status: 'endedByUser', finishedAtMs: atMs, isClosed: true, nextCallAtMs: undefined } as const
    const cancelled = follows === undefined ? ({ status: 'waiting', nextCallAtMs: atMs } as const) : over
    const change = { callback: undefined, ...(!isInCall && { reserved: undefined, ...cancelled }) }
    memory.changeTask(one, change, atMs, 'promise taken back')
    followMachine(memory, task, atMs)
  }
}

/** The open call task of the campaign with the number, or a new one. */
export function taskOfNumber(
  memory: SimRepositoryState,
  request: TypedNumber,
): TaskOfNumber | 'stopped' | 'not allowed' {
  const { campaign, corporation, given, number, externalSystem, atMs } = request
  if (memory.isStopped(corporation, { kind: 'number', number })) return 'stopped'
  const { corporation: owner, active, settings = {} } = memory.campaigns.get(campaign) ?? {}
  const isAllowed = settings['agentsDialNumbers'] === true && settings['dialMode'] === 'manual'
  if (owner !== corporation || !active || !isAllowed) return 'not allowed'
  const open = memory.tasksOfNumber(number).find((one) => one.campaign === campaign && !isFinished(one.status))
  if (open) return { task: open.id, isNew: false }
  const made = memory.addTask(
    {
      corporation,
      campaign,
      receiverName: number,
      externalSystem: externalSystem as ExternalSystemId,
      externalCustomer: undefined,
      externalCaseNumber: undefined,
      attemptsMax: 1,
      person: undefined,
      ...OF_NO_IMPORT,
      createdAtMs: atMs,
      nextCallAtMs: atMs,
      numbers: [{ given, number }],
      duplicateKey: number,
      isTyped: true,
    },
    'typed by an agent',
  )
  return made ? { task: made.id, isNew: true } : 'not allowed'
}

/** Ends it, unless it was dialed. */
export function takeBackTask(memory: SimRepositoryState, id: CallTaskId, finishReason: string, atMs: AtMs): void {
  const task = memory.tasks.get(id)
  if (!task || (task.status !== 'new' && task.status !== 'waiting') || memory.attemptsOfTask(id).length > 0) return
  const ended = { status: 'endedBySystem', finishedAtMs: atMs, isClosed: true } as const
  memory.changeTask(task, { ...ended, finishReason }, atMs, 'taken back')
}
