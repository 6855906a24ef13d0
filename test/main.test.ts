import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { embeddedOf } from './store/db/database.ts'

const root = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'switchboard-main-'))
// The database's own user needs access.
chmodSync(directory, 0o755)

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('given a service that waits for Asterisk, apply does not kill it; Ctrl-C ends it and its database', async () => {
  const dataDir = join(directory, 'data')
  const settings = { DATA_DIR: dataDir, SETUP_FILE: 'switchboard.example.yaml', FLOWS_DIR: 'flows' }
  const unreachableSwitch = { ARI_URL: 'http://127.0.0.1:9', ARI_USER: 'a', ARI_PASSWORD: 'b' }
  const secrets = { CARRIER_PASSWORD: 'x', ANNA_PHONE_PASSWORD: 'x', CASE_INFO_TOKEN: 'x', SMS_TOKEN: 'x' }
  const env = { ...settings, ...unreachableSwitch, ...secrets, INTEGRATOR_URL: 'http://127.0.0.1:9' }
  const service = spawn(process.execPath, ['--require', './preflight.cjs', 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ALLOW_ROOT: '1', ...env },
  })
  const exited = new Promise<number | null>((done) => service.once('exit', done))

  let log = ''
  await new Promise<void>((waits) => {
    service.stdout.on('data', (text) => {
      log += text
      if (log.includes('not connected to Asterisk')) waits()
    })
  })
  service.kill('SIGHUP')
  service.kill('SIGINT')
  expect(await exited).toBe(1)
  expect(log).toContain('"stopping"')
  expect(existsSync(join(dataDir, 'service.pid'))).toBe(false)
  expect((await embeddedOf(directory)).runningPid()).toBeUndefined()
})

test.each([
  ['without the secret of TURN', '["turn:a.example"]', /phones\.turnSecretFrom: .* TURN_SECRET is not set; set it to/],
  ['with a wrong address of TURN', '["turn//a.example"]', /phones\.ice\.0 must be an address such as "stun:/],
])('%s the service does not start, and says why', async (_, ice, why) => {
  const setup = join(directory, 'switchboard.yaml')
  writeFileSync(setup, `phones: { ice: ${ice}, turnSecretFrom: TURN_SECRET }\n`)
  const where = { DATA_DIR: join(directory, 'at-home'), SETUP_FILE: setup, FLOWS_DIR: directory }
  const service = spawn(process.execPath, ['--require', './preflight.cjs', 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ALLOW_ROOT: '1', PBX: 'simulated', ...where },
  })
  onTestFinished(() => void service.kill('SIGINT'))
  let said = ''
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (text) => {
      said += text
    })
  }
  expect(await new Promise((done) => service.once('close', done))).toBe(1)
  expect(said).toMatch(why)
  expect(said).toContain(`${setup}:1:`)
})

test.runIf(process.getuid?.() === 0)('root is refused, with one line that says what to do', async () => {
  const service = spawn(process.execPath, ['--require', './preflight.cjs', 'src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: join(directory, 'of-root') },
  })
  let said = ''
  service.stderr.on('data', (text) => {
    said += text
  })
  expect(await new Promise((done) => service.once('close', done))).toBe(1)
  expect(said).toMatch(/^Switchboard does not start:\n {2}it was started by root: .*useradd .*ALLOW_ROOT=1\n$/)
  expect(existsSync(join(directory, 'of-root'))).toBe(false)
})
