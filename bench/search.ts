import { shownPageMs, storedPageMs } from './bare.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { figure } from './report.ts'
import { CAMPAIGN, type Exchange, openRestHouse, type RestHouse } from './rest-house.ts'
import { median, quantile } from './statistics.ts'

const TASKS = 1_000_000
const PART = 100_000
const PAGE = 50_000
const LOOK_UPS = 500
/** Pages beside bare queries. */
const COMPARED = 20
const PATH = '/dialer/calltaskget'

/** What is asked, and whether the bar of a page holds for it. */
const PAGES: readonly (readonly [string, object])[] = [
  ['the first page', {}],
  ['page 15', { pageNumber: 15 }],
  ['unfinished ones of a campaign', { callCodes: [CAMPAIGN], finishedList: [false] }],
  ['the whole of each (detail)', { detail: true }],
]

/** How fast call tasks are found among a million. */
export const search: Benchmark = {
  name: 'search',
  about: 'pages of 50,000 and single cases out of 1,000,000 call tasks, over HTTP',
  defaults: { rounds: 5 },
  async run({ rounds }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, true)
    try {
      await fill(house, kit)
      const pages: [string, Exchange[]][] = []
      for (const [what, body] of PAGES) {
        await page(house, body)
        const exchanges: Exchange[] = []
        for (let round = 0; round < rounds; round++) exchanges.push(await page(house, body))
        pages.push([what, exchanges])
      }
      const compared: Compared[] = []
      for (let round = 0; round < COMPARED; round++) compared.push(await compare(house, round % 2 === 0))
      kit.onLine(`search: pages read; now ${LOOK_UPS} cases one after another`)
      return resultOf(pages, compared, await lookUps(house))
    } finally {
      await house.close()
    }
  },
}

/** A million by SQL, once: the directory of the benchmark keeps them. */
async function fill({ database: { pools } }: RestHouse, { onLine }: Kit): Promise<void> {
  const { rows } = await pools.jobs.query<{ count: number }>('select count(*) as count from call_tasks')
  if (rows[0]?.count === TASKS) return
  await pools.jobs.query('truncate call_tasks cascade')
  for (let first = 0; first < TASKS; first += PART) {
    onLine(`search: ${figure(first)} of ${figure(TASKS)} call tasks are there`)
    await pools.jobs.query(
      `with made as (
         insert into call_tasks (corporation_id, campaign_id, external_system_id, receiver_name, external_customer,
           external_case_number, duplicate_key, attempts_max, interval_ms, next_call_at_ms, created_at_ms,
           updated_at_ms)
         select 1, $1, 3, 'Jane Doe ' || n, 'customer-' || n, 'CASE-' || n, 'key-' || n, 3, 14400000, n, n, n
         from generate_series($2::int, $3::int) n returning id)
       insert into call_task_numbers (task_id, position, given, number)
       select id, 0, number, number
       from (select id, '+4526' || lpad((id % 1000000)::text, 6, '0') as number from made) numbered`,
      [CAMPAIGN, first, first + PART - 1],
    )
  }
  await pools.jobs.query('vacuum analyze call_tasks, call_task_numbers')
}

async function page(house: RestHouse, body: object): Promise<Exchange> {
  const exchange = await house.ask('POST', PATH, JSON.stringify({ limit: PAGE, ...body }))
  const { callTasks = [], foundRows } = JSON.parse(exchange.text) as { callTasks?: unknown[]; foundRows?: number }
  if (callTasks.length !== PAGE || foundRows !== TASKS) throw new Error(exchange.text.slice(0, 300))
  return exchange
}

interface Compared {
  readonly restMs: number
  readonly shownMs: number
  readonly storedMs: number
}

/** The first page by REST and by bare queries, in either order. */
async function compare(house: RestHouse, isRestFirst: boolean): Promise<Compared> {
  const { api } = house.database.pools
  const rest = async () => (await page(house, {})).totalMs
  const before = isRestFirst ? await rest() : undefined
  const shownMs = await shownPageMs(api, PAGE)
  const storedMs = await storedPageMs(api, PAGE)
  return { restMs: before ?? (await rest()), shownMs, storedMs }
}

async function lookUps(house: RestHouse): Promise<number[]> {
  const timesMs: number[] = []
  for (let count = 0; count < LOOK_UPS; count++) {
    const code = `CASE-${(count * 7_919 * 211) % TASKS}`
    const { totalMs, text } = await house.ask(
      ...(['POST', PATH, JSON.stringify({ systemLookupCodes: [code], finishedList: [false] })] as const),
    )
    if (!text.includes(`"${code}"`)) throw new Error(text.slice(0, 300))
    timesMs.push(totalMs)
  }
  return timesMs
}

function resultOf(
  pages: readonly [string, Exchange[]][],
  compared: readonly Compared[],
  timesMs: readonly number[],
): Result {
  const [, first = []] = pages[0] ?? []
  const stallMs = Math.max(...pages.map(([, exchanges]) => median(exchanges.map(({ use }) => use.stallMs))))
  const of = (exchanges: readonly Exchange[], pick: (exchange: Exchange) => number) => median(exchanges.map(pick))
  const wholeMs = of(first, ({ totalMs }) => totalMs)
  const firstByteMs = of(first, ({ firstByteMs }) => firstByteMs)
  return {
    bars: [
      { what: 'page of 50,000', measured: wholeMs / 1_000, unit: 's', limit: { atMost: 1 } },
      {
        what: 'page of 50,000, to the bare query',
        measured: median(compared.map(({ restMs, shownMs }) => restMs / shownMs)),
        unit: 'times',
        limit: { atMost: 1.5 },
      },
      { what: 'its first byte', measured: firstByteMs, unit: 'ms', limit: { atMost: 50 } },
      { what: 'longest stall of the event loop, any page', measured: stallMs, unit: 'ms', limit: { atMost: 20 } },
      { what: 'one case, p95', measured: quantile(timesMs, 0.95), unit: 'ms', limit: { atMost: 10 } },
    ],
    tables: [
      {
        head: [
          'page of 50,000',
          'first byte, ms',
          'whole, s',
          'MB',
          'CPU of the server, s',
          'longest stall, ms',
          'longest own work, ms',
        ],
        rows: pages.map(([what, exchanges]) => [
          what,
          figure(of(exchanges, ({ firstByteMs }) => firstByteMs)),
          figure(of(exchanges, ({ totalMs }) => totalMs) / 1_000),
          figure(of(exchanges, ({ bytes }) => bytes) / 1e6),
          figure(of(exchanges, ({ use }) => use.cpuMs) / 1_000),
          figure(of(exchanges, ({ use }) => use.stallMs)),
          figure(of(exchanges, ({ use }) => use.heldMs)),
        ]),
      },
      comparison(compared),
      {
        head: ['one case by its number', 'p50', 'p95', 'p99', 'max'],
        rows: [['ms', ...[0.5, 0.95, 0.99, 1].map((part) => figure(quantile(timesMs, part)))]],
      },
    ],
    notes: [NOTE, BARE_NOTE],
  }
}

function comparison(compared: readonly Compared[]) {
  const ways = [
    ['by REST', ({ restMs }: Compared) => restMs],
    ['bare query', ({ shownMs }: Compared) => shownMs],
    ['columns as stored, not counted', ({ storedMs }: Compared) => storedMs],
  ] as const
  return {
    head: ['the first page of 50,000', 'p50, ms', 'REST to it, times'],
    rows: ways.map(([what, pick]) => [
      what,
      figure(median(compared.map(pick))),
      figure(median(compared.map((one) => one.restMs / pick(one)))),
    ]),
  }
}

const NOTE =
  'Over HTTP on one machine; server, client and the embedded PostgreSQL are processes of their own. Every page ' +
  'carries the exact count of all matches. A stall is the longest time between two firings of a timer of 1 ms in the ' +
  'server, whoever had the processor meanwhile; own work is what the main thread of the server itself did in such a ' +
  'time. Pages: medians of the rounds after one that is not counted; cases: one after another, from sending the ' +
  'request to the last byte.'

const BARE_NOTE =
  'The bare query has the fields of the answer in its form (codes, ISO 8601) and the count, as the answer has: two ' +
  'statements by `pg` on one connection, rows as objects, no service. The last line has neither form nor count, only ' +
  `thirteen columns. ${COMPARED} rounds in alternating order; ratios are taken round by round, and their median counts.`
