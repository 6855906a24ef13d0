/** The measured process of `events`: a webhook dispatcher on PostgreSQL, as the service runs it. */

import { Client } from 'pg'
import { addressGuard, webhookUrls } from '../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../src/adapters/http/http-client.ts'
import { WebhookDispatcher } from '../../src/core/workers/webhook-dispatcher.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { NotificationChannel } from '../../src/store/db/notifications.ts'
import { type Database, openDatabase } from '../../src/store/db/open-database.ts'
import { postgresOutbox } from '../../src/store/webhooks/outbox.ts'
import { type Api, serve } from '../child.ts'

/** Where the events are, and who may be told of them. */
interface DispatcherPlace {
  readonly dataDirectory: string
  readonly receiver: string
}

/** What the process used. */
interface DispatcherUse {
  readonly cpuMs: number
  readonly heapMb: number
}

/** The questions of the driver. */
export type DispatcherApi = typeof api

const clock = new RealClock()
let database: Database
let dispatcher: WebhookDispatcher
let web: ReturnType<typeof webOverUndici>
let news: NotificationChannel
let cpuAtBegin = process.cpuUsage()

const api = {
  /** Delivers from now on. */
  async start({ dataDirectory, receiver }: DispatcherPlace): Promise<void> {
    const opened = await openDatabase({ dataDirectory, clock, log: silentLog, onLine: () => {} })
    if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
    database = opened
    const guard = addressGuard({ allowedHosts: [receiver], rules: webhookUrls('development') })
    web = webOverUndici({ clock, guard, log: silentLog, connectTimeoutMs: 5_000 })
    const outbox = postgresOutbox(opened.pools, 'development')
    const random = seededRandom(1)
    dispatcher = new WebhookDispatcher({
      name: 'bench',
      outbox,
      web,
      clock,
      random,
      log: silentLog,
      userAgent: 'bench',
    })
    news = new NotificationChannel({ connect: () => new Client(opened.pools.jobs.options), clock, log: silentLog })
    news.onNotification((kind) => {
      if (kind === 'deliveries') dispatcher.wake()
    })
    cpuAtBegin = process.cpuUsage()
    dispatcher.start()
  },
  /** Since the start. */
  use(): DispatcherUse {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    return { cpuMs: (user + system) / 1_000, heapMb: process.memoryUsage().heapUsed / 2 ** 20 }
  },
  async stop(): Promise<void> {
    await news.close()
    await dispatcher.stop()
    await web.close()
    await database.close()
  },
} satisfies Api

serve(api)
