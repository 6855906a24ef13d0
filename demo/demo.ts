/** `npm run demo`: plays calls on a real switch and checks every result. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
import { DEBTORS } from './campaign-people.ts'
import { cleanStart } from './clean-start.ts'
import { startDebtSystem } from './debt-system.ts'
import { CARRIER_HOST, type DemoPorts, demoConfig } from './demo-setup.ts'
import { checksOf, judgeCall } from './judge.ts'
import { type DemoPhones, realPhones, simulatedPhones } from './phones.ts'
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
  stop(): Promise<void>
}

const ACCOUNT = { accountSid: `AC${'d'.repeat(32)}`, authToken: 'demo-token' }
const CASE_INFO_TOKEN = 'Bearer demo-case-info'
const CASES = EXAMPLE_CASES.map((one) => {
  const phoneNumber = NUMBERS_ON_FILE[one.caseNumber]
  return { ...one, ...(phoneNumber !== undefined && { phoneNumber }) }
})
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
  claimService(directory)
  const integrator = await startIntegrator({ clock, authorization: CASE_INFO_TOKEN, cases: CASES })
  const twilio = await startFakeTwilio(ACCOUNT)
  onLine(`integrator at ${integrator.url}, SMS provider at ${twilio.url}`)
  const env = { DEMO_INTEGRATOR_URL: integrator.url, DEMO_CASE_INFO_TOKEN: CASE_INFO_TOKEN }
  const debtSystem = await startDebtSystem(clock)
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
  const ports = await choosePorts(portOf(integrator), portOf(debtSystem))
  const configFile = join(directory, 'switchboard.yaml')
  writeFileSync(configFile, demoConfig(ports))
  const settings = demoSettings(options, configFile, twilio, ports)
  const { service, phones, whySimulated } = await open(options, { settings, env }, ports, refused)
  onLine(`${service.identity.kind} switch ${service.identity.version} takes calls to ${DEMO_NUMBER}`)

  const stop = async () => {
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
    return { summary, whySimulated, sipPort: ports.sip, stop }
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

/** Uses the real switch if possible, otherwise the simulated one. */
async function open(options: DemoOptions, place: Place, ports: DemoPorts, refused?: string): Promise<Opened> {
  if (refused !== undefined) return openSimulated(options, place, refused)
  const { clock, random, log, onLine, treeDirectory } = options
  const service = await startService({ ...place, clock, random, log, onLine, treeDirectory })
  if ('ok' in service) {
    if (service.stage !== 'asterisk') throw new Error(reasonOf(service))
    return openSimulated(options, place, reasonOf(service))
  }
  const { sipp } = service.asterisk!.tree
  if (sipp === undefined)
    throw new Error('the installed Asterisk has no SIPp; remove DATA_DIR/asterisk and run the demo again')
  return { service, phones: await realPhones({ sipp, clock, random }, ports), whySimulated: undefined }
}

async function openSimulated(options: DemoOptions, place: Place, why: string): Promise<Opened> {
  const { clock, random, log, onLine } = options
  const writeRecording = tonesInFolder(recordingsDirectoryOf(place.settings))
  const pbx = new SimPbx({ clock, random, carrier: { takesEveryTrunk: true }, writeRecording })
  const service = await startService({ ...place, clock, random, log, onLine, pbx, speech: simSpeech() })
  if ('ok' in service) throw new Error(reasonOf(service))
  return { service, phones: simulatedPhones(pbx), whySimulated: why }
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
  const file = fileURLToPath(new URL(`../flows/${flow}.yaml`, import.meta.url))
  const read = readFlow(file, readFileSync(file, 'utf8'))
  if (!read.flow) return 'the flow can no longer be read'
  return replayCall(await journal.read(call), compileFlow(read.flow)).result
}

function demoSettings({ directory }: DemoOptions, configFile: string, twilio: FakeTwilio, ports: WebPorts): Settings {
  return {
    ...readSettings({}).settings!,
    dataDir: directory,
    setupFile: configFile,
    flowsDir: fileURLToPath(new URL('../flows', import.meta.url)),
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

/** Free ports: several demos can run at once. */
async function choosePorts(integrator: number, debtSystem: number): Promise<DemoPorts & WebPorts> {
  const loopback = '127.0.0.1'
  return {
    integrator,
    debtSystem,
    sip: await freePort('udp', loopback),
    ari: await freePort('tcp', loopback),
    http: await freePort('tcp', loopback),
    sso: await freePort('tcp', loopback),
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
