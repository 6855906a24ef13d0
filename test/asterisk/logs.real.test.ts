/** The log of a real Asterisk while it is copied, rotated and written. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asteriskLog } from '../../asterisk/logs.ts'
import { freePort } from '../../asterisk/ports.ts'
import { type PrivateAsterisk, privateAsterisk } from '../../asterisk/private.ts'
import { stopAsterisk } from '../../asterisk/start.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Periodic } from '../../src/kernel/periodic.ts'
import { configWith, secretOf } from './setups.ts'
import { refusedCall, runSipp } from './sipp.ts'

const dataDirectory = mkdtempSync(join(tmpdir(), 'log-'))
const NOISE =
  '[2026-11-23 10:00:00.000] NOTICE[7][C-00000001] res_stasis_playback.c: 1795.1: Playback stopped for sound:/x\n'
const LARGER_THAN_ALLOWED = Math.ceil(20_500_000 / NOISE.length)

let asterisk: PrivateAsterisk
let sipPort: number

beforeAll(async () => {
  sipPort = await freePort('udp', '127.0.0.1')
  const started = await privateAsterisk({
    dataDirectory,
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    installation: configWith(),
    secret: secretOf,
    onLine: () => {},
    ports: { sipPort, ariPort: await freePort('tcp', '127.0.0.1') },
  })
  if (!started.ok) throw new Error(`${started.why}\n${started.remedy}`)
  asterisk = started
})

afterAll(async () => {
  await stopAsterisk(join(dataDirectory, 'asterisk-run'))
  rmSync(dataDirectory, { recursive: true, force: true })
})

const file = (name: string) => join(asterisk.runDirectory, 'log', name)

/** Asterisk writes a line about each of these calls. */
async function callWrongNumber(calls: number): Promise<void> {
  const to = { host: '127.0.0.1', port: sipPort }
  const caller = { sipp: asterisk.tree.sipp!, to, from: '127.0.0.11', service: 'reception', calls }
  expect(await runSipp(caller, refusedCall('12345', 404))).toEqual({ ok: true, why: '' })
}

const linesAboutCalls = () => readFileSync(file('messages'), 'utf8').split("'reception' rejected").length - 1

function startCopying(): Periodic {
  const copying = asteriskLog({ asterisk: () => asterisk, clock: new RealClock(), log: silentLog })
  copying.start()
  return copying
}

async function rotateByHand(): Promise<void> {
  const { url, user, password } = asterisk.ari
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` }
  const answer = await fetch(`${url}/ari/asterisk/logging/unfiltered/rotate`, { method: 'PUT', headers })
  expect(answer.status).toBe(204)
}

test('every line comes once, also while the log is rotated and when the service starts again', async () => {
  const first = startCopying()
  await callWrongNumber(20)
  await expect.poll(linesAboutCalls, { timeout: 20_000 }).toBe(20)
  await first.stop()

  await callWrongNumber(20)
  await rotateByHand()
  appendFileSync(file('unfiltered'), NOISE.repeat(LARGER_THAN_ALLOWED))
  appendFileSync(file('security'), NOISE.repeat(LARGER_THAN_ALLOWED))
  const second = startCopying()
  await callWrongNumber(200)
  await expect.poll(linesAboutCalls, { timeout: 60_000 }).toBe(240)
  const sizes = () => ['unfiltered', 'security'].map((name) => statSync(file(name)).size)
  await expect.poll(() => Math.max(...sizes()), { timeout: 60_000 }).toBeLessThan(1_000_000)
  await callWrongNumber(20)
  await expect.poll(linesAboutCalls, { timeout: 20_000 }).toBe(260)
  await second.stop()

  expect(readFileSync(file('messages'), 'utf8')).not.toContain('Playback')
  expect(readdirSync(file('')).sort()).toEqual(
    ['cel-custom', 'console', 'messages', 'queue_log', 'security', 'security.1', 'unfiltered'].sort(),
  )
})
