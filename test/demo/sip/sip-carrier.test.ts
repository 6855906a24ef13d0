import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readInvites } from '../../../demo/sip/carrier-log.ts'
import { RtpPeer } from '../../../demo/sip/rtp-peer.ts'
import { openCarrier, type SipCarrierOptions } from '../../../demo/sip/sip-carrier.ts'
import { headerOf, mediaOf, readSip, userOf } from '../../../demo/sip/sip-message.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { uac } from './sip-uac.ts'

const NUMBER = '+4571000001' as PhoneNumber
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A carrier on virtual time, with any callee, and a call that is ready to be made. */
async function world(contact: Contact, more: Partial<SipCarrierOptions> = {}, user = '4571000001') {
  const clock = new VirtualClock()
  const random = seededRandom(1)
  const carrier = await openCarrier({ clock, random, host: '127.0.0.1', contactOf: () => contact, ...more })
  const phone = await uac(carrier.at, user)
  open.push(carrier, phone)
  return { clock, carrier, phone }
}

/** Rings, and answers when the test lets time pass. */
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 0, afterMs: 100 }

async function answered(contact: Contact = ANSWERS) {
  const made = await world(contact)
  made.phone.invite()
  await made.phone.next(100)
  made.clock.run(100)
  await made.phone.next(200)
  return made
}

describe('a carrier', () => {
  test('rings, answers, and takes the BYE', async () => {
    const { phone, carrier } = await answered()
    phone.ack()
    phone.bye()
    await phone.next(200)
    expect(phone.received).toEqual(['100', '180', '200', '200'])
    expect(await (await carrier.contact(NUMBER)).ended).toBe('switch')
  })

  test('logs the INVITE and its outcome', async () => {
    const { carrier, phone, clock } = await answered()
    phone.ack()
    clock.run(50)
    phone.bye()
    await phone.next(200)
    const fromMs = clock.nowMs() - 150
    expect(carrier.invites()).toEqual([
      {
        callId: expect.stringMatching(/^call-/),
        atMs: fromMs,
        number: NUMBER,
        callerId: '+4570001000',
        reference: 'attempt-7',
        rangAtMs: fromMs,
        answeredAtMs: fromMs + 100,
        endedAtMs: fromMs + 150,
        endedBy: 'switch',
      },
    ])
  })

  test.for([
    ['is busy', { does: 'busy', afterMs: 0 }, 486],
    ['declines', { does: 'reject', afterMs: 0 }, 603],
    ['does not exist', { does: 'fail', code: 404, afterMs: 0 }, 404],
    ['cannot be reached through a full network', { does: 'fail', afterMs: 0 }, 503],
  ] as const)('refuses a call to a number that %s', async ([_, contact, status]) => {
    const { phone, carrier, clock } = await world(contact)
    phone.invite()
    await phone.next(100)
    clock.run(0)
    await phone.next(status)
    phone.ack()
    expect(await (await carrier.contact(NUMBER)).ended).toBe('contact')
    expect(carrier.invites()).toMatchObject([{ refusedWith: status }])
  })

  test('lets the switch cancel a ringing call, and the call is not answered', async () => {
    const { phone, carrier, clock } = await world({ does: 'ignore', ringsAfterMs: 0, afterMs: 0 })
    phone.invite()
    await phone.next(100)
    clock.run(0)
    await phone.next(180)
    phone.cancel()
    await phone.next(487)
    expect(await (await carrier.contact(NUMBER)).ended).toBe('switch')
    expect(carrier.invites()[0]?.answeredAtMs).toBeUndefined()
  })

  test('given a CANCEL that crosses the answer, the answer stands', async () => {
    const { phone, carrier } = await answered()
    phone.cancel()
    await phone.next(200)
    phone.ack()
    phone.bye()
    await phone.next(200)
    expect(phone.received).not.toContain('487')
    expect(carrier.invites()[0]?.answeredAtMs).toBeDefined()
  })

  test('hangs up by itself after the ACK and not before', async () => {
    const { phone, carrier } = await answered({ ...ANSWERS, hangsUpAfterMs: 0 })
    expect(phone.received).toEqual(['100', '180', '200'])
    phone.ack()
    phone.ok(await phone.next('BYE'))
    expect(await (await carrier.contact(NUMBER)).ended).toBe('contact')
  })

  test('counts a repeated INVITE as the same, also after its call', async () => {
    const { phone, carrier } = await answered()
    phone.invite()
    await phone.next(200)
    phone.ack()
    phone.bye()
    await phone.next(200)
    phone.invite()
    phone.send(Buffer.from('OPTIONS sip:x SIP/2.0\r\nCall-ID: other\r\n\r\n'))
    await phone.next(200)
    expect(carrier.invites()).toHaveLength(1)
  })

  test('repeats its 200 until the ACK, and gives up after 32 s', async () => {
    const { phone, carrier, clock } = await answered()
    clock.run(500)
    await phone.next(200)
    clock.run(1_000)
    await phone.next(200)
    clock.run(32_000)
    expect(await (await carrier.contact(NUMBER)).ended).toBe('nobody')
  })

  test('ignores unknown calls and packets that are not SIP', async () => {
    const { phone, carrier } = await world(ANSWERS)
    phone.send(Buffer.from('\r\n\r\n'))
    phone.send(Buffer.alloc(60_000, 0xff))
    phone.bye()
    await phone.next(481)
    expect(carrier.invites()).toEqual([])
  })

  test('selects the callee by the last two digits, unless told otherwise', async () => {
    const clock = new VirtualClock()
    const carrier = await openCarrier({ clock, random: seededRandom(1), host: '127.0.0.1' })
    const phone = await uac(carrier.at, '%2B4571000002')
    open.push(carrier, phone)
    phone.invite()
    await phone.next(100)
    clock.run(100)
    await phone.next(486)
    expect(carrier.invites()).toMatchObject([{ number: '+4571000002' }])
  })
})

test('people at the carrier are heard, and hear', async () => {
  const sound = { clock: new RealClock(), random: seededRandom(2), host: '127.0.0.1' }
  const ours = await RtpPeer.open({ ...sound, toneHz: 700, listensFor: [450] })
  const contact: Contact = { does: 'answer', afterMs: 0 }
  const carrier = await openCarrier({ ...sound, contactOf: () => contact, toneHz: 450, listensFor: [700] })
  const phone = await uac(carrier.at, '4571000001', ours.address.port)
  open.push(ours, carrier, phone)
  phone.invite()
  ours.start(mediaOf(await phone.next(200))!)
  phone.ack()
  const { ear } = await carrier.contact(NUMBER)
  await Promise.all([ear.whenHeard(700, 200), ours.ear.whenHeard(450, 200)])
  phone.bye()
  await phone.next(200)
})

test('the log can be read from its file, even if its last line was cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carrier-'))
  const logFile = join(folder, 'invites.log')
  const { phone, carrier, clock } = await world({ does: 'busy', afterMs: 0 }, { logFile })
  phone.invite()
  await phone.next(100)
  clock.run(0)
  await phone.next(486)
  expect(readInvites(logFile)).toEqual(carrier.invites())
  const lines = readFileSync(logFile, 'utf8')
  writeFileSync(logFile, `${lines}{"callId":"x","atM`)
  expect(readInvites(logFile)).toEqual(carrier.invites())
  rmSync(folder, { recursive: true })
})

describe('a SIP message', () => {
  test('is read with compact and folded headers', () => {
    const text = 'INVITE sip:+45@h SIP/2.0\r\ni: abc\r\nf: "A\r\n B" <sip:%2B4570@h>;tag=1\r\n\r\nbody'
    const message = readSip(Buffer.from(text))!
    expect(headerOf(message, 'call-id')).toBe('abc')
    expect(headerOf(message, 'from')).toBe('"A B" <sip:%2B4570@h>;tag=1')
    expect(userOf(headerOf(message, 'from'))).toBe('+4570')
    expect(message.body).toBe('body')
  })

  test.for(['', 'GET / HTTP/1.1\r\n\r\n', 'SIP/2.0', '\r\n\r\n'])('is not read from %j', (text) => {
    expect(readSip(Buffer.from(text))).toBeUndefined()
  })
})
