import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { startChild } from './child.ts'
import type { WaitingApi } from './processes/waiting-process.ts'
import { figure } from './report.ts'

/** What a caller who thinks about his case number costs in memory. */
export const waiting: Benchmark = {
  name: 'waiting',
  about: 'simulated calls that wait in `gather` of the debtor flow',
  defaults: { callers: 10_000 },
  async run({ callers }: Plan, { onLine }: Kit): Promise<Result> {
    onLine(`waiting: ${callers} callers with the engine`)
    const servedBytes = await measure(callers, true)
    onLine(`waiting: ${callers} callers without it`)
    const phoneBytes = await measure(callers, false)
    const row = (what: string, bytes: number) => [what, figure(bytes)]
    return {
      bars: [{ what: 'heap', measured: servedBytes / 1_000, unit: 'kB per call', limit: { atMost: 10 } }],
      tables: [
        {
          head: ['', 'bytes per call'],
          rows: [
            row('engine, flow and simulator', servedBytes),
            row('of which the simulator: switch, phone, person', phoneBytes),
            row('of which engine and flow', servedBytes - phoneBytes),
          ],
        },
      ],
      notes: [NOTE],
    }
  },
}

/** Each in a process of its own. */
async function measure(callers: number, isServed: boolean): Promise<number> {
  const child = startChild<WaitingApi>('waiting-process.ts', ['--expose-gc'])
  try {
    return await child.ask('measure', { callers, isServed })
  } finally {
    await child.end()
  }
}

const NOTE =
  '`heapUsed` after a full garbage collection, when all callers have heard the question and none has pressed a key, ' +
  'less the same before the first of them. The journal keeps nothing, as the one on disk does after 50 ms. The ' +
  "simulator's share was measured alone: the same switch and people, with a stub that answers and plays the same " +
  'two prompts; timers on the virtual clock count for whoever set them.'
