/** Claims and reservations of `SimRecords`: who is dialed next, decided and written in one step (R2). */
import { assert } from '../../src/kernel/assert.ts'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { CampaignId } from '../../src/kernel/ids.ts'
import type { Claim, ClaimedAttempt, ClaimResult, DueTask, Reservation, Verdict } from '../../src/ports/attempt.ts'
import { ChosenCallees } from '../../src/ports/chosen-callees.ts'
import { usedAbroad } from './sim-dialer-repository-abroad.ts'
import type { SimTask } from './sim-dialer-repository-rows.ts'
import { dueTaskOf, inFlightBeside, jsonOf } from './sim-dialer-repository-shape.ts'
import { isWaiting, type SimRepositoryState, versionOf } from './sim-dialer-repository-state.ts'
import { letGo } from './sim-dialer-repository-tasks.ts'
import { EXPIRED_REASON } from './sim-dialer-repository-validity.ts'

/** Tasks examined per claim: tasks that may not be dialed yet do not hide others for long. */
const LOOKED_AT_MAX = 100

/**
 * A task whose number or person is being dialed elsewhere stays due, and does not stand in the way of others; only
 * one that is asked for by hand is shown to the gate all the same, for somebody waits to be told why.
 */
export function claimDueTasks(memory: SimRepositoryState, claim: Claim): ClaimResult {
  if (!memory.holdsLease(claim.lease)) return { outcome: 'no lease' }
  const isKnown = ({ attempt, task }: NonNullable<Claim['earlier']>[number]) =>
    memory.attempts.get(attempt)?.task === task
  if (claim.earlier?.every(isKnown) === false) return { outcome: 'behind' }
  const judged = judge(memory, claim, claim.only === undefined ? freeTasks(memory, claim) : onlyTask(memory, claim))
  if (judged.length === 0 && claim.only === undefined) {
    const dates = [...memory.tasks.values()].flatMap((task) => {
      const { campaign, status, nextCallAtMs } = task
      const isTheirs = campaign === claim.campaign && isWaiting(status) && !isForItsAgent(task)
      return isTheirs && nextCallAtMs !== undefined ? [nextCallAtMs] : []
    })
    const nextDueAtMs = dates.reduce<number | null>((least, atMs) => Math.min(least ?? atMs, atMs), null)
    return { outcome: 'claimed', attempts: [], nextDueAtMs }
  }
  for (const { task, verdict } of judged) putOff(memory, task, verdict, claim)
  const wanted = judged.flatMap(({ task, view, verdict }) =>
    verdict.verdict === 'dial' ? verdict.numbers.map((number, lane) => ({ task, view, ...number, lane })) : [],
  )
  // The first numbers of all tasks come before the second ones.
  const first = wanted.filter(({ lane }) => lane === 0)
  const further = wanted.filter(({ lane }) => lane > 0)
  return { outcome: 'claimed', attempts: [...first, ...further].flatMap((one) => writeAttempt(memory, claim, one)) }
}

/** The first that the gate lets pass, as it was before. What it puts off or finishes on the way is so from now on. */
export function reserveTask(memory: SimRepositoryState, command: Reservation): DueTask | 'nothing due' | 'no lease' {
  if (!memory.holdsLease(command.lease)) return 'no lease'
  const tasks = command.only === undefined ? freeTasks(memory, command) : onlyTask(memory, command)
  const judged = judge(memory, { ...command, tasksMax: 1 }, tasks)
  for (const { task, verdict } of judged) putOff(memory, task, verdict, command)
  const chosen = judged.find(({ verdict }) => verdict.verdict === 'dial')
  if (!chosen) return 'nothing due'
  const reserved = { agent: command.agent, fence: command.lease.fence }
  memory.changeTask(chosen.task, { status: 'reserved', reserved }, command.atMs, 'reserved')
  return chosen.view
}

interface Judged {
  readonly task: SimTask
  readonly view: DueTask
  readonly verdict: Verdict
}

interface Wanted {
  readonly task: SimTask
  readonly view: DueTask
  readonly number: DueTask['numbers'][number]['number']
  readonly permit: object
  readonly lane: number
}

/** Asks the gate until it has let enough of them pass. Nothing is changed: a gate that fails has done no harm. */
function judge(
  memory: SimRepositoryState,
  { decide, tasksMax, dialedSinceAtMs }: Pick<Claim, 'decide' | 'tasksMax' | 'dialedSinceAtMs'>,
  tasks: Iterable<SimTask>,
): Judged[] {
  const { nowAtMs, latestSeenAtMs } = memory
  const moment = {
    databaseAtMs: nowAtMs,
    latestSeenAtMs,
    isKillSwitchOn: memory.isKillSwitchOn(),
    abroad: usedAbroad(memory),
  }
  const judged: Judged[] = []
  const chosen = new ChosenCallees()
  let roomLeft = tasksMax
  for (const task of tasks) {
    if (roomLeft === 0 || judged.length === LOOKED_AT_MAX) break
    const view = dueTaskOf(memory, task, dialedSinceAtMs)
    const verdict: Verdict = chosen.has(view) ? { verdict: 'leave' } : decide(view, moment)
    judged.push({ task, view, verdict })
    chosen.add(view, verdict)
    if (verdict.verdict === 'leaveAll') break
    if (verdict.verdict === 'dial') roomLeft--
  }
  return judged
}

/** Due by both clocks, callbacks first, the others by priority, and nobody of it is being dialed. */
function* freeTasks(
  memory: SimRepositoryState,
  { campaign, atMs, first, agent, kept }: Pick<Claim, 'campaign' | 'atMs' | 'first' | 'agent' | 'kept'>,
): Generator<SimTask> {
  if (!memory.campaigns.get(campaign)?.active) return
  const due = [...memory.dueTasks(campaign, Math.min(atMs, memory.nowAtMs))]
    .map((id) => memory.tasks.get(id)!)
    .filter((task) => !isForItsAgent(task))
  const isPromised = ({ status }: SimTask) => status === 'callback'
  const promised = due.filter((task) => isPromised(task) && !isKeptForAnother(task, agent, kept))
  const isFree = (task: SimTask) => {
    const { ofNumber, ofContact } = inFlightBeside(memory, task)
    return ofNumber + ofContact === 0
  }
  const others = due.filter((task) => !isPromised(task)).sort((one, other) => other.priority - one.priority)
  const preferred = others.filter(({ status }) => status === first)
  for (const task of new Set([...promised, ...preferred, ...others])) if (isFree(task)) yield task
  for (const task of putOffBeforeChange(memory, campaign, Math.min(atMs, memory.nowAtMs))) {
    if (isFree(task) && !(isPromised(task) && isKeptForAnother(task, agent, kept))) yield task
  }
}

/** A typed number; a callback was promised (campaigns-113). */
function isForItsAgent({ isTyped, status }: Pick<SimTask, 'isTyped' | 'status'>): boolean {
  return isTyped === true && status !== 'callback'
}

/** Tasks that the gate put off before the campaign changed, the longest put off first. */
function putOffBeforeChange(memory: SimRepositoryState, campaign: CampaignId, dueAtMs: AtMs): SimTask[] {
  const version = versionOf(memory, campaign)
  const isOutdated = ({ campaign: of, status, waitsFor, putOffVersion, nextCallAtMs, isTyped }: SimTask) =>
    of === campaign &&
    !isForItsAgent({ isTyped, status }) &&
    isWaiting(status) &&
    waitsFor !== undefined &&
    putOffVersion! < version &&
    nextCallAtMs! > dueAtMs
  const outdated = [...memory.tasks.values()].filter(isOutdated)
  return outdated.sort((one, other) => one.putOffVersion! - other.putOffVersion! || one.id - other.id)
}

function isKeptForAnother({ callback }: SimTask, agent: Claim['agent'], kept: Claim['kept']): boolean {
  if (!kept || callback?.agent === undefined || callback.agent === agent) return false
  return kept.agents.includes(callback.agent) && callback.atMs > kept.sinceAtMs
}

/** By hand: also what is reserved for the agent who asks. */
function onlyTask(
  memory: SimRepositoryState,
  { campaign, only, agent }: Pick<Claim, 'campaign' | 'only' | 'agent'>,
): SimTask[] {
  const task = only === undefined ? undefined : memory.tasks.get(only)
  if (task?.campaign !== campaign || !memory.campaigns.get(campaign)?.active) return []
  if (task.reserved) return agent === undefined || agent === task.reserved.agent ? [task] : []
  return isWaiting(task.status) ? [task] : []
}

function putOff(
  memory: SimRepositoryState,
  task: SimTask,
  verdict: Verdict,
  { atMs, settingsVersion }: Pick<Claim, 'atMs' | 'settingsVersion'>,
): void {
  if (verdict.verdict === 'later') {
    letGo(memory, task, verdict.nextCallAtMs, 'put off', atMs)
    task.waitsFor = verdict.why
    task.putOffVersion = settingsVersion ?? versionOf(memory, task.campaign)
  }
  if (verdict.verdict !== 'finish') return
  const finishReason = verdict.status === 'expired' ? EXPIRED_REASON : task.finishReason
  memory.changeTask(task, { status: verdict.status, finishedAtMs: atMs, finishReason }, atMs, 'finished by the gate')
}

/** A further number is dialed only beside the first one of its task. */
function writeAttempt(memory: SimRepositoryState, claim: Claim, wanted: Wanted): ClaimedAttempt[] {
  const { task, view, number, lane } = wanted
  assert(
    task.numbers.some((one) => one.number === number),
    `call task ${task.id} is dialed on one of its own numbers`,
  )
  const isFirstDialed = memory.attemptsOfTask(task.id).some((one) => one.holdsPerson && one.lane === 0)
  if (lane > 0 && !isFirstDialed) return []
  const permit = jsonOf(wanted.permit)
  const { fence } = claim.lease
  const claimedAtMs = Math.max(claim.atMs, task.callback?.atMs ?? 0)
  const row = { number, lane, permit, fence, madeFor: claim.agent, claimedAtMs }
  const attempt = memory.addAttempt(task, row)
  if (!attempt) return []
  const { id, attemptNumber, leg, activity } = attempt
  const change = { status: 'dialing', attemptsMade: attemptNumber, lastCallAtMs: claim.atMs } as const
  memory.changeTask(
    task,
    { ...change, nextCallAtMs: undefined, waitsFor: undefined, putOffVersion: undefined, reserved: undefined },
    claim.atMs,
    'claimed',
  )
  return [{ id, task: view, number, attemptNumber, leg, activity, permit }]
}
