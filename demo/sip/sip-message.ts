/** As much of SIP (RFC 3261 section 7) as a telephone needs that is only ever called: reading and writing messages. */

/** A message; headers in their order, names in lower case and written out. */
export interface SipMessage {
  /** Request line or status line. */
  readonly start: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** RFC 3261 7.3.3; only those that a call uses. */
const COMPACT: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
}

/** Undefined when the bytes are no SIP message: keep-alives, and noise. */
export function readSip(bytes: Buffer): SipMessage | undefined {
  const text = bytes.toString('utf8')
  const headEnd = text.indexOf('\r\n\r\n')
  const [start = '', ...lines] = (headEnd < 0 ? text : text.slice(0, headEnd)).replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (!/^SIP\/2\.0 \d{3} |^[A-Z]+ \S+ SIP\/2\.0$/.test(start)) return undefined
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    return [COMPACT[name] ?? name, line.slice(colon + 1).trim()]
  })
  return { start, headers, body: headEnd < 0 ? '' : text.slice(headEnd + 4) }
}

/** The first header of this name, in lower case; the empty text when there is none. */
export function headerOf({ headers }: SipMessage, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? ''
}

/** `INVITE` for a request, the empty text for a response. */
export function methodOf({ start }: SipMessage): string {
  return start.startsWith('SIP/2.0') ? '' : (start.split(' ')[0] ?? '')
}

/** The status of a response; 0 for a request. */
export function statusOf({ start }: SipMessage): number {
  return start.startsWith('SIP/2.0') ? Number(start.split(' ')[1]) : 0
}

/** The user part of the first SIP address in a text, unescaped as far as it can be. */
export function userOf(text: string): string {
  const user = /sips?:([^@;>\s]+)@/.exec(text)?.[1] ?? ''
  return user.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Where the other side wants its sound, as its SDP (RFC 8866) says; undefined when there is none. */
export function mediaOf({ body }: SipMessage): { readonly host: string; readonly port: number } | undefined {
  const host = /^c=IN IP4 ([0-9.]+)/m.exec(body)?.[1]
  const port = /^m=audio ([0-9]+)/m.exec(body)?.[1]
  return host === undefined || port === undefined ? undefined : { host, port: Number(port) }
}

/** The bytes of a message, with the length of its body, which is SDP unless `type` says otherwise. */
export function writeSip(
  start: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: readonly string[] = [],
  type = 'application/sdp',
): Buffer {
  const text = body.map((line) => `${line}\r\n`).join('')
  const content = text === '' ? [] : [`Content-Type: ${type}`]
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`), ...content]
  return Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

/** A response to a request: what must be the same is copied from it (RFC 3261 8.2.6). `tag` marks our side. */
export function responseTo(
  request: SipMessage,
  status: string,
  tag: string,
  more: readonly (readonly [name: string, value: string])[] = [],
  body: readonly string[] = [],
): Buffer {
  const to = headerOf(request, 'to')
  const copied = request.headers.flatMap(([name, value]): (readonly [string, string])[] =>
    name === 'via' ? [['Via', value]] : name === 'record-route' ? [['Record-Route', value]] : [],
  )
  const marked = to.includes(';tag=') || status.startsWith('100') ? to : `${to};tag=${tag}`
  const same = [
    ['From', headerOf(request, 'from')],
    ['To', marked],
    ['Call-ID', headerOf(request, 'call-id')],
    ['CSeq', headerOf(request, 'cseq')],
  ] as const
  return writeSip(`SIP/2.0 ${status}`, [...copied, ...same, ...more], body)
}
