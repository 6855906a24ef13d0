/** What a seed draws of a campaign-day before it begins: campaigns, debtors, agents, weather. Plain data. */

import type { CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import type { NewCallTask } from '../../src/ports/dialer-repository.ts'
import { numberOf } from './campaign-world.ts'
import type { Teams } from './set-up.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A campaign of the day, in the words of D-14. */
export interface CampaignPlan {
  readonly id: CampaignId
  readonly team: string
  readonly mode: 'manual' | 'preview' | 'progressive' | 'power' | 'predictive'
  readonly settings: Readonly<Record<string, unknown>>
  readonly attemptsMax: number
  readonly intervalMs: number
  readonly tasks: readonly NewCallTask[]
  /** Further tasks, imported while the day goes on. */
  readonly later: readonly NewCallTask[]
}

/** How an agent is. Figures are chances: for each look at the screen, or for each call. */
export interface AgentPlan {
  readonly name: string
  readonly arrivesAfterMs: number
  readonly pauses: number
  readonly logsOut: number
  readonly losesPhone: number
  readonly losesScreen: number
  readonly hangsUp: number
  readonly marksMachine: number
  readonly givesFeedback: number
  readonly givesCallback: number
  readonly skips: number
  readonly isSlow: boolean
}

/** What goes wrong. In calm weather nothing does. */
export interface Weather {
  readonly isCalm: boolean
  readonly latencyMaxMs: number
  readonly loseEvents: number
  readonly doubleEvents: number
  readonly cuts: number
  readonly restarts: number
  readonly crashes: number
  readonly before: number
  readonly after: number
  readonly slow: number
  readonly slowMs: readonly [number, number]
  readonly aways: number
  readonly newsLost: number
  readonly skews: number
  readonly trunkDowns: number
  readonly recordingFails: number
  readonly detectionErrors: number
  readonly hasCallEventLog: boolean
}

/** What people outside do to the day. */
export interface Orders {
  readonly ends: number
  readonly stops: number
  readonly campaignPauses: number
  readonly killSwitches: number
  readonly callers: number
}

/** Agents' phones that vanish, or send no packet, for a while (campaigns-86). */
export interface LostPhones {
  /** At any time of the day. */
  readonly times: number
  /** The chance that one is lost around the instant at which somebody answers. */
  readonly atAnswers: number
}

/** How the people called are, as chances. */
export interface Temper {
  readonly answers: number
  readonly machines: number
  readonly talkMaxMs: number
  readonly ringMaxMs: number
  readonly hasty: number
}

/** A whole campaign-day. */
export interface DayPlan {
  readonly seed: number
  readonly lengthMs: number
  readonly linesMax: number
  readonly callsPerSecondMax: number
  readonly teams: Teams
  readonly campaigns: readonly CampaignPlan[]
  readonly agents: readonly AgentPlan[]
  /** No agent lets anybody down: phones and screens hold. */
  readonly isSteady: boolean
  readonly weather: Weather
  readonly lostPhones: LostPhones
  readonly orders: Orders
  readonly temper: Temper
  /** From then on nearly nobody on the lists can be reached, until the day is healed. */
  readonly spoiltAfterMs: number | undefined
}

/** How many of the days have bad lists (F-F7). */
const SPOILT = 0.15
const NO_LOST_PHONES: LostPhones = { times: 0, atAnswers: 0 }
const TEAMS = ['collections', 'collections-consumer', 'collections-business']
const MODES = ['progressive', 'progressive', 'power', 'power', 'predictive', 'preview', 'manual'] as const
const NAMES = ['anna', 'ben', 'cleo', 'dora', 'emil', 'fie', 'gert', 'hanne']

/** The day of a seed. */
export function drawDay(seed: number, random: Random): DayPlan {
  const isCalm = random.next() < 0.35
  const isSteady = random.next() < (isCalm ? 0.6 : 0.3)
  const agents = NAMES.slice(0, randomInt(random, 2, NAMES.length))
  const debtors = drawDebtors(random, randomOf(random, [20, 40, 60, 90, 120]))
  const count = randomOf(random, [1, 1, 2, 3])
  // Of a chance of its own: the days that were there before are as they were.
  const luck = seededRandom(seed + 2_000_000)
  const campaigns = Array.from({ length: count }, (_, place) => drawCampaign(random, place, debtors))
  const plan: DayPlan = {
    seed,
    lengthMs: randomOf(random, [60, 90, 120, 180]) * MINUTE_MS,
    linesMax: randomOf(random, [2, 4, 50, 50]),
    callsPerSecondMax: randomOf(random, [1, 5, 50]),
    teams: drawTeams(random, agents),
    campaigns,
    agents: agents.map((name) => drawAgent(random, name, isSteady)),
    isSteady,
    weather: isCalm ? calmWeather(random) : drawWeather(random),
    lostPhones: isSteady ? NO_LOST_PHONES : drawLostPhones(seededRandom(seed + 4_000_000)),
    orders: drawOrders(random),
    temper: {
      answers: randomOf(random, [0.3, 0.6, 0.9]),
      machines: randomOf(random, [0, 0.1, 0.4]),
      talkMaxMs: randomOf(random, [5_000, 30_000, 90_000]),
      ringMaxMs: randomOf(random, [4_000, 12_000, 30_000]),
      hasty: randomOf(random, [0, 0.05, 0.3]),
    },
    spoiltAfterMs: luck.next() < SPOILT ? randomOf(luck, [0, 10, 20]) * MINUTE_MS : undefined,
  }
  return random.next() < 0.15 ? rushed(plan, random) : plan
}

/**
 * A calm day on which nearly everybody answers at once and is gone soon, and more lines are out than there are agents:
 * the ledger of abandoned calls is at its limit, and several people wait for one agent.
 */
function rushed(plan: DayPlan, random: Random): DayPlan {
  const [first] = plan.campaigns as [CampaignPlan]
  const [mode, talkMaxMs] = [randomOf(random, ['power', 'predictive'] as const), randomOf(random, [4_000, 10_000])]
  const settings = {
    ...first.settings,
    dialMode: mode,
    linesPerAgent: 6,
    parallelCalls: 1,
    maxAbandonRate: 0.03,
    wrapUpMode: 'timed',
    wrapUpSeconds: 0,
    machineDetection: { enabled: false },
    afterDropped: 'quietOrAgent',
    frequencyCap: { calls: 50, days: 1, quietDaysAfterTalk: 0 },
  }
  const agents = plan.agents.slice(0, randomInt(random, 2, 3)).map(({ name }) => drawAgent(random, name, true))
  return {
    ...plan,
    lengthMs: HOUR_MS,
    linesMax: 50,
    callsPerSecondMax: 50,
    isSteady: true,
    weather: calmWeather(random),
    lostPhones: NO_LOST_PHONES,
    agents: agents.map((agent) => ({ ...agent, arrivesAfterMs: 0, pauses: 0.02, logsOut: 0 })),
    teams: { ...plan.teams, [first.team]: agents.map(({ name }) => name) },
    campaigns: [{ ...first, mode, settings, intervalMs: 0, attemptsMax: 4 }],
    orders: { ends: 0, stops: 0, campaignPauses: 0, killSwitches: 0, callers: 2 },
    temper: { answers: 0.95, machines: 0, talkMaxMs, ringMaxMs: 1_500, hasty: 0 },
  }
}

/** Debtors with one to three numbers; some share one, a few have no customer number. */
function drawDebtors(random: Random, count: number): NewCallTask[] {
  const numbers: PhoneNumber[] = []
  return Array.from({ length: count }, (_, index): NewCallTask => {
    const own = Array.from({ length: randomOf(random, [1, 1, 2, 3]) }, (_, at) => {
      const shared = numbers.length > 0 && random.next() < 0.05 ? randomOf(random, numbers) : undefined
      return shared ?? numberOf(index * 3 + at)
    })
    numbers.push(...own)
    const isNamed = random.next() < 0.9
    return {
      index,
      receiverName: `Debtor ${index}`,
      properties: [],
      numbers: [...new Set(own)].map((number) => ({ given: number, number })),
      ...(isNamed && { externalCustomer: `c${index}` }),
      ...(random.next() < 0.9 && { externalCaseNumber: `case-${index}` }),
    }
  })
}

/** Team → agents; an agent may be in several. */
function drawTeams(random: Random, agents: readonly string[]): Teams {
  const shares = randomOf(random, [0, 0.3, 1])
  const teams = TEAMS.map((name, place) => {
    const members = agents.filter((_, at) => at % TEAMS.length === place || random.next() < shares)
    return [name, members.length > 0 ? members : [agents[0]!]] as const
  })
  return Object.fromEntries(teams)
}

function drawCampaign(random: Random, place: number, debtors: readonly NewCallTask[]): CampaignPlan {
  const mode = randomOf(random, MODES)
  const mine = debtors.filter(() => random.next() < (place === 0 ? 0.9 : 0.5))
  const split = Math.ceil(mine.length * randomOf(random, [0.5, 0.8, 1]))
  return {
    id: (7 + place) as CampaignId,
    team: randomOf(random, TEAMS),
    mode,
    settings: { ...drawSettings(random), dialMode: mode },
    attemptsMax: randomInt(random, 1, 4),
    intervalMs: randomOf(random, [0, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS]),
    tasks: reindexed(mine.slice(0, split)),
    later: reindexed(mine.slice(split)),
  }
}

function reindexed(tasks: readonly NewCallTask[]): NewCallTask[] {
  return tasks.map((task, index) => ({ ...task, index }))
}

/** A day begins at 10 in Copenhagen. */
function drawSettings(random: Random): Record<string, unknown> {
  const to = randomOf(random, ['20:00', '20:00', '20:00', '11:00'])
  const cap = { calls: randomOf(random, [2, 3, 7]), days: 1, quietDaysAfterTalk: randomOf(random, [0, 0, 1]) }
  return {
    callWindows: [{ days: [1, 2, 3, 4, 5], from: '08:00', to, timeZone: 'Europe/Copenhagen' }],
    parallelCalls: randomOf(random, [1, 1, 2]),
    linesPerAgent: randomOf(random, [1, 2, 3]),
    maxAbandonRate: randomOf(random, [0, 0.03, 0.03]),
    ringTimeoutSeconds: randomOf(random, [15, 25, 40]),
    wrapUpMode: randomOf(random, ['timed', 'timed', 'timed', 'byHand']),
    wrapUpSeconds: randomOf(random, [0, 5, 20]),
    machineDetection: randomOf(random, [
      { enabled: false },
      { enabled: false },
      { enabled: true },
      { enabled: true, maxErrorPercent: 100 },
      { enabled: true, action: 'leaveMessage', maxErrorPercent: 100 },
    ]),
    recording: { mode: randomOf(random, ['off', 'consent', 'always']) },
    frequencyCap: cap,
    afterDropped: randomOf(random, ['quietAndAgent', 'quietOrAgent']),
  }
}

function drawAgent(random: Random, name: string, isSteady: boolean): AgentPlan {
  return {
    name,
    arrivesAfterMs: randomOf(random, [0, 0, MINUTE_MS, 15 * MINUTE_MS]),
    pauses: randomOf(random, [0, 0.02, 0.1]),
    logsOut: randomOf(random, [0, 0.01, 0.05]),
    losesPhone: isSteady ? 0 : randomOf(random, [0, 0.01, 0.05]),
    losesScreen: isSteady ? 0 : randomOf(random, [0, 0.01, 0.05]),
    hangsUp: randomOf(random, [0, 0.1, 0.4]),
    marksMachine: randomOf(random, [0, 0.1, 0.3]),
    givesFeedback: randomOf(random, [0, 0.3]),
    givesCallback: randomOf(random, [0, 0.05, 0.3]),
    skips: randomOf(random, [0.1, 0.5]),
    isSlow: random.next() < 0.2,
  }
}

function calmWeather(random: Random): Weather {
  const nothing = { loseEvents: 0, doubleEvents: 0, cuts: 0, restarts: 0, crashes: 0, before: 0, after: 0, slow: 0 }
  return {
    isCalm: true,
    latencyMaxMs: randomOf(random, [1, 5, 30]),
    ...nothing,
    slowMs: [0, 0],
    aways: 0,
    newsLost: 0,
    skews: 0,
    trunkDowns: 0,
    recordingFails: 0,
    detectionErrors: 0,
    hasCallEventLog: true,
  }
}

function drawWeather(random: Random): Weather {
  return {
    isCalm: false,
    latencyMaxMs: randomOf(random, [1, 5, 30, 200]),
    loseEvents: randomOf(random, [0, 0, 0.02, 0.2]),
    doubleEvents: randomOf(random, [0, 0, 0.02, 0.3]),
    cuts: randomOf(random, [0, 0, 1, 4]),
    restarts: randomOf(random, [0, 0, 0, 1, 2]),
    crashes: randomOf(random, [0, 0, 1, 3]),
    before: randomOf(random, [0, 0, 0.01, 0.1]),
    after: randomOf(random, [0, 0, 0.01, 0.1]),
    slow: randomOf(random, [0, 0, 0.02, 0.2]),
    slowMs: randomOf(random, [
      [100, 1_000],
      [1_500, 3_500],
    ] as const),
    aways: randomOf(random, [0, 0, 1, 3]),
    newsLost: randomOf(random, [0, 0.3, 1]),
    skews: randomOf(random, [0, 0, 0, 2]),
    trunkDowns: randomOf(random, [0, 0, 1]),
    recordingFails: randomOf(random, [0, 0.2]),
    detectionErrors: randomOf(random, [0, 0, 0.1]),
    hasCallEventLog: random.next() < 0.5,
  }
}

function drawLostPhones(random: Random): LostPhones {
  return { times: randomOf(random, [0, 3, 12]), atAnswers: randomOf(random, [0.05, 0.2, 0.4]) }
}

function drawOrders(random: Random): Orders {
  return {
    ends: randomInt(random, 0, 6),
    stops: randomInt(random, 0, 5),
    campaignPauses: randomOf(random, [0, 0, 1, 2]),
    killSwitches: randomOf(random, [0, 0, 0, 1]),
    callers: randomOf(random, [0, 0, 4, 12]),
  }
}
