/** An Asterisk of the operator, started from the files of `switchboard asterisk config` and served by `npm start`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { findTree } from '../../asterisk/tree.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'

const root = resolve(import.meta.dirname, '../..')
const treeDirectory = process.env['SWITCHBOARD_TEST_TREE'] ?? join(root, '.data/asterisk')
const tree = findTree(treeDirectory)!
const clock = new RealClock()
const CARRIER = '127.0.0.11'
const NUMBER = '+4570001000'
const FLOW = `flow: message
start: message
steps:
  message:
    record: { prompt: Speak., max: 20s, silence: 4s, team: help }
    next: bye
    on: { noInput: bye, failed: bye }
  bye: { hangup: { say: Goodbye. } }
`
/** Short: sockets lie in it. As root, the database runs under another user, who needs access. */
const directory = mkdtempSync(join(tmpdir(), 'own-'))
const dataDir = join(directory, 'data')
const files = join(directory, 'asterisk')
const main = join(files, 'asterisk.conf')
const children = new Set<ChildProcess>()
let env: Record<string, string>
const RTP = { from: 28_000, to: 28_199 }
let sipPort: number

beforeAll(async () => {
  chmodSync(directory, 0o755)
  const freeTcp = () => freePort('tcp', '127.0.0.1')
  const [ariPort, http, sso] = [await freeTcp(), await freeTcp(), await freeTcp()]
  do sipPort = await freePort('udp', '127.0.0.1')
  while (sipPort >= RTP.from && sipPort <= RTP.to)
  mkdirSync(join(directory, 'flows'))
  mkdirSync(dataDir)
  // The voices of this machine.
  symlinkSync(treeDirectory, join(dataDir, 'asterisk'))
  writeFileSync(join(directory, 'flows', 'message.yaml'), FLOW)
  env = {
    DATA_DIR: dataDir,
    SETUP_FILE: join(directory, 'switchboard.yaml'),
    FLOWS_DIR: join(directory, 'flows'),
    HTTP_PORT: String(http),
    SSO_PORT: String(sso),
    ENVIRONMENT: 'development',
    ARI_URL: `http://127.0.0.1:${ariPort}`,
    ARI_USER: 'integration',
    ARI_PASSWORD: 'a long pass phrase',
    ANNA_PASSWORD: 'first',
    // More than any disk has left: /readyz says so.
    DISK_FREE_MIN_MB: '1000000000',
  }
  writeSetup(['anna'])
})

afterAll(async () => {
  for (const child of children) await ended(child, 'SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

/** The configuration with these agents. */
function writeSetup(agents: readonly string[]): void {
  const phones = agents.map((name) => `${name}: { phone: { username: ${name}-phone, passwordFrom: ANNA_PASSWORD } }`)
  writeFileSync(
    env['SETUP_FILE']!,
    `numbers: { "${NUMBER}": { flow: message } }
trunks: { carrier: { host: ${CARRIER} } }
teams: { help: { title: Help, agents: [${agents.join(', ')}] } }
agents: { ${phones.join(', ')} }
asterisk: { sipHost: 127.0.0.1, sipPort: ${sipPort}, rtp: ${RTP.from}-${RTP.to} }
`,
  )
}

const processEnv = () => ({ PATH: process.env['PATH'], ALLOW_ROOT: '1', ...env })

/** `switchboard …`, with its exit status and all that it said. */
function switchboard(...args: string[]): Promise<readonly [status: number, said: string]> {
  const command = ['--require', './preflight.cjs', 'src/cli/switchboard.ts', ...args]
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: root, env: processEnv() }, (error, stdout, stderr) =>
      done([error ? Number(error.code) : 0, stdout + stderr]),
    )
  })
}

const writeFiles = () =>
  switchboard('asterisk', 'config', '--out', files, '--modules', tree.modules, '--data', tree.data)

/** Starts a program that runs on; `heard` resolves with all it said as soon as it says `word`, or at its end. */
function start(file: string, args: readonly string[]) {
  const child = spawn(file, args, { cwd: root, env: processEnv() })
  children.add(child)
  let said = ''
  const listeners = new Set<() => void>()
  const hear = (text: Buffer) => {
    said += String(text)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const heard = (word: string) =>
    new Promise<string>((done) => {
      const listener = () => {
        if (said.includes(word) || child.exitCode !== null) done(said)
      }
      listeners.add(listener)
      child.once('close', () => done(said))
      listener()
    })
  return { child, heard }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const end = new Promise((done) => child.once('close', done))
  child.kill(signal)
  return end
}

const startSwitch = () => start(tree.asterisk, ['-f', '-C', main])
const startService = () => start(process.execPath, ['--require', './preflight.cjs', 'src/main.ts'])

/** Nothing from a switch that does not answer: it comes up, or goes down. */
function console(command: string): Promise<string> {
  const question = ['-C', main, '-rx', command]
  return new Promise((done) => {
    execFile(tree.asterisk, question, { timeout: 20_000 }, (_error, stdout) => done(stdout))
  })
}

/** The status of ARI; 0 without an answer. */
async function ariStatus(): Promise<number> {
  const authorization = `Basic ${btoa(`${env['ARI_USER']}:${env['ARI_PASSWORD']}`)}`
  const answer = await fetch(`${env['ARI_URL']}/ari/channels`, { headers: { authorization } }).catch(() => undefined)
  return answer?.status ?? 0
}

/** The reasons of `/readyz`. */
async function whyNotReady(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${env['HTTP_PORT']}/readyz`)
  return ((await answer.json()) as { detail?: string }).detail ?? ''
}

/** The switch behind a connection that changes what it says of itself; both texts are of one length. */
async function saying(
  from: string,
  to: string,
  { port, hostname }: URL,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy())
    far.on('data', (bytes) => near.write(bytes.toString('latin1').replaceAll(from, to), 'latin1'))
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test.each([
  ['the access of the service', { ARI_URL: '', ARI_USER: '', ARI_PASSWORD: '' }, 'ARI_URL, ARI_USER and ARI_PASSWORD'],
  ['a password of the configuration', { ANNA_PASSWORD: '' }, 'the environment variable "ANNA_PASSWORD" is not set'],
  ['a password that Asterisk can read', { ARI_PASSWORD: 'a;b' }, 'ARI_PASSWORD: may not hold ;'],
])('without %s no file is written', async (_, change, why) => {
  const whole = env
  env = Object.fromEntries(Object.entries({ ...whole, ...change }).filter(([, value]) => value !== ''))
  const [status, said] = await writeFiles()
  env = whole
  expect([status, said]).toEqual([1, expect.stringContaining(why)])
  // A sentence for the operator, not the failed assertion of the generator.
  expect(said).not.toContain('refused input')
  expect(readdirSync(directory)).not.toContain('asterisk')
})

test('the command names modules that a folder does not have', async () => {
  const [, said] = await switchboard('asterisk', 'config', '--out', join(directory, 'other'), '--modules', directory)
  expect(said).toContain(`${directory} lacks res_timing_timerfd, `)
  expect(said).toContain('--modules')
})

test('Asterisk starts from the files, ARI answers, and a caller leaves a message over the service', async () => {
  const [status, said] = await writeFiles()
  expect([status, said]).toEqual([0, expect.stringContaining(`asterisk -f -C ${main}`)])
  expect(said).not.toContain('lacks')
  const [, here, there] = /recordings from (\S+): link or mount (\S+) there/.exec(said)!
  symlinkSync(there!, here!)
  const asterisk = startSwitch()
  await expect.poll(ariStatus).toBe(200)
  expect(await console('core show settings')).toContain(`Configuration directory:     ${files}`)

  expect(await console('moh show files')).toContain(`File: ${join(files, 'music', 'hold')}\n`)

  const service = startService()
  expect(await service.heard('ready: calls are taken')).toContain('ready: calls are taken')
  const phone = await callIn({
    kit: { sipp: tree.sipp!, clock, random: seededRandom(1) },
    target: { host: '127.0.0.1', port: sipPort },
    from: CARRIER,
    called: NUMBER,
    caller: '+4555000001',
    person: { speaks: [{ afterMs: 0, forMs: 30_000 }], hangsUpAfterMs: 8_000 },
    toneHz: 440,
  })
  expect(await phone.result).toMatchObject({ outcome: 'connected' })
  const messages = () => readdirSync(here!).filter((name) => name.endsWith('.wav'))
  await expect.poll(messages).toHaveLength(1)
  // Nobody would read or erase them.
  expect(readdirSync(join(files, 'log'))).not.toContain('call-events.json')

  writeSetup(['anna', 'ben'])
  const [applied, told] = await switchboard('apply')
  expect([applied, told]).toEqual([0, expect.stringContaining('+ agent ben')])
  const command = /needs new files \(pjsip\.conf\): `switchboard asterisk config --out DIR`, then run "([^"]+)" there/
  expect(told).toMatch(command)
  await writeFiles()
  await console(command.exec(told)![1]!)
  await expect.poll(() => console('pjsip show endpoints')).toContain('agent-ben')
  await expect.poll(async () => (await switchboard('apply', '--dry-run'))[1]).not.toContain('needs new files')

  await ended(asterisk.child, 'SIGKILL')
  await expect.poll(whyNotReady).toMatch(/^Asterisk has not answered for \d+ s; .*; the disk of DATA_DIR has \d+ MB/)
  const again = startSwitch()
  await expect.poll(whyNotReady).toMatch(/^the disk of DATA_DIR has \d+ MB left, and DISK_FREE_MIN_MB is 1000000000;/)
  await ended(service.child, 'SIGTERM')
  await ended(again.child, 'SIGTERM')
})

test.each([
  ['has known holes', '22.10.1', '22.10.0', /is version 22\.10\.0\S*, older than 22\.10\.1\. Install a newer one/],
  ['opens another port to strangers', 'codec_gsm.so', 'chan_iax2.so', /runs chan_iax2\. Put noload lines for them/],
])('in production the service does not start with an Asterisk that %s', async (_, is, looks, why) => {
  const asterisk = startSwitch()
  await expect.poll(ariStatus).toBe(200)
  const other = await saying(is, looks, new URL(env['ARI_URL']!))
  const current = env
  env = { ...current, ARI_URL: other.url, ENVIRONMENT: 'production' }
  const service = startService()
  const said = await service.heard('no such words')
  env = current
  expect(said).toMatch(/Asterisk at http:\S+ /)
  expect(said).toMatch(why)
  expect(service.child.exitCode).toBe(1)
  other.close()
  await ended(asterisk.child, 'SIGTERM')
})

test('the service does not start with an Asterisk that lacks a module, and names it with the remedy', async () => {
  const modules = join(files, 'modules.conf')
  const lines = readFileSync(modules, 'utf8')
  writeFileSync(modules, lines.replace('require = chan_bridge_media.so', 'noload = chan_bridge_media.so'))
  const asterisk = startSwitch()
  await expect.poll(ariStatus).toBe(200)
  const service = startService()
  const said = await service.heard('no such words')
  expect(service.child.exitCode).toBe(1)
  expect(said).toContain(`Asterisk at ${env['ARI_URL']} does not run these modules: chan_bridge_media. Load them`)
  await ended(asterisk.child, 'SIGTERM')
})

test('nor with one that has no Opus, where a browser is to talk it', async () => {
  writeSetup(['anna'])
  await writeFiles()
  const asterisk = startSwitch()
  await expect.poll(ariStatus).toBe(200)
  const file = env['SETUP_FILE']!
  writeFileSync(file, readFileSync(file, 'utf8').replace(/phone: \{[^}]*\}/, 'phone: { browser: true, opus: true }'))
  const service = startService()
  const said = await service.heard('no such words')
  expect(service.child.exitCode).toBe(1)
  expect(said).toContain('does not run these modules: codec_opus_open_source, res_format_attr_opus. Load them')
  const [, told] = await switchboard('apply', '--dry-run')
  expect(told).toMatch(
    /needs new files \(.*modules\.conf.*\): `switchboard asterisk config --out DIR`, then restart it/,
  )
  await ended(asterisk.child, 'SIGTERM')

  await writeFiles()
  const again = startSwitch()
  await expect.poll(() => console('module show like codec_opus')).toMatch(/codec_opus_open_source\.so .* Running/)
  // It may be on its way up still, where it hears no polite word.
  await ended(again.child, 'SIGKILL')
})
