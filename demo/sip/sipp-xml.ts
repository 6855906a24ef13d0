/** The small part of SIPp's scenario language that our phones use, as functions that write it. */
import { assert } from '../../src/kernel/assert.ts'
import { PAYLOAD_KEYS } from './rtp-packet.ts'
import type { RtpAddress } from './rtp-peer.ts'

/** What the log lines begin with. */
export const LOG_MARK = 'switchboard'

/** Where the other side wants its sound, once `readSdp` has read it. */
export const THEIR_MEDIA = '[$mediaHost] [$mediaPort]'

const NEW_VIA = 'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]'

/** A whole scenario file. */
export function scenario(name: string, steps: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>\n<scenario name="${name}">\n${steps.join('\n')}\n</scenario>\n`
}

/** The parts of a request that differ. */
export interface RequestParts {
  readonly from: string
  readonly to: string
  readonly cseq: string
  /** The whole header; a new branch unless it says otherwise. */
  readonly via?: string
  readonly more?: readonly string[]
  readonly body?: readonly string[]
}

/** A SIP request. `start` is method and address. */
export function request(start: string, { from, to, cseq, via = NEW_VIA, more = [], body = [] }: RequestParts): string {
  const fixed = [`From: ${from}`, `To: ${to}`, 'Call-ID: [call_id]', `CSeq: ${cseq}`, 'Max-Forwards: 70']
  return message([`${start} SIP/2.0`, via, ...fixed, ...more], body)
}

/** A SIP response to the last request received, with our tag. `more` may replace no header that it copies. */
export function response(
  status: string,
  { more = [] as readonly string[], body = [] as readonly string[], cseq = '[last_CSeq:]' } = {},
): string {
  const copied = ['[last_Via:]', '[last_From:]', '[last_To:];tag=[pid]s[call_number]', '[last_Call-ID:]', cseq]
  return message([`SIP/2.0 ${status}`, ...copied, '[last_Record-Route:]', ...more], body)
}

function message(head: readonly string[], body: readonly string[]): string {
  const type = body.length > 0 ? ['Content-Type: application/sdp', 'Content-Length: [len]'] : ['Content-Length: 0']
  return [...head, ...type, '', ...body, ''].join('\n')
}

/** RFC 3551 table 4. */
const CODECS = { ulaw: [0, 'PCMU'], alaw: [8, 'PCMA'], g729: [18, 'G729'] } as const
export type Codec = keyof typeof CODECS

/** What we can do with sound: one codec and telephone events, both ways. `keys`: their payload type. */
export function sdp(
  { host, port }: RtpAddress,
  keys: number | 'none' = PAYLOAD_KEYS,
  codec: Codec = 'ulaw',
): readonly string[] {
  const [payload, name] = CODECS[codec]
  return [
    'v=0',
    `o=phone 1 1 IN IP4 ${host}`,
    's=-',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${payload}${keys === 'none' ? '' : ` ${keys}`}`,
    `a=rtpmap:${payload} ${name}/8000`,
    ...(keys === 'none' ? [] : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-16`]),
    'a=ptime:20',
    'a=sendrecv',
  ]
}

/** Sends a message; `attributes` as SIPp names them (`retrans`, `next`). */
export function send(text: string, attributes = ''): string {
  return `<send ${attributes}><![CDATA[\n${text}\n]]></send>`
}

/** Waits for a message; `attributes` as SIPp names them (`request`, `response`, `optional`, `timeout`). */
export function recv(attributes: string, actions = ''): string {
  return actions ? `<recv ${attributes}><action>${actions}</action></recv>` : `<recv ${attributes}/>`
}

/** A place that `next` and `ontimeout` can name. */
export function label(name: string): string {
  return `<label id="${name}"/>`
}

/** One line that can be followed while SIPp runs. */
export function log(words: string): string {
  return `<log message="${LOG_MARK} ${words}"/>`
}

/** Reads address and port of the other side's sound from the message's body. */
export function readSdp(): string {
  return (
    '<ereg regexp="c=IN IP4 ([0-9.]+)" search_in="body" check_it="true" assign_to="mediaLine,mediaHost"/>' +
    '<ereg regexp="m=audio ([0-9]+)" search_in="body" check_it="true" assign_to="audioLine,mediaPort"/>'
  )
}

/** Variables that are only written would stop SIPp; this reads them. */
export function mention(...variables: readonly string[]): string {
  return `<Reference variables="${variables.join(',')}"/>`
}

/** The user part of a SIP address. Refuses what would need quoting: a slip in a test, hence thrown. */
export function userPart(text: string): string {
  assert(/^[+0-9A-Za-z*#._-]{1,80}$/.test(text), `"${text}" cannot be dialed; use digits, letters and + * # . _ -`)
  return text
}
