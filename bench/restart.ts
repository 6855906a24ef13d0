import { becomesTrue, importTasks, makeCampaign, makeSystem } from '../test/e2e/campaign-live.ts'
import { type EngineProcess, startEngine } from '../test/e2e/engine-process.ts'
import type { SteadyAgent } from '../test/e2e/steady-agent.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type CampaignLab, openCampaignLab } from './campaign-lab.ts'
import { figure } from './report.ts'
import { median } from './statistics.ts'

const TASKS = 10_000
const FIRST_NUMBER = 22_100_000
/** A second of sound of each party: a shorter one could be a leftover. */
const HEARD_MS = 900
const LOOK = { everyMs: 100, limitMs: 60_000 }

/** One restart. */
interface Restart {
  /** From the new process to "ready: calls are taken". */
  readonly readyMs: number
  /** From the kill to all screens being back with their state. */
  readonly screensMs: number
  readonly calls: number
  /** Callees who were up before and after. */
  readonly kept: number
  /** Callees who did not hear their agent all the time. */
  readonly silent: number
  /** Agents who are shown as talking afterwards. */
  readonly talking: number
}

/** The engine dies and comes back while people talk. */
export const restart: Benchmark = {
  name: 'restart',
  about: 'the engine killed and started again with 10,000 active call tasks and calls up',
  defaults: { callers: 50, rounds: 3 },
  async run({ callers, rounds }: Plan, kit: Kit): Promise<Result> {
    const options = {
      agents: callers,
      callsPerSecond: 50,
      people: 'stays',
      hasSound: true,
      isMonotonic: false,
    } as const
    const lab = await openCampaignLab(options, kit)
    let engine = startEngine(lab.place)
    try {
      await engine.ready
      const client = await lab.client()
      const callCode = await makeCampaign(client, await makeSystem(client, lab.receiver))
      const agents = await lab.comeToWork()
      kit.onLine(`restart: ${agents.length} agents are on the line; ${figure(TASKS)} call tasks are imported`)
      await importTasks(client, callCode, tasks())
      const played: Restart[] = []
      for (let round = 0; round < rounds; round++) {
        const { next, ...one } = await restartOnce(lab, engine, agents)
        engine = next
        kit.onLine(`restart: ready after ${figure(one.readyMs)} ms; ${one.kept} of ${one.calls} talk on`)
        played.push(one)
      }
      await Promise.all(agents.map((agent) => agent.leave()))
      await lab.telephones.ask('hangUpAll', undefined)
      return resultOf(played)
    } finally {
      await engine.kill('SIGTERM')
      await lab.close()
    }
  },
}

function tasks() {
  return Array.from({ length: TASKS }, (_, index) => ({
    numbers: [`+45${FIRST_NUMBER + index}`],
    caseNumber: `C-${index}`,
  }))
}

async function restartOnce(lab: CampaignLab, engine: EngineProcess, agents: readonly SteadyAgent[]) {
  const { clock, telephones } = lab
  const isTalking = () => agents.every(({ state }) => state === 'talking')
  if (!(await becomesTrue(clock, isTalking, LOOK))) throw new Error('not everybody has somebody to talk to')
  const before = await telephones.ask('talks', undefined)
  const killedAtMs = clock.nowMs()
  await engine.kill('SIGKILL')
  const startedAtMs = clock.nowMs()
  const next = startEngine(lab.place)
  await next.ready
  const readyMs = clock.nowMs() - startedAtMs
  await becomesTrue(clock, isTalking, LOOK)
  const screensMs = clock.nowMs() - killedAtMs
  const passedMs = clock.nowMs() - killedAtMs
  const after = await telephones.ask('talks', undefined)
  const silent = after.filter((heardMs, index) => heardMs - (before[index] ?? 0) < Math.min(HEARD_MS, passedMs / 2))
  const talking = agents.filter(({ state }) => state === 'talking').length
  return { next, readyMs, screensMs, calls: before.length, kept: after.length, silent: silent.length, talking }
}

function resultOf(rounds: readonly Restart[]): Result {
  const lost = rounds.reduce((sum, { calls, kept }) => sum + calls - kept, 0)
  const silent = rounds.reduce((sum, round) => sum + round.silent, 0)
  const worst = Math.max(...rounds.map(({ readyMs }) => readyMs))
  return {
    bars: [
      { what: 'start to ready, the slowest', measured: worst / 1_000, unit: 's', limit: { atMost: 5 } },
      { what: 'calls lost', measured: lost, unit: 'calls', limit: { atMost: 0 } },
      {
        what: 'callees who did not hear their agent all the time',
        measured: silent,
        unit: 'callees',
        limit: { atMost: 0 },
      },
    ],
    tables: [
      {
        head: ['restart', 'calls up', 'kept', 'agents shown as talking', 'ready after, ms', 'screens back after, ms'],
        rows: rounds.map(({ calls, kept, talking, readyMs, screensMs }, index) =>
          [index + 1, calls, kept, talking, readyMs, screensMs].map(figure),
        ),
      },
    ],
    notes: [
      `The service as \`npm start\` runs it, killed with SIGKILL and started again at once; median of ready ` +
        `${figure(median(rounds.map(({ readyMs }) => readyMs)))} ms. Ready is its own word for it: database, switch, ` +
        'REST and dialing are there. Screens are back when the socket of every agent says that they are talking.',
    ],
  }
}
