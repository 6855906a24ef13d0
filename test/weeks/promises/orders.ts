/** When campaigns and lists let a call pass: begin, end, validity, priority, retries, callbacks' dates and agents. */
import type { CampaignId } from '../../../src/kernel/ids.ts'
import { localTime } from '../places.ts'
import {
  callsBefore,
  campaignAt,
  type Dialed,
  duePromises,
  nameOf,
  ringsTogether,
  SLACK_MS,
  versionsAt,
  type WeekFacts,
  wasEngineGone,
} from '../week-facts.ts'
import type { Ordered } from '../week-log.ts'
import { AUTOMATIC, isFresh, stateOf } from './due.ts'

const MINUTE_MS = 60_000

/** Nothing is dialed before a campaign begins, nor from its end on. */
export function beginAndEnd(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { startsAt, endsAt } = campaignAt(facts, one.campaign, one.atMs).settings as Record<
      string,
      string | undefined
    >
    const fromMs = startsAt === undefined ? 0 : Date.parse(startsAt)
    const untilMs = endsAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endsAt)
    if (one.atMs < fromMs) return [`${nameOf(one)}: the campaign begins at ${startsAt}`]
    return one.atMs > untilMs + SLACK_MS ? [`${nameOf(one)}: the campaign ended at ${endsAt}`] : []
  })
}

/** A task is dialed within its validity alone. */
export function validity(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { validFromAtMs = 0, validToAtMs = Number.POSITIVE_INFINITY } = one.order.task
    if (one.atMs < validFromAtMs) return [`${nameOf(one)}: valid in ${validFromAtMs - one.atMs} ms`]
    return one.atMs > validToAtMs + SLACK_MS ? [`${nameOf(one)}: no longer valid for ${one.atMs - validToAtMs} ms`] : []
  })
}

/** So long before a call the claim may have looked at the list. */
const LOOKED_MS = 3_000

/** No task is dialed for the first time while another one of its campaign that comes before it could be. */
export function priorities(facts: WeekFacts): string[] {
  const seen = new Set<number>()
  return facts.dialed.flatMap((one) => {
    const { order, campaign, atMs } = one
    if (seen.has(order.id)) return []
    seen.add(order.id)
    const { settings } = campaignAt(facts, campaign, atMs)
    const isByHand = madeFor(facts, one) !== undefined || !AUTOMATIC.includes(settings['dialMode'] as string)
    if (
      isChanged(facts, campaign) ||
      isByHand ||
      !isFresh(facts, { ...order, id: -1 as Ordered['id'] }, atMs - LOOKED_MS)
    )
      return []
    const before = facts.log.imports.find((other) => {
      const comesFirst = other.campaign === campaign && priorityOf(other) > priorityOf(order)
      return comesFirst && isLeftOut(facts, other, atMs)
    })
    return before ? [`${nameOf(one)}: task ${before.id} comes before it`] : []
  })
}

/** While tasks that nobody was called for are due, a campaign for which they come first dials no other. */
export function newFirst(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const { order, task, campaign, atMs } = one
    const { settings } = campaignAt(facts, campaign, atMs)
    // A task that follows another is new as well.
    const first = facts.callsOfOrder.get(order.id)!.find((other) => other.task === task)!
    const isFirst = first === one || ringsTogether(first, one)
    const isAsked = madeFor(facts, one) !== undefined || duePromises(facts, one).length > 0
    const isFree = settings['newPercent'] === 100 && AUTOMATIC.includes(settings['dialMode'] as string)
    if (!isFree || isFirst || isAsked || isChanged(facts, campaign)) return []
    const before = facts.log.imports.find((other) => other.campaign === campaign && isLeftOut(facts, other, atMs))
    return before ? [`${nameOf(one)}: nobody was called yet for task ${before.id}`] : []
  })
}

function isChanged({ log }: WeekFacts, id: CampaignId): boolean {
  return log.campaigns.filter(({ campaign }) => campaign.id === id).length > 1
}

/** Whether it was due when the claim looked, and still is. */
function isLeftOut(facts: WeekFacts, order: Ordered, atMs: number): boolean {
  const callsAtMs = facts.callsOfOrder.get(order.id)?.[0]?.atMs ?? Number.POSITIVE_INFINITY
  return callsAtMs > atMs + 1_000 && isFresh(facts, order, atMs - LOOKED_MS) && isFresh(facts, order, atMs + 1_000)
}

function priorityOf({ task: { priority = 0 } }: Ordered): number {
  return priority
}

/** The agent for whom alone it was dialed. */
function madeFor({ week }: WeekFacts, { attempt }: Dialed): string | undefined {
  return week.world.dialerRepository.view.attempts.get(attempt)?.madeFor
}

/** The least time from a call that came out so to the next one. A promise is not held by it. */
export function retries(facts: WeekFacts): string[] {
  return facts.dialed.flatMap((one) => {
    const versions = versionsAt(facts, one.campaign, one.atMs)
    const { retryMinutes = {}, retryPartOfDay = {} } = versions.at(-1)!.settings as Retries
    if (versions.length > 1 || duePromises(facts, one).length > 0) return []
    const early = callsBefore(facts, one).find((other) => {
      const how = howItEnded(facts, other) ?? ''
      const isSamePart = retryPartOfDay[how] !== undefined && one.atMs < partEndsAtMs(one.number, other.endMs)
      return isSamePart || one.atMs - other.endMs < (retryMinutes[how] ?? 0) * MINUTE_MS - SLACK_MS
    })
    return early ? [`${nameOf(one)}: too soon after ${nameOf(early)}, ${howItEnded(facts, early)}`] : []
  })
}

interface Retries {
  readonly retryMinutes?: Readonly<Record<string, number>>
  readonly retryPartOfDay?: Readonly<Record<string, 'next' | 'best'>>
}

/** When the callee's morning, afternoon or evening is over. */
function partEndsAtMs(number: string, atMs: number): number {
  const { minute } = localTime(number, atMs)
  const end = [12, 16, 24].find((hour) => minute < hour * 60)!
  return atMs + (end * 60 - minute) * MINUTE_MS
}

function howItEnded(facts: WeekFacts, one: Dialed): 'busy' | 'noAnswer' | 'voicemail' | undefined {
  const { call, atMs, endMs, campaign } = one
  const { rangAtMs } = call
  // Nobody saw the end, and the record says so: no wait for this result is due.
  if (wasEngineGone(facts, atMs, endMs)) return undefined
  if (call.refusedWith === 486) return 'busy'
  if (call.refusedWith === 480) return 'noAnswer'
  const { settings } = campaignAt(facts, campaign, atMs)
  const isMachine = call.voice === 'machine' && call.answeredAtMs !== undefined && call.endedBy === 'switch'
  if (isMachine) return (settings['machineDetection'] as { enabled: boolean }).enabled ? 'voicemail' : undefined
  const fullMs = Number(settings['ringTimeoutSeconds']) * 1_000
  // An agent may cancel a moment before: it is no answer once it rang for as long as it may.
  const isUnanswered = call.answeredAtMs === undefined && rangAtMs !== undefined && call.endedBy === 'switch'
  return isUnanswered && endMs - rangAtMs >= fullMs - SLACK_MS ? 'noAnswer' : undefined
}

/** A task for which a callback was promised is not dialed before its date. */
export function callbackDate(facts: WeekFacts): string[] {
  return facts.log.words.flatMap((word) => {
    const one = facts.dialed.find(({ call }) => call === word.about)
    if (word.what !== 'callback' || !word.isAccepted || !one || wasEngineGone(facts, one.atMs, one.endMs + MINUTE_MS))
      return []
    // The date is known when the call is over, and until somebody gives another one.
    const fromMs = Math.max(word.atMs, one.endMs) + LOOKED_MS
    const others = facts.log.words.filter((other) => other !== word && other.what !== 'feedback')
    const isMoved = others.some(({ about }) => facts.dialed.some((it) => it.call === about && it.order === one.order))
    const calls = facts.callsOfOrder.get(one.order.id) ?? []
    const early = calls.find(({ atMs }) => atMs > fromMs && atMs < word.dueAtMs! - SLACK_MS)
    return early && !isMoved
      ? [`${nameOf(early)}: ${word.agent} promised a call ${word.dueAtMs! - early.atMs} ms later`]
      : []
  })
}

/** A due callback is for the agent who promised it, as long as the campaign keeps it for them. */
export function callbackAgent(facts: WeekFacts): string[] {
  return facts.log.words.flatMap((word) => {
    const one = facts.dialed.find(({ call }) => call === word.about)
    if (word.what !== 'callback' || !word.isAccepted || !one) return []
    const calls = facts.callsOfOrder.get(one.order.id) ?? []
    const words = facts.log.words.filter(
      ({ what, about }) => what === 'callback' && calls.some(({ call }) => call === about),
    )
    const met = calls.find(({ atMs }) => atMs >= word.dueAtMs!)
    if (!met || words.length > 1 || met.number !== one.number) return []
    const campaign = campaignAt(facts, met.campaign, met.atMs)
    const { callbackAgentMinutes = 10, dialMode } = campaign.settings as {
      callbackAgentMinutes?: number
      dialMode: string
    }
    const isKept = met.atMs < word.dueAtMs! + callbackAgentMinutes * MINUTE_MS - LOOKED_MS
    const isStable =
      !wasEngineGone(facts, met.atMs - MINUTE_MS, met.atMs) && versionsAt(facts, met.campaign, met.atMs).length === 1
    if (!isKept || !isStable || !AUTOMATIC.includes(dialMode)) return []
    const members = facts.log.teams.findLast((set) => set.atMs <= met.atMs)!.teams[campaign.team ?? ''] ?? []
    const isThere = [0, LOOKED_MS].every((ms) => stateOf(facts, word.agent, met.atMs - ms) !== 'loggedOut')
    const isMoving = facts.log.teams.some(
      ({ atMs }) => atMs > met.atMs - MINUTE_MS && atMs <= met.atMs && atMs > facts.log.teams[0]!.atMs,
    )
    const isTheirs = madeFor(facts, met) === word.agent || met.agent === word.agent
    if (isTheirs || isMoving || !isThere || !members.includes(word.agent)) return []
    return [`${nameOf(met)}: was kept for ${word.agent}, who had promised it, and was dialed for others`]
  })
}

/** Somebody who calls in while their phone rings is served there, and the ringing ends. */
export function ringsNoCaller(facts: WeekFacts): string[] {
  return facts.log.callers.flatMap(({ atMs, number, endedAtMs = Number.POSITIVE_INFINITY }) => {
    const untilMs = Math.min(atMs + 2_500, endedAtMs)
    const ringing = facts.dialed.filter(({ call, atMs: dialedAtMs, endMs, number: called }) => {
      return (
        called === number &&
        dialedAtMs < atMs - SLACK_MS &&
        endMs > untilMs &&
        (call.answeredAtMs ?? untilMs + 1) > untilMs
      )
    })
    const isLong = endedAtMs > atMs + 2_500 && !wasEngineGone(facts, atMs - 1_000, untilMs)
    return isLong ? ringing.map((one) => `${nameOf(one)}: rings on while ${number} is on our line`) : []
  })
}
