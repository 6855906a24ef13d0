import { setTimeout as pause } from 'node:timers/promises'
import { RealClock } from '../src/kernel/clock.ts'
import { type CorporationId, makeEventId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { seededRandom } from '../src/kernel/random.ts'
import { openDatabase } from '../src/store/db/open-database.ts'
import type { Pools } from '../src/store/db/pools.ts'
import { inTransaction } from '../src/store/db/transaction.ts'
import { postgresOutbox } from '../src/store/webhooks/outbox.ts'
import { writeEvent } from '../src/store/webhooks/write-event.ts'
import { secretOf } from '../src/webhooks/sign.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { type Child, startChild } from './child.ts'
import type { DispatcherApi } from './processes/dispatcher-process.ts'
import type { Arrivals, ReceiverApi } from './processes/receiver-process.ts'
import { figure } from './report.ts'
import { quantile } from './statistics.ts'

const CORPORATION = 1 as CorporationId
/** Transactions at once, as of calls that end side by side. */
const WRITERS = 8
/** Nothing comes any more. */
const SILENCE_MS = 5_000

/** How fast events leave for one receiver. */
export const events: Benchmark = {
  name: 'events',
  about: 'events of the outbox, signed and delivered to one local receiver',
  defaults: { rate: 1_000, seconds: 30 },
  async run({ rate, seconds }: Plan, { directory, onLine }: Kit): Promise<Result> {
    const opened = await openDatabase({ dataDirectory: directory, clock: new RealClock(), log: silentLog, onLine })
    if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
    const receiver = startChild<ReceiverApi>('receiver-process.ts')
    const dispatcher = startChild<DispatcherApi>('dispatcher-process.ts')
    try {
      const place = `127.0.0.1:${await receiver.ask('start', undefined)}`
      await subscribe(opened.pools, `http://${place}/hook`)
      const count = rate * seconds
      onLine(`events: ${figure(count)} events are written while nobody delivers`)
      await publish(opened.pools, count, Number.POSITIVE_INFINITY)
      const startedAtMs = Date.now()
      await dispatcher.ask('start', { dataDirectory: directory, receiver: place })
      const backlog = await arrived(receiver, count)
      const backlogUse = await dispatcher.ask('use', undefined)
      const drainedMs = backlog.lastAtMs - startedAtMs
      onLine(`events: delivered in ${figure(drainedMs / 1_000)} s; now ${rate} are written each second`)
      await receiver.ask('forget', undefined)
      const published = await publish(opened.pools, count, rate)
      const live = await arrived(receiver, count)
      const use = await dispatcher.ask('use', undefined)
      await dispatcher.ask('stop', undefined)
      const liveCpuMs = use.cpuMs - backlogUse.cpuMs
      return resultOf({ count, drainedMs, backlog, backlogUse, live, published, liveCpuMs, heapMb: use.heapMb })
    } finally {
      await dispatcher.end()
      await receiver.end()
      await opened.close()
    }
  },
}

async function subscribe(pools: Pools, url: string): Promise<void> {
  await pools.jobs.query(`
    truncate corporations, courier_leases cascade;
    insert into corporations (id, name, created_at_ms) values (1, 'Bench', 0)`)
  await postgresOutbox(pools, 'development').addSubscription({
    subscription: {
      corporation: CORPORATION,
      url,
      events: ['phone-call.ended'],
      systemCodes: [],
      secrets: [{ secret: secretOf(new Uint8Array(32).fill(7)) }],
    },
    description: '',
    atMs: Date.now(),
    subscriptionsMax: 1,
  })
}

const random = seededRandom(2)
let activity = 0

/** Each event in a transaction of its own, at this rate or as fast as it goes. Gives how many went each second. */
async function publish({ control }: Pools, count: number, perSecond: number): Promise<number> {
  const startedAtMs = Date.now()
  let begun = 0
  const write = async () => {
    while (begun < count) {
      const dueAtMs = startedAtMs + (begun++ / perSecond) * 1_000
      const waitMs = dueAtMs - Date.now()
      if (waitMs > 0) await pause(waitMs)
      const atMs = Date.now()
      const eventName = makeEventId(atMs, random)
      const event = {
        eventName,
        type: 'phone-call.ended',
        corporation: CORPORATION,
        activity: ++activity,
        atMs,
      } as const
      await inTransaction(control, (transaction) => writeEvent(transaction, event))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return (count / (Date.now() - startedAtMs)) * 1_000
}

/** Waits until all are there, or until nothing comes any more. */
async function arrived(receiver: Child<ReceiverApi>, count: number): Promise<Arrivals> {
  for (;;) {
    const arrivals = await receiver.ask('arrivals', undefined)
    const isSilent = Date.now() - arrivals.lastAtMs > SILENCE_MS && arrivals.lastAtMs > 0
    if (arrivals.events >= count || isSilent) return arrivals
    await pause(250)
  }
}

interface Measured {
  readonly count: number
  readonly drainedMs: number
  readonly backlog: Arrivals
  readonly backlogUse: { readonly cpuMs: number }
  readonly live: Arrivals
  /** Events per second that were really written. */
  readonly published: number
  readonly liveCpuMs: number
  readonly heapMb: number
}

function resultOf({ count, drainedMs, backlog, backlogUse, live, published, liveCpuMs, heapMb }: Measured): Result {
  const perSecond = (backlog.events / drainedMs) * 1_000
  const livePerSecond = (live.events / (live.lastAtMs - live.firstAtMs)) * 1_000
  const lost = 2 * count - backlog.events - live.events
  return {
    bars: [
      { what: 'delivered', measured: perSecond, unit: 'events per second', limit: { atLeast: 1_000 } },
      { what: 'never delivered', measured: lost, unit: 'events', limit: { atMost: 0 } },
      { what: 'delivered twice', measured: backlog.doubles + live.doubles, unit: 'events', limit: { atMost: 0 } },
    ],
    tables: [
      {
        head: ['', 'written per second', 'delivered per second', 'CPU of the dispatcher, ms per event'],
        rows: [
          ['a backlog', '–', figure(perSecond), figure(backlogUse.cpuMs / count)],
          ['as they happen', figure(published), figure(livePerSecond), figure(liveCpuMs / count)],
        ],
      },
      {
        head: ['', 'p50', 'p99', 'max'],
        rows: [
          [
            'from the fact to the receiver, ms',
            ...[0.5, 0.99, 1].map((part) => figure(quantile(live.latenciesMs, part))),
          ],
          ['heap of the dispatcher at the end, MB', figure(heapMb), '', ''],
        ],
      },
    ],
    notes: [NOTE],
  }
}

const NOTE =
  'Dispatcher, receiver, writer and the embedded PostgreSQL are processes of their own on one machine. Every ' +
  'event is written in a transaction of its own, with its delivery and the news of it; every post is signed, carries ' +
  'one event, and is written down with its attempt. One endpoint: eight posts at once and no more. A rate of writing ' +
  'below the one that was asked for is what the disk and the machine gave.'
