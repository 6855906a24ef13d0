import { type Random, randomInt, randomOf, seededRandom } from '../src/kernel/random.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { fillReads, IDS } from './reads-fill.ts'
import { figure } from './report.ts'
import { openRestHouse, type RestHouse } from './rest-house.ts'
import { quantile } from './statistics.ts'

/** Every fifth request is a batch. */
const BATCH_EVERY = 5
const BATCH = 50
const WARM_UP_SECONDS = 3

type Kind = keyof typeof IDS
const KINDS = Object.keys(IDS) as Kind[]

interface Query {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** One thing by its id, or many. */
const QUERIES: Readonly<Record<Kind, (ids: readonly number[]) => Query>> = {
  activity: (eactIds) =>
    eactIds.length === 1
      ? { method: 'GET', path: `/svcems/activities?eactId=${eactIds[0]}` }
      : { method: 'POST', path: '/svcems/activities/search', body: JSON.stringify({ eactIds }) },
  case: (eactIds) => ({ method: 'POST', path: '/svcems/cases/search', body: JSON.stringify({ eactIds }) }),
  call: (eactIds) => ({ method: 'POST', path: '/svcems/calls/search', body: JSON.stringify({ eactIds }) }),
  entity: (ids) => ({ method: 'GET', path: `/svcems/entity?getExtensions=true&size=${BATCH}&emenIds=${ids}` }),
}

interface Took {
  readonly kind: Kind
  readonly isBatch: boolean
  /** From the instant at which it was due: a server that falls behind is not spared. */
  readonly ms: number
}

/** How fast things are read among a million of each. */
export const reads: Benchmark = {
  name: 'reads',
  about: 'single reads and batches of 50 among 1,000,000 activities, 100,000 cases and 1,000,000 contacts, over HTTP',
  defaults: { rate: 200, seconds: 60 },
  async run({ rate, seconds }: Plan, kit: Kit): Promise<Result> {
    const house = await openRestHouse(kit, true)
    try {
      await fillReads(house.database, kit.onLine)
      await load(house, rate, WARM_UP_SECONDS, seededRandom(1))
      kit.onLine(`reads: ${rate} requests a second for ${seconds} s`)
      return resultOf(await load(house, rate, seconds, seededRandom(2)))
    } finally {
      await house.close()
    }
  },
}

/** Sends at a steady rate, whatever becomes of the answers. */
async function load(house: RestHouse, rate: number, seconds: number, random: Random): Promise<Took[]> {
  const beganAtMs = performance.now()
  const asked: Promise<Took>[] = []
  for (let count = 0; count < rate * seconds; count++) {
    const dueAtMs = beganAtMs + (count * 1_000) / rate
    const waitMs = dueAtMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    asked.push(one(house, randomOf(random, KINDS), count % BATCH_EVERY === 0, random, dueAtMs))
  }
  return Promise.all(asked)
}

async function one({ url, headers }: RestHouse, kind: Kind, isBatch: boolean, random: Random, dueAtMs: number) {
  const { from, to } = IDS[kind]
  const ids = new Set<number>()
  while (ids.size < (isBatch ? BATCH : 1)) ids.add(randomInt(random, from, to))
  const { method, path, body } = QUERIES[kind]([...ids])
  const json = body === undefined ? {} : { body, headers: { ...headers, 'content-type': 'application/json' } }
  const answer = await fetch(url + path, { method, headers, ...json })
  const found = (await answer.json()) as unknown
  if (!Array.isArray(found) || found.length !== ids.size) {
    throw new Error(`${method} ${path} ${answer.status}: ${JSON.stringify(found).slice(0, 300)}`)
  }
  return { kind, isBatch, ms: performance.now() - dueAtMs }
}

function resultOf(all: readonly Took[]): Result {
  const of = (isBatch: boolean, kind?: Kind) =>
    all.filter((took) => took.isBatch === isBatch && (kind === undefined || took.kind === kind)).map(({ ms }) => ms)
  const row = (what: string, timesMs: readonly number[]) => [
    ...[what, figure(timesMs.length)],
    ...[0.5, 0.95, 0.99, 1].map((part) => figure(quantile(timesMs, part))),
  ]
  return {
    bars: [
      { what: 'single read, p95', measured: quantile(of(false), 0.95), unit: 'ms', limit: { atMost: 15 } },
      { what: `batch of ${BATCH}, p95`, measured: quantile(of(true), 0.95), unit: 'ms', limit: { atMost: 60 } },
    ],
    tables: [
      {
        head: ['ms', 'requests', 'p50', 'p95', 'p99', 'max'],
        rows: [
          ...KINDS.map((kind) => row(`one ${kind}`, of(false, kind))),
          ...KINDS.map((kind) => row(`${BATCH} of ${kind}`, of(true, kind))),
        ],
      },
    ],
    notes: [NOTE],
  }
}

const NOTE =
  'Over HTTP on one machine, at a steady rate; every fifth request is a batch, kinds and ids are random. Server, ' +
  'client and the embedded PostgreSQL are processes of their own. Times are from the instant at which a request was ' +
  'due to the last byte of its answer.'
