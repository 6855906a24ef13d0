/** `npm run demo`: plays calls on a real switch and checks every result. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installAsterisk } from '../asterisk/install.ts'
import { freePort } from '../asterisk/ports.ts'
import { stopAsterisk } from '../asterisk/start.ts'
import { tonesInFolder } from '../src/adapters/recordings/simulated-recording.ts'
import { recordingsDirectoryOf } from '../src/app/engine-storage.ts'
import { claimService, runningService } from '../src/app/pid-file.ts'
import { type Service, startService } from '../src/app/service.ts'
import type { NotStarted, ServiceInput } from '../src/app/service-input.ts'
import { readSettings, type Settings } from '../src/app/settings.ts'
import { replayCall } from '../src/engine/replay.ts'
import type { CallRecord } from '../src/flow/model/call-messages.ts'
import { readFlow } from '../src/flow/read/read-flow.ts'
import { compileFlow } from '../src/flow/run/compile.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { formatProblem } from '../src/kernel/file-problem.ts'
import type { Log } from '../src/kernel/log.ts'
import type { Random } from '../src/kernel/random.ts'
import { SimPbx } from '../src/sim/sim-pbx.ts'
import { simSpeech } from '../src/sim/sim-speech.ts'
import { playCampaign } from './campaign-act.ts'
import { DEBTORS, debtorAt } from './campaign-people.ts'
import { cleanStart } from './clean-start.ts'
import { startDebtSystem } from './debt-system.ts'
import { CARRIER_HOST, type DemoExtras, type DemoPorts, demoConfig } from './demo-setup.ts'
import { checksOf, judgeCall } from './judge.ts'
import { type Kept, keepDemo } from './kept/keep.ts'
import { PassersBy } from './kept/passers-by.ts'
import { COLLEAGUES, VISITOR } from './kept/staff.ts'
import { type DemoLines, type DemoPhones, realPhones, simulatedPhones } from './phones.ts'
import { type Summary, summaryOf, tableOf, withCampaign } from './report.ts'
import { type FakeTwilio, startFakeTwilio } from './servers/fake-twilio.ts'
import { EXAMPLE_CASES, startIntegrator } from './servers/integrator.ts'
import { AGENTS, DEMO_NUMBER, NUMBERS_ON_FILE, STORIES, type Story } from './stories.ts'

interface DemoOptions {
  /** Data of the demo; each run starts empty. */
  readonly directory: string
  /** The installed Asterisk; runs share it. */
  readonly treeDirectory: string
  readonly isSimulated: boolean
  /** With a team for the visitor, and at the addresses that the pages name. */
  readonly isKept: boolean
  /** `host:port` of the visitor's own servers. */
  readonly allowHosts: readonly string[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onLine: (line: string) => void
}

/** A demo that has played its calls; its service runs until `stop`. */
export interface DemoRun {
  readonly summary: Summary
  /** Why the phones are simulated; undefined with a real Asterisk. */
  readonly whySimulated: string | undefined
  readonly sipPort: number
  /** Of a kept demo: what goes on after the acts. */
  readonly kept: Kept | undefined
  /** Settings by which the commands of `switchboard` work on this demo, and its two addresses. */
  readonly variables: Readonly<Record<string, string>>
  /** Reads configuration and flows of the demo's folder again; resolves with problems. */
  reload(): Promise<readonly string[]>
  stop(): Promise<void>
}

const ACCOUNT = { accountSid: `AC${'d'.repeat(32)}`, authToken: 'demo-token' }
const CASE_INFO_TOKEN = 'Bearer demo-case-info'
const CASES = EXAMPLE_CASES.map((one) => {
  const phoneNumber = NUMBERS_ON_FILE[one.caseNumber]
  return { ...one, ...(phoneNumber !== undefined && { phoneNumber }) }
})
const FLOWS = fileURLToPath(new URL('../flows', import.meta.url))
/** Of a kept demo: docs/getting-started.md names them. */
const KNOWN_PORTS = { http: 19_133, sso: 19_333 } as const
/** Calls end long before; a longer call is a failure. */
const STORY_MAX_MS = 120_000

/** Runs the whole demo. Rejects if the service does not start even with simulated phones. */
export async function runDemo(options: DemoOptions): Promise<DemoRun> {
  const { directory, clock, onLine } = options
  const runs = runningService(directory)
  if (runs !== undefined)
    throw new Error(`a demo (process ${runs}) already runs here; stop it, or set another DATA_DIR`)
  const refused = await reasonToSimulate(options)
  if (refused !== undefined) onLine(`SIMULATED phones: ${refused}`)
  await stopDemoSwitch(directory)
  await cleanStart(directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // A terminal that is closed says SIGHUP, and ends the demo.
  claimService(directory, 'SIGUSR2')
  const integrator = await startIntegrator({ clock, authorization: CASE_INFO_TOKEN, cases: CASES })
  const twilio = await startFakeTwilio(ACCOUNT)
  onLine(`integrator at ${integrator.url}, SMS provider at ${twilio.url}`)
  const env = { DEMO_INTEGRATOR_URL: integrator.url, DEMO_CASE_INFO_TOKEN: CASE_INFO_TOKEN }
  const debtSystem = await startDebtSystem(clock)
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  const ports = await choosePorts(portOf(integrator), portOf(debtSystem), options)
  const settings = demoSettings(options, twilio, ports)
  // The visitor's own, to be changed.
  cpSync(FLOWS, settings.flowsDir, { recursive: true })
  const people = options.isKept ? new PassersBy(options.random) : undefined
  const contactOf: DemoLines['contactOf'] = (number) => people?.contactAt(number) ?? debtorAt(number)
  const opening = { options, place: { settings, env }, ports, contactOf }
  const { service, phones, whySimulated } = await open(opening, refused)
  onLine(`${service.identity.kind} switch ${service.identity.version} takes calls to ${DEMO_NUMBER}`)

  let kept: Kept | undefined
  const stop = async () => {
    kept?.stop()
    await phones.close()
    await service.stop()
    await Promise.all([integrator, debtSystem, twilio].map((server) => server.close()))
  }
  try {
    onLine(`two acts at once: callers phone in, and the dialer calls ${DEBTORS.length} debtors`)
    const invites = () => phones.invites()
    const [calls, act] = await Promise.all([
      tellStories({ service, phones, twilio, clock, onLine }),
      playCampaign({ service, clock, onLine, invites, debtSystem }),
    ])
    const summary = withCampaign(calls, act)
    for (const line of tableOf(summary)) onLine(line)
    if (people) kept = await keepDemo({ service, clock, random: options.random, people, onLine })
    const variables = variablesOf(settings, env, service)
    return { summary, whySimulated, sipPort: ports.sip, kept, variables, reload: () => service.reload(), stop }
  } catch (error) {
    // A failed demo leaves nothing running.
    await stop()
    throw error
  }
}

/** Stops the switch of a demo that was killed; Asterisk outlives the process that started it. */
export function stopDemoSwitch(directory: string): Promise<boolean> {
  return stopAsterisk(resolve(directory, 'asterisk-run'))
}

interface Opened {
  readonly service: Service
  readonly phones: DemoPhones
  readonly whySimulated: string | undefined
}

interface WebPorts {
  readonly http: number
  readonly sso: number
}

type Place = Pick<ServiceInput, 'settings' | 'env'>

/** Installs Asterisk; resolves with the reason if that is impossible. */
async function reasonToSimulate({ isSimulated, treeDirectory, onLine }: DemoOptions): Promise<string | undefined> {
  if (isSimulated) return 'requested with --simulated'
  const installed = await installAsterisk(treeDirectory, onLine)
  return installed.ok ? undefined : `${installed.why}; ${installed.remedy}`
}

interface Opening {
  readonly options: DemoOptions
  readonly place: Place
  readonly ports: DemoPorts
  readonly contactOf: DemoLines['contactOf']
}

/** Writes the configuration; the phone of the visitor is the browser where there is a real switch. */
function writeSetup({ options, place, ports }: Opening, phone: DemoExtras['visitorPhone']): void {
  const { isKept, allowHosts } = options
  const visitorPhone = isKept ? phone : undefined
  writeFileSync(place.settings.setupFile, demoConfig(ports, { visitorPhone, allowHosts }))
}

/** Uses the real switch if possible, otherwise the simulated one. */
async function open(opening: Opening, refused?: string): Promise<Opened> {
  if (refused !== undefined) return openSimulated(opening, refused)
  const { options, place, ports, contactOf } = opening
  const { clock, random, log, onLine, treeDirectory } = options
  writeSetup(opening, 'browser')
  const service = await startService({ ...place, clock, random, log, onLine, treeDirectory })
  if ('ok' in service) {
    if (service.stage !== 'asterisk') throw new Error(reasonOf(service))
    return openSimulated(opening, reasonOf(service))
  }
  const { sipp } = service.asterisk!.tree
  if (sipp === undefined)
    throw new Error('the installed Asterisk has no SIPp; remove DATA_DIR/asterisk and run the demo again')
  const lines = { contactOf, colleagues: options.isKept ? COLLEAGUES : [] }
  return { service, phones: await realPhones({ sipp, clock, random }, ports, lines), whySimulated: undefined }
}

async function openSimulated(opening: Opening, why: string): Promise<Opened> {
  const { options, place, contactOf } = opening
  const { clock, random, log, onLine } = options
  writeSetup(opening, 'simulated')
  const writeRecording = tonesInFolder(recordingsDirectoryOf(place.settings))
  const pbx = new SimPbx({ clock, random, carrier: { takesEveryTrunk: true }, writeRecording })
  const service = await startService({ ...place, clock, random, log, onLine, pbx, speech: simSpeech() })
  if ('ok' in service) throw new Error(reasonOf(service))
  const colleagues = options.isKept ? [...COLLEAGUES, VISITOR] : []
  return { service, phones: simulatedPhones(pbx, { contactOf, colleagues }), whySimulated: why }
}

interface Telling {
  readonly service: Service
  readonly phones: DemoPhones
  readonly twilio: FakeTwilio
  readonly clock: Clock
  readonly onLine: (line: string) => void
}

/** Plays all stories at once and checks each when its call has ended. */
async function tellStories({ service, phones, twilio, clock, onLine }: Telling): Promise<Summary> {
  const records = new Map<string, (record: CallRecord | undefined) => void>()
  service.engine.onCallEnded((record) => records.get(record.caller ?? '')?.(record))
  const judged = STORIES.map(async (story: Story) => {
    const { promise, resolve: settle } = Promise.withResolvers<CallRecord | undefined>()
    records.set(story.caller, settle)
    const patience = clock.schedule(clock.nowMs() + STORY_MAX_MS, () => settle(undefined))
    onLine(`${story.caller} ${story.title} …`)
    const { result, audio } = await phones.call(story)
    const record = await promise
    patience.cancel()
    const texts = twilio.messages.filter(({ to }) => to === story.caller).map(({ text }) => text)
    const evidence = { record, result, audio, texts, replay: record ? await replay(service, record) : 'no record' }
    const call = judgeCall(story, evidence)
    onLine(`${story.caller} ${call.differences.length === 0 ? '✓' : '✗'} ${call.path.join(' → ')}`)
    return { call, checks: checksOf(story, evidence) }
  })
  const all = await Promise.all(judged)
  const checks = all.flatMap((one) => one.checks)
  const left = service.engine.callCount
  checks.push({ name: 'every call has ended', ok: left === 0, detail: `${left} calls left` })
  return summaryOf(
    service.identity,
    all.map((one) => one.call),
    checks,
  )
}

/** Replays the journal of a call through the flow file. */
async function replay({ journal }: Service, { call, flow }: CallRecord): Promise<string> {
  await journal.flush()
  const file = join(FLOWS, `${flow}.yaml`)
  const read = readFlow(file, readFileSync(file, 'utf8'))
  if (!read.flow) return 'the flow can no longer be read'
  return replayCall(await journal.read(call), compileFlow(read.flow)).result
}

function demoSettings({ directory }: DemoOptions, twilio: FakeTwilio, ports: WebPorts): Settings {
  return {
    ...readSettings({}).settings!,
    dataDir: directory,
    setupFile: join(directory, 'switchboard.yaml'),
    flowsDir: join(directory, 'flows'),
    environment: 'development',
    httpPort: ports.http,
    ssoPort: ports.sso,
    endpoint: `http://127.0.0.1:${ports.http}`,
    twilio: { ...ACCOUNT, from: DEMO_NUMBER, baseUrl: twilio.url },
    logLevel: 'info',
    journalFileBytesMax: 64 * 1024 * 1024,
    journalFilesMax: 4,
  }
}

/** What a second terminal needs; `NODE` and `SSO` as docs/getting-started.md uses them. */
function variablesOf({ dataDir, setupFile, flowsDir, environment }: Settings, env: Place['env'], { core }: Service) {
  const { url, ssoUrl } = core!.rest
  const files = { DATA_DIR: resolve(dataDir), SETUP_FILE: resolve(setupFile), FLOWS_DIR: resolve(flowsDir) }
  return { ...files, ENVIRONMENT: environment, ...(env as Record<string, string>), NODE: url!, SSO: ssoUrl! }
}

/** Free ports: several demos can run at once. A kept one is found where the pages say, if those ports are free. */
async function choosePorts(
  integrator: number,
  debtSystem: number,
  { isKept, onLine }: DemoOptions,
): Promise<DemoPorts & WebPorts> {
  const loopback = '127.0.0.1'
  const known = async (port: number) => {
    const given = await freePort('tcp', loopback, isKept ? port : undefined)
    if (isKept && given !== port) onLine(`port ${port} is taken: this demo uses ${given} instead`)
    return given
  }
  return {
    integrator,
    debtSystem,
    sip: await freePort('udp', loopback),
    ari: await freePort('tcp', loopback),
    http: await known(KNOWN_PORTS.http),
    sso: await known(KNOWN_PORTS.sso),
    // Each phone has its own address.
    phone: await freePort('udp', AGENTS[0].host),
    carrier: await freePort('udp', CARRIER_HOST),
    // Several switches can share a range: each uses the free ports.
    rtpFrom: 20_000,
    rtpTo: 25_999,
  }
}

function reasonOf({ reasons, problems }: NotStarted): string {
  return [...reasons, ...problems.map(formatProblem)].join('\n')
}
