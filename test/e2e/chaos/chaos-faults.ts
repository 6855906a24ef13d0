/** What `npm run chaos` does to a service beside killing it: how each fault begins, and how it ends. */
import { createSocket } from 'node:dgram'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type Random, randomInt } from '../../../src/kernel/random.ts'
import { pause } from '../campaign-live.ts'
import type { Place } from '../campaign-place.ts'

/** Where a fault happens. */
export interface FaultScene {
  readonly place: Place
  readonly clock: Clock
  readonly random: Random
  /** The process of the service. */
  readonly enginePid: number
  readonly redisUrl: string | undefined
  readonly intakePort: number | undefined
  readonly clockFile: string
}

/** The faults after which the service is the same process, and on the same switch. */
export const FAULTS = { database, freeze, clock, disk, redis, silence, flood, mails } satisfies Record<
  string,
  (scene: FaultScene) => Promise<void>
>

/** One of them. */
export type FaultName = keyof typeof FAULTS

const POSTMASTER = 'postgres/server/cluster/postmaster.pid'
const SILENT_CONNECTIONS = 2_000
const STRANGERS_CALLS = 3_000
const BROKEN_MAILS = 60
const BALLAST_BYTES = 16 * 2 ** 20

/** `kill -9` of PostgreSQL; the service starts it again. */
async function database({ place }: FaultScene): Promise<void> {
  const file = join(place.directory, POSTMASTER)
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
}

/** The service does nothing for 3 to 30 seconds, as on a machine that was suspended. */
async function freeze({ enginePid, clock, random }: FaultScene): Promise<void> {
  process.kill(enginePid, 'SIGSTOP')
  try {
    await pause(clock, randomInt(random, 3_000, 30_000))
  } finally {
    process.kill(enginePid, 'SIGCONT')
  }
}

/** Its clock is a day ahead, or an hour behind, for three seconds. */
async function clock({ enginePid, clock: time, random, clockFile }: FaultScene): Promise<void> {
  const step = async (offMs: number) => {
    writeFileSync(clockFile, String(offMs))
    process.kill(enginePid, 'SIGURG')
  }
  await step(randomInt(random, 0, 1) === 0 ? 24 * 3_600_000 : -3_600_000)
  await pause(time, 3_000)
  await step(0)
}

/** The disk of DATA_DIR is full for three seconds. It must be a small one of its own. */
async function disk({ place, clock: time }: FaultScene): Promise<void> {
  const file = join(place.directory, 'ballast')
  const ballast = Buffer.alloc(BALLAST_BYTES)
  const handle = openSync(file, 'w')
  try {
    for (;;) writeSync(handle, ballast)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
    await pause(time, 3_000)
  } finally {
    closeSync(handle)
    rmSync(file)
  }
}

/** Everything in Redis is lost. */
async function redis({ redisUrl }: FaultScene): Promise<void> {
  const client = new Redis(redisUrl!, { lazyConnect: true })
  await client.connect()
  await client.flushall()
  client.disconnect()
}

/** Connections that say nothing, all at once, for five seconds. */
async function silence({ place, clock: time }: FaultScene): Promise<void> {
  const port = Number(place.env['HTTP_PORT'])
  const sockets = Array.from({ length: SILENT_CONNECTIONS }, (): Socket => {
    return connect({ host: '127.0.0.1', port, localAddress: '127.0.0.77' }).on('error', () => {})
  })
  await pause(time, 5_000)
  for (const socket of sockets) socket.destroy()
}

/** A stranger on the network calls in, a thousand times a second. */
async function flood({ place, clock: time }: FaultScene): Promise<void> {
  const socket = createSocket('udp4').on('error', () => {})
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.78', bound))
  const { port } = socket.address()
  for (let call = 0; call < STRANGERS_CALLS; call++) {
    socket.send(inviteOf(call, port), place.sip.port, place.sip.host)
    if (call % 100 === 99) await pause(time, 100)
  }
  socket.close()
}

function inviteOf(call: number, port: number): string {
  return [
    'INVITE sip:+4570000000@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.78:${port};branch=z9hG4bK-stranger-${call}`,
    `From: <sip:+4500000000@127.0.0.78>;tag=${call}`,
    'To: <sip:+4570000000@127.0.0.1>',
    `Call-ID: stranger-${call}@127.0.0.78`,
    'CSeq: 1 INVITE',
    `Contact: <sip:stranger@127.0.0.78:${port}>`,
    'Max-Forwards: 70',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n')
}

/** Emails that are hard to read, by SMTP: huge ones, deep ones, and broken ones. */
async function mails({ intakePort, random }: FaultScene): Promise<void> {
  const smtp = new SMTPConnection({ host: '127.0.0.1', port: intakePort!, secure: false, ignoreTLS: true })
  const done = (work: (settled: (error?: unknown) => void) => void) => new Promise<void>((next) => work(() => next()))
  smtp.on('error', () => {})
  await done((settled) => smtp.connect(settled))
  for (let mail = 0; mail < BROKEN_MAILS; mail++) {
    const envelope = { from: 'stranger@elsewhere.example', to: ['help@ours.example'] }
    await done((settled) => smtp.send(envelope, BROKEN[randomInt(random, 0, BROKEN.length - 1)]!(mail), settled))
  }
  smtp.quit()
}

const headers = (mail: number, type: string) =>
  `From: stranger@elsewhere.example\r\nTo: help@ours.example\r\nMessage-ID: <chaos-${mail}@elsewhere.example>\r\n` +
  `Subject: ${mail}\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n`

const BROKEN: readonly ((mail: number) => string)[] = [
  (mail) => `${headers(mail, 'text/html')}${'<div><b>'.repeat(200_000)}`,
  (mail) => `${headers(mail, 'multipart/mixed; boundary=x')}${'--x\r\n\r\n'.repeat(20_000)}`,
  (mail) => `Cc: =?utf-16le?B?${'A'.repeat(2_001)}?=\r\n${headers(mail, 'text/plain; charset=utf-7')}+AGE`,
  (mail) => `${headers(mail, 'text/plain')}${'x'.repeat(4_000_000)}`,
]
