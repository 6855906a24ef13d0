/** A whole installation on a real Asterisk, for tests: service, phones, integrator and text message provider. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../asterisk/ports.ts'
import { type PrivateAsterisk, privateAsterisk } from '../../asterisk/private.ts'
import { demoConfig } from '../../demo/demo-setup.ts'
import { startFakeTwilio } from '../../demo/servers/fake-twilio.ts'
import { startIntegrator } from '../../demo/servers/integrator.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { AGENTS, DEMO_NUMBER } from '../../demo/stories.ts'
import { readDesired } from '../../src/app/read-installation.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings, type Settings } from '../../src/app/settings.ts'
import { replayCall } from '../../src/engine/replay.ts'
import type { CallRecord } from '../../src/flow/model/call-messages.ts'
import { compileFlow } from '../../src/flow/run/compile.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Callee, Caller } from '../../src/sim/person.ts'
import { faultProxy } from '../support/fault-proxy.ts'
import { talkative } from '../worlds/set-up.ts'

const ACCOUNT = { accountSid: `AC${'e'.repeat(32)}`, authToken: 'test-token' }
const TOKEN = 'Bearer e2e'
/** What callers and agents say. */
export const CALLER_HZ = 440
export const AGENT_HZ = 620

/** Everything that a live test uses. Close it in `afterAll`. */
export type Live = Awaited<ReturnType<typeof startLive>>

/** What a test may add to the demo's installation. */
export interface LiveOptions {
  /** A further flow, as YAML; it answers `OTHER_NUMBER`. */
  readonly flow?: string
  /** Recordings of the flow: name → bytes. */
  readonly recordings?: Readonly<Record<string, Uint8Array>>
  /** Settings of the service besides those of the place. */
  readonly settings?: Partial<Settings>
  /** Changes the demo's configuration. */
  readonly setup?: (text: string) => string
}

/** The number of `LiveOptions.flow`. */
export const OTHER_NUMBER = '+4570001001'

/** Starts an Asterisk of its own and a service that reaches it through a connection that can be broken. */
export async function startLive({
  flow,
  recordings = {},
  settings: further = {},
  setup: change = (text) => text,
}: LiveOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-e2e-'))
  const flowsDir = join(directory, 'flows')
  cpSync(join(import.meta.dirname, '../../flows'), flowsDir, { recursive: true })
  const name = flow && /^flow: (.+)$/m.exec(flow)?.[1]
  const shipped = join(flowsDir, 'debtor-self-service.yaml')
  writeFileSync(shipped, talkative(readFileSync(shipped, 'utf8')))
  if (flow) writeFileSync(join(flowsDir, `${name}.yaml`), flow)
  for (const [file, bytes] of Object.entries(recordings)) {
    mkdirSync(dirname(join(flowsDir, file)), { recursive: true })
    writeFileSync(join(flowsDir, file), bytes)
  }
  const withNumber = (text: string) =>
    name ? text.replace('numbers:', `numbers:\n  "${OTHER_NUMBER}": { flow: ${name} }`) : text
  const clock = new RealClock()
  const random = seededRandom(process.pid)
  const logged: string[] = []
  const log = makeLog('info', { write: (line: string) => void logged.push(line) })
  const integrator = await startIntegrator({ clock, authorization: TOKEN })
  const twilio = await startFakeTwilio(ACCOUNT)
  const env = { DEMO_INTEGRATOR_URL: integrator.url, DEMO_CASE_INFO_TOKEN: TOKEN }
  const sip = await freePort('udp', '127.0.0.1')
  const ari = await freePort('tcp', '127.0.0.1')
  const phonePort = await freePort('udp', AGENTS[0].host)
  const configFile = join(directory, 'switchboard.yaml')
  const integratorPort = Number(new URL(integrator.url).port)
  const wanted = demoConfig({ integrator: integratorPort, sip, ari, rtpFrom: 26_000, rtpTo: 26_999, phone: phonePort })
  writeFileSync(configFile, change(withNumber(wanted)))
  const settings = (url: string, access: { user: string; password: string }): Settings => ({
    ...readSettings({}).settings!,
    ...further,
    dataDir: directory,
    setupFile: configFile,
    flowsDir,
    pbx: 'asterisk',
    ari: { url, ...access },
    twilio: { ...ACCOUNT, from: DEMO_NUMBER, baseUrl: twilio.url },
    logLevel: 'info',
    journalFileBytesMax: 1024 * 1024,
    journalFilesMax: 4,
    ...further,
  })

  const startAsterisk = async (): Promise<PrivateAsterisk> => {
    const { installation: config, problems } = readDesired(
      settings('http://127.0.0.1', { user: '', password: '' }),
      env,
    )
    if (!config) throw new Error(JSON.stringify(problems))
    const started = await privateAsterisk({
      dataDirectory: directory,
      treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
      installation: config,
      secret: () => undefined,
      onLine: () => {},
      clock,
    })
    if (!started.ok) throw new Error(`${started.why}\n${started.remedy}`)
    return started
  }

  const asterisk = await startAsterisk()
  const proxy = await faultProxy(new URL(asterisk.ari.url))
  const start = (access: { user: string; password: string }) =>
    startService({
      settings: settings(proxy.url, access),
      env,
      clock,
      random,
      log,
      onLine: () => {},
      isWithoutRecords: true,
      // A machine need not have espeak-ng: the tests bring it.
      treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    })
  const started = await start(asterisk.ari)
  if ('ok' in started) throw new Error(JSON.stringify(started))
  const service: Service = started
  const ended = new Map<string, (record: CallRecord) => void>()
  const records: CallRecord[] = []
  service.engine.onCallEnded((record) => {
    records.push(record)
    ended.get(record.caller ?? '')?.(record)
  })
  /** Settles when the engine reports the end of this caller's next call. */
  const recordOf = (caller: string): Promise<CallRecord> => {
    const { promise, resolve } = Promise.withResolvers<CallRecord>()
    ended.set(caller, resolve)
    return promise
  }
  const replaysAstray = async () => {
    await service.journal.flush()
    const { flows } = readDesired(settings(proxy.url, asterisk.ari), env)
    const compiled = new Map(flows.map((one) => [one.name, compileFlow(one)]))
    const replays = records.map(async ({ call, flow: played }) => {
      return { call, ...replayCall(await service.journal.read(call), compiled.get(played)!) }
    })
    return (await Promise.all(replays)).filter(({ result }) => result !== 'same')
  }
  const kit = { sipp: asterisk.tree.sipp!, clock, random }
  const desks: SippAgentPhone[] = []

  return {
    service,
    directory,
    proxy,
    asterisk,
    integrator,
    twilio,
    logged,
    /** Where phones reach the switch. */
    sip: { host: '127.0.0.1', port: sip },
    /** The same switch again, after it was killed. */
    startAsterisk,
    /** Another service with other access, for starts that must fail. */
    start,
    /** Plugs in an agent's phone. */
    async agent(name: string, person: Callee): Promise<SippAgentPhone> {
      const { host } = AGENTS.find((agent) => agent.name === name)!
      const voice = { toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }
      const distributor = await answerPhone({ kit, at: { host, port: phonePort }, person, ...voice })
      desks.push(distributor)
      return distributor
    },
    recordOf,
    /** A new caller. `record` settles when the engine reports the end of the call. */
    async call(caller: string, person: Caller, called: string = DEMO_NUMBER, headers: readonly string[] = []) {
      const record = recordOf(caller)
      const target = { host: '127.0.0.1', port: sip }
      const phone = await callIn({
        kit,
        target,
        from: '127.0.0.11',
        called,
        caller,
        headers,
        person,
        listensFor: [AGENT_HZ],
        ...(person.speaks?.length !== 0 && { toneHz: CALLER_HZ }),
      })
      return { ...phone, record }
    },
    /** Ends everything. Throws if the replay of any call gives other commands than the call did. */
    async close() {
      const astray = await replaysAstray()
      await Promise.all(desks.map((distributor) => distributor.close()))
      await service.stop()
      await proxy.close()
      await (await startAsterisk()).kill()
      await integrator.close()
      await twilio.close()
      rmSync(directory, { recursive: true, force: true })
      if (astray.length > 0) throw new Error(`replays went astray: ${JSON.stringify(astray)}`)
    },
  }
}
