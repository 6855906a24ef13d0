/** Keys that telephones send as SIP INFO, from the copies of the switch's SIP messages. */
import { expect, test } from 'vitest'
import { InfoKeys } from '../../../src/ari/keys/info-keys.ts'
import { readInfoCopy, readSipCopy } from '../../../src/ari/sip/hep.ts'
import { hepPacket } from '../hep-packet.ts'

const RELAY = 'application/dtmf-relay'
const AT_MS = 1_795_452_089_157

const info = (cseq: number, body: string, type = RELAY) =>
  hepPacket(['INFO sip:a@c SIP/2.0', 'Call-ID: c1', `CSeq: ${cseq} INFO`, `Content-Type: ${type}`], { body })
const answer = (cseq: number, status = '200 OK') =>
  hepPacket([`SIP/2.0 ${status}`, 'i: c1', `CSeq: ${cseq} INFO`], { atMs: AT_MS })

/** The keys that these messages complete. */
function keysOf(...packets: readonly Buffer[]) {
  const keys = new InfoKeys()
  return packets.flatMap((packet) => {
    const copy = readInfoCopy(packet)
    return (copy && keys.receive(copy)) ?? []
  })
}

test('a key counts when Asterisk takes it, once', () => {
  const five = info(2, 'Signal=5\r\nDuration=160\r\n')
  expect(keysOf(five, five, answer(2), five, answer(2))).toEqual([
    { callId: 'c1', digit: '5', heldMs: 160, atMs: AT_MS },
  ])
})

test('a key that was sent again with a password is one key, and a refused one is none', () => {
  const sent = ['5', '5', '7'].map((key, at) => info(at + 2, `Signal=${key}\r\nDuration=160\r\n`))
  const packets = [sent[0]!, answer(2, '401 Unauthorized'), sent[1]!, answer(3), sent[2]!, answer(4, '481 Gone')]
  expect(keysOf(...packets).map(({ digit }) => digit)).toEqual(['5'])
})

test.for([
  [RELAY, 'Signal= 10\r\nDuration=250\r\n', '*', 250],
  [RELAY, 'signal=#\r\nduration=80', '#', 80],
  [RELAY, 'Signal=11', '#', 100],
  [RELAY, 'Signal=d\r\n', 'd', 100],
  [RELAY, 'Signal=13\r\n', 'B', 100],
  ['Application/DTMF', '7', '7', 100],
] as const)('as %s, %j is a key', ([type, body, digit, heldMs]) => {
  expect(keysOf(info(2, body, type), answer(2))).toMatchObject([{ digit, heldMs }])
})

test.for([
  [RELAY, 'Signal=16\r\nDuration=100\r\n'],
  [RELAY, 'Signal=!\r\n'],
  [RELAY, 'Duration=100\r\n'],
  [RELAY, ''],
  ['application/dtmf', 'Signal=5'],
  ['application/hook-flash', '5'],
  ['application/media_control+xml', '5'],
] as const)('as %s, %j is no key', ([type, body]) => {
  expect(keysOf(info(2, body, type), answer(2))).toEqual([])
})

test('copies of INFO are no copies of INVITE, and noise is neither', () => {
  const whole = answer(2)
  expect(readSipCopy(whole)).toBeUndefined()
  for (let length = 0; length < whole.length - 2; length++) {
    expect(readInfoCopy(whole.subarray(0, length))).toBeUndefined()
  }
})

test('INFO that is never answered is forgotten', () => {
  const others = Array.from({ length: 1_000 }, (_, at) => info(at + 3, 'Signal=1\r\n'))
  expect(keysOf(info(2, 'Signal=5\r\n'), ...others, answer(2))).toEqual([])
})
