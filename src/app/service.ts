/** Joins the rooms into a running service. `main.ts` and the demo differ only in what they hand in. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { APPLICATION } from '../../asterisk/dialplan.ts'
import { type PrivateAsterisk, privateAsterisk } from '../../asterisk/private.ts'
import { findTree } from '../../asterisk/tree.ts'
import { tracePlaces } from '../adapters/files/erase-files.ts'
import { type FileJournal, journalFiles } from '../adapters/files/journal-files.ts'
import { addressGuard } from '../adapters/http/address-guard.ts'
import { CircuitBreaker } from '../adapters/http/circuit-breaker.ts'
import { webOverUndici } from '../adapters/http/http-client.ts'
import { sidesInFolder } from '../adapters/recordings/join-channels.ts'
import { httpSms } from '../adapters/sms/http-sms.ts'
import { noSms } from '../adapters/sms/no-sms.ts'
import { limitedSms } from '../adapters/sms/sms-limits.ts'
import { twilioSms } from '../adapters/sms/twilio-sms.ts'
import { espeakSpeech } from '../adapters/speech/espeak.ts'
import { ariPbx } from '../ari/ari-pbx.ts'
import type { EngineDependencies } from '../engine/context.ts'
import { FlowRegistry, warmSpeech } from '../engine/flow-registry.ts'
import { Engine } from '../engine/loop/engine.ts'
import type { Flow } from '../flow/model/flow.ts'
import { saveConfig } from '../installation/applied-config.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { needsRestart } from '../installation/config-diff.ts'
import { FIRST_CORPORATION, makeIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { formatProblem } from '../kernel/problem.ts'
import type { Pbx, PbxIdentity } from '../ports/pbx.ts'
import type { Sms } from '../ports/sms.ts'
import type { Speech } from '../ports/speech.ts'
import { type AsteriskKeeping, type KeptAsterisk, keepAsteriskAlive } from './asterisk-supervisor.ts'
import type { Core } from './core.ts'
import {
  coreOf,
  dialerOptions,
  type OpenStorage,
  openStorage,
  recordingsDirectoryOf,
  staffEntry,
} from './engine-storage.ts'
import { appliedFile, readDesired } from './read-installation.ts'
import type { OpenDatabase } from './repositories.ts'
import type { NotStarted, ServiceInput } from './service-input.ts'

/** A service that takes calls. */
export interface Service {
  readonly engine: Engine
  readonly identity: PbxIdentity
  readonly journal: FileJournal
  readonly setup: InstallationConfig
  /** Our own Asterisk, when we run it. */
  readonly asterisk: PrivateAsterisk | undefined
  /** REST and webhooks; undefined without records. */
  readonly core: Core | undefined
  readonly memory: OpenDatabase | undefined
  /** Reads set-up and flows again and follows them; on a mistake everything stays as it is. Says what went wrong. */
  reload(): Promise<readonly string[]>
  stop(): Promise<void>
}

/** Starts everything in the order in which it is needed; a caller is only taken when all of it is there. */
export async function startService(input: ServiceInput): Promise<Service | NotStarted> {
  const { settings, env, log } = input
  const desired = readDesired(settings, env)
  if (!desired.setup) return { ok: false, stage: 'files', reasons: [], problems: desired.problems }
  const { setup: config, flows } = desired
  for (const warning of desired.problems) log.warn(formatProblem(warning))
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })

  const asterisk = input.pbx || settings.ari ? undefined : await unlessInterrupted(input, ownAsterisk(input, config))
  if (asterisk && 'reasons' in asterisk) return asterisk
  const speech = input.speech ?? speechOf(input, asterisk)
  const registry = await warmRegistry(input, flows, speech)
  const opened = input.isWithoutRecords ? undefined : await openStorage(input)
  if (opened && 'stage' in opened) return opened
  const journal = journalOf(input)
  /** The set-up whose `env` and `secrets` flows see: they follow it at once. */
  const current = { setup: config }
  const place: Place = { input, setup: () => current.setup, runDirectory: asterisk?.runDirectory }
  const pbx = input.pbx ?? realPbx(input, asterisk, place.setup)
  const guard = addressGuard({ allowedHosts: config.allowedHosts })
  const web = webOverUndici({ ...input, guard, breaker: new CircuitBreaker(input.clock) })
  const doors = { journal, pbx, speech, web, flows: registry, sms: limitedSms(smsOf(input, config), input) }
  const engine = new Engine(partsOf(place, doors, opened), { numbers: config.numbers, staff: config.staff })
  const close = async () => {
    await engine.stop()
    await pbx.stop()
    await journal.close()
    await web.close()
    await opened?.close()
  }
  const beginning = begin(place, { engine, pbx, opened }).catch((error: unknown) => refusedBy('ports', error))
  const begun = await unlessInterrupted(input, beginning)
  if ('stage' in begun) {
    await close()
    return begun
  }
  writeFileSync(appliedFile(settings), saveConfig(config))
  const use = (next: InstallationConfig) => {
    current.setup = next
    engine.follow({ numbers: next.numbers, staff: next.staff })
    showStaff(input, opened, next).catch((error: unknown) => log.error({ err: error }, 'agents are not shown as users'))
  }
  const kept = asterisk && keepAsteriskAlive(asterisk, again(input, place.setup, config))
  const following = { settings, env, registry, speech, setup: config, use, asterisk: () => kept?.current }
  return serviceOf({ ...begun, engine, journal, setup: config, memory: opened?.memory }, kept, following, close, log)
}

/** What comes of it, or that somebody does not want to wait for it. */
function unlessInterrupted<Result>(
  { interrupted }: ServiceInput,
  result: Promise<Result>,
): Promise<Result | NotStarted> {
  const reasons = ['it was stopped while it was starting']
  const givenUp = { ok: false, stage: 'interrupted', reasons, problems: [] } as const
  return interrupted ? Promise.race([result, interrupted.then(() => givenUp)]) : result
}

type Beginning = Pick<Service, 'engine' | 'identity' | 'journal' | 'setup' | 'core' | 'memory'>

/** What the outside holds of a service that has begun. */
function serviceOf(
  beginning: Beginning,
  kept: KeptAsterisk | undefined,
  following: Following,
  close: () => Promise<void>,
  log: Log,
): Service {
  const { engine, core } = beginning
  // One after another: a quick second set-up must not be overtaken by a slow first one.
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...beginning,
    get asterisk() {
      return kept?.current
    },
    reload() {
      const next = last.then(() => follow(following))
      last = next.catch(() => {})
      return next
    },
    async stop() {
      await kept?.end()
      await core?.stop()
      const calls = engine.callCount + (engine.dialer?.callPlacer.attempts.count ?? 0)
      await close()
      // People who talk go on talking: the switch is found again at the next start.
      if (calls === 0) await kept?.current.stop()
      else log.warn({ calls }, 'calls are up: Asterisk goes on; `switchboard asterisk stop` ends it')
    },
  }
}

/** Started again with the set-up in force; where it listens stays as it was. */
function again(
  input: ServiceInput,
  inForce: () => InstallationConfig,
  { asterisk }: InstallationConfig,
): AsteriskKeeping {
  const { clock, log } = input
  return { startAgain: () => ownAsterisk(input, { ...inForce(), asterisk }), clock, log }
}

interface Place {
  readonly input: ServiceInput
  /** The one in force. */
  readonly setup: () => InstallationConfig
  /** Of our own Asterisk. */
  readonly runDirectory: string | undefined
}

type EngineAdapters = Pick<EngineDependencies, 'journal' | 'pbx' | 'speech' | 'web' | 'flows' | 'sms'>

function partsOf(place: Place, doors: EngineAdapters, opened: OpenStorage | undefined): EngineDependencies {
  const { clock, random, log, env } = place.input
  return {
    ...{ clock, random, log, ids: makeIds(clock, random), ...doors },
    get env() {
      return valuesOf(place.setup().env, env)
    },
    secret: (name: string) => valuesOf(place.setup().secrets, env)[name],
    ...(opened && { dialer: dialerOptions({ ...place, opened }) }),
  }
}

interface Begun {
  readonly identity: PbxIdentity
  readonly core: Core | undefined
}

/** What was left is found out, then the switch is asked for, then doors open: in this order nothing is missed. */
async function begin(
  { input, setup, runDirectory }: Place,
  { engine, pbx, opened }: { engine: Engine; pbx: Pbx; opened: OpenStorage | undefined },
): Promise<Begun | NotStarted> {
  await showStaff(input, opened, setup())
  await engine.prepare()
  const identity = await pbx.start().catch((error: unknown) => refusedBy('switch', error))
  if ('stage' in identity) return identity
  engine.begin()
  return { identity, core: opened && (await coreOf(input, opened, engine, setup(), runDirectory)) }
}

async function showStaff(
  { clock }: ServiceInput,
  opened: OpenStorage | undefined,
  config: InstallationConfig,
): Promise<void> {
  await opened?.memory.directory.syncStaff(staffEntry(config), FIRST_CORPORATION, clock.nowMs())
}

function refusedBy(stage: NotStarted['stage'], error: unknown): NotStarted {
  return { ok: false, stage, reasons: [error instanceof Error ? error.message : String(error)], problems: [] }
}

/** The flows that were read, their prompts spoken beforehand. */
async function warmRegistry({ onLine }: ServiceInput, flows: readonly Flow[], speech: Speech): Promise<FlowRegistry> {
  onLine(`speech: preparing the prompts of ${flows.length} flows`)
  for (const flow of flows) {
    for (const why of (await warmSpeech(flow, speech)).slice(0, 1)) onLine(`speech: ${why}`)
  }
  return new FlowRegistry(flows)
}

function realPbx(input: ServiceInput, asterisk: PrivateAsterisk | undefined, setup: () => InstallationConfig): Pbx {
  const { settings, clock, random, log } = input
  const access = settings.ari ?? asterisk?.ari
  const firstTrunk = () => setup().trunks.keys().next().value
  // One of the two is there: without an address of somebody else's Asterisk we run our own.
  const joinSides = sidesInFolder(recordingsDirectoryOf(settings, asterisk?.runDirectory))
  return ariPbx({ ...access!, app: APPLICATION, firstTrunk, joinSides, clock, random, log })
}

interface Following extends Pick<ServiceInput, 'settings' | 'env'>, Pick<Service, 'setup'> {
  readonly asterisk: () => PrivateAsterisk | undefined
  readonly registry: FlowRegistry
  readonly speech: Speech
  /** Lets the engine follow, in one go. */
  readonly use: (next: InstallationConfig) => void
}

/** Reads the desired state again and lets every room follow it, the switch first. */
async function follow({ settings, env, registry, speech, setup: config, asterisk, use }: Following): Promise<string[]> {
  const next = readDesired(settings, env)
  const told = next.problems.map(formatProblem)
  if (!next.setup) return [...told, 'nothing has changed: mend the errors']
  const switched = await asterisk()?.follow(next.setup)
  if (switched && !switched.ok) return [...told, switched.why, switched.remedy]
  const unspoken = await Promise.all(next.flows.map((flow) => warmSpeech(flow, speech)))
  told.push(...unspoken.flatMap((failures) => failures.slice(0, 1)))
  for (const flow of next.flows) registry.publish(flow)
  use(next.setup)
  const { allowedHosts, sms, mail, asterisk: place } = config
  writeFileSync(appliedFile(settings), saveConfig({ ...next.setup, allowedHosts, sms, mail, asterisk: place }))
  const fixed = needsRestart(config, next.setup)
  return fixed.length === 0 ? told : [...told, `${fixed.join(', ')}: in force when the service is started again`]
}

/** The Asterisk of this installation: installed, configured and started as far as it is not already. */
async function ownAsterisk(input: ServiceInput, config: InstallationConfig): Promise<PrivateAsterisk | NotStarted> {
  const { settings, env, clock, onLine, treeDirectory } = input
  const started = await privateAsterisk({
    dataDirectory: settings.dataDir,
    setup: config,
    secret: (variable) => env[variable],
    onLine,
    clock,
    ...(treeDirectory !== undefined && { treeDirectory }),
  })
  return started.ok ? started : { ok: false, stage: 'asterisk', reasons: [started.why, started.remedy], problems: [] }
}

/** espeak-ng of our own tree, or the one that the machine has. */
function speechOf({ settings, log, treeDirectory }: ServiceInput, asterisk: PrivateAsterisk | undefined): Speech {
  const tree = asterisk?.tree ?? findTree(treeDirectory ?? resolve(settings.dataDir, 'asterisk'))
  return espeakSpeech({ program: tree?.espeakNg ?? 'espeak-ng', directory: resolve(settings.dataDir, 'sounds'), log })
}

function smsOf({ settings, env, clock, log }: ServiceInput, config: InstallationConfig): Sms {
  const { twilio } = settings
  if (twilio) {
    const { baseUrl, ...account } = twilio
    return twilioSms({ ...account, ...(baseUrl !== undefined && { baseUrl }), clock, log })
  }
  if (!config.sms) return noSms
  const authorization = config.sms.authorizationFrom === undefined ? undefined : env[config.sms.authorizationFrom]
  return httpSms({ setup: config.sms, authorization, clock, log })
}

function journalOf({ settings, clock, log }: ServiceInput): FileJournal {
  const { dataDir, journalFileBytesMax, journalFilesMax, retention } = settings
  const directory = tracePlaces(dataDir).journalDirectory
  const limits = { fileBytesMax: journalFileBytesMax, filesMax: journalFilesMax, daysMax: retention.journalDays }
  return journalFiles({ directory, ...limits, clock, log })
}

/** `{ integrator: 'INTEGRATOR_URL' }` → the values of those variables, where they are set. */
function valuesOf(names: Readonly<Record<string, string>>, env: ServiceInput['env']): Readonly<Record<string, string>> {
  const values = Object.entries(names).flatMap(([name, variable]) => {
    const value = env[variable]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}
