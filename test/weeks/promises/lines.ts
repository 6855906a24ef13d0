/** Trunks: lines at once and calls per second. Ringing phones: how long, and what may cut them. */
import {
  callsTo,
  campaignAt,
  type Dialed,
  nameOf,
  SLACK_MS,
  settingOf,
  type WeekFacts,
  wasEngineGone,
  wasSlow,
} from '../week-facts.ts'

/** Never more lines of a trunk than it has. */
export function trunkLines(facts: WeekFacts): string[] {
  return facts.week.plan.trunks.flatMap(({ name, linesMax }) => {
    const calls = facts.dialed.filter(({ call }) => call.invite.trunk === name)
    return calls.flatMap((one) => {
      const up = calls.filter(({ atMs, endMs }) => atMs <= one.atMs && endMs > one.atMs).length
      return up > linesMax ? [`${nameOf(one)}: ${up} lines of ${name}, which has ${linesMax}`] : []
    })
  })
}

/** Never more calls in a second; a new engine does not know those of the one that died. */
export function trunkPace(facts: WeekFacts): string[] {
  return facts.week.plan.trunks.flatMap(({ name, callsPerSecondMax }) => {
    const calls = facts.dialed.filter(({ call }) => call.invite.trunk === name)
    return calls.flatMap((one) => {
      const lately = calls.filter(({ atMs }) => atMs <= one.atMs && atMs > one.atMs - 1_000 + SLACK_MS).length
      const isNew = wasEngineGone(facts, one.atMs - 1_000, one.atMs)
      const isTooFast = lately > callsPerSecondMax && !isNew
      return isTooFast ? [`${nameOf(one)}: ${lately} calls of ${name} in a second, allowed ${callsPerSecondMax}`] : []
    })
  })
}

const MIN_RING_MS = 15_000
/** An order takes effect within so much. */
const CAUSE_MS = 3_000

/** A phone that rings is cut after 15 s at the earliest, except by an end, a stop, the kill switch or a call in. */
export function ringing(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const rangMs = cutAfterMs(one)
    if (rangMs === undefined || rangMs >= MIN_RING_MS - SLACK_MS || mayBeCut(facts, one)) return []
    if (wasPaused(facts, one)) return []
    return [`${nameOf(one)}: cut after ${rangMs} ms of ringing`]
  })
}

/** A pause lets phones ring out. */
export function pauseLetsRing(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const rangMs = cutAfterMs(one)
    const fullMs = settingOf<number>(campaignAt(facts, one.campaign, one.atMs), 'ringTimeoutSeconds') * 1_000
    if (rangMs === undefined || one.endMs - one.atMs >= fullMs - SLACK_MS) return []
    if (!wasPaused(facts, one) || mayBeCut(facts, one)) return []
    return [`${nameOf(one)}: cut by a pause after ${rangMs} ms of ringing`]
  })
}

function cutAfterMs({ call, endMs }: Dialed): number | undefined {
  const { rangAtMs, answeredAtMs, endedBy } = call
  const isCut = rangAtMs !== undefined && answeredAtMs === undefined && endedBy === 'switch'
  return isCut ? endMs - rangAtMs : undefined
}

function wasPaused(facts: WeekFacts, { campaign, endMs }: Dialed): boolean {
  const { endsAt } = campaignAt(facts, campaign, endMs).settings as { endsAt?: string }
  if (endsAt !== undefined && isCauseOf(Date.parse(endsAt), endMs)) return true
  return facts.log.campaigns.some(({ campaign: { id, active }, atMs }) => {
    return id === campaign && !active && isCauseOf(atMs, endMs)
  })
}

function isCauseOf(atMs: number, endMs: number): boolean {
  return atMs <= endMs && atMs > endMs - CAUSE_MS
}

/** Whether something that may cut it happened just before. */
function mayBeCut(facts: WeekFacts, one: Dialed): boolean {
  const { log } = facts
  const { endMs, atMs } = one
  const isEnded = log.ends.some((end) => isCauseOf(end.atMs, endMs))
  const isStopped = log.stops.some((stop) => isCauseOf(stop.atMs, endMs))
  const isKilled = log.killSwitch.some((set) => set.isOn && isCauseOf(set.atMs, endMs))
  const isCalledIn = log.callers.some((call) => call.atMs >= atMs && isCauseOf(call.atMs, endMs))
  // Another number of the person won, or the talk on it is over.
  const beside = facts.callsOfOrder.get(one.order.id) ?? []
  const isWon = [...callsTo(facts, one), ...beside].some(({ call, endMs: otherEndMs }) => {
    if (call === one.call || call.answeredAtMs === undefined) return false
    return isCauseOf(call.answeredAtMs, endMs) || isCauseOf(otherEndMs, endMs)
  })
  // Nobody of the team is at work without a phone: nobody would take the call.
  const isWithoutPhones = log.phones.some(({ fromMs, untilMs }) => fromMs <= endMs && untilMs + CAUSE_MS >= endMs)
  const isDead = wasEngineGone(facts, atMs - 1_000, endMs) || wasSlow(facts, endMs - CAUSE_MS, endMs)
  return isEnded || isStopped || isKilled || isCalledIn || isWon || isWithoutPhones || isDead
}
