import { becomesTrue, importTasks, makeCampaign, makeSystem } from '../test/e2e/campaign-live.ts'
import { judge, type Truth } from '../test/e2e/campaign-truth.ts'
import type { SteadyAgent } from '../test/e2e/steady-agent.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type CampaignLab, openCampaignLab } from './campaign-lab.ts'
import { type Child, startChild } from './child.ts'
import type { CampaignApi, CampaignUse } from './processes/campaign-process.ts'
import { figure } from './report.ts'

/** Enough for 100 lines a second of which a third is talked on for a second. */
const AGENTS = 150
/** The trunk bears so much more than is asked for: what is measured is how fast we are, not how it holds us back. */
const SPARE = 1.2
const FIRST_NUMBER = 22_100_000
const WARM_UP_CALLS = 200
const LOOK = { everyMs: 250, limitMs: 300_000 }

interface Measured {
  readonly use: CampaignUse
  /** INVITEs of the carrier in each second. */
  readonly perSecond: readonly number[]
  readonly truth: Truth
}

/** How fast numbers are dialed, with everything written down. */
export const dial: Benchmark = {
  name: 'dial',
  about: 'numbers dialed in a second, each with its attempt, activity and event',
  defaults: { rate: 100, seconds: 60 },
  async run(plan: Plan, kit: Kit): Promise<Result> {
    const options = {
      agents: AGENTS,
      callsPerSecond: Math.ceil(SPARE * plan.rate),
      people: 'mixed',
      hasSound: false,
    } as const
    const lab = await openCampaignLab({ ...options, isMonotonic: false }, kit)
    const engine = startChild<CampaignApi>('campaign-process.ts')
    try {
      const asterisk = await engine.ask('start', await lab.startSwitch())
      const measured = await play(plan, kit, lab, engine)
      await engine.ask('stop', undefined)
      return resultOf(measured, asterisk, plan)
    } finally {
      await engine.end()
      await lab.close()
    }
  },
}

async function play(
  { rate, seconds }: Plan,
  { onLine }: Kit,
  lab: CampaignLab,
  engine: Child<CampaignApi>,
): Promise<Measured> {
  const client = await lab.client()
  const itsyId = await makeSystem(client, lab.receiver)
  const agents = await lab.comeToWork()
  onLine(`dial: ${agents.length} agents are on the line`)
  await importTasks(client, await makeCampaign(client, itsyId), tasks(0, WARM_UP_CALLS))
  await isCounted(lab, TRIED, WARM_UP_CALLS)
  const count = rate * seconds
  const callCode = await makeCampaign(client, itsyId)
  await engine.ask('begin', undefined)
  await importTasks(client, callCode, tasks(WARM_UP_CALLS, count))
  await isCounted(lab, CLAIMED, WARM_UP_CALLS + count)
  const use = await engine.ask('end', undefined)
  await isCounted(lab, TRIED, WARM_UP_CALLS + count)
  const truth = await books(lab, agents)
  const invites = (await lab.telephones.ask('invites', undefined)).slice(WARM_UP_CALLS)
  const firstAtMs = invites[0]?.atMs ?? 0
  onLine(`dial: ${invites.length} numbers dialed, ${truth.violations.length} rules broken`)
  return { use, truth, perSecond: eachSecond(invites.map(({ atMs }) => atMs - firstAtMs)) }
}

/** How many in each second, also where there were none. */
function eachSecond(afterMs: readonly number[]): number[] {
  const seconds = Math.floor(Math.max(0, ...afterMs) / 1_000) + 1
  const counts = Array.from({ length: seconds }, () => 0)
  for (const ms of afterMs) counts[Math.floor(ms / 1_000)]! += 1
  return counts
}

function tasks(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    numbers: [`+45${FIRST_NUMBER + 7 * (from + index)}`],
    caseNumber: `C-${from + index}`,
  }))
}

const CLAIMED = 'select count(*)::int as count from attempts'
const TRIED = `${CLAIMED} where ended_at_ms is not null and reach <> 'nothing'`

async function isCounted({ clock, memory: opened }: CampaignLab, statement: string, count: number): Promise<void> {
  const isReached = async () => {
    const { rows } = await opened.database.pools.jobs.query<{ count: number }>(statement)
    return (rows[0]?.count ?? 0) >= count
  }
  if (!(await becomesTrue(clock, isReached, LOOK))) throw new Error('the campaign does not come to its end')
}

/** Everybody goes home; then the carrier's log is compared with the tables. */
async function books(lab: CampaignLab, agents: readonly SteadyAgent[]): Promise<Truth> {
  const { clock, memory: opened, place, receiver, telephones } = lab
  const pool = opened.database.pools.jobs
  const isDelivered = async () => {
    const { rows } = await pool.query('select 1 from deliveries where next_at_ms is not null limit 1')
    return rows.length === 0
  }
  await becomesTrue(clock, isDelivered, LOOK)
  await Promise.all(agents.map((agent) => agent.leave()))
  await becomesTrue(clock, async () => ((await place.ari('bridges')) as unknown[]).length === 0, LOOK)
  const [channels, bridges] = [await place.ari('channels'), await place.ari('bridges')]
  const invites = await telephones.ask('invites', undefined)
  return judge({ pool, receiver, invites, channels, bridges, kills: [], tooEarly: [] })
}

function resultOf({ use, perSecond, truth }: Measured, asterisk: string, { rate, seconds }: Plan): Result {
  // The last second is not a whole one.
  const whole = perSecond.slice(0, -1)
  const mean = whole.reduce((sum, count) => sum + count, 0) / whole.length
  const { invites = 0, attempts = 0, activities = 0, events = 0, delivered = 0 } = truth.counts
  return {
    asterisk,
    bars: [
      { what: 'dialed', measured: mean, unit: 'numbers per second', limit: { atLeast: rate } },
      { what: 'engine CPU', measured: use.cpuMs / (rate * seconds), unit: 'ms per number', limit: { atMost: 8 } },
      { what: 'rules of the books broken', measured: truth.violations.length, unit: '', limit: { atMost: 0 } },
    ],
    tables: [
      {
        head: ['', 'INVITEs', 'attempts', 'activities', 'events', 'delivered'],
        rows: [['in all', ...[invites, attempts, activities, events, delivered].map(figure)]],
      },
      {
        head: ['', 'lowest second', 'highest second', 'CPU, % of a core', 'loop delay p50 / p99 / max, ms'],
        rows: [
          [
            `${figure(whole.length)} s`,
            ...[Math.min(...whole), Math.max(...whole), (100 * use.cpuMs) / use.wallMs].map(figure),
            [use.loopDelayMs.p50, use.loopDelayMs.p99, use.loopDelayMs.max].map(figure).join(' / '),
          ],
        ],
      },
    ],
    notes: [NOTE, ...truth.violations.slice(0, 5)],
  }
}

const NOTE =
  `A progressive campaign for ${AGENTS} agents whose phones stay on the line. A third of the numbers answers and ` +
  'talks for 1.2 s, the others are busy, decline, or do not exist; nobody makes a sound. The trunk takes a fifth ' +
  'more calls in a second than the bar asks for. Engine CPU is user and system time of all threads of the service, ' +
  'which also serves REST and delivers the events, from the import to the last number.'
