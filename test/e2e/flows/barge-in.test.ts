/** Callers who speak over prompts on a real Asterisk: what comes back on the line, packet by packet. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { energyOf, FRAME_MS, FRAME_SAMPLES, fromUlaw, toUlaw } from '../../../demo/sip/audio.ts'
import { keyStream, type Sent } from '../../../demo/sip/key-stream.ts'
import { PAYLOAD_PCMU, type RtpPacket, writeRtp } from '../../../demo/sip/rtp-packet.ts'
import { SipCaller } from '../../../demo/sip/sip-caller.ts'
import { espeakProgram } from '../../../src/adapters/speech/espeak-program.ts'
import { writeWav } from '../../../src/adapters/speech/wav.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { type Live, OTHER_NUMBER, startLive } from '../live.ts'

/** Its prompts are tones, so that every change of their loudness is ours. `heard` has two sounds of 8 s in all. */
const FLOW = `flow: speak-up
start: known
onError: bye
steps:
  known:
    branch:
      in: caller
      cases:
        - { when: "$[?(@.number == '+4553100001')]", next: heard }
        - { when: "$[?(@.number == '+4553100002')]", next: asked }
        - { when: "$[?(@.number == '+4553100003')]", next: chosen }
        - { when: "$[?(@.number == '+4553100005')]", next: first }
      else: unheard
  heard: { play: [{ file: short.wav }, { file: tone.wav }], bargeInByVoice: true, next: after }
  unheard: { play: { file: tone.wav }, next: after }
  asked:
    gather: { prompt: { file: tone.wav }, digits: 2, firstDigitTimeout: 20s, tries: 1 }
    bargeInByVoice: true
    as: number
    next: thanks
  chosen:
    menu: { prompt: { file: tone.wav }, keys: { "1": bye }, tries: 1, firstDigitTimeout: 1s }
    bargeInByVoice: true
    on: { failed: bye }
  after: { play: { pause: 1s }, next: bye }
  first: { play: { file: tone.wav }, bargeInByVoice: true, next: second }
  second: { play: { file: tone.wav }, bargeInByVoice: true, next: bye }
  thanks: { hangup: }
  bye: { hangup: }
`
const tone = (ms: number) =>
  Int16Array.from({ length: ms * 8 }, (_, at) => Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000)))
const SHORT_MS = 2_000
const TONE_MS = 6_000
/** Of a tone that was cut into parts, at both ends of each. */
const JOINT_MS = 60
const SPEAKERS = {
  heard: '+4553100001',
  asked: '+4553100002',
  chosen: '+4553100003',
  unheard: '+4553100004',
  first: '+4553100005',
} as const

const clock = new RealClock()
const random = seededRandom(process.pid)
let live: Live
let sentence: Int16Array

beforeAll(async () => {
  live = await startLive({
    flow: FLOW,
    recordings: { 'short.wav': writeWav(tone(SHORT_MS)), 'tone.wav': writeWav(tone(TONE_MS)) },
  })
  const program = findTree(process.env['SWITCHBOARD_TEST_TREE']!)!.espeakNg
  const spoken = await espeakProgram({ program, log: silentLog }).speak('I would like to speak to a person', 'en-us')
  if (typeof spoken === 'string') throw new Error(spoken)
  sentence = spoken
})

afterAll(async () => {
  await live?.close()
})

const silence = (ms: number) => new Int16Array(ms * 8)
/** A sound that bursts out, as a cough does. */
const cough = (ms: number) => noise(ms, 4_000)
/** White noise, by its root mean square. */
const noise = (ms: number, rms: number) =>
  Int16Array.from({ length: ms * 8 }, () => Math.round((random.next() - 0.5) * rms * 12 ** 0.5))
/** Of an empty line: -53 dB of full scale. */
const LINE_NOISE = 70

function packetsOf(samples: Int16Array): readonly Sent[] {
  return Array.from({ length: Math.ceil(samples.length / FRAME_SAMPLES) }, (_, at) => {
    const frame = samples.subarray(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES)
    const payload = Buffer.from(Array.from({ length: FRAME_SAMPLES }, (_, one) => toUlaw(frame[one] ?? 0)))
    const packet = { payloadType: PAYLOAD_PCMU, marker: at === 0, sequence: at, timestamp: at * FRAME_SAMPLES }
    return { atMs: at * FRAME_MS, rtp: writeRtp({ ...packet, source: 4_711, payload }) }
  })
}

type Loudness = 'loud' | 'quiet' | 'silent'

const loudnessOf = (payload: Buffer): Loudness => {
  const level = energyOf([...payload].map(fromUlaw)) ** 0.5
  return level > 8_000 ? 'loud' : level > 300 ? 'quiet' : 'silent'
}

/** A call in which this is said from the first packet of the prompt on. */
async function callWho(who: keyof typeof SPEAKERS, ...says: readonly Int16Array[]) {
  const heard: Loudness[] = []
  const prompted = Promise.withResolvers<void>()
  const hears = ({ payload, payloadType }: RtpPacket) => {
    if (payloadType !== PAYLOAD_PCMU) return
    const loudness = loudnessOf(payload)
    if (heard.length === 0 && loudness !== 'loud') return
    heard.push(loudness)
    prompted.resolve()
  }
  const record = live.recordOf(SPEAKERS[who])
  const to = { from: '127.0.0.11', target: live.sip, called: OTHER_NUMBER, caller: SPEAKERS[who] }
  const phone = await SipCaller.call({ clock, random, ...to, keysPayload: 101, hears })
  onTestFinished(() => phone.close())
  await prompted.promise
  const said = phone.play(packetsOf(Int16Array.from(says.flatMap((part) => [...part]))))
  return { phone, said, record, heard: () => runsOf(heard) }
}

/** How loud the prompt was, for how long. Moments in which a part of it follows another are left out. */
function runsOf(heard: readonly Loudness[]) {
  const runs: { is: Loudness; ms: number }[] = []
  for (const is of heard) {
    const last = runs.at(-1)
    if (last?.is === is) last.ms += FRAME_MS
    else runs.push({ is, ms: FRAME_MS })
  }
  const long = runs.filter(({ ms }) => ms > JOINT_MS)
  const sounding = runs.filter(({ is }) => is !== 'silent').reduce((sum, { ms }) => sum + ms, 0)
  return { order: long.map(({ is }) => is), long, sounding }
}

test('speech makes the prompt quiet, and then stops it', async () => {
  const call = await callWho('heard', silence(1_000), sentence, silence(1_000))
  const { path } = await call.record
  const { order, sounding } = call.heard()
  expect([order, path]).toEqual([
    ['loud', 'quiet', 'silent'],
    ['known', 'heard', 'after', 'bye'],
  ])
  expect(sounding).toBeLessThan(SHORT_MS + TONE_MS / 2)
})

test.each([150, 300])('a cough of %i ms makes it quiet, and then it goes on where it is', async (ms) => {
  // Into the second sound of the prompt.
  const call = await callWho('heard', silence(3_000), cough(ms), silence(6_000))
  await call.record
  const { order, long, sounding } = call.heard()
  expect(order).toEqual(['loud', 'quiet', 'loud', 'silent'])
  // From its start the second sound would take as long again as it had been heard, and from its end nothing.
  expect(Math.abs(Math.round((sounding - SHORT_MS - TONE_MS) / 500))).toBe(0)
  expect(long[1]!.ms).toBeLessThan(1_000)
})

test('the noise of a line and keys are no voice', async () => {
  const call = await callWho('heard', silence(1_000), noise(1_500, LINE_NOISE), silence(500))
  await call.said
  await call.phone.play(keyStream({ keys: '4711', way: 'rtp', heldMs: 300, gapMs: 100 }, random))
  await call.record
  expect(call.heard().order).toEqual(['loud', 'silent'])
})

test('without bargeInByVoice speech changes nothing, and the switch tells nothing of it', async () => {
  const call = await callWho('unheard', silence(1_000), sentence, silence(6_000))
  const { call: name } = await call.record
  const { order, sounding } = call.heard()
  expect(order).toEqual(['loud', 'silent'])
  expect(Math.round((sounding - TONE_MS) / 500)).toBe(0)
  await live.service.journal.flush()
  const told = (await live.service.journal.read(name)).map(({ what }) => what.type)
  expect(told.filter((type) => type === 'leg.talking' || type === 'leg.quiet')).toEqual([])
})

test('after speech, gather waits for the first digit', async () => {
  const call = await callWho('asked', silence(1_000), sentence, silence(1_500))
  await call.said
  expect(call.heard().sounding).toBeLessThan(TONE_MS / 2)
  await call.phone.play(keyStream({ keys: '42', way: 'rtp', heldMs: 100, gapMs: 100 }, random))
  expect((await call.record).path).toEqual(['known', 'asked', 'thanks'])
})

test('after speech, menu waits for a key, and gives up when none comes', async () => {
  const call = await callWho('chosen', silence(1_000), sentence, silence(4_000))
  const { path } = await call.record
  expect([path, call.heard().sounding < TONE_MS / 2]).toEqual([['known', 'chosen', 'bye'], true])
})

test('of two prompts one after the other both are stopped; nothing else waits for them', async () => {
  const call = await callWho('first', silence(1_000), sentence, silence(1_000), sentence, silence(3_000))
  const { path } = await call.record
  expect(path).toEqual(['known', 'first', 'second', 'bye'])
  expect(call.heard().sounding).toBeLessThan(TONE_MS + TONE_MS / 3)
})
