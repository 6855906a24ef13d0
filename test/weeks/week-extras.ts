/**
 * What was added to weeks after their first seeds had been lived: more settings, validity, priorities, troubles, and
 * weeks of long hours. Chances of its own draw it, so a seed keeps all the rest of its week.
 */
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import { copenhagen, minuteOf, timeOf } from './places.ts'
import type { CampaignPlan, ListPlan } from './week-lists.ts'
import { callerIdOf, type Mode, type Trouble, type WeekPlan } from './week-plan.ts'

const MINUTE_MS = 60_000
/** Every so many weeks is one of long hours. */
const LONG_EVERY = 20
const FAIR_AT = 6
/** As long, with more lines than agents and with callers. */
const ON_CREDIT_AT = 16
/** As long, with two numbers of everybody that ring at once: a campaign of few answers has no room for the second. */
const TOGETHER_AT = 11
/** From the last lists of a day to the end of its hours: less than an answer of a slow database takes. */
const LAST_MS = 1_000

interface Window {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

/** The week of a seed, with all that was added. */
export function withExtras(plan: WeekPlan): WeekPlan {
  const random = seededRandom(plan.seed + 2_000_000)
  const place = plan.seed % LONG_EVERY
  if (place === FAIR_AT) return longWeek(plan, random, false)
  if (place === ON_CREDIT_AT) return longWeek(plan, random, true)
  if (place === TOGETHER_AT) return withTwoNumbers(longWeek(plan, random, false))
  const days = [...new Set(plan.campaigns.flatMap((campaign) => windowsOf(campaign).flatMap((one) => one.days)))]
  const instant = () => copenhagen(plan.mondayMs, randomOf(random, days) - 1, randomInt(random, 10 * 60, plan.toMinute))
  const isClosed = random.next() < 0.25
  const late = seededRandom(plan.seed + 3_000_000)
  const campaigns = plan.campaigns.map((campaign, place) => {
    const settings = { ...campaign.settings, ...drawMore(random, instant), ...drawLate(late, place) }
    const more = { ...campaign, settings }
    return isClosed && place === 0 ? closedAtFirst(more, days) : more
  })
  const last = random.next() < 0.35 ? lastLists({ ...plan, campaigns }) : []
  const lists = [...plan.lists.map((list) => withMore(list, random, instant)), ...last]
  const openingOf = isClosed ? Math.min(...days) : undefined
  const troubles = drawTroubles(random, plan, days, openingOf)
  const slow = last.map(({ atMs }) => ({ atMs, what: 'database' as const }))
  return { ...plan, campaigns, lists, troubles: [...troubles, ...slow].sort((a, b) => a.atMs - b.atMs) }
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

/** Caller ids by destination, another part of the day, and new tasks first: added last, with chances of their own. */
function drawLate(random: Random, place: number): Record<string, unknown> {
  const may = (chance: number) => random.next() < chance
  const [hasIds, hasParts, hasShare] = [may(0.35), may(0.2), may(0.3)]
  const [choice, newPercent] = [randomOf(random, ['next', 'best']), randomOf(random, [30, 100, 100])]
  const destinations = [['DK'], ['DK', 'FI'], ['+4522100']]
  return {
    ...(hasIds && { callerIds: destinations.map((whom, nth) => ({ number: idOf(place, nth), destinations: whom })) }),
    ...(hasParts && { retryPartOfDay: { noAnswer: choice, voicemail: 'next' } }),
    ...(hasShare && { newPercent }),
  }
}

function idOf(place: number, nth: number): string {
  return callerIdOf(place + 100 * (nth + 1))
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

/** A second before the hours of a day end, each campaign gets a few strangers, and the database becomes slow. */
function lastLists({ campaigns, mondayMs }: WeekPlan): ListPlan[] {
  return campaigns.flatMap((campaign, place) => {
    return windowsOf(campaign).flatMap(({ days, to }, nth) => {
      return days.map((day) => {
        const atMs = copenhagen(mondayMs, day - 1, minuteOf(to)) - LAST_MS
        return { ...strangers(campaign.id, 3, 26_100_000 + ((place * 2 + nth) * 7 + day) * 100), atMs }
      })
    })
  })
}

/** Phones that fail, teams that change under ringing lines, and a day that is added where all were closed. */
function drawTroubles(random: Random, plan: WeekPlan, days: readonly number[], opensOn: number | undefined): Trouble[] {
  const { mondayMs, toMinute } = plan
  const at = (day: number, minute: number) => copenhagen(mondayMs, day - 1, minute)
  const hasPhones = random.next() < 0.35
  const phones = days.flatMap((day) => {
    const minutes = [randomInt(random, 601, toMinute - 3), randomInt(random, 601, toMinute - 3)]
    return hasPhones ? minutes.map((minute) => ({ atMs: at(day, minute), what: 'phones' as const })) : []
  })
  const hasChanges = random.next() < 0.3
  const changes = days.flatMap((day) => {
    const minutes = [randomInt(random, 601, 606), randomInt(random, 607, toMinute - 1)]
    return hasChanges ? minutes.map((minute) => ({ atMs: at(day, minute), what: 'changeTeam' as const })) : []
  })
  const opening = opensOn === undefined ? [] : [{ atMs: at(opensOn, 602), what: 'addDay' as const }]
  return [...phones, ...changes, ...opening]
}

/** Two campaigns of one team with long lists, from whose calls a share can be told. */
function longWeek(plan: WeekPlan, random: Random, isOnCredit: boolean): WeekPlan {
  const agents = ['anna', 'ben', 'cleo', 'dora']
  const mondayMs = Date.UTC(2026, 2, 2)
  const campaigns = longCampaigns(plan, random, isOnCredit ? randomOf(random, ['power', 'predictive']) : 'progressive')
  const calls = isOnCredit ? Array.from({ length: 25 }, () => randomInt(random, 25 * MINUTE_MS, 70 * MINUTE_MS)) : []
  const callIns = calls.map((afterMs) => ({ atMs: copenhagen(mondayMs, 0, 600) + afterMs, what: 'callIn' as const }))
  return {
    ...plan,
    mondayMs,
    days: 1,
    fromMinute: 600,
    toMinute: 675,
    runsAtNight: false,
    agents,
    teams: { collections: agents, reminders: agents.slice(0, 1), everybody: agents },
    trunks: [{ name: 'main', linesMax: 30, callsPerSecondMax: 20 }],
    campaigns,
    // More than can be called; whoever is called again comes after all of them.
    lists: campaigns.map(({ id }, place) => ({
      ...strangers(id, 500, 24_100_000 + place * 1_000_000),
      ...(!isOnCredit && { attemptsMax: 2, intervalMs: 5 * MINUTE_MS }),
    })),
    temper: { ...plan.temper, answers: 0.6, machines: 0, hasty: 0, dead: 0, talkMaxMs: 40_000, ringMaxMs: 12_000 },
    manners: { ...plan.manners, callbacks: 0, pauses: 0 },
    operations: callIns.sort((a, b) => a.atMs - b.atMs),
    troubles: [],
  }
}

/** The same people, each with a second number that rings beside the first. */
function withTwoNumbers(plan: WeekPlan): WeekPlan {
  const campaigns = plan.campaigns.map((campaign) => {
    return { ...campaign, settings: { ...campaign.settings, parallelCalls: 2 } }
  })
  const lists = plan.lists.map((list) => ({
    ...list,
    tasks: list.tasks.map((task) => {
      const second = `+45${Number(task.numbers[0]!.number.slice(3)) + 500_000}` as PhoneNumber
      return { ...task, numbers: [...task.numbers, { given: second, number: second }] }
    }),
  }))
  return { ...plan, campaigns, lists }
}

function longCampaigns({ campaigns: [first] }: WeekPlan, random: Random, dialMode: Mode): CampaignPlan[] {
  const pairs = [
    [1, 1],
    [1, 3],
    [2, 1],
  ]
  const window = { days: [1], from: timeOf(600), to: timeOf(675), timeZone: 'Europe/Copenhagen' }
  const caps = { parallelCalls: 1, linesPerAgent: 3, maxAbandonRate: 0.03, machineDetection: { enabled: false } }
  const usual = { ...first!.settings, ...caps, dialMode, trunk: 'main', callWindows: [window], holidays: [] }
  return randomOf(random, pairs).map((weight, place) => ({
    ...first!,
    id: (7 + place) as CampaignPlan['id'],
    team: 'collections',
    settings: { ...usual, weight, ...(dialMode === 'progressive' && { newPercent: 100 }), callerId: callerIdOf(place) },
  }))
}

/** People who are on no other list. */
function strangers(campaign: CampaignPlan['id'], count: number, from: number): ListPlan {
  const tasks = Array.from({ length: count }, (_, index) => {
    const number = `+45${from + index * 7}` as PhoneNumber
    const names = { receiverName: `Debtor ${index}`, externalCustomer: `s${from}-${index}` }
    return {
      index,
      ...names,
      numbers: [{ given: number, number }],
      externalCaseNumber: `s${from}-${index}`,
      properties: [],
    }
  })
  return { campaign, atMs: 0, attemptsMax: 1, intervalMs: 4 * 60 * MINUTE_MS, tasks }
}
