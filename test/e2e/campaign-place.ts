/** The place of a campaign on a real switch: folder, addresses, configuration, and the settings of its service. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../asterisk/ports.ts'
import { stopAsterisk } from '../../asterisk/start.ts'
import { type OpenDatabase, openDatabaseFor } from '../../src/app/repositories.ts'
import { readSettings, type Settings } from '../../src/app/settings.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'

/** The choices of a test or benchmark. */
export interface PlaceOptions {
  readonly agents: readonly string[]
  /** Those of them whose phone is the browser. */
  readonly inBrowsers?: readonly string[]
  /** Further keys of these phones, as YAML. */
  readonly browserKeys?: string
  /** Teams of the same agents beside `TEAM`. */
  readonly teams?: readonly string[]
  /** Further keys of teams, as YAML. */
  readonly teamKeys?: Readonly<Record<string, string>>
  /** The installed Asterisk. */
  readonly treeDirectory: string
  /** Of the one trunk. */
  readonly lines?: number
  readonly callsPerSecond?: number
  /** Further keys of the trunk, as YAML. */
  readonly trunkKeys?: string
  /** `"+45…": { flow: … }`, one entry a line. */
  readonly numbers?: readonly string[]
  /** Flows beside the shipped ones: name → YAML. */
  readonly flows?: Readonly<Record<string, string>>
  /** Environment of the service that the configuration's `env` and `secrets` name. */
  readonly env?: Readonly<Record<string, string>>
  /** Further lines of the configuration. */
  readonly more?: readonly string[]
  /** The folder is a disk of its own with so much room; only root can make one. Default: a folder like others. */
  readonly megabytes?: number
  /** `host:port` that may be reached although it is loopback. */
  readonly allowedHosts: readonly string[]
}

/** A place; nothing runs in it yet. */
export interface Place {
  readonly directory: string
  readonly settings: Settings
  /** Where tests write what they see: not on the disk of the service, if that is one of its own. */
  readonly logsDirectory: string
  /** For a service that is a process of its own. */
  readonly env: Readonly<Record<string, string>>
  readonly treeDirectory: string
  readonly sip: { readonly host: string; readonly port: number }
  readonly ariPort: number
  /** Name → where the phone must stand. */
  readonly phones: ReadonlyMap<string, { readonly host: string; readonly port: number }>
  readonly carrier: { readonly host: string; readonly port: number }
  /** The state of the switch, by the password of its run directory. Undefined while it is away. */
  ari(path: string): Promise<unknown>
  /** The database, beside the service: the same server, without a node. */
  openDatabaseFor(): Promise<OpenDatabase>
  /** Stops a running switch, and removes everything. */
  remove(): Promise<void>
}

/** Team, trunk and caller id of every place. */
export const TEAM = 'campaign'
/** The number that callees see. */
export const CALLER_ID = '+4570000000'
/** The carrier's address; the switch takes calls from there. */
const CARRIER_HOST = '127.0.0.81'
/** Phones have addresses from here on, one each. */
const FIRST_PHONE = 101
const root = resolve(import.meta.dirname, '../..')

/** Makes the folder and writes the configuration. */
export async function makePlace(options: PlaceOptions): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-campaign-'))
  const { megabytes } = options
  const logsDirectory = megabytes ? mkdtempSync(join(tmpdir(), 'switchboard-logs-')) : directory
  if (megabytes) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory])
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  symlinkSync(resolve(options.treeDirectory), join(directory, 'asterisk'))
  const flowsDir = join(directory, 'flows')
  cpSync(join(root, 'flows'), flowsDir, { recursive: true })
  for (const [name, text] of Object.entries(options.flows ?? {})) writeFileSync(join(flowsDir, `${name}.yaml`), text)
  const [sip, carrier] = [await freePort('udp', '127.0.0.1'), await freePort('udp', CARRIER_HOST)]
  const [ariPort, http, sso] = [await freeTcp(), await freeTcp(), await freeTcp()]
  const phonePort = await freePort('udp', `127.0.0.${FIRST_PHONE}`)
  const standOf = (index: number) => ({ host: `127.0.0.${FIRST_PHONE + index}`, port: phonePort })
  const phones = new Map(options.agents.map((name, index) => [name, standOf(index)]))
  const configFile = join(directory, 'switchboard.yaml')
  writeFileSync(configFile, configOf(options, phones, { sip, carrier, ariPort }))
  const env = {
    DATA_DIR: directory,
    SETUP_FILE: configFile,
    FLOWS_DIR: flowsDir,
    ENVIRONMENT: 'development',
    HTTP_PORT: String(http),
    SSO_PORT: String(sso),
    LOG_LEVEL: 'info',
    ...options.env,
  }
  const { settings } = readSettings(env)
  if (!settings) throw new Error('the settings of the test are wrong')
  return {
    directory,
    logsDirectory,
    settings,
    env,
    phones,
    ariPort,
    treeDirectory: options.treeDirectory,
    sip: { host: '127.0.0.1', port: sip },
    carrier: { host: CARRIER_HOST, port: carrier },
    ari: (path) => askAri(directory, ariPort, path),
    async openDatabaseFor() {
      const opened = await openDatabaseFor(settings, { clock: new RealClock(), log: silentLog, onLine: () => {} })
      if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
      return opened
    },
    async remove() {
      await stopAsterisk(join(directory, 'asterisk-run'))
      if (megabytes) execFileSync('umount', ['--lazy', directory])
      for (const one of [directory, logsDirectory]) rmSync(one, { recursive: true, force: true })
    },
  }
}

interface Ports {
  readonly sip: number
  readonly carrier: number
  readonly ariPort: number
}

function configOf(options: PlaceOptions, phones: Place['phones'], { sip, carrier, ariPort }: Ports): string {
  const { numbers = [], teams = [], teamKeys = {}, lines = 30, callsPerSecond = 20, allowedHosts, more = [] } = options
  const trunk = `host: ${CARRIER_HOST}, port: ${carrier}, callerIds: ["${CALLER_ID}"]`
  const hosts = allowedHosts.map((host) => `"${host}"`).join(', ')
  return [
    ...(numbers.length > 0 ? ['numbers:', ...numbers.map((number) => `  ${number}`)] : []),
    `trunks: { carrier: { ${trunk}, lines: ${lines}, callsPerSecond: ${callsPerSecond}${options.trunkKeys ?? ''} } }`,
    'teams:',
    ...[TEAM, ...teams].map((name) => {
      return `  ${name}: { title: ${name}, agents: [${[...phones.keys()].join(', ')}]${teamKeys[name] ?? ''} }`
    }),
    'agents:',
    ...[...phones].map(([name, { host, port }]) => {
      const phone = options.inBrowsers?.includes(name)
        ? `browser: true${options.browserKeys ?? ''}`
        : `host: ${host}, port: ${port}`
      return `  ${name}: { phone: { ${phone} } }`
    }),
    `allowedHosts: [${hosts}]`,
    `asterisk: { sipHost: 127.0.0.1, sipPort: ${sip}, rtp: 20000-25999, ariPort: ${ariPort} }`,
    ...more,
    '',
  ].join('\n')
}

async function freeTcp(): Promise<number> {
  return freePort('tcp', '127.0.0.1')
}

async function askAri(directory: string, port: number, path: string): Promise<unknown> {
  try {
    const password = readFileSync(join(directory, 'asterisk-run', 'ari-password'), 'utf8')
    const authorization = `Basic ${Buffer.from(`switchboard:${password}`).toString('base64')}`
    const answer = await fetch(`http://127.0.0.1:${port}/ari/${path}`, { headers: { authorization } })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined
  }
}
