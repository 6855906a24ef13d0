/** The measured process of `import`, `search` and `reads`: REST and the worker of imports, as the service runs them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { portsOf } from '../../src/app/repositories.ts'
import { importWorker } from '../../src/core/imports/import-worker.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Periodic } from '../../src/kernel/periodic.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { systemSecretBytes } from '../../src/kernel/secret-bytes.ts'
import { inProcessLive } from '../../src/live/in-process-live.ts'
import { AgentTickets } from '../../src/rest/agents/agent-tickets.ts'
import type { RestDependencies } from '../../src/rest/http/dependencies.ts'
import { sectionRoutes } from '../../src/rest/routes.ts'
import { type Rest, startRest } from '../../src/rest/server.ts'
import { StreamTickets } from '../../src/rest/stream/stream-ticket.ts'
import { type Database, openDatabase } from '../../src/store/db/open-database.ts'
import { type Api, serve } from '../child.ts'

/** What the process used since it was last asked to begin. */
export interface RestUse {
  /** The longest stall of the event loop, of any cause. */
  readonly stallMs: number
  /** Most work of the server's own between two turns of the loop: what is left of a stall on a calm machine. */
  readonly heldMs: number
  readonly cpuMs: number
  readonly heapMb: number
  /** The most memory that the process had meanwhile. */
  readonly peakMb: number
}

/** The questions of the driver. */
export type RestApi = typeof api

const ENOUGH = { burst: 1e6, perMinute: 1e6 }
const clock = new RealClock()
let database: Database
let rest: Rest
let worker: Periodic
let delay: ReturnType<typeof monitorEventLoopDelay>
let cpuAtBegin = process.cpuUsage()

let heldMs = 0
let peakBytes = 0

/** Every millisecond, or as soon as the loop comes to it. */
function watchOwnWork(): void {
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    heldMs = Math.max(heldMs, (user + system - before.user - before.system) / 1_000)
    before = { user, system }
  }, 1).unref()
  setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }, 20).unref()
}

const api = {
  /** Serves the database of this directory; gives the address. */
  async start(dataDirectory: string): Promise<string> {
    const opened = await openDatabase({ dataDirectory, clock, log: silentLog, onLine: () => {} })
    if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
    database = opened
    const { pools } = opened
    const dependencies: RestDependencies = {
      clock,
      random: seededRandom(1),
      secretBytes: systemSecretBytes,
      log: silentLog,
      environment: 'development',
      ...portsOf(pools, 'development'),
      live: inProcessLive(clock, silentLog),
      // Nothing that is measured asks the web, agents or the bytes of files.
      webhookWeb: undefined as never,
      lookupUrls: undefined as never,
      agentDesktop: undefined as never,
      supervision: undefined as never,
      trunks: () => [],
      flowWorkshop: undefined as never,
      journal: undefined as never,
      recordedPeaks: undefined as never,
      mailboxes: [],
      fileStore: undefined as never,
      keptBytes: undefined as never,
      sheets: undefined as never,
      forecaster: undefined as never,
      recordingsDirectory: dataDirectory,
      node: 'bench',
      endpoint: 'http://localhost',
      userAgent: 'bench',
    }
    const allowances = { reads: ENOUGH, writes: ENOUGH, imports: ENOUGH, wideSearches: ENOUGH, state: ENOUGH }
    const node = { host: '127.0.0.1', port: 0 }
    const tickets = new AgentTickets(systemSecretBytes)
    rest = await startRest({
      dependencies,
      routes: sectionRoutes({ ...dependencies, tickets, streamTickets: new StreamTickets(systemSecretBytes) }),
      node,
      allowances,
    })
    worker = importWorker(dependencies)
    worker.start()
    delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    watchOwnWork()
    return rest.url
  },
  begin(): void {
    delay.reset()
    heldMs = 0
    peakBytes = process.memoryUsage.rss()
    cpuAtBegin = process.cpuUsage()
  },
  use(): RestUse {
    const { user, system } = process.cpuUsage(cpuAtBegin)
    const heapMb = process.memoryUsage().heapUsed / 2 ** 20
    return { stallMs: delay.max / 1e6, heldMs, cpuMs: (user + system) / 1_000, heapMb, peakMb: peakBytes / 2 ** 20 }
  },
  async stop(): Promise<void> {
    await worker.stop()
    await rest.close()
    await database.close()
  },
} satisfies Api

serve(api)
