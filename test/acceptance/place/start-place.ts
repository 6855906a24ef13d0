/** Starts the service as `npm start` starts it, in a folder of its own, with the mail servers beside it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../asterisk/ports.ts'
import { stopAsterisk } from '../../../asterisk/start.ts'
import { imapServer, installMailServers, smtpSink } from '../../support/mail-servers.ts'
import {
  FLOWS,
  PEERS,
  type PeerName,
  type PlacePorts,
  phoneHosts,
  ROOMS,
  type RoomName,
  setupFile,
} from './installation.ts'

/** What tests are told: data only, it crosses processes. */
export interface Place {
  readonly directory: string
  /** Environment of the service, and of the command line beside it. */
  readonly env: Readonly<Record<string, string>>
  readonly ssoUrl: string
  readonly ports: PlacePorts
  /** Folder of the mailbox, a maildir below `mail`; and of what was sent to others, one file each. */
  readonly mailbox: string
  readonly sentMail: string
}

/** A started place. */
export interface RunningPlace extends Place {
  /** Ends the process, as a crash or an operator would. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts the next one, in the same folder. */
  start(): Promise<void>
  /** Moves its clock. */
  forward(ms: number): Promise<void>
  close(): Promise<void>
}

const root = resolve(import.meta.dirname, '../../..')
const LAST_WORDS = 4_000

/** Starts everything; `more` is environment beside the usual one. */
export async function startPlace(more: Readonly<Record<string, string>> = {}): Promise<RunningPlace> {
  await installMailServers()
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-acceptance-'))
  // As root, database and mail run under other users, who need access.
  chmodSync(directory, 0o755)
  symlinkSync(resolve(process.env['SWITCHBOARD_TEST_TREE']!), join(directory, 'asterisk'))
  const [mailbox, sentMail] = [join(directory, 'mailbox'), join(directory, 'sent-mail')]
  mkdirSync(mailbox)
  const [imap, outbound] = await Promise.all([imapServer(mailbox), smtpSink(sentMail)])
  const ports = await placePorts(imap.port, outbound.port)
  const env = { ...environment(directory, ports, { http: await tcp(), sso: await tcp() }), ...more }
  cpSync(join(root, 'flows'), env.FLOWS_DIR, { recursive: true })
  for (const [name, text] of Object.entries(FLOWS)) writeFileSync(join(env.FLOWS_DIR, `${name}.yaml`), text)
  writeFileSync(env.SETUP_FILE, setupFile(ports))
  const remove = async () => {
    await stopAsterisk(join(directory, 'asterisk-run'))
    await Promise.all([imap.close(), outbound.close()])
    rmSync(directory, { recursive: true, force: true })
  }
  let service = await startService(directory, env).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return {
    directory,
    env,
    ssoUrl: `http://127.0.0.1:${env.SSO_PORT}`,
    ports,
    mailbox,
    sentMail,
    kill: (signal) => service.kill(signal),
    async start() {
      service = await startService(directory, env)
    },
    forward: (ms) => service.forward(ms),
    async close() {
      await service.kill('SIGTERM')
      await remove()
    },
  }
}

function environment(directory: string, ports: PlacePorts, { http, sso }: { http: number; sso: number }) {
  return {
    DATA_DIR: directory,
    SETUP_FILE: join(directory, 'switchboard.yaml'),
    FLOWS_DIR: join(directory, 'flows'),
    ENVIRONMENT: 'development',
    HTTP_PORT: String(http),
    SSO_PORT: String(sso),
    INTEGRATOR_URL: `http://127.0.0.1:${ports.peers.integrator}`,
    CASE_INFO_TOKEN: 'Bearer of-the-integrator',
    MAIL_PASSWORD: 'secret',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'of-twilio',
    TWILIO_FROM: '+4570009000',
    TWILIO_BASE_URL: `http://127.0.0.1:${ports.peers.twilio}`,
    TRANSCRIBE_URL: `http://127.0.0.1:${ports.peers.transcripts}/v1`,
  }
}

async function placePorts(imap: number, outbound: number): Promise<PlacePorts> {
  const carriers = Object.entries(ROOMS).map(
    async ([name, { carrierHost }]) => [name, await freePort('udp', carrierHost)] as const,
  )
  const peers = PEERS.map(async (name) => [name, await tcp()] as const)
  return {
    sip: await freePort('udp', '127.0.0.1'),
    ari: await tcp(),
    carrier: Object.fromEntries(await Promise.all(carriers)) as Record<RoomName, number>,
    phone: await freePort('udp', [...phoneHosts().values()][0]!),
    imap,
    intake: await tcp(),
    outbound,
    peers: Object.fromEntries(await Promise.all(peers)) as Record<PeerName, number>,
  }
}

const tcp = () => freePort('tcp', '127.0.0.1')

/** The process; its log is `service.log` in the folder. */
async function startService(directory: string, env: Readonly<Record<string, string>>) {
  const clock = ['--import', join(import.meta.dirname, 'shifted-clock.ts')]
  const child = spawn(process.execPath, ['--require', './preflight.cjs', ...clock, 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ALLOW_ROOT: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const log = createWriteStream(join(directory, 'service.log'), { flags: 'a' })
  const exited = once(child, 'close')
  let words = ''
  await new Promise<void>((isReady, fails) => {
    const hear = (text: Buffer) => {
      log.write(text)
      words = (words + String(text)).slice(-LAST_WORDS)
      if (words.includes('ready: calls are taken')) isReady()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void exited.then(() => fails(new Error(`the service ended: ${words}`)))
  })
  return {
    async kill(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal)
      await exited
      log.end()
    },
    async forward(forwardMs: number) {
      child.send({ forwardMs })
      await once(child, 'message')
    },
  }
}

/** `switchboard …` beside the running service. Rejects with its words when it fails. */
export async function runCli({ env }: Pick<Place, 'env'>, ...words: readonly string[]): Promise<string> {
  const how = { cwd: root, env: { PATH: process.env['PATH'], ...env } }
  const command = ['--require', './preflight.cjs', 'src/cli/switchboard.ts', ...words]
  const { stdout } = await promisify(execFile)(process.execPath, command, how)
  return stdout
}
