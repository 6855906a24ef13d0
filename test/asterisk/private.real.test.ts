/** The kit as a whole: installs Asterisk (once), boots it with a generated configuration, and calls it by SIPp. */
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateConfig } from '../../asterisk/generate-config.ts'
import { freePort } from '../../asterisk/ports.ts'
import { type PrivateAsterisk, type PrivateAsteriskInput, privateAsterisk } from '../../asterisk/private.ts'
import { startAsterisk, stopAsterisk } from '../../asterisk/start.ts'
import { findTree } from '../../asterisk/tree.ts'
import { configWith, FIXED, REGISTERING, secretOf } from './setups.ts'
import { callEndedByThem, options, refusedCall, refusedCallWithPassword, registration, runSipp } from './sipp.ts'

const INSTALL_LIMIT_MS = 300_000
const treeDirectory =
  process.env['SWITCHBOARD_TEST_TREE'] ?? fileURLToPath(new URL('../../.data/asterisk', import.meta.url))
const dataDirectory = mkdtempSync(join(tmpdir(), 'kit-'))
const installation = configWith({
  trunks: [{}, { name: 'second', host: '127.0.0.12', username: 'carrier', passwordFrom: 'CARRIER_PASSWORD' }],
  phones: { anna: REGISTERING, ben: FIXED },
})

let input: PrivateAsteriskInput
let pbx: PrivateAsterisk
const lines: string[] = []

beforeAll(async () => {
  const ports = { sipPort: await freePort('udp', '127.0.0.1'), ariPort: await freePort('tcp', '127.0.0.1') }
  const onLine = (line: string) => lines.push(line)
  input = { dataDirectory, treeDirectory, installation, secret: secretOf, onLine, ports }
  const result = await privateAsterisk(input)
  if (!result.ok) throw new Error(`${result.why}\n${result.remedy}`)
  pbx = result
}, INSTALL_LIMIT_MS)

afterAll(async () => {
  await stopAsterisk(join(dataDirectory, 'asterisk-run'))
  rmSync(dataDirectory, { recursive: true, force: true })
})

const stranger = { from: '127.0.0.66', service: '+4570001000' }
const carrier = { from: '127.0.0.11', service: '+4570001000' }

function call(who: { from: string; service: string; password?: string }, scenario: string) {
  const to = { host: '127.0.0.1', port: input.ports!.sipPort! }
  return runSipp({ sipp: pbx.tree.sipp!, to, ...who }, scenario)
}

function console(command: string): Promise<string> {
  const question = ['-C', join(pbx.runDirectory, 'etc', 'asterisk.conf'), '-rx', command]
  return new Promise((resolve) => execFile(pbx.tree.asterisk, question, (_error, stdout) => resolve(stdout)))
}

async function ask(method: string, path: string): Promise<Response> {
  const { url, user, password } = pbx.ari
  const authorization = `Basic ${btoa(`${user}:${password}`)}`
  return await fetch(`${url}/ari/${path}`, { method, headers: { authorization } })
}

async function channels(): Promise<{ readonly id: string }[]> {
  return (await (await ask('GET', 'channels')).json()) as { id: string }[]
}

/** A channel that is hung up is there a moment longer: its own thread must end it. */
async function allAreGone(): Promise<void> {
  await expect.poll(channels).toEqual([])
}

const PASSED = { ok: true, why: '' }

describe('the switch', () => {
  test('runs a version without known vulnerabilities', async () => {
    expect(await console('core show version')).toContain(`Asterisk ${pbx.tree.version}`)
    const [major, minor, patch] = pbx.tree.version!.split('.').map(Number)
    expect(major! * 1e6 + minor! * 1e3 + patch!).toBeGreaterThanOrEqual(22_010_001)
  })

  test('keeps its passwords from other users of the machine', () => {
    for (const file of ['ari-password', 'etc/ari.conf', 'etc/pjsip.conf']) {
      expect(statSync(join(pbx.runDirectory, file)).mode & 0o077).toBe(0)
    }
  })

  test('loads exactly the generated configuration', async () => {
    const endpoint = await console('pjsip show endpoint trunk-main')
    expect(endpoint).toMatch(/rtp_timeout +: 30/)
    expect(endpoint).toMatch(/identify_by +: ip\n/)
    expect(await console('pjsip show identifiers')).toMatch(/ip\s+header\s+request_uri/)
    expect(await console('http show status')).toContain('127.0.0.1')
    expect(await console('manager show settings')).toMatch(/Manager.*: +No/)
  })

  test('keeps running when it is started again, also by another process', async () => {
    const again = await privateAsterisk(input)
    expect(again).toMatchObject({ ok: true, reused: true, pid: pbx.pid, ari: pbx.ari })
    expect(lines.at(-1)).toContain('runs already')
  })
})

describe('who may call', () => {
  test.each(['bob', 'trunk-main', 'agent-anna', 'agent-ben', 'anonymous'])(
    'an unknown peer with the name %s is challenged, and no channel is created',
    async (user) => {
      expect(await call(stranger, refusedCall(user, 401))).toEqual(PASSED)
      expect(await channels()).toEqual([])
    },
  )

  test('an unknown peer learns nothing by OPTIONS', async () => {
    expect(await call(stranger, options('bob', 401))).toEqual(PASSED)
  })

  test('a trunk with credentials is challenged, also from its own address', async () => {
    const second = { from: '127.0.0.12', service: '+4570001000' }
    expect(await call(second, refusedCall('carrier', 401))).toEqual(PASSED)
  })

  test('a phone registers with its own user name and password only', async () => {
    const phone = { from: '127.0.0.41', service: 'k7.x2' }
    expect(await call({ ...phone, password: 'wrong' }, registration('k7.x2', 401))).toEqual(PASSED)
    expect(await call({ ...phone, password: 'ann4' }, registration('k7.x2', 200))).toEqual(PASSED)
    expect(await console('pjsip show aor k7.x2')).toContain('127.0.0.41')
  })

  test("an agent's phone cannot dial through the switch", async () => {
    const phone = { from: '127.0.0.41', service: '+4570001000', password: 'ann4' }
    expect(await call(phone, refusedCallWithPassword('k7.x2', 403))).toEqual(PASSED)
  })

  test('a carrier that calls an invalid number gets "not found"', async () => {
    expect(await call({ ...carrier, service: 'reception' }, refusedCall('12345', 404))).toEqual(PASSED)
  })
})

test('given no engine the caller is answered, hears the apology to its end, and is hung up', async () => {
  expect(await call(carrier, callEndedByThem('+4551234567'))).toEqual(PASSED)
  await allAreGone()
})

describe('another start', () => {
  const tree = () => findTree(treeDirectory)!
  const ari = { user: 'switchboard', password: 'random', port: 1 }

  async function startElsewhere(part: { sipPort: number; ariPort: number; modules?: string; asterisk?: string }) {
    const runDirectory = join(dataDirectory, 'elsewhere')
    const elsewhere = { ...installation, asterisk: { ...installation.asterisk, sipPort: part.sipPort } }
    const access = { ...ari, port: part.ariPort }
    const config = new Map(
      generateConfig({ installation: elsewhere, secret: secretOf, tree: tree(), runDirectory, ari: access }),
    )
    if (part.modules) config.set('modules.conf', part.modules)
    const sip = { host: '127.0.0.1', port: part.sipPort }
    const started = { ...tree(), asterisk: part.asterisk ?? tree().asterisk }
    return await startAsterisk({ tree: started, runDirectory, config, ari: access, sip })
  }

  /** A program that has no command line of Asterisk for a moment, as every process on a busy machine. */
  function lateAsterisk(): string {
    const path = join(dataDirectory, 'late-asterisk')
    const program = tree().asterisk
    const late = `sleep 0.3; exec ${program} -f -C "$CONFIGURATION"`
    const lines = ['#!/bin/sh', `[ "$1" = -f ] || exec ${program} "$@"`, `CONFIGURATION="$3" exec sh -c '${late}'`]
    writeFileSync(path, `${lines.join('\n')}\n`)
    chmodSync(path, 0o755)
    return path
  }

  test('given a SIP port in use the start is refused, and the error names the setting', async () => {
    const holder = createSocket('udp4')
    await new Promise<void>((resolve) => holder.bind(0, '127.0.0.1', resolve))
    const result = await startElsewhere({ sipPort: holder.address().port, ariPort: await freePort('tcp', '127.0.0.1') })
    await new Promise<void>((resolve) => holder.close(() => resolve()))
    expect(result).toMatchObject({ ok: false, why: expect.stringContaining('asterisk.sipPort') })
  })

  test('a process that has no command line yet is waited for', async () => {
    const result = await startElsewhere({
      sipPort: await freePort('udp', '127.0.0.1'),
      ariPort: await freePort('tcp', '127.0.0.1'),
      asterisk: lateAsterisk(),
    })
    expect(result).toMatchObject({ ok: true })
    if (result.ok) await result.kill()
  })

  test('given a missing module the error ends with the message of Asterisk', async () => {
    const result = await startElsewhere({
      sipPort: await freePort('udp', '127.0.0.1'),
      ariPort: await freePort('tcp', '127.0.0.1'),
      modules: '[modules]\nautoload = no\nrequire = no_such_module.so\n',
    })
    expect(result).toMatchObject({ ok: false, why: expect.stringContaining('no_such_module.so') })
  })
})

describe('given a changed configuration', () => {
  const changed = configWith({ trunks: [{ name: 'third', host: '127.0.0.13' }] })

  test('a switch with calls is left alone', async () => {
    await ask('POST', 'channels?endpoint=Local/s@no-engine&context=no-engine&extension=s&formats=alaw')
    expect(await channels()).not.toEqual([])
    const refused = await privateAsterisk({ ...input, installation: changed })
    expect(refused).toMatchObject({
      ok: false,
      why: expect.stringContaining('channels are up'),
      remedy: expect.stringContaining('switchboard asterisk stop'),
    })
    expect(await console('pjsip show endpoint trunk-main')).toContain('from-trunk-main')
    for (const { id } of await channels()) await ask('DELETE', `channels/${id}`)
    await allAreGone()
  })

  test('a switch without calls is restarted with it', async () => {
    const again = await privateAsterisk({ ...input, installation: changed })
    expect(again).toMatchObject({ ok: true, reused: false })
    expect(await console('pjsip show endpoint trunk-third')).toContain('from-trunk-third')
    if (again.ok) pbx = again
  })
})

test('in the end the security log shows the unknown peers, and the other log no error', async () => {
  await pbx.stop()
  const log = (name: string) => readFileSync(join(pbx.runDirectory, 'log', name), 'utf8')
  expect(log('unfiltered')).not.toContain('ERROR')
  expect(log('console')).not.toContain('ERROR')
  expect(log('security')).toContain('127.0.0.66')
  expect(await stopAsterisk(pbx.runDirectory)).toBe(false)
})
