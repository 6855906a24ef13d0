/** RTP packets (RFC 3550) with the two payloads of a plain telephone: sound and pressed keys. */

/** G.711 µ-law (RFC 3551 table 4). */
export const PAYLOAD_PCMU = 0
/** The number that our SDP gives to telephone-event. */
export const PAYLOAD_KEYS = 101

const HEADER_BYTES = 12
const EVENTS = '0123456789*#ABCD'
/** RFC 4733 2.3.4: -10 dBm0, a usual volume. */
const VOLUME = 10

/** One packet, header fields by their meaning. */
export interface RtpPacket {
  readonly payloadType: number
  /** First packet of a talk spurt, or of a key. */
  readonly marker: boolean
  readonly sequence: number
  /** In samples, 8,000 a second. */
  readonly timestamp: number
  readonly source: number
  readonly payload: Buffer
}

/** The bytes of a packet; sequence and timestamp wrap around by themselves. */
export function writeRtp({ payloadType, marker, sequence, timestamp, source, payload }: RtpPacket): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = 0x80
  header[1] = (marker ? 0x80 : 0) | payloadType
  header.writeUInt16BE(sequence & 0xffff, 2)
  header.writeUInt32BE(timestamp >>> 0, 4)
  header.writeUInt32BE(source >>> 0, 8)
  return Buffer.concat([header, payload])
}

/** Undefined when the bytes are no RTP packet. */
export function readRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < HEADER_BYTES || bytes[0]! >> 6 !== 2) return undefined
  const contributors = bytes[0]! & 0x0f
  const hasExtension = (bytes[0]! & 0x10) !== 0
  let start = HEADER_BYTES + 4 * contributors
  if (hasExtension) start += bytes.length >= start + 4 ? 4 + 4 * bytes.readUInt16BE(start + 2) : 4
  const end = bytes[0]! & 0x20 ? bytes.length - bytes.at(-1)! : bytes.length
  if (start > end) return undefined
  return {
    payloadType: bytes[1]! & 0x7f,
    marker: (bytes[1]! & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    source: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  }
}

/** RFC 4733 2.3: a key held for `samples` so far; `isEnd` when it was released. */
export function keyPayload(key: string, samples: number, isEnd: boolean): Buffer {
  const payload = Buffer.from([EVENTS.indexOf(key), (isEnd ? 0x80 : 0) | VOLUME, 0, 0])
  payload.writeUInt16BE(samples, 2)
  return payload
}

/** The key of a telephone-event payload, and whether it was released. */
export function readKey(payload: Buffer): { readonly key: string; readonly isEnd: boolean } | undefined {
  const key = payload.length >= 4 ? EVENTS[payload[0]!] : undefined
  return key === undefined ? undefined : { key, isEnd: (payload[1]! & 0x80) !== 0 }
}
