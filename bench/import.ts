import { setTimeout as pause } from 'node:timers/promises'
import { besideCopy } from './bare.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { figure } from './report.ts'
import { CAMPAIGN, type Exchange, openRestHouse, type RestHouse } from './rest-house.ts'
import { median } from './statistics.ts'

const SYNC_TASKS = 10_000
const ASYNC_TASKS = 100_000
const PATH = '/svcdialer/calltaskimport'

/** How fast call tasks come in. */
export const imports: Benchmark = {
  name: 'import',
  about: 'call tasks imported over HTTP, at once and in the background',
  defaults: { rounds: 5 },
  async run({ rounds }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, false)
    try {
      // The first one warms the server up, as the first import of a day finds it.
      await importNow(house, 0)
      const now: Exchange[] = []
      for (let round = 1; round <= rounds; round++) now.push(await importNow(house, round * SYNC_TASKS))
      kit.onLine(
        `import: ${rounds} imports of ${figure(SYNC_TASKS)} done; now ${figure(ASYNC_TASKS)} in the background`,
      )
      const order = orderOf(1_000_000, ASYNC_TASKS)
      const later: Later[] = []
      for (let round = 1; round <= rounds; round++) later.push(await importLater(house, order))
      return resultOf(now, later)
    } finally {
      await house.close()
    }
  },
}

/** Debtors as a debt-collection system sends them: two numbers, a customer and a case. */
function orderOf(first: number, count: number): string {
  const callTasks = Array.from({ length: count }, (_, place) => {
    const number = (first + place) % 10_000_000
    return {
      callReceiverName: `Jane Doe ${first + place}`,
      callNumberList: [
        `+4526${String(number % 1_000_000).padStart(6, '0')}`,
        `+4526${String((number * 7 + 3) % 1_000_000).padStart(6, '0')}`,
      ],
      extCustId: `customer-${first + place}`,
      systemLookupCode: `CASE-${first + place}`,
    }
  })
  return JSON.stringify({
    systemCode: 'DEBT',
    callCode: CAMPAIGN,
    maxCallAttempts: 3,
    minCallIntervalHours: 4,
    callTasks,
  })
}

async function importNow(house: RestHouse, first: number): Promise<Exchange> {
  const exchange = await house.ask('POST', PATH, orderOf(first, SYNC_TASKS))
  const { importedCount } = JSON.parse(exchange.text) as { importedCount?: number }
  if (importedCount !== SYNC_TASKS) throw new Error(`${importedCount} imported: ${exchange.text.slice(0, 300)}`)
  return exchange
}

interface Later {
  readonly acceptedMs: number
  readonly wholeMs: number
  /** A `COPY` of the same rows, right afterwards. */
  readonly copyMs: number
  readonly stallMs: number
  readonly heldMs: number
}

async function importLater(house: RestHouse, order: string): Promise<Later> {
  let imported: Omit<Later, 'wholeMs' | 'copyMs'> | undefined
  const { fillMs, copyMs } = await besideCopy(house.database.pools.jobs, async () => {
    imported = await importInBackground(house, order)
  })
  return { ...imported!, wholeMs: fillMs, copyMs }
}

async function importInBackground(house: RestHouse, order: string): Promise<Omit<Later, 'wholeMs' | 'copyMs'>> {
  const accepted = await house.ask('POST', `${PATH}?importAsync=true`, order)
  const { importId } = JSON.parse(accepted.text) as { importId: string }
  let { stallMs, heldMs } = accepted.use
  for (;;) {
    const asked = await house.ask('GET', `${PATH}/${importId}`)
    stallMs = Math.max(stallMs, asked.use.stallMs)
    heldMs = Math.max(heldMs, asked.use.heldMs)
    const job = JSON.parse(asked.text) as { importStatus: string; importedCount: number }
    if (job.importStatus === 'failed') throw new Error(asked.text.slice(0, 300))
    if (job.importStatus === 'completed') {
      if (job.importedCount === ASYNC_TASKS) return { acceptedMs: accepted.totalMs, stallMs, heldMs }
      throw new Error(`${job.importedCount} imported: ${asked.text.slice(0, 300)}`)
    }
    await pause(100)
  }
}

function resultOf(now: readonly Exchange[], later: readonly Later[]): Result {
  const wholeMs = median(now.map(({ totalMs }) => totalMs))
  const stallMs = median(now.map(({ use }) => use.stallMs))
  return {
    bars: [
      { what: `${figure(SYNC_TASKS)} call tasks at once`, measured: wholeMs / 1_000, unit: 's', limit: { atMost: 2 } },
      {
        what: `${figure(ASYNC_TASKS)} in the background`,
        measured: median(later.map((one) => one.wholeMs)) / 1_000,
        unit: 's',
        limit: { atMost: 25 },
      },
      {
        what: `${figure(ASYNC_TASKS)} in the background, to a bare \`COPY\` of the same rows`,
        measured: median(later.map((one) => one.wholeMs / one.copyMs)),
        unit: 'times',
        limit: { atMost: 10 },
      },
      { what: 'longest stall of the event loop, at once', measured: stallMs, unit: 'ms', limit: { atMost: 20 } },
    ],
    tables: [
      {
        head: [
          '',
          'until the answer, s',
          'until all are there, s',
          'bare `COPY`, s',
          'CPU of the server, s',
          'longest stall, ms',
          'longest own work, ms',
        ],
        rows: [
          ...now.map(({ totalMs, use }) => [
            ...['10,000 at once', figure(totalMs / 1_000), figure(totalMs / 1_000), '–'],
            ...[figure(use.cpuMs / 1_000), figure(use.stallMs), figure(use.heldMs)],
          ]),
          ...later.map((one) => [
            ...[
              '100,000 in the background',
              ...[one.acceptedMs, one.wholeMs, one.copyMs].map((ms) => figure(ms / 1_000)),
            ],
            ...['', figure(one.stallMs), figure(one.heldMs)],
          ]),
        ],
      },
    ],
    notes: [NOTE, COPY_NOTE],
  }
}

const NOTE =
  'From the first byte of the request to the last of the answer, over HTTP on one machine; server, client and the ' +
  'embedded PostgreSQL are processes of their own. Each call task has a name, two numbers, a customer and a case; ' +
  'every number is checked against its country. A stall is the longest time between two firings of a timer of 1 ms ' +
  'in the server, whoever had the processor meanwhile; own work is what the main thread of the server itself did in ' +
  'such a time. Bars are taken from medians of the rounds.'

const COPY_NOTE =
  'The `COPY` follows each import in the background: its call tasks and their numbers, from files of the server into ' +
  'empty tables of the same columns, checks and indexes, but without foreign keys; nothing is read, checked or told. ' +
  'The import begins with empty tables as well. Its ratio is taken round by round.'
