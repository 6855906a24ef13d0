import { expect, test } from 'vitest'
import { energyCountOf, FlatMicrophone } from '../../src/console/phone/flat-microphone.ts'
import { type QualityCount, qualityCountOf, SoundQuality } from '../../src/console/phone/sound-quality.ts'

/** A second of a leg: packets lost on each way out of 50, and the round trip. */
interface Second {
  readonly lostIn?: number
  readonly lostOut?: number
  readonly tripMs?: number
}

/** What each look says. */
function looks(seconds: readonly Second[]) {
  const quality = new SoundQuality()
  const sum = { received: 0, lostIn: 0, sent: 0, lostOut: 0 }
  return seconds.map(({ lostIn = 0, lostOut = 0, tripMs }, at) => {
    sum.received += 50 - lostIn
    sum.lostIn += lostIn
    sum.sent += 50
    sum.lostOut += lostOut
    return quality.take(Object.assign({}, sum, { roundTripMs: tripMs }), at * 1_000)
  })
}

const seconds = (count: number, second: Second) => Array.from({ length: count }, () => second)

test('nothing is said before ten seconds are known', () => {
  expect(looks(seconds(10, { lostIn: 25 }))).toEqual(Array(10).fill(undefined))
  expect(looks(seconds(11, { lostIn: 25 })).at(-1)).toMatchObject({ poor: 'loss', lossPercent: 50 })
})

test.each(['lostIn', 'lostOut'] as const)('more than a twentieth of ten seconds is poor, either way: %s', (way) => {
  const lost = (each: number) => looks(seconds(11, { [way]: each })).at(-1)
  expect(lost(2.5)).toMatchObject({ poor: undefined, lossPercent: 5 })
  expect(lost(3)).toMatchObject({ poor: 'loss', lossPercent: 6 })
})

test('a second of loss is over after ten', () => {
  const after = looks([...seconds(11, {}), { lostIn: 40 }, ...seconds(11, {})]).map((one) => one?.poor)
  expect(after.slice(11, 22)).toEqual([...Array(10).fill('loss'), undefined])
})

test('a round trip of more than 400 ms on average is a delay; loss is said first', () => {
  expect(looks(seconds(11, { tripMs: 400 })).at(-1)?.poor).toBeUndefined()
  expect(looks([...seconds(5, { tripMs: 300 }), ...seconds(6, { tripMs: 600 })]).at(-1)?.poor).toBe('delay')
  expect(looks(seconds(11, { tripMs: 600, lostOut: 5 })).at(-1)?.poor).toBe('loss')
})

test('a leg without packets has lost none, and packets that come twice count nothing', () => {
  const quality = new SoundQuality()
  const none: QualityCount = { received: 0, lostIn: 0, sent: 0, lostOut: 0, roundTripMs: undefined }
  quality.take(none, 0)
  expect(quality.take(none, 10_000)).toEqual({ poor: undefined, lossPercent: 0, roundTripMs: undefined })
  expect(quality.take(Object.assign({}, none, { lostIn: -3 }), 11_000)?.lossPercent).toBe(0)
})

test('the rows of the browser: the round trip of RTCP, else that of the pair that carries the sound', () => {
  const rows = [
    { type: 'inbound-rtp', packetsReceived: 90, packetsLost: 10, totalAudioEnergy: 0.5 },
    { type: 'outbound-rtp', packetsSent: 100 },
    { type: 'candidate-pair', nominated: false, currentRoundTripTime: 9 },
    { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.2 },
    { type: 'media-source', kind: 'audio', totalAudioEnergy: 0.25 },
  ]
  expect(qualityCountOf(rows)).toEqual({ received: 90, lostIn: 10, sent: 100, lostOut: 0, roundTripMs: 200 })
  const told = { type: 'remote-inbound-rtp', packetsLost: 4, roundTripTime: 0.1 }
  expect(qualityCountOf([...rows, told])).toMatchObject({ lostOut: 4, roundTripMs: 100 })
  expect(energyCountOf(rows)).toEqual({ ours: 0.25, theirs: 0.5 })
})

test('a microphone without any sound for ten seconds in which the other side talks is flat, until it has some', () => {
  const flat = new FlatMicrophone()
  const at = (second: number, ours: number, theirs: number) => flat.take({ ours, theirs }, second * 1_000)
  const lived = Array.from({ length: 11 }, (_, second) => at(second, 0.1, second * 0.01))
  expect(lived).toEqual([...Array(10).fill(false), true])
  expect(at(11, 0.1, 0.2)).toBe(true)
  expect(at(12, 0.101, 0.3)).toBe(false)
})

test('a room in which nobody speaks is not flat, and neither is a call in which the other side is silent', () => {
  const flat = new FlatMicrophone()
  const quiet = Array.from({ length: 30 }, (_, second) =>
    flat.take({ ours: second * 1e-7, theirs: second }, second * 1_000),
  )
  expect(quiet).not.toContain(true)
  flat.begin()
  const both = Array.from({ length: 30 }, (_, second) => flat.take({ ours: 0, theirs: 1 }, second * 1_000))
  expect(both).not.toContain(true)
})
