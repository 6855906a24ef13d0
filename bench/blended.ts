/** A blended team: the production engine on virtual time, with callers beside a predictive campaign. */
import { FlowRegistry } from '../src/engine/flow-registry.ts'
import { type Random, randomInt, seededRandom } from '../src/kernel/random.ts'
import type { Contact } from '../src/sim/person.ts'
import type { SimCaller } from '../src/sim/sim-caller.ts'
import { CAMPAIGN, CampaignWorld, INBOUND } from '../test/worlds/campaign-world.ts'
import { flowOf } from '../test/worlds/set-up.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { figure } from './report.ts'
import { median, quantile } from './statistics.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
/** The ledgers and distributions have found their ways by then. */
const WARM_UP_MS = HOUR_MS / 2
const AGENTS = 20
const TALK_MS = 120 * SECOND_MS
const WRAP_UP_SECONDS = 10
/** Of the time of all agents. */
const CALLERS_SHARE = 0.2
const GOAL = { percent: 80, withinSeconds: 20 }

/** The world gives its inbound number to the flow of this name. */
const FLOW = flowOf(`
flow: debtor-self-service
start: team
steps:
  team: { queue: { team: collections, timeout: 30m }, next: bye, on: { full: bye, closed: bye, timeout: bye } }
  bye: { hangup: {} }
`)

interface Lived {
  /** Share of the agents' time in talks and wrap-up. */
  readonly occupancy: number
  readonly waitsMs: readonly number[]
  /** Dropped people for each one who answered. */
  readonly abandonedShare: number
}

const CELLS = [
  { name: 'no callers', hasCallers: false, settings: {} },
  { name: 'callers, no service goal', hasCallers: true, settings: {} },
  { name: 'callers, 80 % in 20 s', hasCallers: true, settings: { serviceGoal: GOAL } },
] as const

/** Whether callers are served in time beside predictive dialing, and what that costs. */
export const blended: Benchmark = {
  name: 'blended',
  about: `${AGENTS} agents, predictive dialing and callers who take ${CALLERS_SHARE * 100} % of their time`,
  defaults: { rounds: 3, seed: 1 },
  async run({ rounds, seed }: Plan, { onLine }: Kit): Promise<Result> {
    const cells = CELLS.map(() => [] as Lived[])
    for (let round = 0; round < rounds; round++) {
      for (const [place, cell] of CELLS.entries()) {
        onLine(`blended: round ${round + 1} of ${rounds}, ${cell.name}`)
        cells[place]!.push(await live(cell, seed + round))
      }
    }
    const [alone, , withGoal] = cells as [Lived[], Lived[], Lived[]]
    const points = alone.map(({ occupancy }, round) => 100 * (occupancy - withGoal[round]!.occupancy))
    const inTime = 100 * inTimeOf(withGoal)
    return {
      bars: [
        { what: 'callers in time', measured: inTime, unit: '%', limit: { atLeast: GOAL.percent } },
        { what: 'occupancy that callers cost', measured: median(points), unit: 'points', limit: { atMost: 1.5 } },
      ],
      tables: [{ head: HEAD, rows: CELLS.map(({ name }, place) => [name, ...figuresOf(cells[place]!)]) }],
      notes: [NOTE],
    }
  },
}

const HEAD = ['', 'occupancy, %', 'callers', 'in 20 s, %', 'wait p50, s', 'p90, s', 'abandoned, %']

function figuresOf(lived: readonly Lived[]): string[] {
  const waits = lived.flatMap(({ waitsMs }) => waitsMs)
  const mean = (of: 'occupancy' | 'abandonedShare') => lived.reduce((sum, one) => sum + one[of], 0) / lived.length
  const served = [100 * inTimeOf(lived), quantile(waits, 0.5) / SECOND_MS, quantile(waits, 0.9) / SECOND_MS]
  const callers = waits.length === 0 ? ['–', '–', '–', '–'] : [waits.length, ...served].map(figure)
  return [figure(100 * mean('occupancy')), ...callers, figure(100 * mean('abandonedShare'))]
}

function inTimeOf(lived: readonly Lived[]): number {
  const waits = lived.flatMap(({ waitsMs }) => waitsMs)
  return waits.filter((ms) => ms <= GOAL.withinSeconds * SECOND_MS).length / waits.length
}

/** Two hours and a half of one team; the last two are measured. The same seed brings the same callers and callees. */
async function live({ hasCallers, settings }: (typeof CELLS)[number], seed: number): Promise<Lived> {
  const agents = Array.from({ length: AGENTS }, (_, place) => `agent-${place}`)
  const callees = seededRandom(seed)
  const parts = () => ({ flows: new FlowRegistry([FLOW]) })
  const contactOf = () => contact(callees)
  const world = new CampaignWorld({ seed, teams: { collections: agents }, contactOf, logLevel: 'error', parts })
  await world.campaign({ dialMode: 'predictive', wrapUpSeconds: WRAP_UP_SECONDS, ...settings })
  await world.import(8_000)
  await world.start()
  await world.logIn(...agents)
  const random = seededRandom(1_000 + seed)
  const calls: { readonly caller: SimCaller; readonly atMs: number }[] = []
  const beginsAtMs = world.clock.nowMs()
  const betweenMs = (TALK_MS + WRAP_UP_SECONDS * SECOND_MS) / (AGENTS * CALLERS_SHARE)
  let nextAtMs = beginsAtMs + exponential(random, betweenMs)
  let busy = 0
  let steps = 0
  while (world.clock.nowMs() < beginsAtMs + WARM_UP_MS + 2 * HOUR_MS) {
    while (hasCallers && nextAtMs <= world.clock.nowMs()) {
      const person = { waitsMaxMs: HOUR_MS, hangsUpAfterMs: exponential(random, TALK_MS) }
      const caller = world.pbx.callIn({
        called: INBOUND,
        caller: `+4551${randomInt(random, 100_000, 999_999)}`,
        person,
      })
      calls.push({ caller, atMs: world.clock.nowMs() })
      nextAtMs += exponential(random, betweenMs)
    }
    await world.run(SECOND_MS)
    if (world.clock.nowMs() < beginsAtMs + WARM_UP_MS) continue
    const states = world.engine.agentDesktop!.statuses().map(({ state }) => state)
    busy += states.filter((state) => state === 'talking' || state === 'wrapUp').length
    steps += AGENTS
  }
  const measured = calls.filter(({ atMs }) => atMs >= beginsAtMs + WARM_UP_MS)
  return {
    occupancy: busy / steps,
    waitsMs: measured.map(({ caller, atMs }) => {
      return (caller.heard.find(({ what }) => what === 'person')?.fromMs ?? world.clock.nowMs()) - atMs
    }),
    abandonedShare: abandonedShareOf(world),
  }
}

/** A third of the people answer, after 3 to 20 s. */
function contact(random: Random): Contact {
  const afterMs = randomInt(random, 3_000, 20_000)
  const hangsUpAfterMs = exponential(random, TALK_MS)
  if (random.next() < 0.33) return { does: 'answer', ringsAfterMs: 500, afterMs, hangsUpAfterMs }
  return { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
}

function abandonedShareOf(world: CampaignWorld): number {
  const [ledger] = world.boards.get(CAMPAIGN)?.ledgers ?? []
  return ledger ? ledger.abandoned / ledger.answered : Number.NaN
}

function exponential(random: Random, mean: number): number {
  return Math.round(-mean * Math.log(1 - random.next()))
}

const NOTE =
  'The production engine with its distributor, pacer and ledger on virtual time and simulated phones. Each round ' +
  'lives the same callers and callees in every cell: half an hour to settle, two hours that count. Callers and ' +
  'callees talk for 120 s on average (exponential), a third of the callees answer, and wrap-up takes ' +
  `${WRAP_UP_SECONDS} s. Occupancy is the share of the agents' time in talks and wrap-up, seen each second; the cost ` +
  'is the median over the rounds of the difference to the cell without callers. Callers who were not served by the ' +
  'end waited until then.'
