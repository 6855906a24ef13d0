import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { startChild } from './child.ts'
import type { FlowsApi, FlowUse, JournalKind } from './processes/flows-process.ts'
import { figure } from './report.ts'
import { median } from './statistics.ts'

const JOURNALS: readonly (readonly [JournalKind, string])[] = [
  ['off', 'journal off'],
  ['memory', 'journal in memory'],
  ['text', 'journal made into text, not written'],
]

/** How fast worlds can be simulated, and an upper bound for what one engine can serve. */
export const flows: Benchmark = {
  name: 'flows',
  about: 'whole simulated calls of the debtor flow on virtual time',
  defaults: { callers: 5_000, rounds: 3 },
  async run({ callers, rounds }: Plan, { onLine }: Kit): Promise<Result> {
    const uses = new Map<JournalKind, FlowUse[]>(JOURNALS.map(([kind]) => [kind, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [kind, title] of JOURNALS) {
        const use = await measure(callers, kind)
        uses.get(kind)!.push(use)
        onLine(`flows: round ${round + 1}, ${title}: ${figure((callers / use.wallMs) * 1_000)} calls per second`)
      }
    }
    const of = (kind: JournalKind, value: (use: FlowUse) => number) => median(uses.get(kind)!.map(value))
    const speed = (kind: JournalKind) => (callers / of(kind, ({ wallMs }) => wallMs)) * 1_000
    return {
      bars: [
        { what: 'journal in memory', measured: speed('memory'), unit: 'calls per second', limit: { atLeast: 1_000 } },
      ],
      tables: [
        {
          head: ['', 'calls per second', 'CPU, ms per call', 'calls at once'],
          rows: JOURNALS.map(([kind, title]) => [
            title,
            figure(speed(kind)),
            figure(of(kind, ({ cpuMs }) => cpuMs) / callers),
            figure(of(kind, ({ concurrentMax }) => concurrentMax)),
          ]),
        },
      ],
      notes: [NOTE],
    }
  },
}

/** A new process each time: no garbage of the former, and chance of compilation evened out. */
async function measure(callers: number, journal: JournalKind): Promise<FlowUse> {
  const child = startChild<FlowsApi>('flows-process.ts')
  try {
    return await child.ask('measure', { callers, journal })
  } finally {
    await child.end()
  }
}

const NOTE =
  'Calls per second of wall time, medians of the rounds. Each call is whole: welcome, five keys, confirmation, ' +
  'CaseInfo of an open case, text message, a menu without an answer, goodbye; a call that takes another way fails ' +
  'the run. Engine and flow are those of the service; switch, phones, people, web and text messages are the ' +
  'simulator, whose work is part of the figure.'
