import { REFERENCE_HEADER } from './trunk-call.ts'

/** As much of a SIP message as tells what became of an INVITE. */
export interface SipCopy {
  readonly callId: string
  /** Of a response to an INVITE. */
  readonly status?: number
  /** Of a response: the user of the To header, who was called. */
  readonly called?: string
  /** Of an INVITE of ours. */
  readonly reference?: string
}

/** HEP version 3 (EEP), 3.1: the magic, the total length, then chunks of vendor, type, length and payload. */
const MAGIC = 'HEP3'
const HEAD_BYTES = 6
const CHUNK_HEAD_BYTES = 6
/** Vendor 0, "captured packet payload". */
const PAYLOAD = 0x000f

/** Reads a packet; undefined for noise, and for messages of no INVITE. Header names may be short (RFC 3261 7.3.3). */
export function readSipCopy(packet: Buffer): SipCopy | undefined {
  const message = payloadOf(packet)
  const head = message.slice(0, message.indexOf('\r\n\r\n'))
  const callId = /^(?:Call-ID|i)[ \t]*:[ \t]*(\S+)/im.exec(head)?.[1]
  if (callId === undefined || !/^CSeq[ \t]*:[ \t]*\d+[ \t]+INVITE[ \t]*$/im.test(head)) return undefined
  const status = /^SIP\/2\.0 (\d{3}) /.exec(head)?.[1]
  if (status !== undefined) {
    const called = TO_USER.exec(head)?.[1]
    return { callId, status: Number(status), ...(called !== undefined && { called: decoded(called) }) }
  }
  const reference = OUR_REFERENCE.exec(head)?.[1]
  return { callId, ...(reference !== undefined && { reference }) }
}

const OUR_REFERENCE = new RegExp(`^${REFERENCE_HEADER}:[ \t]*(\\S+)`, 'im')

/** RFC 3261 20.39: a display name, perhaps in quotes, may stand before the address. */
const TO_USER = /^(?:To|t)[ \t]*:[^\r\n]*?<?sips?:([^@;>\s]+)[^@>\s]*@/im

/** RFC 3261 19.1.2: signs may be escaped, such as the plus. */
function decoded(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

function payloadOf(packet: Buffer): string {
  if (packet.toString('latin1', 0, MAGIC.length) !== MAGIC) return ''
  for (let at = HEAD_BYTES; at + CHUNK_HEAD_BYTES <= packet.length; ) {
    const length = packet.readUInt16BE(at + 4)
    if (length < CHUNK_HEAD_BYTES) return ''
    if (packet.readUInt16BE(at) === 0 && packet.readUInt16BE(at + 2) === PAYLOAD) {
      return packet.toString('utf8', at + CHUNK_HEAD_BYTES, at + length)
    }
    at += length
  }
  return ''
}
