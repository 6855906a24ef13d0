import type { InfoCopy } from '../keys/info-keys.ts'
import { REFERENCE_HEADER } from './trunk-call.ts'

/** As much of a SIP message as tells what became of an INVITE. */
export interface SipCopy {
  readonly callId: string
  /** Of a response to an INVITE. */
  readonly status?: number
  /** Of a response: the user of the To header, who was called. */
  readonly called?: string
  /** Of a response: the tag of the To header, which names the phone that sent it (RFC 3261 12.1.1). */
  readonly toTag?: string
  /** Of an INVITE of ours. */
  readonly reference?: string
}

/** What a copy of a SIP message says of a REFER of ours. */
export interface ReferCopy {
  readonly callId: string
  /** `accepted`: the network tries. `done` and `failed` are final. */
  readonly says: 'accepted' | 'done' | 'failed'
  readonly status: number
}

/** RFC 3261 22.2: a challenge. The request is sent again, with credentials. */
export const CHALLENGES: readonly number[] = [401, 407]

/** HEP version 3 (EEP), 3.1: the magic, the total length, then chunks of vendor, type, length and payload. */
const MAGIC = 'HEP3'
const HEAD_BYTES = 6
const CHUNK_HEAD_BYTES = 6
/** Chunks of vendor 0: the instant, in whole seconds and the microseconds after them; the message. */
const SECONDS = 0x0009
const MICROSECONDS = 0x000a
const PAYLOAD = 0x000f

/** Reads a packet; undefined for noise, and for messages of no INVITE. Header names may be short (RFC 3261 7.3.3). */
export function readSipCopy(packet: Buffer): SipCopy | undefined {
  const message = readMessage(packet)
  if (message?.method !== 'INVITE') return undefined
  const { callId, status, head } = message
  if (status !== undefined) {
    const called = TO_USER.exec(head)?.[1]
    const toTag = TO_TAG.exec(head)?.[1]
    return {
      callId,
      status,
      ...(called !== undefined && { called: decoded(called) }),
      ...(toTag !== undefined && { toTag }),
    }
  }
  const reference = OUR_REFERENCE.exec(head)?.[1]
  return { callId, ...(reference !== undefined && { reference }) }
}

/** Reads a packet; undefined for noise, and for messages of no INFO. */
export function readInfoCopy(packet: Buffer): InfoCopy | undefined {
  const message = readMessage(packet)
  const seconds = chunkOf(packet, SECONDS)
  const microseconds = chunkOf(packet, MICROSECONDS)
  if (message?.method !== 'INFO' || seconds?.length !== 4 || microseconds?.length !== 4) return undefined
  const { callId, cseq, status, head, body } = message
  const atMs = seconds.readUInt32BE() * 1_000 + Math.floor(microseconds.readUInt32BE() / 1_000)
  if (status !== undefined) return { callId, cseq, atMs, status }
  return { callId, cseq, atMs, body, contentType: CONTENT_TYPE.exec(head)?.[1]?.toLowerCase() ?? '' }
}

/** Reads a packet; undefined for all that is no response to a REFER, and no report of one (RFC 3515 2.4.5). */
export function readReferCopy(packet: Buffer): ReferCopy | undefined {
  const message = readMessage(packet)
  if (!message) return undefined
  const { callId, method, status, head, body } = message
  if (method === 'REFER' && status !== undefined && status >= 200) {
    if (CHALLENGES.includes(status)) return undefined
    return { callId, says: status < 300 ? 'accepted' : 'failed', status }
  }
  if (method !== 'NOTIFY' || status !== undefined || !REFER_EVENT.test(head)) return undefined
  const reported = Number(/^SIP\/2\.0 (\d{3})/.exec(body)?.[1] ?? 0)
  return reported < 200 ? undefined : { callId, says: reported < 300 ? 'done' : 'failed', status: reported }
}

/** What copies of all methods have in common. */
function readMessage(packet: Buffer) {
  const text = chunkOf(packet, PAYLOAD)?.toString('utf8') ?? ''
  const headEnd = text.indexOf('\r\n\r\n')
  const head = text.slice(0, headEnd)
  const callId = CALL_ID.exec(head)?.[1]
  const [, cseq, method] = CSEQ.exec(head) ?? []
  if (headEnd < 0 || callId === undefined || cseq === undefined) return undefined
  const status = /^SIP\/2\.0 (\d{3}) /.exec(head)?.[1]
  return {
    callId,
    cseq,
    method,
    head,
    status: status === undefined ? undefined : Number(status),
    body: text.slice(headEnd + 4),
  }
}

const CALL_ID = /^(?:Call-ID|i)[ \t]*:[ \t]*(\S+)/im
const CSEQ = /^CSeq[ \t]*:[ \t]*(\d+)[ \t]+([A-Z]+)[ \t]*$/im
const CONTENT_TYPE = /^(?:Content-Type|c)[ \t]*:[ \t]*([^\s;]+)/im

const REFER_EVENT = /^(?:Event|o)[ \t]*:[ \t]*refer\b/im

const OUR_REFERENCE = new RegExp(`^${REFERENCE_HEADER}:[ \t]*(\\S+)`, 'im')

/** RFC 3261 20.39: a display name, perhaps in quotes, may stand before the address. */
const TO_USER = /^(?:To|t)[ \t]*:[^\r\n]*?<?sips?:([^@;>\s]+)[^@>\s]*@/im

const TO_TAG = /^(?:To|t)[ \t]*:[^\r\n]*;[ \t]*tag[ \t]*=[ \t]*([^\s;]+)/im

/** RFC 3261 19.1.2: signs may be escaped, such as the plus. */
function decoded(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

/** The first chunk of this type; undefined in noise. */
function chunkOf(packet: Buffer, type: number): Buffer | undefined {
  if (packet.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  for (let at = HEAD_BYTES; at + CHUNK_HEAD_BYTES <= packet.length; ) {
    const length = packet.readUInt16BE(at + 4)
    if (length < CHUNK_HEAD_BYTES) return undefined
    if (packet.readUInt16BE(at) === 0 && packet.readUInt16BE(at + 2) === type) {
      return packet.subarray(at + CHUNK_HEAD_BYTES, at + length)
    }
    at += length
  }
  return undefined
}
