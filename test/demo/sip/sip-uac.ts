/** A minimal switch: calls a carrier over UDP, one message after another. */
import { createSocket } from 'node:dgram'
import { readSip, type SipMessage, statusOf, writeSip } from '../../../demo/sip/sip-message.ts'

/** One call to a carrier. The test triggers every message. */
export interface Uac {
  /** The first unread message of this kind: a status, or the method of a request. */
  next(what: number | 'BYE'): Promise<SipMessage>
  invite(): void
  ack(): void
  cancel(): void
  bye(): void
  /** Answers the carrier's BYE. */
  ok(request: SipMessage): void
  send(bytes: Buffer): void
  /** Statuses and requests received so far, in order. */
  readonly received: readonly string[]
  close(): Promise<void>
}

/** Prepares a call to `user` at the carrier. */
export async function uac(at: { host: string; port: number }, user: string, mediaPort = 4_000): Promise<Uac> {
  const socket = createSocket('udp4')
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  const { port } = socket.address()
  const inbox: SipMessage[] = []
  const received: string[] = []
  let waiting: (() => void)[] = []
  let to = `<sip:${user}@${at.host}>`
  socket.on('message', (bytes) => {
    const message = readSip(bytes)
    if (!message) return
    inbox.push(message)
    received.push(statusOf(message) > 0 ? String(statusOf(message)) : (message.start.split(' ')[0] ?? ''))
    const tell = waiting
    waiting = []
    for (const one of tell) one()
  })
  const send = (bytes: Buffer) => socket.send(bytes, at.port, at.host)
  const request = (method: string, cseq: number, branch: string, body: readonly string[] = []) =>
    send(
      writeSip(
        `${method} sip:${user}@${at.host}:${at.port} SIP/2.0`,
        [
          ['Via', `SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${branch}`],
          ['From', '"x" <sip:+4570001000@127.0.0.1>;tag=us'],
          ['To', to],
          ['Call-ID', `call-${port}`],
          ['CSeq', `${cseq} ${method}`],
          ['Contact', `<sip:switch@127.0.0.1:${port}>`],
          ['X-Switchboard-Attempt', 'attempt-7'],
        ],
        body,
      ),
    )
  const isIt = (message: SipMessage, what: number | 'BYE') =>
    typeof what === 'number' ? statusOf(message) === what : message.start.startsWith(what)
  return {
    received,
    send,
    async next(what) {
      for (;;) {
        const at = inbox.findIndex((message) => isIt(message, what))
        const [found] = at < 0 ? [] : inbox.splice(at, 1)
        if (found) {
          to = what === 200 ? (found.headers.find(([name]) => name === 'to')?.[1] ?? to) : to
          return found
        }
        await new Promise<void>((come) => waiting.push(come))
      }
    },
    invite: () => request('INVITE', 1, 'invite', ['v=0', 'c=IN IP4 127.0.0.1', `m=audio ${mediaPort} RTP/AVP 0 101`]),
    ack: () => request('ACK', 1, 'ack'),
    cancel: () => request('CANCEL', 1, 'invite'),
    bye: () => request('BYE', 2, 'bye'),
    ok(bye) {
      const headers = bye.headers.filter(([name]) => ['via', 'from', 'to', 'call-id', 'cseq'].includes(name))
      send(writeSip('SIP/2.0 200 OK', headers))
    },
    close: () => new Promise((done) => socket.close(() => done())),
  }
}
