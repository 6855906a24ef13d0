/** Callers who speak over prompts on a real Asterisk: what comes back on the line, packet by packet. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { energyOf, FRAME_MS, FRAME_SAMPLES, fromUlaw, toUlaw } from '../../demo/sip/audio.ts'
import type { Sent } from '../../demo/sip/key-stream.ts'
import { PAYLOAD_PCMU, writeRtp } from '../../demo/sip/rtp-packet.ts'
import { SipCaller } from '../../demo/sip/sip-caller.ts'
import { espeakProgram } from '../../src/adapters/speech/espeak-program.ts'
import { writeWav } from '../../src/adapters/speech/wav.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { type Live, OTHER_NUMBER, startLive } from './live.ts'

/** Its prompts are tones of 8 s: their loudness is the same all the time, and so any change of it is ours. */
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
      else: unheard
  heard: { play: { file: tone.wav }, bargeInByVoice: true, next: after }
  unheard: { play: { file: tone.wav }, next: after }
  asked:
    gather: { prompt: { file: tone.wav }, digits: 2, firstDigitTimeout: 20s, tries: 1 }
    bargeInByVoice: true
    as: number
    next: bye
  chosen:
    menu: { prompt: { file: tone.wav }, keys: { "1": bye }, tries: 1, firstDigitTimeout: 1s }
    bargeInByVoice: true
    on: { failed: bye }
  after: { play: { pause: 1s }, next: bye }
  bye: { hangup: }
`
const TONE_MS = 8_000
const TONE = Int16Array.from({ length: (TONE_MS / 1_000) * 8_000 }, (_, at) =>
  Math.round(8_000 * Math.sin((2 * Math.PI * 1_000 * at) / 8_000)),
)
const SPEAKERS = { heard: '+4553100001', asked: '+4553100002', chosen: '+4553100003', unheard: '+4553100004' } as const

const clock = new RealClock()
const random = seededRandom(process.pid)
let live: Live
let sentence: Int16Array

beforeAll(async () => {
  live = await startLive({ flow: FLOW, recordings: { 'tone.wav': writeWav(TONE) } })
  const program = findTree(process.env['SWITCHBOARD_TEST_TREE']!)!.espeakNg
  const spoken = await espeakProgram({ program, log: silentLog }).speak('I would like to speak to a person', 'en-us')
  if (typeof spoken === 'string') throw new Error(spoken)
  sentence = spoken
})

afterAll(async () => {
  await live?.close()
})

const silence = (ms: number) => new Int16Array(ms * 8)
const cough = (ms: number) => sentence.slice(sentence.length / 3, sentence.length / 3 + ms * 8)
/** White noise of an empty line, by its root mean square: 70 is -53 dB of full scale. */
const noise = (ms: number) => Int16Array.from({ length: ms * 8 }, () => Math.round((random.next() - 0.5) * 70 * 12 ** 0.5))

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

/** What a caller hears who says this, from the first packet of the prompt on; they hang up when the flow has ended. */
async function hearing(who: keyof typeof SPEAKERS, says: readonly Int16Array[]) {
  const heard: { readonly loudness: Loudness; readonly atMs: number }[] = []
  const began = Promise.withResolvers<void>()
  const hears = ({ payload, payloadType }: { payload: Buffer; payloadType: number }) => {
    if (payloadType !== PAYLOAD_PCMU) return
    const loudness = loudnessOf(payload)
    if (heard.length === 0 && loudness !== 'loud') return
    heard.push({ loudness, atMs: clock.nowMs() })
    began.resolve()
  }
  const record = live.recordOf(SPEAKERS[who])
  const to = { from: '127.0.0.11', target: live.sip, called: OTHER_NUMBER, caller: SPEAKERS[who] }
  const caller = await SipCaller.call({ clock, random, ...to, keysPayload: 101, hears })
  onTestFinished(() => caller.close())
  await began.promise
  const playing = caller.play(says.flatMap((part, at) => (at === 0 ? packetsOf(part) : [])))
  return { heard, record, caller, playing }
}

/** `loud 50, quiet 12, …`: runs of packets, those of one packet left out (a joint of two parts). */
function runsOf(heard: readonly { readonly loudness: Loudness }[]) {
  const runs: { loudness: Loudness; ms: number }[] = []
  for (const { loudness } of heard) {
    const last = runs.at(-1)
    if (last?.loudness === loudness) last.ms += FRAME_MS
    else runs.push({ loudness, ms: FRAME_MS })
  }
  return runs
}

test('print', async () => {
  for (const [name, who, says] of [
    ['speech', 'heard', [silence(1_000), sentence, silence(1_500)]],
    ['cough', 'heard', [silence(1_000), cough(250), silence(9_000)]],
    ['noise', 'heard', [noise(9_000)]],
    ['unheard', 'unheard', [silence(1_000), sentence, silence(7_000)]],
  ] as const) {
    const all = new Int16Array(says.reduce((n, part) => n + part.length, 0))
    let at = 0
    for (const part of says) {
      all.set(part, at)
      at += part.length
    }
    const one = await hearing(who, [all])
    await one.record
    one.caller.hangUp()
    console.log(name, runsOf(one.heard).map(({ loudness, ms }) => `${loudness} ${ms}`).join(', '))
  }
}, 120_000)
void describe
void expect
