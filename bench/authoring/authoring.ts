import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bar, Benchmark, Kit, Plan, Result } from '../benchmark.ts'
import { startChild } from '../child.ts'
import type { AuthoringApi, Pair } from '../processes/authoring-process.ts'
import { figure } from '../report.ts'
import { median } from '../statistics.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FLOWS = join(ROOT, 'flows')
const STEPS = 100
const READINGS = 200
const RECORDED = 10_000

/** How long authors of flows wait. */
export const authoring: Benchmark = {
  name: 'authoring',
  about: 'flow test, simulated calls, replay, and reading of a flow of 100 steps, beside plain XState',
  defaults: { callers: 20_000, rounds: 5 },
  async run({ callers, rounds }: Plan, { directory, onLine }: Kit): Promise<Result> {
    const tests: number[] = []
    const simulated: Pair[] = []
    const replayed: Pair[] = []
    const read: Pair[] = []
    for (let round = 1; round <= rounds; round++) {
      tests.push(testShipped())
      simulated.push(await ask('simulate', { directory: FLOWS, calls: callers }))
      replayed.push(await ask('replay', { directory: FLOWS, calls: RECORDED, journals: join(directory, 'journal') }))
      read.push(await ask('read', { steps: STEPS, times: READINGS }))
      onLine(`authoring: round ${round}: ${figure((callers / simulated.at(-1)!.oursMs) * 1_000)} calls per second`)
    }
    const callsPerSecond = median(simulated.map(({ oursMs }) => (callers / oursMs) * 1_000))
    const ms = (pairs: readonly Pair[]) => median(pairs.map(({ oursMs }) => oursMs))
    const bars: Bar[] = [
      { what: '`flow test` of the shipped flows', measured: median(tests) / 1_000, unit: 's', limit: { atMost: 3 } },
      { what: 'simulated calls', measured: callsPerSecond, unit: 'per second', limit: { atLeast: 3_000 } },
      { what: 'replay of 10,000 recorded calls', measured: ms(replayed) / 1_000, unit: 's', limit: { atMost: 5 } },
      { what: 'reading and checking 100 steps', measured: ms(read), unit: 'ms', limit: { atMost: 20 } },
    ]
    const row = (what: string, pairs: readonly Pair[], count: number) => {
      const of = (value: (pair: Pair) => number) => median(pairs.map(value))
      const [oursMs, bareMs] = [of((pair) => pair.oursMs / count), of((pair) => pair.bareMs / count)]
      return [what, figure(oursMs), figure(bareMs), figure(of((pair) => pair.oursMs / pair.bareMs))]
    }
    return {
      bars,
      tables: [
        {
          head: ['', 'Switchboard, ms', 'plain XState, ms', 'ratio'],
          rows: [
            row('one simulated call', simulated, callers),
            row('one replayed call', replayed, RECORDED),
            row('one flow of 100 steps, read', read, 1),
          ],
        },
      ],
      notes: [NOTE],
    }
  },
}

/** Wall time of the command, with its start, in ms. */
function testShipped(): number {
  const startedAtMs = performance.now()
  const { status, stdout } = spawnSync(process.execPath, ['bin/switchboard.cjs', 'flow', 'test'], {
    cwd: ROOT,
    env: { ...process.env, FLOWS_DIR: FLOWS },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the shipped flows fail their tests:\n${stdout}`)
  return performance.now() - startedAtMs
}

/** A new process each time: no garbage of the former, and chance of compilation evened out. */
async function ask<N extends keyof AuthoringApi>(name: N, input: Parameters<AuthoringApi[N]>[0]): Promise<Pair> {
  const child = startChild<AuthoringApi>('authoring-process.ts')
  try {
    return (await child.ask(name, input)) as Pair
  } finally {
    await child.end()
  }
}

const NOTE =
  'Medians of the rounds. Calls are those of the tests of the shipped flows, whole, with everything that the tests ' +
  'expect checked; the command is timed with its start, and its default property tests run as well. Replayed calls ' +
  'are read from a journal on disk. Plain XState has the same graph, one state for each step, and is led along the ' +
  'steps of the same calls by one event a step: it says, waits, looks up and records nothing. It reads no text ' +
  'either: beside the reading it is made and started. Both take turns in one process.'
