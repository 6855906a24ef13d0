import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, ContactKey, Fence, PhoneNumber } from '../kernel/ids.ts'
import type { ClaimMoment, DueTask, EarlierAttempt, Verdict } from '../ports/attempt.ts'
import { isFinished } from '../ports/call-task.ts'
import type { AbroadCaps } from './abroad.ts'
import type { CallTask, TaskNumber } from './call-task.ts'
import type { Campaign } from './campaign.ts'
import type { LedgerState, LiveLines } from './ledger.ts'
import { type DialAnswer, mayDialNow, type Permit, type Reason, type TrunkUse } from './may-dial-now.ts'
import { nextAttempt } from './next-attempt.ts'
import type { AnswersByHour } from './part-of-day.ts'
import { countryOf, normalizeNumber } from './phone-number.ts'
import { examineNumber, numberCheckOf } from './phone-zone.ts'
import type { Placing } from './placing.ts'

interface Surroundings {
  readonly campaign: Campaign
  readonly engineNowAtMs: AtMs
  readonly holdsLease: boolean
  /** Of the lease under which the attempt is claimed. It is kept with the permit, also when another node adopts it. */
  readonly fence?: Fence
  readonly trunk: TrunkUse | undefined
  readonly ourCallerIds: readonly PhoneNumber[] | undefined
  readonly abroadCaps: AbroadCaps | undefined
  /** Tasks that this claim may dial already. */
  readonly permitted: number
  readonly reservedAgent: AgentName | undefined
  readonly live: LiveLines
  readonly ledgers: readonly LedgerState[]
  /** Whether the ledgers allow so many numbers beside the first: two people may answer, and one agent is for them. */
  readonly isRoomBeside: (numbers: number) => boolean
  readonly answers?: AnswersByHour | undefined
  readonly placing?: Placing
  /** Whether this engine has the person on a line: the database may not know it. */
  readonly isOnOurLine: (task: DueTask) => boolean
}

export type TaskDecision =
  | { readonly verdict: Extract<Verdict, { verdict: 'dial' }>; readonly permits: readonly Permit[] }
  | { readonly verdict: Exclude<Verdict, { verdict: 'dial' }>; readonly refused: Reason }

/** How long a number that the network does not know is not dialed (campaigns-36). */
export const DEAD_MS = 90 * 24 * 3_600_000

type NumberRules = Partial<Pick<Campaign, 'allowedCountries' | 'acceptsPossibleNumbers'>>

/** The task without numbers that can never be dialed (D-07, 103), or not now where the task has another. */
export function taskOf(due: DueTask, nowAtMs: AtMs, rules: NumberRules = {}): CallTask {
  const { id, campaign, status, person, numbers, attemptsMax, intervalMs, callback, attempts } = due
  const { validFromAtMs, validToAtMs } = due
  const { externalCaseNumber, touches, lastTalkAtMs, lastDropAtMs } = due
  return {
    id,
    campaign,
    contact: person as ContactKey | undefined,
    numbers: callable(numbers, nowAtMs, rules),
    attemptsMax,
    attemptIntervalMs: intervalMs,
    callback,
    validFromAtMs,
    validToAtMs,
    timeZone: undefined,
    end: isFinished(status) ? status : undefined,
    attempts,
    externalCaseNumber,
    touches,
    lastTalkAtMs,
    lastDropAtMs,
  }
}

/** The task after attempts that ended since it was claimed: a number that the network does not know is dead. */
export function taskAfter(
  due: DueTask,
  attempts: readonly EarlierAttempt[],
  nowAtMs: AtMs,
  { acceptsPossibleNumbers }: Pick<Campaign, 'acceptsPossibleNumbers'>,
): CallTask {
  const known = new Set(due.attempts.map(({ id }) => id))
  const dead = new Set(
    attempts.filter(({ id, result }) => result === 'invalidNumber' && !known.has(id)).map(({ number }) => number),
  )
  const task = taskOf(due, nowAtMs, { acceptsPossibleNumbers })
  const numbers = task.numbers.map((one) =>
    one.number !== undefined && dead.has(one.number) ? { ...one, isDead: true } : one,
  )
  return { ...task, numbers, attempts }
}

/** Whether the next call of the task would go to another number than the one that was written, or to others as well. */
export function isTurnOfAnother(due: DueTask, written: string, nowAtMs: AtMs, campaign: Campaign): boolean {
  const next = nextAttempt(taskOf(due, nowAtMs, campaign), campaign)
  return next.kind === 'due' && next.numbers.some((one) => normalizeNumber(written, countryOf(one)) !== one)
}

/** Asks the gate about every number that is next. The first one decides whether the task is dialed (campaigns-85). */
export function decideTask(due: DueTask, moment: ClaimMoment, around: Surroundings): TaskDecision {
  const task = taskOf(due, moment.databaseAtMs, around.campaign)
  const next = nextAttempt(task, around.campaign)
  if (next.kind === 'finished') return { verdict: finish(next.end), refused: 'taskFinished' }
  if (next.kind === 'inFlight') return { verdict: { verdict: 'leave' }, refused: 'attemptInFlight' }
  if (due.isPersonStopped) return { verdict: finish('stopped'), refused: 'stopped' }
  const permits: Permit[] = []
  for (const number of next.numbers) {
    if (permits.length > 0 && !around.isRoomBeside(permits.length)) break
    const answer = mayDialNow(questionOf(due, task, number, permits.length, moment, around))
    if ('permit' in answer) permits.push(answer.permit)
    else if (permits.length === 0 && number === next.numbers[0]) {
      return { verdict: afterRefusal(answer, moment.databaseAtMs), refused: answer.refused }
    }
  }
  return {
    verdict: {
      verdict: 'dial',
      numbers: permits.map((permit) => ({ number: permit.number, permit: { ...permit, fence: around.fence } })),
    },
    permits,
  }
}

function callable(
  numbers: DueTask['numbers'],
  nowAtMs: AtMs,
  { allowedCountries, ...rules }: NumberRules,
): TaskNumber[] {
  const check = numberCheckOf(rules)
  const examined = numbers.map(({ number, stopped, deadSinceAtMs }) => {
    return { number, isStopped: stopped, isDead: isDeadAt(nowAtMs, deadSinceAtMs), facts: examineNumber(number, check) }
  })
  const isHome = ({ facts }: (typeof examined)[number]) =>
    facts.ok && allowedCountries?.includes(facts.country) === true
  const isAnyHome = examined.some(isHome)
  return examined.map((one) => ({
    number: one.facts.ok && (!isAnyHome || isHome(one)) ? one.number : undefined,
    isStopped: one.isStopped,
    isDead: one.isDead,
  }))
}

/** An instant that is not a number proves nothing: the number stays dead. */
function isDeadAt(nowAtMs: AtMs, deadSinceAtMs: AtMs | undefined): boolean {
  return deadSinceAtMs !== undefined && !(nowAtMs >= deadSinceAtMs + DEAD_MS)
}

function finish(status: Extract<Verdict, { verdict: 'finish' }>['status']) {
  return { verdict: 'finish', status } as const
}

/** `beside`: the other numbers of the task that ring together with this one; each takes a line. */
function questionOf(
  due: DueTask,
  task: CallTask,
  number: PhoneNumber,
  beside: number,
  { databaseAtMs, latestSeenAtMs, isKillSwitchOn, abroad }: ClaimMoment,
  around: Surroundings,
): Parameters<typeof mayDialNow>[0] {
  const { engineNowAtMs, trunk, abroadCaps: caps } = around
  return {
    ...around,
    trunk: trunk && {
      ...trunk,
      linesInUse: trunk.linesInUse + beside,
      placedLastSecond: trunk.placedLastSecond + beside,
    },
    task,
    number,
    clocks: { nowAtMs: databaseAtMs, engineNowAtMs, latestSeenAtMs },
    killSwitch: isKillSwitchOn ? 'on' : 'off',
    abroad: { caps, used: abroad, beside: around.permitted + beside },
    stops: due.isPersonStopped ? [{ of: 'contact', list: 'persons' }] : [],
    touches: due.touches,
    beside,
    lastTalk: due.lastTalkAtMs ?? 'never',
    isOnOurLine: due.isOnOurLine || around.isOnOurLine(due),
    lastCalledIn: due.lastCalledInAtMs ?? 'never',
    inFlight: due.inFlight,
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * When a refused task is tried again if the refusal has no known end. `leave`: the cause is not the task.
 * `leaveAll`: the cause refuses every task of the campaign.
 */
const COMES_AGAIN: Readonly<Record<Reason, number | 'leave' | 'leaveAll' | 'finish'>> = {
  killSwitch: 'leaveAll',
  clockUnknown: 'leaveAll',
  clockWentBack: 'leaveAll',
  clocksDiffer: 'leaveAll',
  leaseLost: 'leaveAll',
  campaignInactive: 'leaveAll',
  notStarted: 'leaveAll',
  foreignTask: 'leave',
  taskFinished: 'leave',
  attemptInFlight: 'leave',
  expired: 'finish',
  notYetValid: MINUTE_MS,
  onOurLine: MINUTE_MS,
  afterOurCall: MINUTE_MS,
  notYet: MINUTE_MS,
  notItsTurn: MINUTE_MS,
  stopped: HOUR_MS,
  numberRefused: HOUR_MS,
  countryNotAllowed: HOUR_MS,
  countrySpent: HOUR_MS,
  zoneUnknown: HOUR_MS,
  outsideHours: 24 * HOUR_MS,
  samePartOfDay: HOUR_MS,
  frequencyCap: HOUR_MS,
  quietAfterTalk: HOUR_MS,
  callerIdNotOurs: 'leaveAll',
  carrierFailing: 'leaveAll',
  trunkFull: 'leaveAll',
  trunkTooFast: 'leaveAll',
  agentNeeded: MINUTE_MS,
  ledgerFull: 'leaveAll',
}

function afterRefusal(
  { refused, untilAtMs }: Extract<DialAnswer, { refused: Reason }>,
  nowAtMs: AtMs,
): Exclude<Verdict, { verdict: 'dial' }> {
  const wait = COMES_AGAIN[refused]
  if (wait === 'leave' || wait === 'leaveAll') return { verdict: wait }
  if (wait === 'finish') return finish('expired')
  return { verdict: 'later', nextCallAtMs: untilAtMs ?? nowAtMs + wait, why: refused }
}
