import { expect, test } from 'vitest'
import { readSipCopy } from '../../src/ari/hep.ts'
import { SipCopies } from '../../src/ari/sip-copies.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const LEG = 'sb-leg-1' as LegId

/** A packet of HEP version 3: the source port as a chunk that nobody needs, then the message. */
function packet(lines: readonly string[]): Buffer {
  const payload = Buffer.from([...lines, '', ''].join('\r\n'))
  const chunk = (type: number, content: Buffer) => {
    const head = Buffer.alloc(6)
    head.writeUInt16BE(type, 2)
    head.writeUInt16BE(6 + content.length, 4)
    return Buffer.concat([head, content])
  }
  const chunks = Buffer.concat([chunk(0x0007, Buffer.from([0x13, 0xc4])), chunk(0x000f, payload)])
  const head = Buffer.from('HEP3\0\0', 'latin1')
  head.writeUInt16BE(6 + chunks.length, 4)
  return Buffer.concat([head, chunks])
}

const INVITE = packet(['INVITE sip:+45@c SIP/2.0', 'Call-ID: c1', 'CSeq: 7 INVITE', 'X-Switchboard-Attempt: 42'])
const response = (status: string) => packet([`SIP/2.0 ${status}`, 'i: c1', 'CSeq: 7 INVITE'])

test('a copy names the call, the attempt of an INVITE and the status of a response', () => {
  expect(readSipCopy(INVITE)).toEqual({ callId: 'c1', reference: '42' })
  expect(readSipCopy(response('200 OK'))).toEqual({ callId: 'c1', status: 200 })
  expect(readSipCopy(packet(['SIP/2.0 200 OK', 'Call-ID: c1', 'CSeq: 7 CANCEL']))).toBeUndefined()
})

test('noise and packets that are cut anywhere are no copies of another call', () => {
  const whole = response('200 OK')
  for (let length = 0; length < whole.length - 4; length++) {
    expect(readSipCopy(whole.subarray(0, length))?.callId ?? 'none').toBeOneOf(['none', 'c1'])
  }
  expect(readSipCopy(Buffer.alloc(2_000, 0xff))).toBeUndefined()
})

function dialed() {
  const clock = new VirtualClock(1_000)
  const noCodec: string[] = []
  const onNoCodec = (called: string) => void noCodec.push(called)
  const copies = new SipCopies({ port: 0, clock, log: silentLog, onNoCodec })
  copies.dialed(LEG, '42')
  const told: (number | undefined)[] = []
  return {
    clock,
    copies,
    told,
    noCodec,
    whenFinal: () => copies.whenFinal(LEG, (answeredAtMs) => void told.push(answeredAtMs)),
  }
}

test('the end of a cancelled call is told at its final response, once, with an answer that came after all', () => {
  const { clock, copies, told, whenFinal } = dialed()
  for (const one of [INVITE, response('180 Ringing'), response('407 Proxy Authentication Required')])
    copies.receive(one)
  whenFinal()
  clock.run(3_000)
  expect(told).toEqual([])
  for (const one of [response('200 OK'), response('200 OK')]) copies.receive(one)
  clock.run(60_000)
  expect(told).toEqual([4_000])
})

test('a response that overtakes the end of the channel counts as well', () => {
  const { copies, told, whenFinal } = dialed()
  for (const one of [INVITE, response('487 Request Terminated'), response('200 OK')]) copies.receive(one)
  whenFinal()
  expect(told).toEqual([undefined])
})

test('without a final response the end is told after ten seconds, and without any copy at once', () => {
  const { clock, copies, told, whenFinal } = dialed()
  copies.receive(INVITE)
  whenFinal()
  clock.run(9_999)
  expect(told).toEqual([])
  clock.run(1)
  expect(told).toEqual([undefined])
  const other = dialed()
  other.whenFinal()
  expect(other.told).toEqual([undefined])
})

test.for([
  ['To: <sip:+4570001000@127.0.0.1:5060>;tag=1', '+4570001000'],
  ['t: "Our line" <sips:%2B4570001000;phone-context=x@c>', '+4570001000'],
  ['To: sip:70001000@c;tag=1', '70001000'],
  ['To: <sip:%E0%A4%A@c>', '%E0%A4%A'],
])('a call that came in and was refused with 488 is told once, with its number: %s', ([to, called]) => {
  const { copies, noCodec } = dialed()
  const refusal = packet(['SIP/2.0 488 Not Acceptable Here', 'i: other', to!, 'CSeq: 1 INVITE'])
  for (const one of [refusal, refusal]) copies.receive(one)
  expect(noCodec).toEqual([called])
})

test('a 488 of a callee is no call that came in', () => {
  const { copies, noCodec } = dialed()
  copies.receive(INVITE)
  copies.receive(packet(['SIP/2.0 488 Not Acceptable Here', 'i: c1', 'To: <sip:+45@c>', 'CSeq: 7 INVITE']))
  expect(noCodec).toEqual([])
})
