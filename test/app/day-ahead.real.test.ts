/**
 * A started service whose clock is a day ahead for a moment, while a call ends (storage-13). Its clock is injected:
 * `RealClock` hides a short jump, and a test that sets the system's time sees that part alone, however the delivery is
 * made. The receiver believes no signature of another day, as receivers must.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabaseFor } from '../../src/app/repositories.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings } from '../../src/app/settings.ts'
import { type Clock, RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { integratorOf, makeSystem, type Receiver, startReceiver } from '../e2e/campaign-live.ts'
import { openServicePlace } from './service-place.ts'

const LINE = '+4570001000'
const DAY_MS = 24 * 3_600_000
const SOON = { interval: 100, timeout: 30_000 }
const FLOW = `flow: house
start: bye
steps:
  bye: { hangup: {} }
`

const real = new RealClock()
let aheadMs = 0
const clock: Clock = {
  nowMs: () => real.nowMs() + aheadMs,
  schedule: (atMs, action) => real.schedule(atMs - aheadMs, action),
}
const closing: (() => Promise<unknown>)[] = []
let pbx: SimPbx
let service: Service
let receiver: Receiver
let deliveries: () => Promise<readonly { readonly next_at_ms: string | null }[]>
let tries: () => Promise<number>

beforeAll(async () => {
  receiver = await startReceiver(real)
  const host = new URL(receiver.url).host
  const place = await openServicePlace(`numbers: { "${LINE}": { flow: house } }\nallowedHosts: ["${host}"]\n`)
  writeFileSync(join(place.directory, 'flows/house.yaml'), FLOW)
  const database = await place.database()
  const env = await place.env({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  const settings = readSettings(env).settings!
  const opened = await openDatabaseFor(settings, { clock: real, log: silentLog, onLine: () => {} })
  if (!opened.ok) throw new Error(opened.why)
  const random = seededRandom(1)
  pbx = new SimPbx({ clock: real, random })
  const onLine = () => {}
  const started = await startService({ settings, env, clock, random, log: silentLog, onLine, pbx, speech: simSpeech() })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
  closing.push(
    () => service.stop(),
    () => opened.database.close(),
    () => receiver.close(),
    () => place.close(),
  )
  await makeSystem(await integratorOf(opened, real, `http://127.0.0.1:${env['SSO_PORT']}`), receiver)
  const { jobs } = opened.database.pools
  deliveries = async () => (await jobs.query('select next_at_ms from deliveries')).rows
  tries = async () => (await jobs.query('select 1 from delivery_attempts')).rows.length
})
afterAll(async () => {
  for (const close of closing) await close()
})

test('the event is not delivered by the time that never came, and comes when the clock is right again', async () => {
  aheadMs = DAY_MS
  pbx.callIn({ called: LINE, caller: '+4551000001', person: { waitsMaxMs: 60_000 } })
  await expect.poll(async () => (await deliveries()).length, SOON).toBe(1)
  // The dispatcher is told of it at once, and looks again each second: its time for that has passed when another has.
  pbx.callIn({ called: LINE, caller: '+4551000002', person: { waitsMaxMs: 60_000 } })
  await expect.poll(async () => (await deliveries()).length, SOON).toBe(2)
  expect(receiver.complaints).toEqual([])
  expect(await tries()).toBe(0)

  aheadMs = 0
  pbx.callIn({ called: LINE, caller: '+4551000003', person: { waitsMaxMs: 60_000 } })
  await expect.poll(() => receiver.heard.size, SOON).toBe(3)
  expect(receiver.complaints).toEqual([])
  expect((await deliveries()).map((one) => one.next_at_ms)).toEqual([null, null, null])
})
