/** A phone that redirects its calls (SIP 302) gets us to dial nothing: F-A18, F-J9, INV-D8. */
import { createSocket, type Socket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEEDED_MODULES } from '../../asterisk/modules.ts'
import { freePort } from '../../asterisk/ports.ts'
import { type PrivateAsterisk, privateAsterisk } from '../../asterisk/private.ts'
import { methodOf, readSip, responseTo } from '../../demo/sip/sip-message.ts'
import { AriPbx } from '../../src/ari/ari-pbx.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { AgentName, LegId, PhoneNumber } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import { configWith, secretOf } from '../asterisk/setups.ts'
import { Facts } from './facts.ts'

const HOST = '127.0.0.43'
const BAIT = 'sip:+4599999999@127.0.0.43'

/** Where the phone sends us, as user part of its `Contact`: a number, and ways to name an endpoint of Asterisk. */
const TARGETS = [
  '+4599999999',
  'PJSIP%2F+4599999999%40trunk-main',
  'PJSIP/trunk-main',
  'Local%2F+4599999999%40no-engine',
]

const dataDirectory = mkdtempSync(join(tmpdir(), 'redirect-'))
const events = new Facts<PbxEvent>()
const invites: string[] = []
let redirectTo = ''
let phone: Socket
let asterisk: PrivateAsterisk
let pbx: AriPbx

beforeAll(async () => {
  phone = createSocket('udp4')
  await new Promise<void>((done) => phone.bind(0, HOST, done))
  const { port } = phone.address()
  phone.on('message', (bytes, from) => {
    const message = readSip(bytes)
    if (!message || methodOf(message) !== 'INVITE') return
    invites.push(message.start)
    const contact = ['Contact', `<sip:${redirectTo}@${HOST}:${port}>`] as const
    phone.send(responseTo(message, '302 Moved Temporarily', 'phone', [contact]), from.port, from.address)
  })
  const started = await privateAsterisk({
    dataDirectory,
    treeDirectory:
      process.env['SWITCHBOARD_TEST_TREE'] ?? fileURLToPath(new URL('../../.data/asterisk', import.meta.url)),
    installation: configWith({ trunks: [{ host: HOST, port }], phones: { anna: { kind: 'fixed', host: HOST, port } } }),
    secret: secretOf,
    onLine: () => undefined,
    ports: { sipPort: await freePort('udp', '127.0.0.1'), ariPort: await freePort('tcp', '127.0.0.1') },
  })
  if (!started.ok) throw new Error(`${started.why}\n${started.remedy}`)
  asterisk = started
  const parts = { clock: new RealClock(), random: seededRandom(1), log: silentLog }
  pbx = new AriPbx({
    ...asterisk.ari,
    app: 'switchboard',
    neededModules: NEEDED_MODULES,
    joinSides: async () => undefined,
    keepMessage: async () => ({ result: 'silent' }),
    ...parts,
  })
  pbx.onEvent(events.add)
  await pbx.start()
})

afterAll(async () => {
  await pbx?.stop()
  await asterisk?.stop()
  phone?.close()
  rmSync(dataDirectory, { recursive: true, force: true })
})

test.each(TARGETS.flatMap((command) => [['a number', command] as const, ["an agent's phone", command] as const]))(
  'given %s that redirects to %s, the call fails, and no other call is placed or arrives',
  async (who, command) => {
    redirectTo = command
    const id = `sb-leg-${who.length}-${command.length}` as LegId
    const before = invites.length
    const ended = events.next((event) => event.type === 'leg.ended' && event.leg === id)
    const ring = { callerId: '+4570001000', ringTimeoutMs: 5_000 }
    if (who === 'a number') {
      pbx.dial(id, { ...ring, trunk: 'main', number: '+4551234567' as PhoneNumber, reference: 'attempt-1' })
    } else pbx.ringAgent(id, 'anna' as AgentName, ring)
    expect(await ended).toEqual({ type: 'leg.ended', leg: id, reason: 'failed', code: 302 })
    // Whatever Asterisk would still do because of it comes before the end of a call that is made now.
    const after = events.next((event) => event.type === 'leg.ended' && event.leg === `${id}-after`)
    pbx.dial(`${id}-after` as LegId, { ...ring, trunk: 'main', number: '+4551234567' as PhoneNumber, reference: 'x' })
    await after
    expect(invites.slice(before)).toHaveLength(2)
    expect(invites.some((start) => start.includes(BAIT))).toBe(false)
    expect(events.all.filter(({ type }) => type === 'leg.arrived' || type === 'leg.answered')).toEqual([])
  },
)
