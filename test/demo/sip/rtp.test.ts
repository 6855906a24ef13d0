import { afterEach, describe, expect, test } from 'vitest'
import { FRAME_SAMPLES, fromUlaw, toneFrame, toUlaw, ULAW_SILENCE } from '../../../demo/sip/audio.ts'
import { keyPayload, readKey, readRtp, writeRtp } from '../../../demo/sip/rtp-packet.ts'
import { RtpPeer } from '../../../demo/sip/rtp-peer.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { shareOfTone } from '../../../src/listening/tone.ts'

const samplesOf = (frame: Buffer) => [...frame].map(fromUlaw)

describe('telephone sound', () => {
  test('every µ-law byte survives the conversion to a sample and back', () => {
    for (let byte = 0; byte < 256; byte++) {
      // 0x7f and 0xff both mean zero.
      if (byte !== 0x7f) expect(toUlaw(fromUlaw(byte))).toBe(byte)
    }
  })

  test.for([
    [0xff, 0],
    [0x80, 32_124],
    [0x00, -32_124],
    [0xef, 132],
  ] as const)('µ-law byte %i is %i, as in the tables of G.711', ([byte, sample]) => {
    expect(fromUlaw(byte)).toBe(sample)
  })

  test('a tone is found at its own pitch and nowhere else', () => {
    const samples = samplesOf(toneFrame(700, 0))
    expect(shareOfTone(samples, 700)).toBeGreaterThan(0.9)
    expect(shareOfTone(samples, 450)).toBeLessThan(0.1)
    expect(shareOfTone(samplesOf(Buffer.alloc(FRAME_SAMPLES, ULAW_SILENCE)), 700)).toBe(0)
  })
})

describe('an RTP packet', () => {
  const packet = {
    payloadType: 101,
    marker: true,
    sequence: 65_535,
    timestamp: 2 ** 32 - 1,
    source: 7,
    payload: Buffer.from('abc'),
  }

  test('is read as it was written', () => {
    expect(readRtp(writeRtp(packet))).toEqual(packet)
  })

  test.for(['', 'short', 'SIP/2.0 200 OK and more', '\x8f'.repeat(12)])('is not read from %j', (text) => {
    expect(readRtp(Buffer.from(text, 'latin1'))).toBeUndefined()
  })

  test('of a key has the key, its duration, and whether it was released', () => {
    expect(keyPayload('#', 800, true)).toEqual(Buffer.from([11, 0x80 | 10, 3, 32]))
    expect(readKey(keyPayload('#', 800, true))).toEqual({ key: '#', isEnd: true })
    expect(readKey(Buffer.from([99, 0, 0, 0]))).toBeUndefined()
  })
})

describe('two telephones', () => {
  const peers: RtpPeer[] = []
  afterEach(async () => {
    for (const peer of peers.splice(0)) await peer.close()
  })

  async function peer(toneHz?: number, listensFor: number[] = []) {
    const tone = toneHz === undefined ? {} : { toneHz }
    const made = await RtpPeer.open({
      clock: new RealClock(),
      random: seededRandom(1),
      host: '127.0.0.1',
      listensFor,
      ...tone,
    })
    peers.push(made)
    return made
  }

  test("hear each other's tone, and not their own", async () => {
    const [a, b] = [await peer(450, [450, 700]), await peer(700, [450, 700])]
    a.start(b.address)
    b.start(a.address)
    await Promise.all([a.ear.whenHeard(700, 100), b.ear.whenHeard(450, 100)])
    expect(a.ear.heardTone(450)).toBe(0)
    expect(a.ear.heard.soundMs).toBeGreaterThanOrEqual(100)
  })

  test('send each key once, also two of the same', async () => {
    const [a, b] = [await peer(), await peer(450, [])]
    a.start(b.address)
    b.start(a.address)
    a.press('4411#')
    await b.ear.whenPressed('4411#')
    expect(b.ear.heard.keys).toBe('4411#')
    expect(b.ear.heard.soundMs).toBe(0)
  })
})
