/** How soon and how often a person or a number is called, over all tasks, campaigns and lists of a corporation. */
import {
  callsBefore,
  campaignAt,
  type Dialed,
  duePromises,
  hasTalked,
  nameOf,
  SLACK_MS,
  settingOf,
  versionsAt,
  type WeekFacts,
  wasDropped,
  wasEngineGone,
} from '../week-facts.ts'

const DAY_MS = 24 * 3_600_000
const FLOOR_MS = 60_000
/** A promise that met nobody is tried again after so long, unless a campaign says otherwise; no week does. */
const CALLBACK_RETRY_MS = 10 * 60_000
const DROPPED_QUIET_MS = 72 * 3_600_000

/** A refusal of the carrier's own, before any ring, wakes nobody. */
const isCarrierFailure = ({ call }: Dialed) => call.refusedWith === 503

/** Two calls never come within a minute, and never overlap. */
export function floor(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const before = callsBefore(facts, one)
      .filter((other) => !isCarrierFailure(other))
      .find(({ endMs }) => one.atMs - endMs < FLOOR_MS - SLACK_MS)
    return before ? [`${nameOf(one)}: ${one.atMs - before.endMs} ms after the end of ${nameOf(before)}`] : []
  })
}

/** The interval of the task. A call that the person has asked for comes at its date, and its retries in minutes. */
export function interval(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const asked = duePromises(facts, one).filter(({ isAskedFor }) => isAskedFor)
    const promise = asked.toSorted((a, b) => a.dueAtMs! - b.dueAtMs!).at(-1)
    const intervalMs = promise ? Math.min(one.order.intervalMs, CALLBACK_RETRY_MS) : one.order.intervalMs
    const before = callsBefore(facts, one).filter((other) => !isCarrierFailure(other))
    const isTry = ({ atMs, order }: Dialed) => !promise || (order.id === one.order.id && atMs >= promise.dueAtMs!)
    const early = before.find((other) => isTry(other) && one.atMs - other.endMs < intervalMs - SLACK_MS)
    if (!early) return []
    return [`${nameOf(one)}: ${one.atMs - early.endMs} ms after ${nameOf(early)}, the interval is ${intervalMs}`]
  })
}

interface Cap {
  readonly calls: number
  readonly days: number
  readonly quietDaysAfterTalk: number
}

/** The frequency cap of the campaign that calls. */
export function frequencyCap(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const caps = versionsAt(facts, one.campaign, one.atMs).map((campaign) => settingOf<Cap>(campaign, 'frequencyCap'))
    const before = callsBefore(facts, one).filter((other) => !isCarrierFailure(other))
    const isAbove = caps.every(({ calls, days }) => {
      return before.filter(({ atMs }) => atMs > one.atMs - days * DAY_MS + SLACK_MS).length + 1 > calls
    })
    const { calls, days } = caps.at(-1)!
    return isAbove
      ? [`${nameOf(one)}: call ${before.length + 1} of the week, ${calls} in ${days} days are allowed`]
      : []
  })
}

/** Quiet after a conversation, unless it promised this call. */
export function quietAfterTalk(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { quietDaysAfterTalk } = settingOf<Cap>(campaignAt(facts, one.campaign, one.atMs), 'frequencyCap')
    const talk = callsBefore(facts, one).find((other) => {
      return hasTalked(other) && one.atMs - other.endMs < quietDaysAfterTalk * DAY_MS - SLACK_MS
    })
    if (!talk || duePromises(facts, one).length > 0) return []
    return [`${nameOf(one)}: ${quietDaysAfterTalk} days of quiet after the talk of ${nameOf(talk)}`]
  })
}

/** Three days of quiet after a person was hung up on, and then an agent who is reserved; or one of both. */
export function quietAfterDrop(facts: WeekFacts): string[] {
  const { attempts } = facts.week.world.dialerRepository.view
  return facts.dialed.flatMap((one) => {
    const campaigns = versionsAt(facts, one.campaign, one.atMs)
    const needsBoth = campaigns.every((campaign) => settingOf(campaign, 'afterDropped') === 'quietAndAgent')
    const needsOne = campaigns.every((campaign) => settingOf(campaign, 'afterDropped') === 'quietOrAgent')
    const hasAgent = attempts.get(one.attempt)?.madeFor !== undefined
    const before = callsBefore(facts, one)
    // A conversation since then ends the quiet.
    const drop = before.find((other) => wasDropped(other) && !hasTalkedSince(facts, one, before, other))
    if (!drop || wasEngineGone(facts, drop.atMs, drop.endMs + SLACK_MS)) return []
    const isQuiet = one.atMs - drop.endMs < DROPPED_QUIET_MS - SLACK_MS
    if (needsBoth && isQuiet) return [`${nameOf(one)}: 72 h of quiet after ${nameOf(drop)} was dropped`]
    const isBare = !hasAgent && (needsBoth || (needsOne && isQuiet))
    return isBare ? [`${nameOf(one)}: without a reserved agent after ${nameOf(drop)} was dropped`] : []
  })
}

/** On a call of ours, or on one of theirs. */
function hasTalkedSince(facts: WeekFacts, one: Dialed, before: readonly Dialed[], { endMs }: Dialed): boolean {
  const numbers: readonly string[] = one.order.task.numbers.map(({ number }) => number)
  const isServed = facts.log.callers.some(({ number, caller, atMs }) => {
    return numbers.includes(number) && atMs > endMs - 60_000 && caller.heard.some(({ what }) => what === 'person')
  })
  // A machine that an agent talked to and nobody reported counts as a talk.
  return isServed || before.some((talk) => talk.talkedFromMs !== undefined && talk.endMs > endMs)
}

const DEAD_CODES = [404, 410, 484, 604]

/** A number that does not exist is not dialed again, by no task. */
export function deadNumbers(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const dead = callsBefore(facts, one).find(({ call, number, endMs }) => {
      return number === one.number && DEAD_CODES.includes(call.refusedWith ?? 0) && endMs < one.atMs - SLACK_MS
    })
    return dead ? [`${nameOf(one)}: ${dead.call.refusedWith} was the answer to ${nameOf(dead)}`] : []
  })
}
