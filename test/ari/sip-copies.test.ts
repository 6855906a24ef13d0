import { expect, test, vi } from 'vitest'
import type { SentKey } from '../../src/ari/keys/info-keys.ts'
import { type ReferCopy, readReferCopy, readSipCopy } from '../../src/ari/sip/hep.ts'
import { SipCopies } from '../../src/ari/sip-copies.ts'
import type { LegId } from '../../src/kernel/ids.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { hepPacket } from './hep-packet.ts'

const LEG = 'sb-leg-1' as LegId

const INVITE = hepPacket(['INVITE sip:+45@c SIP/2.0', 'Call-ID: c1', 'CSeq: 7 INVITE', 'X-Switchboard-Attempt: 42'])
const response = (status: string) => hepPacket([`SIP/2.0 ${status}`, 'i: c1', 'CSeq: 7 INVITE'])

test('a copy names the call, the attempt of an INVITE and the status of a response', () => {
  expect(readSipCopy(INVITE)).toEqual({ callId: 'c1', reference: '42' })
  expect(readSipCopy(response('200 OK'))).toEqual({ callId: 'c1', status: 200 })
  expect(readSipCopy(hepPacket(['SIP/2.0 200 OK', 'Call-ID: c1', 'CSeq: 7 CANCEL']))).toBeUndefined()
})

test('a second phone that answers one call is told in the log, once', () => {
  const warn = vi.fn()
  const { copies } = dialed({ ...silentLog, warn })
  const answer = (tag: string) => hepPacket(['SIP/2.0 200 OK', 'i: c1', `To: <sip:+45@c>;tag=${tag}`, 'CSeq: 7 INVITE'])
  for (const one of [INVITE, answer('a'), answer('a')]) copies.receive(one)
  expect(warn).not.toHaveBeenCalled()
  for (const tag of ['b', 'a', 'b', 'c']) copies.receive(answer(tag))
  expect(warn.mock.calls).toMatchObject([[{ leg: LEG }, 'two phones answered one call']])
})

test('noise and packets that are cut anywhere are no copies of another call', () => {
  const whole = response('200 OK')
  for (let length = 0; length < whole.length - 4; length++) {
    expect(readSipCopy(whole.subarray(0, length))?.callId ?? 'none').toBeOneOf(['none', 'c1'])
  }
  expect(readSipCopy(Buffer.alloc(2_000, 0xff))).toBeUndefined()
})

function dialed(log: Log = silentLog) {
  const clock = new VirtualClock(1_000)
  const noCodec: string[] = []
  const keys: SentKey[] = []
  const refers: ReferCopy[] = []
  const onNoCodec = (called: string) => void noCodec.push(called)
  const onKey = (key: SentKey) => void keys.push(key)
  const copies = new SipCopies({ port: 0, clock, log, onNoCodec, onKey, onRefer: (copy) => void refers.push(copy) })
  copies.dialed(LEG, '42')
  const told: (number | undefined)[] = []
  return {
    clock,
    copies,
    told,
    noCodec,
    keys,
    refers,
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
  const refusal = hepPacket(['SIP/2.0 488 Not Acceptable Here', 'i: other', to!, 'CSeq: 1 INVITE'])
  for (const one of [refusal, refusal]) copies.receive(one)
  expect(noCodec).toEqual([called])
})

test('a 488 of a callee is no call that came in', () => {
  const { copies, noCodec } = dialed()
  copies.receive(INVITE)
  copies.receive(hepPacket(['SIP/2.0 488 Not Acceptable Here', 'i: c1', 'To: <sip:+45@c>', 'CSeq: 7 INVITE']))
  expect(noCodec).toEqual([])
})

test('a key that came as INFO in any call is told', () => {
  const { copies, keys } = dialed()
  const head = ['INFO sip:a@c SIP/2.0', 'Call-ID: c9', 'CSeq: 2 INFO', 'Content-Type: application/dtmf-relay']
  copies.receive(hepPacket(head, { body: 'Signal=5\r\nDuration=160\r\n' }))
  copies.receive(hepPacket(['SIP/2.0 200 OK', 'i: c9', 'CSeq: 2 INFO']))
  expect(keys).toMatchObject([{ callId: 'c9', digit: '5', heldMs: 160 }])
})

test.each([
  [['SIP/2.0 202 Accepted', 'Call-ID: c1', 'CSeq: 3 REFER'], '', { says: 'accepted', status: 202 }],
  [['SIP/2.0 405 Method Not Allowed', 'i: c1', 'CSeq: 3 REFER'], '', { says: 'failed', status: 405 }],
  [['SIP/2.0 100 Trying', 'i: c1', 'CSeq: 3 REFER'], '', undefined],
  [['SIP/2.0 401 Unauthorized', 'i: c1', 'CSeq: 3 REFER'], '', undefined],
  [['NOTIFY sip:us SIP/2.0', 'i: c1', 'CSeq: 9 NOTIFY', 'Event: refer;id=3'], 'SIP/2.0 100 Trying\r\n', undefined],
  [
    ['NOTIFY sip:us SIP/2.0', 'i: c1', 'CSeq: 9 NOTIFY', 'Event: refer'],
    'SIP/2.0 200 OK\r\n',
    { says: 'done', status: 200 },
  ],
  [['NOTIFY sip:us SIP/2.0', 'i: c1', 'CSeq: 9 NOTIFY', 'o: refer'], 'SIP/2.0 486', { says: 'failed', status: 486 }],
  [['NOTIFY sip:us SIP/2.0', 'i: c1', 'CSeq: 9 NOTIFY', 'Event: presence'], 'SIP/2.0 200 OK\r\n', undefined],
  [['NOTIFY sip:us SIP/2.0', 'i: c1', 'CSeq: 9 NOTIFY', 'Event: refer'], 'noise', undefined],
] as const)('of a REFER, %j says what became of it', (head, body, says) => {
  const { copies, refers } = dialed()
  const packet = hepPacket([...head], { body })
  expect(readReferCopy(packet)).toEqual(says && { callId: 'c1', ...says })
  copies.receive(packet)
  expect(refers).toHaveLength(says ? 1 : 0)
})
