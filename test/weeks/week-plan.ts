/** What a seed draws of a week before it begins: campaigns, lists, agents, trunks and the hours of operations. */
import type { CampaignId, CorporationId } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import { copenhagen, timeOf } from './places.ts'
import { type CampaignPlan, drawLists, drawPeople, type ListPlan, type Person } from './week-lists.ts'

export type Mode = 'manual' | 'preview' | 'progressive' | 'power' | 'predictive'

export interface TrunkPlan {
  readonly name: string
  readonly linesMax: number
  readonly callsPerSecondMax: number
}

/** How the people called are, as chances and limits. */
export interface Temper {
  readonly answers: number
  readonly machines: number
  readonly hasty: number
  readonly talkMaxMs: number
  readonly ringMaxMs: number
  readonly dead: number
}

/** How agents are, as chances for each call or each look at the screen. */
export interface Manners {
  readonly pauses: number
  readonly callbacks: number
  readonly feedback: number
  readonly hangsUp: number
  readonly lateWords: number
  readonly skips: number
}

/** Something that happens to a week; who is concerned is drawn when it happens. */
export const OPERATIONS = [
  'endAny',
  'endRinging',
  'endTalking',
  'endPromised',
  'endFinished',
  'stopNumber',
  'stopPerson',
  'callIn',
  'callInDue',
  'widenHours',
  'addDay',
  'raiseCap',
  'pause',
  'killSwitch',
  'moveAgent',
  'changeTeam',
  'changeCallerId',
  'outage',
  'crash',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** A whole week. */
export interface WeekPlan {
  readonly seed: number
  readonly mondayMs: number
  readonly days: number
  /** Minutes of Copenhagen: the engine runs from a little before to a little after. */
  readonly fromMinute: number
  readonly toMinute: number
  /** One engine from Monday to Tuesday: a night is as long as all the days of a week. */
  readonly runsAtNight: boolean
  readonly teams: Readonly<Record<string, readonly string[]>>
  readonly agents: readonly string[]
  readonly trunks: readonly TrunkPlan[]
  readonly campaigns: readonly CampaignPlan[]
  readonly people: readonly Person[]
  readonly lists: readonly ListPlan[]
  readonly temper: Temper
  readonly manners: Manners
  readonly operations: readonly { readonly atMs: number; readonly what: Operation }[]
  readonly troubles: readonly Trouble[]
}

/** Something that befalls a week. */
export interface Trouble {
  readonly atMs: number
  readonly what: 'phones' | 'database' | 'addDay' | 'changeTeam'
}

/** Plain weeks, the one in which clocks are set forward, and the one with Easter. */
const MONDAYS = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 23), Date.UTC(2026, 2, 30)]
const OPENS = 10 * 60
/** Days on which people work: whole weeks are lived less often, for they take long. */
const WORKDAYS = [
  [1, 2, 4],
  [1, 3, 5],
  [1, 2, 5, 6],
  [1, 4, 7],
  [1, 2, 3, 4, 5, 6, 7],
]
const NAMES = ['anna', 'ben', 'cleo', 'dora', 'emil', 'fie']
const TEAMS = ['collections', 'reminders']
const MODES: readonly Mode[] = ['progressive', 'progressive', 'power', 'predictive', 'predictive', 'preview', 'manual']

/** The week of a seed. */
export function drawWeek(seed: number, random: Random): WeekPlan {
  const mondayMs = randomOf(random, MONDAYS)
  const isAbroad = random.next() < 0.15
  const length = randomOf(random, [15, 20, 30])
  // The day of Helsinki begins an hour earlier.
  const [fromMinute, toMinute] = [isAbroad ? OPENS - 60 : OPENS, OPENS + length]
  const agents = NAMES.slice(0, randomInt(random, 1, NAMES.length))
  const corporations = (random.next() < 0.7 ? [1] : [1, 2]) as CorporationId[]
  const trunks = drawTrunks(random)
  const workdays = randomOf(random, WORKDAYS)
  const campaigns = Array.from({ length: randomOf(random, [1, 2, 2, 2, 3, 4]) }, (_, place) =>
    drawCampaign(random, place, { corporations, trunks, length, isAbroad, workdays }),
  )
  const people = drawPeople(random, randomInt(random, 15, 60), isAbroad)
  const days = randomInt(random, 5, 7)
  const hours = { mondayMs, days, workdays, fromMinute: OPENS, toMinute: OPENS + length }
  return {
    seed,
    mondayMs,
    days,
    fromMinute,
    toMinute,
    runsAtNight: random.next() < 0.02,
    teams: drawTeams(random, agents),
    agents,
    trunks,
    campaigns,
    people,
    lists: drawLists(random, campaigns, people, (day) => instantIn(random, hours, day)),
    temper: {
      answers: randomOf(random, [0.3, 0.6, 0.9]),
      machines: randomOf(random, [0, 0.2, 0.5]),
      hasty: randomOf(random, [0, 0.1]),
      talkMaxMs: randomOf(random, [10_000, 40_000, 90_000]),
      ringMaxMs: randomOf(random, [4_000, 12_000, 22_000]),
      dead: randomOf(random, [0, 0.1]),
    },
    manners: {
      pauses: randomOf(random, [0, 0.05]),
      callbacks: randomOf(random, [0, 0.15, 0.4]),
      feedback: randomOf(random, [0, 0.3]),
      hangsUp: randomOf(random, [0, 0.3]),
      lateWords: randomOf(random, [0, 0.3]),
      skips: randomOf(random, [0.1, 0.4]),
    },
    operations: drawOperations(random, hours),
    troubles: [],
  }
}

/** Each kind of operation alone first: a week of many is read less easily. */
function drawOperations(random: Random, hours: Hours): WeekPlan['operations'] {
  const kinds = randomOf(random, [[], OPERATIONS, OPERATIONS, [randomOf(random, OPERATIONS)]])
  const count = kinds.length === 0 ? 0 : randomInt(random, 4, 16)
  const drawn = Array.from({ length: count }, () => {
    const day = random.next() < 0.9 ? randomOf(random, hours.workdays) - 1 : randomInt(random, 0, hours.days - 1)
    return { atMs: instantIn(random, hours, day), what: randomOf(random, kinds) }
  })
  return drawn.sort((a, b) => a.atMs - b.atMs)
}

interface Hours {
  readonly mondayMs: number
  readonly days: number
  readonly workdays: readonly number[]
  readonly fromMinute: number
  readonly toMinute: number
}

function instantIn(random: Random, { mondayMs, fromMinute, toMinute }: Hours, day: number): number {
  return copenhagen(mondayMs, day, fromMinute) + randomInt(random, 0, (toMinute - fromMinute) * 60_000)
}

function drawTrunks(random: Random): TrunkPlan[] {
  const linesMax = randomOf(random, [2, 4, 30, 30])
  const callsPerSecondMax = randomOf(random, [1, 5, 20])
  const main = { name: 'main', linesMax, callsPerSecondMax }
  return random.next() < 0.6 ? [main] : [main, { name: 'second', linesMax: 3, callsPerSecondMax: 5 }]
}

function drawTeams(random: Random, agents: readonly string[]): Record<string, string[]> {
  const shares = randomOf(random, [0, 0.4, 1])
  const teams = TEAMS.map((name, place) => {
    const members = agents.filter((_, at) => at % TEAMS.length === place || random.next() < shares)
    return [name, members.length > 0 ? members : [agents[0]!]] as const
  })
  // All have a phone from the first day on, whatever becomes of their teams.
  return { ...Object.fromEntries(teams), everybody: [...agents] }
}

interface Around {
  readonly corporations: readonly CorporationId[]
  readonly trunks: readonly TrunkPlan[]
  readonly length: number
  readonly isAbroad: boolean
  readonly workdays: readonly number[]
}

function drawCampaign(random: Random, place: number, around: Around): CampaignPlan {
  const { corporations, trunks } = around
  const mode = randomOf(random, MODES)
  return {
    id: (7 + place) as CampaignId,
    corporation: randomOf(random, corporations),
    team: randomOf(random, TEAMS),
    settings: {
      ...drawSettings(random, around),
      dialMode: mode,
      callerId: callerIdOf(place),
      trunk: randomOf(random, trunks).name,
    },
  }
}

/** Each campaign shows a number of its own. */
export function callerIdOf(place: number): string {
  return `+4570000${String(place).padStart(3, '0')}`
}

function drawSettings(random: Random, { length, isAbroad, workdays }: Around): Record<string, unknown> {
  const [late, early] = [randomOf(random, [0, 0, 5]), randomOf(random, [0, 0, 5])]
  const window = { from: timeOf(OPENS + late), to: timeOf(OPENS + length - early), timeZone: 'Europe/Copenhagen' }
  const short = { ...window, to: timeOf(OPENS + 10), days: workdays.slice(-1) }
  return {
    callWindows:
      random.next() < 0.6 ? [{ ...window, days: workdays }] : [{ ...window, days: workdays.slice(0, -1) }, short],
    ...(random.next() < 0.15 && { holidays: ['2026-03-04', '2026-03-25', '2026-04-01'] }),
    ...(isAbroad && { allowedDestinations: ['DK', 'FI'] }),
    parallelCalls: randomOf(random, [1, 1, 1, 2]),
    linesPerAgent: randomOf(random, [1, 2, 3]),
    maxAbandonRate: randomOf(random, [0, 0.03, 0.03]),
    ringTimeoutSeconds: randomOf(random, [15, 20, 25]),
    wrapUpMode: randomOf(random, ['timed', 'timed', 'timed', 'byHand']),
    wrapUpSeconds: randomOf(random, [0, 5, 15]),
    machineDetection: { enabled: random.next() < 0.3, maxErrorPercent: 100 },
    frequencyCap: {
      calls: randomOf(random, [2, 3, 7]),
      days: randomOf(random, [1, 2, 7]),
      quietDaysAfterTalk: randomOf(random, [0, 1, 3, 7]),
    },
    afterDropped: randomOf(random, ['quietAndAgent', 'quietAndAgent', 'quietOrAgent']),
  }
}
