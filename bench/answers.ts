import { importTasks, makeCampaign, makeSystem } from '../test/e2e/campaign-live.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type CampaignLab, openCampaignLab } from './campaign-lab.ts'
import { startChild } from './child.ts'
import type { CampaignApi, CampaignUse } from './processes/campaign-process.ts'
import { figure } from './report.ts'
import { quantile } from './statistics.ts'

/** Enough that one is always free: a call takes less than two seconds. */
const AGENTS = 48
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
}

/** From "hello" to an agent. */
export const answers: Benchmark = {
  name: 'answers',
  about: 'from the answer to an agent on the line',
  defaults: { rate: 20, seconds: 30, rounds: 3 },
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
    try {
      const asterisk = await engine.ask('start', await lab.startSwitch())
      const client = await lab.client()
      const itsyId = await makeSystem(client, lab.receiver)
      const agents = await lab.comeToWork()
      kit.onLine(`answers: ${agents.length} agents are on the line`)
      const played: Round[] = []
      // The first round is for the compiler.
      for (let round = 0; round <= rounds; round++) {
        const count = rate * (round === 0 ? 10 : seconds)
        const callCode = await makeCampaign(client, itsyId)
        const before = (await lab.telephones.ask('invites', undefined)).length
        await engine.ask('begin', undefined)
        await importTasks(client, callCode, tasksFrom(round, count))
        await through(lab, before + count)
        const one = { ...(await measured(lab, engine, before)), use: await engine.ask('end', undefined) }
        const joined = one.answers.map(({ joinedMs }) => joinedMs)
        kit.onLine(`answers: ${one.answers.length} of ${count}: ${figure(quantile(joined, 0.5))} ms p50`)
        if (round > 0) played.push(one)
      }
      await Promise.all(agents.map((agent) => agent.leave()))
      await engine.ask('stop', undefined)
      return resultOf(played, asterisk, rate)
    } finally {
      await engine.end()
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
  const joined = all.map(({ joinedMs }) => joinedMs)
  const dialed = rounds.reduce((sum, round) => sum + round.dialed, 0)
  return {
    asterisk,
    bars: [
      { what: 'answer to agent, p50', measured: quantile(joined, 0.5), unit: 'ms', limit: { atMost: 5 } },
      { what: 'answer to agent, p99', measured: quantile(joined, 0.99), unit: 'ms', limit: { atMost: 25 } },
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

function rowOf({ answers: measured, use }: Round, index: number): string[] {
  const joined = measured.map(({ joinedMs }) => joinedMs)
  const busy = (100 * use.cpuMs) / use.wallMs
  const parts = [0.5, 0.99, 1].map((part) => figure(quantile(joined, part)))
  return [String(index + 1), figure(measured.length), ...parts, figure(busy), figure(use.loopDelayMs.p99)]
}

const notesFor = (rate: number) => [
  `A progressive campaign, ${rate} numbers dialed in a second, everybody answers and talks for 1.2 s; ${AGENTS} ` +
    'agents whose phones stay on the line, each in a bridge of their own; no machine detection, no recording. From ' +
    'the instant at which the carrier sends its 200 OK to `bridge.joined` at the `Pbx` port, by the one monotonic ' +
    'clock of the machine. The campaign’s records are written meanwhile, and events are delivered.',
  'Engine, Asterisk, PostgreSQL, and the process of the carrier and of all telephones with their sound share the ' +
    'machine; the first round is not counted. The agent’s voice is heard a frame of 20 ms at a time, so its row ' +
    'holds up to two frames beside the way.',
]
