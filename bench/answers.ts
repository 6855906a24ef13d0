import { importTasks, makeCampaign, makeSystem } from '../test/e2e/campaign-live.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type CampaignLab, openCampaignLab } from './campaign-lab.ts'
import { type Child, startChild } from './child.ts'
import type { BareApi } from './processes/bare-process.ts'
import type { CampaignApi, CampaignUse } from './processes/campaign-process.ts'
import { figure } from './report.ts'
import { median, quantile } from './statistics.ts'

/** Enough that one is always free: a call takes less than two seconds. */
const AGENTS = 24
const NAMES = Array.from({ length: AGENTS }, (_, index) => `agent-${index + 1}`)
const FIRST_BARE_NUMBER = 23_100_000
const WAIT_MS = 1_000
const SPARE_MS = 30_000

/** One call, in ms of the machine's monotonic clock. */
interface Answer {
  /** From the carrier's 200 OK: the engine hears of it, an agent is in the bridge, they are heard. */
  readonly toldMs: number
  readonly joinedMs: number
  readonly heardMs: number
}

interface Round {
  readonly answers: readonly Answer[]
  readonly dialed: number
  readonly use: CampaignUse
  /** From the 200 OK to the agent in the bridge, of the bare script in the same round. */
  readonly bareMs: readonly number[]
}

/** From "hello" to an agent. */
export const answers: Benchmark = {
  name: 'answers',
  about: 'from the answer to an agent on the line',
  defaults: { rate: 10, seconds: 30, rounds: 5 },
  async run({ rate, seconds, rounds }: Plan, kit: Kit): Promise<Result> {
    const options = {
      agents: AGENTS,
      callsPerSecond: rate,
      people: 'answers',
      hasSound: true,
      isMonotonic: true,
    } as const
    const lab = await openCampaignLab(options, kit)
    const engine = startChild<CampaignApi>('campaign-process.ts')
    const bare = startChild<BareApi>('bare-process.ts')
    try {
      const place = await lab.startSwitch()
      const asterisk = await engine.ask('start', place)
      await bare.ask('start', { ari: place.settings.ari, agents: NAMES })
      const client = await lab.client()
      const itsyId = await makeSystem(client, lab.receiver)
      const agents = await lab.comeToWork()
      kit.onLine(`answers: ${agents.length} agents are on the line`)
      const played: Round[] = []
      // The first round is for the compiler.
      for (let round = 0; round <= rounds; round++) {
        const count = rate * (round === 0 ? 10 : seconds)
        const bareMs = round % 2 === 0 ? await bareRound(lab, bare, { round, count, rate }) : []
        const callCode = await makeCampaign(client, itsyId)
        const before = (await lab.telephones.ask('invites', undefined)).length
        await engine.ask('begin', undefined)
        await importTasks(client, callCode, tasksFrom(round, count))
        await through(lab, before + count)
        const own = { ...(await measured(lab, engine, before)), use: await engine.ask('end', undefined) }
        if (round % 2 === 1) bareMs.push(...(await bareRound(lab, bare, { round, count, rate })))
        const one = { ...own, bareMs }
        const middle = [one.answers.map(({ joinedMs }) => joinedMs), bareMs].map((ms) => figure(quantile(ms, 0.5)))
        kit.onLine(`answers: ${one.answers.length} of ${count}: ${middle.join(' ms p50, bare script ')} ms p50`)
        if (round > 0) played.push(one)
      }
      await Promise.all(agents.map((agent) => agent.leave()))
      await engine.ask('stop', undefined)
      await bare.ask('stop', undefined)
      return resultOf(played, asterisk, rate)
    } finally {
      await engine.end()
      await bare.end()
      await lab.close()
    }
  },
}

function tasksFrom(round: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    numbers: [`+45${22_100_000 + round * 100_000 + index}`],
    caseNumber: `C-${round}-${index}`,
  }))
}

/** The same number of calls, dialed at the same pace by the bare script. */
async function bareRound(
  lab: CampaignLab,
  bare: Child<BareApi>,
  { round, count, rate }: { readonly round: number; readonly count: number; readonly rate: number },
): Promise<number[]> {
  const before = (await lab.telephones.ask('invites', undefined)).length
  const numbers = Array.from({ length: count }, (_, index) => `+45${FIRST_BARE_NUMBER + round * 100_000 + index}`)
  await bare.ask('dial', { numbers, rate })
  await through(lab, before + count)
  const moments = await bare.ask('moments', undefined)
  const invites = (await lab.telephones.ask('invites', undefined)).slice(before)
  return invites.flatMap(({ number, answeredAtMs }) => {
    const moment = moments.get(number)
    return moment && answeredAtMs !== undefined ? [moment.joinedAtMs - answeredAtMs] : []
  })
}

/** Waits until so many calls are over for the carrier. */
async function through({ telephones, clock }: CampaignLab, count: number): Promise<void> {
  const latestAtMs = clock.nowMs() + SPARE_MS + count * 60
  for (;;) {
    const ended = await telephones.ask('endedCount', undefined)
    if (ended >= count || clock.nowMs() > latestAtMs) return
    await new Promise<void>((done) => clock.schedule(clock.nowMs() + WAIT_MS, done))
  }
}

async function measured({ telephones }: CampaignLab, engine: ReturnType<typeof startChild<CampaignApi>>, from: number) {
  const moments = await engine.ask('moments', undefined)
  const invites = (await telephones.ask('invites', undefined)).slice(from)
  const answers = invites.flatMap(({ reference, answeredAtMs, agentHeardAtMs = Number.NaN }): Answer[] => {
    const moment = moments.get(`sb-att-${reference}`)
    if (!moment || answeredAtMs === undefined) return []
    const since = (atMs: number | undefined) => (atMs ?? Number.NaN) - answeredAtMs
    return [{ toldMs: since(moment.answeredAtMs), joinedMs: since(moment.joinedAtMs), heardMs: since(agentHeardAtMs) }]
  })
  return { answers, dialed: invites.length }
}

function resultOf(rounds: readonly Round[], asterisk: string, rate: number): Result {
  const all = rounds.flatMap((round) => round.answers)
  const dialed = rounds.reduce((sum, round) => sum + round.dialed, 0)
  const of = (round: Round, part: number) =>
    quantile(
      round.answers.map(({ joinedMs }) => joinedMs),
      part,
    )
  const ratio = (part: number) => median(rounds.map((round) => of(round, part) / quantile(round.bareMs, part)))
  return {
    asterisk,
    bars: [
      { what: 'answer to agent, to the bare script, p50', measured: ratio(0.5), unit: 'times', limit: { atMost: 3 } },
      { what: 'answer to agent, to the bare script, p99', measured: ratio(0.99), unit: 'times', limit: { atMost: 5 } },
      { what: 'answered without an agent', measured: dialed - all.length, unit: 'calls', limit: { atMost: 0 } },
    ],
    tables: [
      { head: ['from the 200 OK until', 'p50', 'p90', 'p99', 'max, ms'], rows: ROWS.map((row) => spread(row, all)) },
      {
        head: [
          'round',
          'calls',
          'answer to agent: p50',
          'p99',
          'max, ms',
          'bare script: p50',
          'p99, ms',
          'engine CPU, % of a core',
          'loop delay p99, ms',
        ],
        rows: rounds.map(rowOf),
      },
    ],
    notes: notesFor(rate),
  }
}

const ROWS = [
  ['the engine is told of the answer', 'toldMs'],
  ['an agent is in the bridge', 'joinedMs'],
  ["the agent's voice is at the carrier", 'heardMs'],
] as const

function spread([what, name]: (typeof ROWS)[number], all: readonly Answer[]): string[] {
  const values = all.map((answer) => answer[name]).filter(Number.isFinite)
  return [what, ...[0.5, 0.9, 0.99, 1].map((part) => figure(quantile(values, part)))]
}

function rowOf({ answers: measured, use, bareMs }: Round, index: number): string[] {
  const joined = measured.map(({ joinedMs }) => joinedMs)
  const busy = (100 * use.cpuMs) / use.wallMs
  const parts = [0.5, 0.99, 1].map((part) => figure(quantile(joined, part)))
  const bare = [0.5, 0.99].map((part) => figure(quantile(bareMs, part)))
  return [String(index + 1), figure(measured.length), ...parts, ...bare, figure(busy), figure(use.loopDelayMs.p99)]
}

const notesFor = (rate: number) => [
  `A progressive campaign, ${rate} numbers dialed in a second, everybody answers and talks for 1.2 s; ${AGENTS} ` +
    'agents whose phones stay on the line, each in a bridge of their own; no machine detection, no recording. From ' +
    'the instant at which the carrier sends its 200 OK to `bridge.joined` at the `Pbx` port, by the one monotonic ' +
    'clock of the machine. The campaign’s records are written meanwhile, and events are delivered.',
  'The bare script dials as many numbers at the same pace over `ari-client`, in the same run, before or after each ' +
    'round, and joins whoever answers to one of its own agents on the line, without records, ledgers or checks. The ' +
    'ratio is taken round by round, and the median counts.',
  'Engine, Asterisk, PostgreSQL, and the process of the carrier and of all telephones with their sound share the ' +
    'machine; the first round is not counted. The agent’s voice is heard a frame of 20 ms at a time, so its row ' +
    'holds up to two frames beside the way.',
]
