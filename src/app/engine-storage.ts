/** The half of the service that remembers: database, the right to be the only node, what the robot is made of. */
import { resolve } from 'node:path'
import { callEventsFile } from '../../asterisk/call-events.ts'
import { recordingsFolder } from '../../asterisk/general.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { spoolFile } from '../adapters/files/spool-file.ts'
import { celReader } from '../ari/cel-reader.ts'
import { PopupPages } from '../engine/agents/popup-templates.ts'
import type { DialerOptions } from '../engine/context.ts'
import type { Engine } from '../engine/loop/engine.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { PhoneNumber } from '../kernel/ids.ts'
import { systemSecretBytes } from '../kernel/secret-bytes.ts'
import { inProcessLive } from '../live/in-process-live.ts'
import type { StaffEntry } from '../ports/directory.ts'
import type { LivePort } from '../ports/live.ts'
import { guardOneNode, type NodeGuard } from '../store/db/single-node-guard.ts'
import { type Core, startCore } from './core.ts'
import { type OpenDatabase, openDatabaseFor } from './repositories.ts'
import type { NotStarted, ServiceInput } from './service-input.ts'
import type { Settings } from './settings.ts'

/** What is open when a service remembers. */
export interface OpenStorage {
  readonly memory: OpenDatabase
  readonly live: LivePort
  readonly pages: PopupPages
  /** Undefined where Redis tells several nodes apart. */
  readonly guard: NodeGuard | undefined
  close(): Promise<void>
}

const BEAT_EVERY_MS = 1_000
/** A node that has not been heard for so long is handed out to nobody (D-02). */
const NODE_LIFE_MS = 5_000
/** Told at every change, which may be hours apart; what a dead node said goes with the node. */
const AGENT_LIFE_MS = 24 * 3_600_000

/** Opens the database and sees to it that no second engine is at work on it. */
export async function openStorage(input: ServiceInput): Promise<OpenStorage | NotStarted> {
  const { settings, clock, log, onLine } = input
  const { node, redisUrl, endpoint } = settings
  const opened = await openDatabaseFor(settings, { clock, log, onLine })
  if (!opened.ok) return refused(opened.why, opened.remedy)
  onLine(
    `database: PostgreSQL ${opened.database.version}, ${opened.database.kind === 'embedded' ? 'our own' : 'a server'}`,
  )
  const onChange = (isHeld: boolean) => {
    if (!isHeld) log.error('another engine may be at work: nobody is dialed')
  }
  const guard = redisUrl ? undefined : await guardOneNode(opened.database.pools, { node, clock, log, onChange })
  if (guard && !guard.ok) {
    await opened.database.close()
    return refused(guard.why, guard.remedy)
  }
  const live = redisUrl ? await onRedis(input, redisUrl) : inProcessLive(clock, log)
  const beat = () => {
    void live.beat({ node, endpoint }, NODE_LIFE_MS)
    timer = clock.schedule(clock.nowMs() + BEAT_EVERY_MS, beat)
  }
  let timer = clock.schedule(clock.nowMs(), beat)
  const pages = new PopupPages(opened)
  await pages.start()
  const close = async () => {
    timer.cancel()
    pages.stop()
    await live.close()
    await guard?.release()
    await opened.database.close()
  }
  return { memory: opened, live, pages, guard, close }
}

/** Loaded only where it is wanted: whoever runs one node needs no client of Redis. */
async function onRedis({ settings: { node }, clock, random, log }: ServiceInput, url: string): Promise<LivePort> {
  const { redisLive } = await import('../live/redis-live.ts')
  return redisLive({ url, node, clock, random, log })
}

function refused(why: string, remedy: string): NotStarted {
  return { ok: false, stage: 'database', reasons: [why, remedy], problems: [] }
}

/** What the robot of this service is made of. */
export function dialerOptions({
  input: { settings, clock, log },
  opened: { memory: opened, live, pages, guard },
  setup,
  runDirectory,
}: {
  readonly input: ServiceInput
  readonly opened: OpenStorage
  /** The one in force. */
  readonly setup: () => InstallationConfig
  /** Of our own Asterisk; another one writes its call records where we cannot read them. */
  readonly runDirectory: string | undefined
}): DialerOptions {
  const { node } = settings
  return {
    ...{ dialerRepository: opened.dialerRepository, node },
    spool: spoolFile(tracePlaces(settings.dataDir).spoolFile, log),
    callEventLog: runDirectory === undefined ? undefined : celReader(callEventsFile(runDirectory), { clock, log }),
    trunks: () =>
      [...setup().trunks.values()].map(({ name, linesMax, callsPerSecondMax, callerIds }) => ({
        ...{ name, linesMax, callsPerSecondMax },
        callerIds: callerIds as readonly string[] as readonly PhoneNumber[],
      })),
    page: (system) => pages.of(system),
    mayDial: () => guard?.isHeld() ?? true,
    onBoard: (board) => live.publishBoard({ node, atMs: clock.nowMs(), what: { ...board } }),
    onStatus: ({ agent, state, sinceAtMs }) => {
      const shown =
        state === 'loggedOut' ? live.hideAgent(agent) : live.showAgent({ agent, node, state, sinceAtMs }, AGENT_LIFE_MS)
      void shown
      live.publishBoard({ node, atMs: clock.nowMs(), what: { type: 'agent', agent, state } })
    },
  }
}

/** Starts REST and webhooks; rejects when a port is taken. */
export function coreOf(
  input: ServiceInput,
  { memory: opened, live }: OpenStorage,
  engine: Engine,
  { allowedHosts, mail }: InstallationConfig,
  runDirectory: string | undefined,
): Promise<Core> {
  const { settings, clock, random, log, secretBytes = systemSecretBytes } = input
  const { agentDesktop } = engine
  if (!agentDesktop) throw new Error('a core without stations: the engine was made without records')
  const recordingsDirectory = recordingsDirectoryOf(settings, runDirectory)
  return startCore({
    settings,
    clock,
    random,
    secretBytes,
    log,
    memory: opened,
    live,
    agentDesktop,
    recordingsDirectory,
    allowedHosts,
    mail,
    secret: (variable) => input.env[variable],
  })
}

/** Where the switch puts recordings: ours into its run directory, somebody else's into a folder of our data. */
export function recordingsDirectoryOf({ dataDir }: Pick<Settings, 'dataDir'>, runDirectory?: string): string {
  return runDirectory ? recordingsFolder(runDirectory) : resolve(dataDir, 'recordings')
}

/** Agents and teams, as they are shown as users and queues. */
export function staffEntry({ staff }: InstallationConfig): StaffEntry {
  return {
    agents: [...staff.agents.values()],
    teams: [...staff.teams.values()],
  }
}
