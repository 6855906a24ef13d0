/** Promised callbacks, and campaigns that may dial and do not. */
import type { CampaignId } from '../../../src/kernel/ids.ts'
import { HOLIDAYS, localTime, minuteOf } from '../places.ts'
import {
  campaignAt,
  clockOf,
  type Dialed,
  GRACE_MS,
  nameOf,
  rootOf,
  settingOf,
  type WeekFacts,
  wasDropped,
} from '../week-facts.ts'
import type { Ordered, Word } from '../week-log.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WITHIN_MINUTES = 5

interface Window {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

/** Whether this campaign may call this number, as far as clock, switch and orders go. */
function isOpen(facts: WeekFacts, id: CampaignId, number: string, atMs: number): boolean {
  const { log } = facts
  const campaign = campaignAt(facts, id, atMs)
  const { startsAt, endsAt } = campaign.settings as Readonly<Record<string, string | undefined>>
  if (startsAt !== undefined && atMs < Date.parse(startsAt) + GRACE_MS) return false
  if (endsAt !== undefined && atMs >= Date.parse(endsAt)) return false
  const { date, weekday, minute } = localTime(number, atMs)
  const { holidays = [] } = campaign.settings as { holidays?: readonly string[] }
  if (!campaign.active || HOLIDAYS.includes(date) || holidays.includes(date)) return false
  const isHour = settingOf<Window[]>(campaign, 'callWindows').some(
    ({ days, from, to }) => days.includes(weekday) && minute >= minuteOf(from) && minute < minuteOf(to),
  )
  const isKilled = log.killSwitch.findLast((set) => set.atMs <= atMs)?.isOn === true
  const isRunning = log.lives.some(({ fromMs, untilMs }) => fromMs + 20_000 <= atMs && atMs < untilMs)
  const isOut = log.outages.some(({ trunk, fromMs, untilMs }) => {
    return trunk === campaign.settings['trunk'] && fromMs <= atMs && atMs < untilMs + 2 * MINUTE_MS
  })
  const isWithoutPhones = log.phones.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs + MINUTE_MS)
  return isHour && !isKilled && isRunning && !isOut && !isWithoutPhones
}

/** The agents of its team whose screens say ready. A goal may keep half of them back for callers. */
function readyAgents(facts: WeekFacts, id: CampaignId, atMs: number): string[] {
  const { team = '', settings } = campaignAt(facts, id, atMs)
  const members = facts.log.teams.findLast((one) => one.atMs <= atMs)?.teams[team] ?? []
  const ready = members.filter((name) => stateOf(facts, name, atMs) === 'ready')
  const keptBack = settings['serviceGoal'] ? Math.max(1, Math.ceil(members.length / 2)) : 0
  return ready.length > keptBack ? ready : []
}

/** What the screen of an agent says. */
export function stateOf({ log }: WeekFacts, name: string, atMs: number): string {
  return log.statuses.findLast(({ agent, atMs: sinceMs }) => agent === name && sinceMs <= atMs)?.state ?? 'loggedOut'
}

/** Modes that dial by themselves. */
export const AUTOMATIC = ['progressive', 'power', 'predictive']

/** Each promise is dialed within five minutes in which it could be, at the number that was talked on. */
export function callbacks(facts: WeekFacts): string[] {
  return facts.log.words.flatMap((word) => {
    const one = facts.dialed.find(({ call }) => call === word.about)
    if (word.what !== 'callback' || !word.isAccepted || !one) return []
    // The last word about a call counts.
    const isMoved = facts.log.words.some((other) => {
      return other.what === 'callback' && other.isAccepted && other.about === word.about && other.atMs > word.atMs
    })
    if (isMoved) return []
    // Calls at any number of the task hold it; the promise is met at the one that was talked on.
    const numbers: readonly string[] = one.order.task.numbers.map(({ number }) => number)
    const calls = facts.dialed.filter(({ corporation, number, person }) => {
      return corporation === one.corporation && (numbers.includes(number) || (person && person === one.person))
    })
    const isMet = ({ number, person, atMs }: Dialed) =>
      atMs >= word.dueAtMs! - 100 && (number === one.number || (person !== undefined && person === one.person))
    const met = calls.find(isMet)
    const lastMs = met?.atMs ?? facts.log.lives.at(-1)!.untilMs
    const left = minutesIn(word.dueAtMs!, lastMs).filter((atMs) => couldCall(facts, one, word, calls, atMs))
    if (left.length <= WITHIN_MINUTES) return []
    const what = met ? `was met by ${nameOf(met)}` : 'was never met'
    return [
      `${word.agent} promised ${nameOf(one)} a call at ${clockOf(one.number, word.dueAtMs!)}: it ${what}, ` +
        `after ${left.length} minutes in which it could be`,
    ]
  })
}

/** Where a promise is met by a call of its task at another number than the one that was talked on. */
export function callbackNumber(facts: WeekFacts): string[] {
  return facts.log.words.flatMap((word) => {
    const one = facts.dialed.find(({ call }) => call === word.about)
    if (word.what !== 'callback' || !word.isAccepted || !one) return []
    const calls = facts.callsOfOrder.get(one.order.id) ?? []
    const met = calls.find(({ atMs }) => atMs >= word.dueAtMs! - 100)
    const others = facts.log.words.filter(({ what, about }) => what === 'callback' && about !== word.about)
    const isOnly = !others.some(({ about }) => calls.some(({ call }) => call === about))
    // A stop protects the number, or that of somebody else who has it too.
    const isStopped = facts.log.stops.some(({ atMs }) => met && atMs <= met.atMs)
    const isElse = met && isOnly && !isStopped && met.number !== one.number && met.atMs < word.dueAtMs! + DAY_MS
    return isElse ? [`${nameOf(met)}: the promise was given on ${one.number}`] : []
  })
}

/** Whole minutes between two instants, in a week that has no more than a few days of work. */
function minutesIn(fromMs: number, untilMs: number): number[] {
  const minutes: number[] = []
  for (let atMs = fromMs; atMs + MINUTE_MS <= untilMs; atMs += MINUTE_MS) minutes.push(atMs)
  return minutes
}

/** Nothing explains why this promise is not met at this minute. */
function couldCall(facts: WeekFacts, one: Dialed, word: Word, calls: readonly Dialed[], atMs: number): boolean {
  const { log } = facts
  if (!isOpen(facts, one.campaign, one.number, atMs)) return false
  const { settings } = campaignAt(facts, one.campaign, atMs)
  if (!AUTOMATIC.includes(settings['dialMode'] as string)) return false
  if (readyAgents(facts, one.campaign, atMs).length === 0) return false
  if (atMs >= (one.order.task.validToAtMs ?? Number.POSITIVE_INFINITY)) return false
  const isAgentAway = stateOf(facts, word.agent, atMs) !== 'loggedOut' && stateOf(facts, word.agent, atMs) !== 'ready'
  // Whoever calls in by any number of the task may talk to an agent.
  const numbers: readonly string[] = one.order.task.numbers.map(({ number }) => number)
  const isOver =
    log.ends.some((end) => end.atMs <= atMs && rootOf(facts.week, end.task) === one.order.id) ||
    log.stops.some((stop) => stop.atMs <= atMs) ||
    log.callers.some((call) => numbers.includes(call.number) && call.atMs <= atMs)
  const cap = settings['frequencyCap'] as { calls: number; days: number; quietDaysAfterTalk: number }
  // The quiet of its own talk does not hold it, that of a later one does.
  const quietFromMs = atMs - cap.quietDaysAfterTalk * DAY_MS
  const isQuiet = calls.some((other) => {
    // A machine that an agent talked to and nobody reported counts as a talk.
    const isTalk = other.talkedFromMs !== undefined
    return isTalk && other.endMs > Math.max(one.endMs, quietFromMs) && other.endMs <= atMs
  })
  const lately = calls.filter((other) => other.atMs > atMs - cap.days * DAY_MS && other.atMs <= atMs).length
  const counted = facts.callsOfOrder.get(one.order.id)!.filter((other) => other.atMs <= atMs).length
  const wasCut = calls.some((other) => wasDropped(other))
  const isNear = calls.some((other) => other.atMs <= atMs && other.endMs > atMs - 3 * MINUTE_MS)
  // A call that the person did not ask for waits for the interval.
  const isTooSoon = !word.isAskedFor && calls.some(({ endMs }) => endMs <= atMs && endMs > atMs - one.order.intervalMs)
  const isUsedUp = isQuiet || isTooSoon || lately >= cap.calls || counted >= one.order.attemptsMax || wasCut || isNear
  return !isAgentAway && !isOver && !isUsedUp
}

/** A campaign with fresh tasks, an agent who is ready and an open hour dials within five minutes. */
export function resumes(facts: WeekFacts): string[] {
  return facts.week.plan.campaigns.flatMap(({ id }) => {
    const faults: string[] = []
    const orders = facts.log.imports.filter(({ campaign }) => campaign === id)
    for (const { fromMs, untilMs } of facts.log.lives) {
      let idle = 0
      const lastMs = Math.min(untilMs, fromMs + DAY_MS)
      for (const atMs of minutesIn(fromMs, lastMs)) {
        const fresh = mayDial(facts, id, atMs) ? orders.find((order) => isFresh(facts, order, atMs)) : undefined
        idle = fresh ? idle + 1 : 0
        if (!fresh || idle !== WITHIN_MINUTES + 1) continue
        const [{ number } = { number: '' }] = fresh.task.numbers
        const why = `is due, ${readyAgents(facts, id, atMs).join()} ready`
        faults.push(`campaign ${id} does not dial at ${clockOf(number, atMs)}: task ${fresh.id} to ${number} ${why}`)
      }
    }
    return faults
  })
}

/** Dials by itself, an agent has been ready for a minute, and it has not dialed for a minute. */
function mayDial(facts: WeekFacts, id: CampaignId, atMs: number): boolean {
  const { settings } = campaignAt(facts, id, atMs)
  if (!AUTOMATIC.includes(settings['dialMode'] as string)) return false
  const isDialing = facts.dialed.some(({ campaign, atMs: at, endMs }) => {
    return campaign === id && at <= atMs + MINUTE_MS && endMs > atMs - MINUTE_MS
  })
  const ready = readyAgents(facts, id, atMs).filter((name) => {
    return !facts.log.statuses.some((one) => one.agent === name && one.atMs > atMs - MINUTE_MS && one.atMs <= atMs)
  })
  const isShort = facts.week.plan.trunks.some(({ name, linesMax }) => {
    const up = facts.dialed.filter(
      ({ call, atMs: at, endMs }) => call.invite.trunk === name && at <= atMs && endMs > atMs,
    )
    return name === settings['trunk'] && up.length + 1 >= linesMax
  })
  return !isDialing && ready.length > 0 && !isShort
}

/** Nobody of it was ever called, by any corporation, ended, stopped or on our line, and the hour is theirs. */
export function isFresh(facts: WeekFacts, order: Ordered, atMs: number): boolean {
  const { task, campaign, id } = order
  const { validFromAtMs = 0, validToAtMs = Number.POSITIVE_INFINITY } = task
  if (atMs < validFromAtMs + GRACE_MS || atMs >= validToAtMs) return false
  const [first] = task.numbers
  if (order.atMs > atMs || !isOpen(facts, campaign, first!.number, atMs)) return false
  const numbers: readonly string[] = task.numbers.map(({ number }) => number)
  const { log } = facts
  const isTouched =
    facts.callsOfOrder.get(id)?.some((one) => one.atMs <= atMs) ||
    log.ends.some((end) => end.task === id && end.atMs <= atMs) ||
    log.stops.some((stop) => stop.atMs <= atMs) ||
    log.callers.some((call) => numbers.includes(call.number) && call.atMs <= atMs)
  if (isTouched) return false
  return !facts.dialed.some(
    (one) =>
      one.atMs <= atMs &&
      (numbers.includes(one.number) || (one.person !== undefined && one.person === task.externalCustomer)),
  )
}
