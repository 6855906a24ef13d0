/** The measured process of `import` and `search`: REST and the worker of large imports, as the service runs them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { RealClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { seededRandom } from '../src/kernel/random.ts'
import { systemSecretBytes } from '../src/kernel/secret-bytes.ts'
import { inProcessLive } from '../src/live/in-process-live.ts'
import { ImportWorker } from '../src/rest/call-task-import-worker.ts'
import { dialerRoutes } from '../src/rest/dialer-routes.ts'
import type { RestParts } from '../src/rest/parts.ts'
import { type Rest, startRest } from '../src/rest/server.ts'
import { postgresAudit } from '../src/store/audit.ts'
import { postgresOffice } from '../src/store/office.ts'
import { type Database, openDatabase } from '../src/store/open-database.ts'
import { postgresOutbox } from '../src/store/outbox.ts'
import { postgresPeople } from '../src/store/people.ts'
import { postgresAccess } from '../src/store/people-access.ts'
import { postgresRecords } from '../src/store/postgres-records.ts'
import { type Api, serve } from './child.ts'

/** What the process used since it was last asked to begin. */
export interface RestUse {
  /** Longest time that the event loop served nobody else, for whatever reason. */
  readonly stallMs: number
  /** Most work of the server's own between two turns of the loop: what is left of a stall on a calm machine. */
  readonly heldMs: number
  readonly cpuMs: number
  readonly heapMb: number
}

/** The questions of the driver. */
export type RestApi = typeof api

const ENOUGH = { burst: 1e6, perMinute: 1e6 }
const clock = new RealClock()
let database: Database
let rest: Rest
let worker: ImportWorker
let delay: ReturnType<typeof monitorEventLoopDelay>
let cpuAtBegin = process.cpuUsage()

let heldMs = 0

/** Every millisecond, or as soon as the loop comes to it. */
function watchOwnWork(): void {
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    heldMs = Math.max(heldMs, (user + system - before.user - before.system) / 1_000)
    before = { user, system }
  }, 1).unref()
}

const api = {
  /** Serves the database of this directory; gives the address. */
  async start(dataDirectory: string): Promise<string> {
    const opened = await openDatabase({ dataDirectory, clock, log: silentLog, onLine: () => {} })
    if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
    database = opened
    const { pools } = opened
    const parts: RestParts = {
      ...{ clock, random: seededRandom(1), secretBytes: systemSecretBytes, log: silentLog, environment: 'development' },
      ...{
        people: postgresPeople(pools),
        access: postgresAccess(pools),
        audit: postgresAudit(pools),
        ...{ privacy: undefined as never, keptBytes: undefined as never },
        office: postgresOffice(pools),
      },
      ...{ records: postgresRecords(pools), outbox: postgresOutbox(pools, 'development') },
      live: inProcessLive(clock, silentLog),
      // Nothing that is measured asks the web, agents, summaries, contacts, cases or files.
      ...{ webhookWeb: undefined as never, stations: undefined as never },
      ...{ summaries: undefined as never, entities: undefined as never, cases: undefined as never },
      ...{
        activities: undefined as never,
        files: undefined as never,
        fileStore: undefined as never,
        transcripts: undefined as never,
      },
      ...{ mails: undefined as never, mailboxes: [] },
      ...{ recordingsDirectory: dataDirectory, endpoint: 'http://localhost', userAgent: 'bench' },
    }
    const allowances = { reads: ENOUGH, writes: ENOUGH, imports: ENOUGH, wideSearches: ENOUGH, state: ENOUGH }
    const node = { host: '127.0.0.1', port: 0 }
    rest = await startRest({ parts, routes: dialerRoutes(parts), node, allowances })
    worker = new ImportWorker(parts)
    worker.start()
    delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    watchOwnWork()
    return rest.url
  },
  begin(): void {
    delay.reset()
    heldMs = 0
    cpuAtBegin = process.cpuUsage()
  },
  use(): RestUse {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    const heapMb = process.memoryUsage().heapUsed / 2 ** 20
    return { stallMs: delay.max / 1e6, heldMs, cpuMs: (user + system) / 1_000, heapMb }
  },
  async stop(): Promise<void> {
    await worker.stop()
    await rest.close()
    await database.close()
  },
} satisfies Api

serve(api)
