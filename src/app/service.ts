/** Joins the parts into a running service. `main.ts` and the demo differ only in the input. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type PrivateAsterisk, privateAsterisk } from '../../asterisk/private.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { type FileJournal, journalFiles } from '../adapters/files/journal-files.ts'
import { addressGuard } from '../adapters/http/address-guard.ts'
import { HttpCircuitBreaker } from '../adapters/http/circuit-breaker.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import type { DialerOptions, EngineDependencies } from '../engine/context.ts'
import { FlowRegistry, warmSpeech } from '../engine/flow-registry.ts'
import { Engine } from '../engine/loop/engine.ts'
import type { Flow } from '../flow/model/flow.ts'
import { saveConfig } from '../installation/applied-config.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { needsRestart } from '../installation/config-diff.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { FIRST_CORPORATION, makeIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { BrowserPhones } from '../ports/browser-phones.ts'
import type { Pbx, PbxIdentity } from '../ports/pbx.ts'
import type { Speech } from '../ports/speech.ts'
import { PublishedFlows } from '../publishing/published-flows.ts'
import type { ReadyCheck } from '../rest/openapi/docs-pages.ts'
import type { Rest } from '../rest/server.ts'
import { answersAri } from './asterisk-answers.ts'
import { type AsteriskSupervisor, asteriskSupervisor, type SupervisorOptions } from './asterisk-supervisor.ts'
import { backgroundWork } from './background-work.ts'
import { openCore } from './core.ts'
import { callEventsOf, dialerOptions, type OpenStorage, openStorage, staffEntry } from './engine-storage.ts'
import { bringIntoForce } from './flows-in-force.ts'
import { hearingOf } from './hearing.ts'
import { refuseOlderSetup } from './older-setup.ts'
import { appliedFile } from './read-installation.ts'
import { readRunnable } from './read-runnable.ts'
import { readyChecks } from './ready-checks.ts'
import { realPbx } from './real-pbx.ts'
import type { OpenDatabase } from './repositories.ts'
import { RunningWork, refusedBy } from './run-work.ts'
import type { NotStarted, ServiceInput } from './service-input.ts'
import { limitedTexts } from './sms-gateway.ts'
import { openVoices, type Voices } from './voices.ts'

interface Serving {
  readonly rest: Rest
}

export interface Service {
  readonly engine: Engine
  readonly identity: PbxIdentity
  readonly journal: FileJournal
  readonly installation: InstallationConfig
  /** Undefined where the service runs no Asterisk of its own. */
  readonly asterisk: PrivateAsterisk | undefined
  /** Undefined without records. */
  readonly core: Serving | undefined
  readonly repositories: OpenDatabase | undefined
  /** Reads configuration and flows again and applies them; after an error nothing changes. Resolves with problems. */
  reload(): Promise<readonly string[]>
  stop(): Promise<void>
}

/** Starts everything that calls need before the first call is taken. */
export async function startService(input: ServiceInput): Promise<Service | NotStarted> {
  const { settings, env, log } = input
  const desired = readRunnable(settings, env)
  if (!desired.config) return filesRefused(desired.problems)
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  const journal = journalOf(input)
  const opened = input.isWithoutRecords ? undefined : await openStorage(input, journal)
  if (opened && 'stage' in opened) return opened
  const refusedWith = async (why: NotStarted) => {
    await opened?.close()
    return why
  }
  const published = opened && publishedFlows(input, opened)
  const refuseOlder = olderRefused(input, opened)
  const inForce = await bringIntoForce(desired, { settings, published, refuseOlder, isStart: true })
  const { installation: config, flows, problems } = inForce
  if (!config) return refusedWith(filesRefused(problems))
  for (const problem of problems) log.warn(formatProblem(problem))

  const asterisk = input.pbx || settings.ari ? undefined : await unlessInterrupted(input, ownAsterisk(input, config))
  if (asterisk && 'reasons' in asterisk) return refusedWith(asterisk)
  const ownVoices = openVoices(input, config, asterisk?.tree)
  const voices = { ...ownVoices, speech: input.taps?.speech(ownVoices.speech) ?? ownVoices.speech }
  const { speech } = voices
  const registry = await warmRegistry(input, flows, speech, published)
  // Flows see the `env` and `secrets` of a new configuration at once.
  const current = { installation: config }
  const place: Place = { input, installation: () => current.installation, runDirectory: asterisk?.runDirectory }
  const joined = join(place, { journal, registry, voices, opened, asterisk, published })
  const { engine } = joined
  const starting = begin(place, joined).catch((error: unknown) => refusedBy('ports', error))
  const begun = await unlessInterrupted(input, starting)
  if ('stage' in begun) {
    await joined.close()
    return begun
  }
  writeFileSync(appliedFile(settings), saveConfig(config))
  const use = (next: InstallationConfig) => {
    current.installation = next
    engine.follow(next)
    showStaff(input, opened, next).catch((error: unknown) =>
      log.error({ err: error }, 'agents could not be stored as users'),
    )
  }
  const { supervisor } = joined
  const switchNow = () => supervisor?.current
  const following = {
    settings,
    env,
    registry,
    speech,
    installation: config,
    use,
    asterisk: switchNow,
    published,
    refuseOlder,
  }
  const parts = { ...begun, engine, journal, installation: config, repositories: opened?.repositories }
  return serviceOf(parts, joined, following, log)
}

function olderRefused({ settings, clock }: ServiceInput, opened: OpenStorage | undefined) {
  if (!opened) return undefined
  const { pools } = opened.repositories.database
  return (config: InstallationConfig) => refuseOlderSetup(pools, settings, staffEntry(config), clock.nowMs())
}

function publishedFlows(
  { settings: { node }, clock, log }: ServiceInput,
  { repositories }: OpenStorage,
): PublishedFlows {
  const { flowRevisions: revisions, flowCanaries: canaries } = repositories
  return new PublishedFlows({ revisions, canaries, node, clock, log })
}

/** The live half and everything that closes after it. Nothing runs yet. */
interface Joined {
  readonly engine: Engine
  readonly pbx: Pbx
  readonly browserPhones: BrowserPhones | undefined
  readonly journal: FileJournal
  readonly opened: OpenStorage | undefined
  readonly supervisor: AsteriskSupervisor | undefined
  readonly work: RunningWork
  readonly published: PublishedFlows | undefined
  readonly ready: readonly ReadyCheck[]
  close(): Promise<void>
}

function filesRefused(problems: NotStarted['problems']): NotStarted {
  return { ok: false, stage: 'files', reasons: [], problems }
}

interface JoinOptions {
  readonly journal: FileJournal
  readonly registry: FlowRegistry
  readonly voices: Voices
  readonly opened: OpenStorage | undefined
  readonly asterisk: PrivateAsterisk | undefined
  readonly published: PublishedFlows | undefined
}

function join(place: Place, { journal, registry, voices, opened, asterisk, published }: JoinOptions): Joined {
  const { input, installation } = place
  const config = installation()
  const ears = hearingOf(input)
  const real = input.pbx ? undefined : realPbx(input, asterisk, installation, ears.hearing)
  const pbx = input.pbx ?? real!
  const guard = addressGuard({ allowedHosts: config.allowedHosts })
  const web = webOverUndici({ ...input, guard, breaker: new HttpCircuitBreaker(input.clock) })
  const adapters = {
    journal,
    pbx,
    speech: voices.speech,
    web,
    flows: registry,
    sms: limitedTexts(input, installation, opened?.repositories.sentTexts),
  }
  const work = new RunningWork(input.log)
  const callEvents = opened ? callEventsOf(input, place.runDirectory) : undefined
  const dialer = opened && dialerOptions({ input, installation, opened, callEventLog: callEvents })
  const engine = new Engine(dependenciesOf(place, adapters, dialer), config)
  return {
    engine,
    pbx,
    browserPhones: real?.browserPhones,
    journal,
    opened,
    work,
    published,
    ready: readyChecks({ work, engine, pbx, pools: opened?.repositories.database.pools, ...input }),
    supervisor: asterisk && asteriskSupervisor(asterisk, again(input, installation, config)),
    async close() {
      await work.stop()
      callEvents?.close()
      await journal.close()
      await web.close()
      await voices.close()
      await ears.close()
      await opened?.close()
    },
  }
}

/** The result, or a refusal as soon as the start is interrupted. */
function unlessInterrupted<Result>(
  { interrupted }: ServiceInput,
  result: Promise<Result>,
): Promise<Result | NotStarted> {
  const reasons = ['the start was interrupted']
  const givenUp = { ok: false, stage: 'interrupted', reasons, problems: [] } as const
  return interrupted ? Promise.race([result, interrupted.then(() => givenUp)]) : result
}

type Parts = Pick<Service, 'engine' | 'identity' | 'journal' | 'installation' | 'core' | 'repositories'>

function serviceOf(parts: Parts, { engine, supervisor, close }: Joined, following: Following, log: Log): Service {
  // One reload after another: a quick second configuration must not overtake a slow first one.
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...parts,
    get asterisk() {
      return supervisor?.current
    },
    reload() {
      const next = last.then(() => follow(following))
      last = next.catch(() => {})
      return next
    },
    async stop() {
      await close()
      const calls = engine.callCount + (engine.dialer?.callPlacer.attempts.count ?? 0)
      // Calls that are up go on: the next start finds the switch again.
      if (calls === 0) await supervisor?.current.stop()
      else log.warn({ calls }, 'calls are up: Asterisk goes on; `switchboard asterisk stop` ends it')
    },
  }
}

/** A restart takes the configuration in force, but listens where it listened before. */
function again(
  input: ServiceInput,
  inForce: () => InstallationConfig,
  { asterisk }: InstallationConfig,
): SupervisorOptions {
  const { clock, log } = input
  const startAgain = () => ownAsterisk(input, { ...inForce(), asterisk })
  return { startAgain, answers: (ours) => answersAri(ours, clock), clock, log }
}

interface Place {
  readonly input: ServiceInput
  readonly installation: () => InstallationConfig
  /** Of our own Asterisk. */
  readonly runDirectory: string | undefined
}

type EngineAdapters = Pick<EngineDependencies, 'journal' | 'pbx' | 'speech' | 'web' | 'flows' | 'sms'>

function dependenciesOf(place: Place, adapters: EngineAdapters, dialer: DialerOptions | undefined): EngineDependencies {
  const { clock, random, log, env } = place.input
  return {
    clock,
    random,
    log,
    ids: makeIds(clock, random),
    ...adapters,
    get env() {
      return valuesOf(place.installation().env, env)
    },
    secret: (name: string) => valuesOf(place.installation().secrets, env)[name],
    ...(dialer && { dialer }),
  }
}

/** Joins the record half and starts everything that runs. */
async function begin(
  { input, installation, runDirectory }: Place,
  { engine, pbx, browserPhones, journal, opened: storage, supervisor, work, published, ready }: Joined,
): Promise<{ readonly identity: PbxIdentity; readonly core: Serving | undefined } | NotStarted> {
  await showStaff(input, storage, installation())
  const { agentDesktop, supervisions: supervision } = engine
  const own = storage && agentDesktop && supervision && published && { storage, agentDesktop, supervision, published }
  const core = own && (await openCore({ input, installation, browserPhones, journal, runDirectory, ready, ...own }))
  let identity: PbxIdentity | undefined
  const startPbx = async () => {
    identity = await pbx.start()
    return identity
  }
  const switchSide = { start: startPbx, stop: () => pbx.stop() }
  const parts = { input, engine, pbx: switchSide, storage, core, supervisor, published }
  const refusal = await work.start(backgroundWork(parts))
  return refusal ?? { identity: identity!, core: core?.rest && { rest: core.rest } }
}

async function showStaff(
  { clock }: ServiceInput,
  opened: OpenStorage | undefined,
  config: InstallationConfig,
): Promise<void> {
  await opened?.repositories.directory.syncStaff(staffEntry(config), FIRST_CORPORATION, clock.nowMs())
}

/** Prompts are rendered before the first call needs them. */
async function warmRegistry(
  { onLine }: ServiceInput,
  flows: readonly Flow[],
  speech: Speech,
  published: PublishedFlows | undefined,
): Promise<FlowRegistry> {
  onLine(`speech: preparing the prompts of ${flows.length} flows`)
  for (const flow of flows) {
    for (const why of await warmSpeech(flow, speech)) onLine(`speech: ${why}`)
  }
  const registry = new FlowRegistry(flows, published && ((revision) => published.past(revision)))
  published?.serve(registry, (flow) => warmSpeech(flow, speech))
  // The first call is drawn as the calls before the restart were.
  await published?.follow()
  return registry
}

interface Following extends Pick<ServiceInput, 'settings' | 'env'>, Pick<Service, 'installation'> {
  readonly asterisk: () => PrivateAsterisk | undefined
  readonly registry: FlowRegistry
  readonly speech: Speech
  readonly published: PublishedFlows | undefined
  readonly refuseOlder: Parameters<typeof bringIntoForce>[1]['refuseOlder']
  /** Applies it to the engine, as one event. */
  readonly use: (next: InstallationConfig) => void
}

/** Reads the configuration again and applies it, to the switch first. */
async function follow({
  settings,
  env,
  registry,
  speech,
  installation: config,
  asterisk,
  use,
  published,
  refuseOlder,
}: Following): Promise<string[]> {
  const next = await bringIntoForce(readRunnable(settings, env), {
    settings,
    published,
    refuseOlder,
    isStart: false,
  })
  const complaints = next.problems.map(formatProblem)
  if (!next.installation) return [...complaints, 'nothing was changed; correct the errors']
  const switched = await asterisk()?.follow(next.installation)
  if (switched && !switched.ok) return [...complaints, switched.why, switched.remedy]
  const unspoken = await Promise.all(next.flows.map((flow) => warmSpeech(flow, speech)))
  complaints.push(...unspoken.flat())
  for (const flow of next.flows) registry.publish(flow)
  use(next.installation)
  const { allowedHosts, voices, sms, mail, asterisk: place } = config
  const held = { allowedHosts, voices, sms, mail, asterisk: place }
  writeFileSync(appliedFile(settings), saveConfig({ ...next.installation, ...held }))
  const fixed = needsRestart(config, next.installation)
  return fixed.length === 0 ? complaints : [...complaints, `${fixed.join(', ')}: restart the service to apply`]
}

/** Installs, configures and starts the Asterisk of this installation, as far as that is needed. */
async function ownAsterisk(input: ServiceInput, config: InstallationConfig): Promise<PrivateAsterisk | NotStarted> {
  const { settings, env, clock, onLine, treeDirectory } = input
  const started = await privateAsterisk({
    dataDirectory: settings.dataDir,
    installation: config,
    secret: (variable) => env[variable],
    onLine,
    clock,
    ...(treeDirectory !== undefined && { treeDirectory }),
  })
  return started.ok ? started : { ok: false, stage: 'asterisk', reasons: [started.why, started.remedy], problems: [] }
}

function journalOf({ settings, clock, log, taps }: ServiceInput): FileJournal {
  const { dataDir, journalFileBytesMax, journalFilesMax, retention } = settings
  const directory = tracePlaces(dataDir).journalDirectory
  const limits = { fileBytesMax: journalFileBytesMax, filesMax: journalFilesMax, daysMax: retention.journalDays }
  return journalFiles({ directory, ...limits, clock, log, ...(taps && { onLine: taps.journal }) })
}

/** `{ integrator: 'INTEGRATOR_URL' }` → the values of those variables, where they are set. */
function valuesOf(names: Readonly<Record<string, string>>, env: ServiceInput['env']): Readonly<Record<string, string>> {
  const values = Object.entries(names).flatMap(([name, variable]) => {
    const value = env[variable]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}
