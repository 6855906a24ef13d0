/** What needs the database: the database itself, the guard against a second node, the dialer's options. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { callEventsFile } from '../../asterisk/call-events.ts'
import { recordingsFolder } from '../../asterisk/general.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { spoolFile } from '../adapters/files/spool-file.ts'
import { celReader } from '../ari/cel/cel-reader.ts'
import type { DialerOptions } from '../engine/context.ts'
import { KnownSystems } from '../engine/known-systems.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { Timer } from '../kernel/clock.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import { inProcessLive } from '../live/in-process-live.ts'
import type { StaffEntry } from '../ports/directory.ts'
import type { Journal } from '../ports/journal.ts'
import type { LivePort } from '../ports/live.ts'
import { fileAddress } from '../rest/cases/files.ts'
import { postgresAgentNodes } from '../store/nodes/agent-nodes.ts'
import { guardOneNode, type NodeGuard, waitToDial } from '../store/nodes/single-node-guard.ts'
import { stopIfBehind, stopIfForgotten } from './behind.ts'
import { refuseForeign } from './one-installation.ts'
import { type OpenDatabase, openDatabaseFor } from './repositories.ts'
import type { Work } from './run-work.ts'
import { sameDatabase } from './same-database.ts'
import type { NotStarted, ServiceInput } from './service-input.ts'
import type { Settings } from './settings.ts'
import { keepSupervised } from './supervised-audit.ts'
import { witnessed } from './witnessed.ts'

export interface OpenStorage {
  readonly repositories: OpenDatabase
  readonly live: LivePort
  readonly systems: KnownSystems
  /** The right to be the node of this name. */
  readonly name: NodeGuard
  /** The right to dial. */
  readonly dialing: NodeGuard
  close(): Promise<void>
}

const BEAT_EVERY_MS = 1_000
/** The state operation hands out no node that was silent for longer (D-02). */
const NODE_LIFE_MS = 5_000
/** An agent's state is published at every change, which may be hours apart; a dead node's agents expire with it. */
const AGENT_LIFE_MS = 24 * 3_600_000

/** Opens the database and makes sure that no second engine works on it. */
export async function openStorage(input: ServiceInput, journal: Journal): Promise<OpenStorage | NotStarted> {
  const { settings, clock, log, onLine } = input
  const { node, redisUrl } = settings
  const opened = await openDatabaseFor(settings, { clock, log, onLine })
  if (!opened.ok) return refused(opened.why, opened.remedy)
  onLine(
    `database: PostgreSQL ${opened.database.version}, ${opened.database.kind === 'embedded' ? 'our own' : 'a server'}`,
  )
  const foreign = await refuseForeign(settings, opened.database.pools)
  if (foreign) {
    await opened.database.close()
    return refused(foreign.why, foreign.remedy)
  }
  const { pools } = opened.database
  const claims = await stopIfBehind({ settings, pools, audit: opened.audit }, log)
  const guarded = { node, clock, log, onChange: () => {} }
  const name = await guardOneNode(pools, guarded, redisUrl ? 'name' : 'dialing')
  if (!name.ok) {
    await opened.database.close()
    return refused(name.why, name.remedy)
  }
  const dialing = redisUrl ? await waitToDial(pools, guarded) : name
  const live = redisUrl ? await onRedis(input, redisUrl) : inProcessLive(clock, log)
  const close = async () => {
    await live.close()
    await dialing.release()
    await name.release()
    await opened.database.close()
  }
  const stopIf = (earlier: typeof claims) => stopIfForgotten(pools, earlier, log)
  const dialerRepository = sameDatabase(opened.dialerRepository, claims, stopIf)
  const repositories = witnessed({ ...opened, dialerRepository }, journal)
  return { repositories, live, systems: new KnownSystems(repositories), name, dialing, close }
}

/** Says every second that this node lives. */
export function nodePresence(live: LivePort, { settings: { node, endpoint }, clock }: ServiceInput): Work {
  let timer: Timer | undefined
  const beat = () => {
    void live.beat({ node, endpoint }, NODE_LIFE_MS)
    timer = clock.schedule(clock.nowMs() + BEAT_EVERY_MS, beat)
  }
  return {
    name: 'node presence',
    start() {
      timer = clock.schedule(clock.nowMs(), beat)
    },
    stop: () => timer?.cancel(),
  }
}

/** Loaded on demand: a single node needs no Redis client. */
async function onRedis({ settings: { node }, clock, random, log }: ServiceInput, url: string): Promise<LivePort> {
  const { redisLive } = await import('../live/redis-live.ts')
  return redisLive({ url, node, clock, random, log })
}

function refused(why: string, remedy: string): NotStarted {
  return { ok: false, stage: 'database', reasons: [why, remedy], problems: [] }
}

/** The call records of our own Asterisk; those of another are out of our reach. To be closed. */
export function callEventsOf({ settings, clock, log }: ServiceInput, runDirectory: string | undefined) {
  if (runDirectory === undefined) return undefined
  return celReader(callEventsFile(runDirectory), { clock, log, daysMax: settings.retention.journalDays })
}

/** What the dialer of this service is made of. */
export function dialerOptions({
  input: { settings, clock, log },
  opened: { repositories: opened, live, systems, name, dialing },
  installation,
  callEventLog,
}: {
  readonly input: ServiceInput
  readonly opened: OpenStorage
  readonly installation: () => InstallationConfig
  readonly callEventLog: DialerOptions['callEventLog']
}): DialerOptions {
  const { node } = settings
  return {
    dialerRepository: opened.dialerRepository,
    flowEvents: opened.flowEvents,
    node,
    spool: spoolFile(tracePlaces(settings.dataDir).spoolFile, log),
    callEventLog,
    trunks: () =>
      [...installation().trunks.values()].map(({ callerIds, ...trunk }) => ({
        ...trunk,
        callerIds: callerIds as readonly string[] as readonly PhoneNumber[],
        abroad: settings.abroad,
      })),
    externalSystem: (system) => systems.of(system),
    fileAddress,
    instance: `${hostname()}:${resolve(settings.dataDir)}`,
    mayHoldLease: () => name.isHeld(),
    mayDial: () => dialing.isHeld(),
    ...(settings.redisUrl && { agentNodes: postgresAgentNodes(opened.database.pools, node) }),
    keepSupervised: keepSupervised(opened),
    onBoard: (board) => live.publishBoard({ node, atMs: clock.nowMs(), what: { ...board } }),
    onStatus: ({ agent, state, sinceAtMs }) => {
      const shown =
        state === 'loggedOut' ? live.hideAgent(agent) : live.showAgent({ agent, node, state, sinceAtMs }, AGENT_LIFE_MS)
      void shown
      live.publishBoard({ node, atMs: clock.nowMs(), what: { type: 'agent', agent, state } })
    },
  }
}

/** Our own Asterisk records into its run directory; for any other switch it is a folder of our data. */
export function recordingsDirectoryOf({ dataDir }: Pick<Settings, 'dataDir'>, runDirectory?: string): string {
  return runDirectory ? recordingsFolder(runDirectory) : resolve(dataDir, 'recordings')
}

/** Where the bytes of recordings and files are, and those that no row knows any more. */
export function storedPlaces({ dataDir }: Pick<Settings, 'dataDir'>, runDirectory?: string) {
  return {
    recordingsDirectory: resolve(recordingsDirectoryOf({ dataDir }, runDirectory)),
    filesDirectory: resolve(dataDir, 'files'),
    quarantineDirectory: resolve(dataDir, 'quarantine'),
  }
}

/** Agents and teams as REST shows them: users and queues. */
export function staffEntry({ staff }: InstallationConfig): StaffEntry {
  return { agents: [...staff.agents.values()], teams: [...staff.teams.values()] }
}
