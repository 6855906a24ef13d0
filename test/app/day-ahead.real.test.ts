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
import type { Pools } from '../../src/store/db/pools.ts'
import { integratorOf, makeSystem, type Receiver, startReceiver } from '../e2e/campaign-live.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'

const LINE = '+4570001000'
const DAY_MS = 24 * 3_600_000
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
let jobs: Pools['jobs']
let deliveries: () => Promise<readonly { readonly next_at_ms: string | null }[]>
let tries: () => Promise<number>
let leaseEnd: () => Promise<unknown>

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
  jobs = opened.database.pools.jobs
  deliveries = async () => (await jobs.query('select next_at_ms from deliveries')).rows
  leaseEnd = async () => (await jobs.query('select max(expires_at)::text as until from courier_leases')).rows[0].until
  tries = async () => (await jobs.query('select 1 from delivery_attempts')).rows.length
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** A dispatcher whose clock jumps takes its lease for lost, and delivers nothing before it is renewed. */
async function dispatcherGoesOn() {
  for (let renewals = 0; renewals < 2; renewals++) {
    const before = await leaseEnd()
    await expect.poll(leaseEnd, SOON).not.toBe(before)
  }
}

/** An event that is kept for half a day yet. */
async function leaveEvent() {
  const text = `insert into events (name, type, corporation_id, activity_id, version, at_ms)
    values ('evt_kept', 'phone-call.ended', 1, 999, 1, $1)`
  await jobs.query(text, [real.nowMs() - 29.5 * DAY_MS])
}
const isKept = async () => (await jobs.query("select 1 from events where name = 'evt_kept'")).rows.length === 1

test('no event is delivered or erased by the time that never came; all come when it is right again', async () => {
  const callIn = () => pbx.callIn({ called: LINE, caller: '+4551000001', person: { waitsMaxMs: 60_000 } })
  await leaveEvent()
  aheadMs = DAY_MS
  await dispatcherGoesOn()
  callIn()
  await expect.poll(async () => (await deliveries()).length, SOON).toBe(1)
  await dispatcherGoesOn()
  expect(receiver.complaints).toEqual([])
  expect(await tries()).toBe(0)
  expect(await isKept()).toBe(true)

  aheadMs = 0
  callIn()
  await expect.poll(() => receiver.heard.size, SOON).toBe(2)
  expect(receiver.complaints).toEqual([])
  // The receiver has heard of it a moment before that is written down.
  await expect.poll(async () => (await deliveries()).map((one) => one.next_at_ms), SOON).toEqual([null, null])
})
