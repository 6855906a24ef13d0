/**
 * What was added to weeks after their first seeds had been lived: more settings, validity, priorities, troubles, and
 * weeks of long hours. Chances of its own draw it, so a seed keeps all the rest of its week.
 */
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import { copenhagen, minuteOf, timeOf } from './places.ts'
import type { CampaignPlan, ListPlan } from './week-lists.ts'
import type { Trouble, WeekPlan } from './week-plan.ts'

const MINUTE_MS = 60_000
/** Every so many weeks is one of long hours. */
const FAIR_EVERY = 20
const FAIR_AT = 6

interface Window {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

/** The week of a seed, with all that was added. */
export function withExtras(plan: WeekPlan): WeekPlan {
  const random = seededRandom(plan.seed + 2_000_000)
  if (plan.seed % FAIR_EVERY === FAIR_AT) return fairWeek(plan, random)
  const days = [...new Set(plan.campaigns.flatMap((campaign) => windowsOf(campaign).flatMap((one) => one.days)))]
  const instant = () => copenhagen(plan.mondayMs, randomOf(random, days) - 1, randomInt(random, 10 * 60, plan.toMinute))
  const isClosed = random.next() < 0.25
  const campaigns = plan.campaigns.map((campaign, place) => {
    const settings = { ...campaign.settings, ...drawMore(random, instant) }
    const more = { ...campaign, settings }
    return isClosed && place === 0 ? closedAtFirst(more, days) : more
  })
  const lists = plan.lists.map((list) => withMore(list, random, instant))
  return { ...plan, campaigns, lists, troubles: drawTroubles(random, { ...plan, campaigns }, days, isClosed) }
}

function windowsOf({ settings }: CampaignPlan): readonly Window[] {
  return settings['callWindows'] as readonly Window[]
}

function drawMore(random: Random, instant: () => number): Record<string, unknown> {
  const may = (chance: number) => random.next() < chance
  const [weight, hasGoal, retries] = [randomOf(random, [1, 1, 2, 3]), may(0.3), may(0.3)]
  const [quietMinutes, keptMinutes] = [randomOf(random, [1, 5, 5, 15]), randomOf(random, [1, 10, 10, 60])]
  const [starts, ends, startsAtMs, endsAtMs] = [may(0.1), may(0.1), instant(), instant()]
  const noAnswer = randomOf(random, [2, 12, 60])
  return {
    weight,
    quietMinutesAfterInbound: quietMinutes,
    callbackAgentMinutes: keptMinutes,
    ...(hasGoal && { serviceGoal: { percent: 80, withinSeconds: 20 } }),
    ...(retries && { retryMinutes: { busy: 10, noAnswer, voicemail: 20 } }),
    ...(starts && { startsAt: new Date(startsAtMs).toISOString() }),
    ...(ends && { endsAt: new Date(endsAtMs).toISOString() }),
  }
}

/** Open on the last of the days alone, until a supervisor adds another one. */
function closedAtFirst(campaign: CampaignPlan, days: readonly number[]): CampaignPlan {
  const [first] = windowsOf(campaign)
  return { ...campaign, settings: { ...campaign.settings, callWindows: [{ ...first, days: [Math.max(...days)] }] } }
}

/** Some lists are valid for a time alone, and some have tasks that come before others. */
function withMore(list: ListPlan, random: Random, instant: () => number): ListPlan {
  const [isLimited, isRanked] = [random.next() < 0.25, random.next() < 0.4]
  const [one, other] = [instant(), instant()].sort((a, b) => a - b) as [number, number]
  const validity = isLimited && one < other ? { validFromAtMs: one, validToAtMs: other } : {}
  const tasks = list.tasks.map((task) => {
    const priority = randomOf(random, [0, 0, 5, -3])
    return { ...task, ...validity, ...(isRanked && { priority }) }
  })
  return { ...list, tasks }
}

/** Phones that fail, a database that is slow while hours end, and a day that is added where all were closed. */
function drawTroubles(random: Random, plan: WeekPlan, days: readonly number[], isClosed: boolean): Trouble[] {
  const { mondayMs, toMinute } = plan
  const at = (day: number, minute: number) => copenhagen(mondayMs, day - 1, minute)
  const [hasPhones, hasSlow] = [random.next() < 0.35, random.next() < 0.35]
  const phones = days.flatMap((day) => {
    const minutes = [randomInt(random, 601, toMinute - 3), randomInt(random, 601, toMinute - 3)]
    return hasPhones ? minutes.map((minute) => ({ atMs: at(day, minute), what: 'phones' as const })) : []
  })
  const closings = plan.campaigns.flatMap((campaign) =>
    windowsOf(campaign).flatMap(({ days: on, to }) => {
      return hasSlow ? on.map((day) => ({ atMs: at(day, minuteOf(to)) - 2_500, what: 'database' as const })) : []
    }),
  )
  const opening = isClosed ? [{ atMs: at(Math.min(...days), 602), what: 'addDay' as const }] : []
  return [...phones, ...closings, ...opening].sort((a, b) => a.atMs - b.atMs)
}

/** Two campaigns of one team with long lists, from whose calls a share can be told. */
function fairWeek(plan: WeekPlan, random: Random): WeekPlan {
  const [first] = plan.campaigns
  const { callWindows: _, ...settings } = first!.settings
  const agents = ['anna', 'ben', 'cleo', 'dora']
  const weights = randomOf(random, [
    [1, 1],
    [1, 3],
    [2, 1],
  ])
  const window = { days: [1], from: timeOf(600), to: timeOf(675), timeZone: 'Europe/Copenhagen' }
  const usual = { dialMode: 'progressive', parallelCalls: 1, machineDetection: { enabled: false }, holidays: [] }
  const campaigns = weights.map(
    (weight, place): CampaignPlan => ({
      ...first!,
      id: (7 + place) as CampaignPlan['id'],
      settings: {
        ...settings,
        ...usual,
        weight,
        callWindows: [window],
        callerId: `+4570000${String(place).padStart(3, '0')}`,
      },
    }),
  )
  return {
    ...plan,
    mondayMs: Date.UTC(2026, 2, 2),
    days: 1,
    fromMinute: 600,
    toMinute: 675,
    runsAtNight: false,
    agents,
    teams: { collections: agents, reminders: agents.slice(0, 1), everybody: agents },
    trunks: [{ name: first!.settings['trunk'] as string, linesMax: 30, callsPerSecondMax: 20 }],
    campaigns,
    lists: campaigns.map(({ id }, place) => longList(id, place)),
    temper: { ...plan.temper, answers: 0.6, hasty: 0, dead: 0, talkMaxMs: 40_000, ringMaxMs: 12_000 },
    manners: { ...plan.manners, callbacks: 0, pauses: 0 },
    operations: [],
    troubles: [],
  }
}

/** Strangers to all other lists, more than can be called. */
function longList(campaign: CampaignPlan['id'], place: number): ListPlan {
  const tasks = Array.from({ length: 500 }, (_, index) => {
    const number =
      `+45${24_100_000 + place * 1_000_000 + index * 7}` as ListPlan['tasks'][number]['numbers'][number]['number']
    const numbers = [{ given: number, number }]
    const names = { receiverName: `Debtor ${index}`, externalCustomer: `f${place}-${index}` }
    return { index, ...names, numbers, externalCaseNumber: `fair-${place}-${index}`, properties: [] }
  })
  return { campaign, atMs: 0, attemptsMax: 1, intervalMs: 4 * 60 * MINUTE_MS, tasks }
}
