/** The configuration changes while the service runs: new numbers and trunks work, calls in progress continue. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings, type Settings } from '../../src/app/settings.ts'
import { applyCommand } from '../../src/cli/apply.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Caller } from '../../src/sim/person.ts'

const FLOW = `flow: hello
start: say
steps:
  say: { play: Hello and welcome to our house., next: bye }
  bye: { hangup: { say: Goodbye. } }
`
const directory = mkdtempSync(join(tmpdir(), 'switchboard-apply-'))
const clock = new RealClock()
const random = seededRandom(1)
let ports: { sip: number; ari: number }
let service: Service

const settings: Settings = {
  ...readSettings({}).settings!,
  dataDir: directory,
  setupFile: join(directory, 'switchboard.yaml'),
  flowsDir: join(directory, 'flows'),
  pbx: 'asterisk',
  ari: undefined,
  twilio: undefined,
  logLevel: 'silent',
  journalFileBytesMax: 1024 * 1024,
  journalFilesMax: 2,
}

/** Writes the configuration with these numbers and trunks. */
function write(numbers: readonly string[], trunks: Readonly<Record<string, string>>): void {
  const lines = [
    'numbers:',
    ...numbers.map((number) => `  "${number}": { flow: hello }`),
    'trunks:',
    ...Object.entries(trunks).map(([name, host]) => `  ${name}: { host: ${host} }`),
    `asterisk: { sipHost: 127.0.0.1, sipPort: ${ports.sip}, rtp: 27000-27199, ariPort: ${ports.ari} }`,
  ]
  writeFileSync(settings.setupFile, `${lines.join('\n')}\n`)
}

async function call(from: string, called: string, person: Caller = {}) {
  const kit = { sipp: service.asterisk!.tree.sipp!, clock, random }
  const target = { host: '127.0.0.1', port: ports.sip }
  return await callIn({ kit, target, from, called, caller: '+4555000001', person })
}

beforeAll(async () => {
  ports = { sip: await freePort('udp', '127.0.0.1'), ari: await freePort('tcp', '127.0.0.1') }
  mkdirSync(settings.flowsDir)
  writeFileSync(join(settings.flowsDir, 'hello.yaml'), FLOW)
  write(['+4570001000'], { one: '127.0.0.11' })
  const treeDirectory = process.env['SWITCHBOARD_TEST_TREE']!
  const started = await startService({
    isWithoutRecords: true,
    settings,
    env: {},
    clock,
    random,
    log: silentLog,
    onLine: () => {},
    treeDirectory,
  })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
})

afterAll(async () => {
  await service?.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('an added number and trunk work without a restart, and a call in progress continues', async () => {
  const unknown = await call('127.0.0.11', '+4570002000')
  expect(await unknown.result).toMatchObject({ outcome: 'refused', code: 404 })

  const before = await call('127.0.0.11', '+4570001000')
  await before.answered
  write(['+4570001000', '+4570002000'], { one: '127.0.0.11', two: '127.0.0.12' })
  expect(await service.reload()).toEqual([])
  const after = await call('127.0.0.12', '+4570002000')
  expect(await after.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  expect(await before.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
})

test('a mistake in the configuration changes nothing, and is reported with its place', async () => {
  writeFileSync(settings.setupFile, 'numbers:\n  "+4570001000": { flwo: hello }\n')
  const said = await service.reload()
  expect(said.join('\n')).toMatch(/switchboard\.yaml:2:\d+ error unknown key "flwo"; did you mean "flow"\?/)
  const phone = await call('127.0.0.12', '+4570002000')
  expect(await phone.result).toMatchObject({ outcome: 'connected' })
})

test('apply shows the changes before they are made', async () => {
  write(['+4570001000', '+4570003000'], { one: '127.0.0.11', two: '127.0.0.12' })
  const lines: string[] = []
  const status = await applyCommand({ settings, env: {}, write: (line) => void lines.push(line), dryRun: true })
  expect(status).toBe(0)
  expect(
    lines
      .join('\n')
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    expect.stringMatching(/^\+ number \+4570003000/),
    expect.stringMatching(/^- number \+4570002000/),
    // This test runs the service without its process, which would say so in the folder.
    expect.stringMatching(/^no service runs on /),
  ])
})
