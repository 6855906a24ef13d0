import { expect, test } from 'vitest'
import { SoundCounters, soundCountOf, soundPathOf } from '../../src/console/phone/sound-counters.ts'

/** One look a second: packets of sound in and out of that second, and bytes of any kind. */
function looks(
  seconds: readonly (readonly [received: number, sent: number, arrivedBytes?: number])[],
  expectsSound = true,
) {
  const counters = new SoundCounters()
  counters.begin(0)
  const sum = { received: 0, sent: 0, arrivedBytes: 0 }
  return seconds.map(([received, sent, arrivedBytes = 23], at) => {
    sum.received += received
    sum.sent += sent
    sum.arrivedBytes += arrivedBytes
    return counters.take({ ...sum }, (at + 1) * 1_000, expectsSound)
  })
}

test('a gap of 2 s is no matter, after 3 s the way is named, and sound that comes back ends it', () => {
  expect(
    looks([
      [50, 50],
      [0, 50],
      [0, 50],
      [50, 50],
    ]),
  ).toEqual([undefined, undefined, undefined, undefined])
  expect(
    looks([
      [50, 50],
      [0, 50],
      [0, 50],
      [0, 50],
      [1, 50],
    ])[3],
  ).toBe('in')
  expect(
    looks([
      [50, 50],
      [0, 50],
      [0, 50],
      [0, 50],
      [1, 50],
    ])[4],
  ).toBeUndefined()
  expect(
    looks([
      [50, 50],
      [50, 0],
      [50, 0],
      [50, 0],
    ])[3],
  ).toBe('out')
})

test('a leg that is silent from its beginning is silent', () => {
  expect(
    looks([
      [0, 50],
      [0, 50],
      [0, 50],
    ])[2],
  ).toBe('in')
})

test('an idle or held leg gets no sound, but is reached, and must send all the same', () => {
  expect(
    looks(
      [
        [0, 50],
        [0, 50],
        [0, 50],
        [0, 50],
      ],
      false,
    ),
  ).not.toContain('in')
  expect(
    looks(
      [
        [0, 50],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      false,
    )[3],
  ).toBe('out')
  expect(
    looks(
      [
        [0, 50],
        [0, 50, 0],
        [0, 50, 0],
        [0, 50, 0],
      ],
      false,
    ),
  ).toEqual([undefined, undefined, undefined, 'in'])
})

test('sound of a call that stays away is silence, also while something reaches the leg', () => {
  expect(
    looks([
      [50, 50, 8_000],
      [0, 50, 23],
      [0, 50, 23],
      [0, 50, 23],
    ])[3],
  ).toBe('in')
})

test('the counters of the browser are summed', () => {
  const rows = [
    { type: 'inbound-rtp', packetsReceived: 3 },
    { type: 'inbound-rtp', packetsReceived: 4 },
    { type: 'outbound-rtp', packetsSent: 5 },
    { type: 'candidate-pair', packetsSent: 99, bytesReceived: 700 },
    { type: 'candidate-pair', bytesReceived: 23 },
  ]
  expect(soundCountOf(rows)).toEqual({ received: 7, sent: 5, arrivedBytes: 723 })
})

test('the way of the sound is the pair that the transport names', () => {
  const rows = [
    { type: 'candidate-pair', id: 'old' },
    { type: 'transport', selectedCandidatePairId: 'new' },
  ]
  expect([soundPathOf(rows), soundPathOf([])]).toEqual(['new', undefined])
})
