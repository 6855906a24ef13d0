/** What people hear who answer: an agent or words, and how many are hung up on. */
import { localTime } from '../places.ts'
import {
  campaignAt,
  type Dialed,
  hasTalked,
  nameOf,
  ringsTogether,
  SLACK_MS,
  settingOf,
  type WeekFacts,
  wasDropped,
  wasEngineGone,
  wasSlow,
} from '../week-facts.ts'

const AGENT_WAIT_MS = 2_000
/** A person's greeting and the pause after it. */
const DETECTION_MS = 5_500
const LINE_MS = 1_000

/** No silence: within two seconds a person hears an agent or words. */
export function silence(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { answeredAtMs, voice, heard } = one.call
    if (answeredAtMs === undefined || voice !== 'person' || wasEngineGone(facts, one.atMs, one.endMs)) return []
    const { enabled } = settingOf<{ enabled: boolean }>(campaignAt(facts, one.campaign, one.atMs), 'machineDetection')
    const allowedMs = AGENT_WAIT_MS + LINE_MS + (enabled ? DETECTION_MS : 0)
    const gapMs = longestSilence(heard, answeredAtMs, one.endMs)
    if (gapMs > allowedMs) return [`${nameOf(one)}: heard nothing for ${gapMs} ms`]
    const isWordless = wasDropped(one) && heard.every(({ what }) => what === 'music')
    const isCut = isOrdered(facts, one) || isBesideAnswer(facts, one)
    return isWordless && !isCut ? [`${nameOf(one)}: was hung up on without a word`] : []
  })
}

/** The longest time without a word, until an agent is heard. Words may be said again, after an apology. */
function longestSilence(heard: Dialed['call']['heard'], fromMs: number, endMs: number): number {
  let [silentSinceMs, longestMs] = [fromMs, 0]
  for (const { what, fromMs: beginsMs, untilMs = endMs } of heard.filter((one) => one.what !== 'music')) {
    longestMs = Math.max(longestMs, beginsMs - silentSinceMs)
    silentSinceMs = Math.max(silentSinceMs, untilMs)
    if (what === 'person') return longestMs
  }
  return Math.max(longestMs, endMs - silentSinceMs)
}

/** An agent talks to one person at a time, a person to one agent. */
export function oneTalk(facts: WeekFacts): string[] {
  const talks = facts.dialed.flatMap((one) => {
    return one.call.heard.flatMap(({ what, text, fromMs, untilMs = one.endMs }) => {
      return what === 'person' ? [{ agent: text, fromMs, untilMs, name: nameOf(one) }] : []
    })
  })
  const inbound = facts.log.callers.flatMap(({ caller, number, endedAtMs = Number.POSITIVE_INFINITY }) => {
    return caller.heard.flatMap(({ what, text, fromMs, untilMs = endedAtMs }) => {
      return what === 'person' ? [{ agent: text, fromMs, untilMs, name: `the caller ${number}` }] : []
    })
  })
  const all = [...talks, ...inbound].sort((a, b) => a.fromMs - b.fromMs)
  return all.flatMap((one, at) => {
    const other = all.slice(0, at).find(({ agent, untilMs }) => agent === one.agent && untilMs > one.fromMs + LINE_MS)
    return other ? [`${one.agent} talks to ${one.name} while talking to ${other.name}`] : []
  })
}

/** At each person hung up on: the share of the day is within the cap, by what was known when that call was dialed. */
export function abandoned(facts: WeekFacts): string[] {
  const drops = facts.dialed.filter((one) => wasDropped(one) && !wasEngineGone(facts, one.atMs - 60_000, one.endMs))
  return drops.flatMap((drop) => {
    const { settings } = campaignAt(facts, drop.campaign, drop.atMs)
    const isProgressive = settings['dialMode'] === 'progressive'
    const cap = isProgressive ? 0 : Number(settings['maxAbandonRate'])
    if (isExcused(facts, drop) || isBesideAnswer(facts, drop)) return []
    const { date } = localTime('+45', drop.atMs)
    const calls = facts.dialed.filter(({ campaign, call, number, atMs }) => {
      const isToday = localTime('+45', atMs).date === date
      return (
        campaign === drop.campaign &&
        isToday &&
        call.answeredAtMs !== undefined &&
        call.answeredAtMs <= drop.endMs &&
        number
      )
    })
    const known = calls.filter((one) => !isKnownMachine(facts, one, drop.atMs))
    const lost = calls.filter((one) => {
      return wasDropped(one) && one.endMs <= drop.endMs && !isBesideAnswer(facts, one)
    }).length
    if (lost <= cap * known.length + 1e-9) return []
    return [`${nameOf(drop)}: ${lost} of ${known.length} answered calls of the day were dropped, the cap is ${cap}`]
  })
}

/** A number that rings beside others of the task is answered by nobody, or by the one who talks. */
export function parallelAbandoned(facts: WeekFacts): string[] {
  // An answer that crosses our hang-up came too late.
  const drops = facts.dialed.filter((one) => wasDropped(one) && isBesideAnswer(facts, one, 2 * SLACK_MS))
  return drops
    .filter((drop) => !isExcused(facts, drop))
    .map((drop) => {
      return `${nameOf(drop)}: answered and was dropped beside another number of the task`
    })
}

/** Another number of its task was answered first, by more than so much. */
function isBesideAnswer(facts: WeekFacts, drop: Dialed, byMs = 0): boolean {
  const calls = facts.callsOfOrder.get(drop.order.id) ?? []
  return calls.some(({ call, ...other }) => {
    const isFirst = call.answeredAtMs !== undefined && call.answeredAtMs < drop.call.answeredAtMs! - byMs
    return isFirst && ringsTogether({ call, ...other }, drop)
  })
}

/** The order that ended a task, stopped a person or switched all off may cut what was just answered. */
function isOrdered(facts: WeekFacts, { call, endMs, order }: Dialed): boolean {
  const { log } = facts
  if (wasSlow(facts, call.answeredAtMs!, endMs)) return true
  const isNear = ({ atMs }: { atMs: number }) => atMs >= call.answeredAtMs! - 5_000 && atMs <= endMs
  const isTheirs = ({ number }: { number: string }) => order.task.numbers.some((one) => one.number === number)
  return [...log.ends, ...log.stops, ...log.killSwitch, ...log.callers.filter(isTheirs)].some(isNear)
}

/** By such an order, or because phones of agents failed. */
function isExcused(facts: WeekFacts, one: Dialed): boolean {
  const isWithoutPhones = facts.log.phones.some(({ fromMs, untilMs }) => {
    return fromMs <= one.endMs && untilMs + LINE_MS >= one.atMs
  })
  return isWithoutPhones || isOrdered(facts, one)
}

/** Detection found it, or an agent had said so by then. */
function isKnownMachine(facts: WeekFacts, one: Dialed, byMs: number): boolean {
  if (one.call.voice !== 'machine') return false
  const { enabled } = settingOf<{ enabled: boolean }>(campaignAt(facts, one.campaign, one.atMs), 'machineDetection')
  const isSaid = facts.log.words.some(({ what, about, atMs, isAccepted }) => {
    return what === 'machine' && about === one.call && isAccepted && atMs <= byMs
  })
  return enabled || isSaid
}

/** While a caller waits, agents serve the caller and not people who were dialed after the wait had begun. */
export function callersFirst(facts: WeekFacts): string[] {
  const members = (atMs: number) => facts.log.teams.findLast((one) => one.atMs <= atMs)!.teams['collections'] ?? []
  return facts.log.callers.flatMap(({ atMs, number, caller, endedAtMs = Number.POSITIVE_INFINITY }) => {
    const servedMs = caller.heard.find(({ what }) => what === 'person')?.fromMs ?? endedAtMs
    const team = members(atMs)
    const before = facts.dialed.filter((one) => {
      const isAfter = one.atMs > atMs + 3_000 && hasTalked(one) && one.talkedFromMs! < servedMs - 500
      return (
        isAfter && team.includes(one.agent ?? '') && campaignAt(facts, one.campaign, one.atMs).team === 'collections'
      )
    })
    const isCalm = !wasEngineGone(facts, atMs - 10_000, servedMs)
    const isTooMany = isCalm && before.length > team.length
    return isTooMany
      ? [`the caller ${number} waited while ${before.length} people who were dialed later were served`]
      : []
  })
}
