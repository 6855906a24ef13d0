/** What a telephone sends while a person types: RTP packets and SIP INFO, each with its instant, faults included. */
import { type Random, randomInt } from '../../src/kernel/random.ts'
import { FRAME_MS, FRAME_SAMPLES, keyFrame, ULAW_SILENCE } from './audio.ts'
import { keyPayload, PAYLOAD_KEYS, PAYLOAD_PCMU, type RtpPacket, writeRtp } from './rtp-packet.ts'

/** How keys leave the telephone. `both`: RFC 4733 and, at the release, INFO. */
export type KeyWay = 'rtp' | 'info' | 'tones' | 'both'

/** What happens on the way to the packets of every key. `lostEnd`: two of the three that end it. */
export type KeyFault = 'lostFirst' | 'lostEnd' | 'doubled' | 'reordered'

/** One person's typing. */
export interface Typing {
  readonly keys: string
  readonly way: KeyWay
  /** How long a key is held, and the pause after it; multiples of 20. */
  readonly heldMs: number
  readonly gapMs: number
  /** A packet is late by up to this; none overtakes another, as in a queue. */
  readonly jitterMs?: number
  readonly fault?: KeyFault
  /** Payload type of telephone-event; 101 when absent. */
  readonly payloadType?: number
  /** The `Duration` of every INFO, in ms; 160 when absent. */
  readonly infoSaysMs?: number
  /** When INFO arrives: so long after the release, or before it if negative; 0 when absent. */
  readonly infoLateMs?: number
}

/** Something that arrives `atMs` after the typing began. */
export interface Sent {
  readonly atMs: number
  readonly rtp?: Buffer
  /** SIP INFO (RFC 6086) of a key, and the length that it says. */
  readonly info?: { readonly key: string; readonly saysMs: number }
}

/** A packet without the numbers that depend on its place in the stream. */
interface Frame {
  readonly dueMs: number
  readonly packet: Pick<RtpPacket, 'payloadType' | 'marker' | 'timestamp' | 'payload'>
  /** How often it arrives. */
  readonly copies: number
}

/** RFC 4733 2.5.1.4: the packet that ends a key is sent three times. */
const ENDS = 3
/** Sound after the last key; a key whose end was lost ends by it. */
const TAIL_MS = 600
const SILENCE = Buffer.alloc(FRAME_SAMPLES, ULAW_SILENCE)
const SAMPLES_PER_MS = FRAME_SAMPLES / FRAME_MS
/** The length of a key has 16 bits; longer ones wrap around (RFC 4733 2.5.1.3, by the older RFC 2833). */
const HELD_SAMPLES_MASK = 0xffff

/** All that arrives from a typing person's telephone, in its order. */
export function keyStream(typing: Typing, random: Random): readonly Sent[] {
  const { keys, heldMs, gapMs, way, jitterMs = 0, fault, infoSaysMs: saysMs = 160, infoLateMs = 0 } = typing
  const frames = [
    ...[...keys].flatMap((_, at) => framesOf(typing, at)),
    ...soundFrames(keys.length * (heldMs + gapMs), TAIL_MS),
  ]
  const source = randomInt(random, 1, 2 ** 31)
  const sequence = randomInt(random, 0, 2 ** 15)
  const timestamp = randomInt(random, 0, 2 ** 31)
  let lastMs = 0
  const arriving = frames.flatMap(({ dueMs, packet, copies }, at) => {
    const lateMs = jitterMs > 0 ? randomInt(random, 0, jitterMs) : 0
    lastMs = Math.max(lastMs, dueMs + lateMs)
    const numbered = { ...packet, source, sequence: sequence + at, timestamp: timestamp + packet.timestamp }
    return Array.from({ length: copies }, () => ({ atMs: lastMs, rtp: writeRtp(numbered) }))
  })
  const rtp = fault === 'reordered' ? overtaken(arriving) : arriving
  if (way === 'rtp' || way === 'tones') return rtp
  const infos = [...keys].map((key, at) => {
    return { atMs: at * (heldMs + gapMs) + heldMs + infoLateMs, info: { key, saysMs } }
  })
  return [...rtp, ...infos].toSorted((a, b) => a.atMs - b.atMs)
}

/** One key and the pause after it. */
function framesOf(typing: Typing, at: number): readonly Frame[] {
  const { keys, heldMs, gapMs, way, fault } = typing
  const fromMs = at * (heldMs + gapMs)
  if (way === 'info') return soundFrames(fromMs, heldMs + gapMs)
  if (way === 'tones') return [...soundFrames(fromMs, heldMs, keys[at]), ...soundFrames(fromMs + heldMs, gapMs)]
  const payloadType = typing.payloadType ?? PAYLOAD_KEYS
  const event = (afterMs: number, isEnd: boolean, isFirst: boolean, isLost: boolean): Frame => {
    const held = (Math.min(afterMs, heldMs) * SAMPLES_PER_MS) & HELD_SAMPLES_MASK
    const packet = { payloadType, marker: isFirst, timestamp: fromMs * SAMPLES_PER_MS }
    const copies = isLost ? 0 : fault === 'doubled' ? 2 : 1
    return { dueMs: fromMs + afterMs, packet: { ...packet, payload: keyPayload(keys[at]!, held, isEnd) }, copies }
  }
  // The first packet leaves after its 20 ms have passed; that of a very short key in the middle of it.
  const firstMs = Math.min(FRAME_MS, heldMs / 2)
  const held = Array.from({ length: Math.max(1, heldMs / FRAME_MS - 1) }, (_, n) =>
    event(firstMs + n * FRAME_MS, false, n === 0, n === 0 && fault === 'lostFirst'),
  )
  // A short pause lets the next key begin before the last packet of this one: all three are sent at once then.
  const everyMs = gapMs >= ENDS * FRAME_MS ? FRAME_MS : 0
  const ends = Array.from({ length: ENDS }, (_, n) => {
    return event(heldMs + n * everyMs, true, false, n < ENDS - 1 && fault === 'lostEnd')
  })
  const soundFromMs = everyMs * ENDS
  return [...held, ...ends, ...soundFrames(fromMs + heldMs + soundFromMs, gapMs - soundFromMs)]
}

/** Sound of one direction, 20 ms a packet: the tones of a key, or silence. */
function soundFrames(fromMs: number, lengthMs: number, key?: string): readonly Frame[] {
  return Array.from({ length: lengthMs / FRAME_MS }, (_, n) => {
    const dueMs = fromMs + n * FRAME_MS
    const timestamp = dueMs * SAMPLES_PER_MS
    const payload = key === undefined ? SILENCE : keyFrame(key, timestamp)
    return { dueMs, packet: { payloadType: PAYLOAD_PCMU, marker: false, timestamp, payload }, copies: 1 }
  })
}

/** Every third packet is overtaken by the one behind it. */
function overtaken(sent: readonly Sent[]): readonly Sent[] {
  return sent.map(({ rtp, atMs }, at) => {
    const from = at % 3 === 1 ? at + 1 : at % 3 === 2 ? at - 1 : at
    return { atMs, rtp: sent[from]?.rtp ?? rtp! }
  })
}
