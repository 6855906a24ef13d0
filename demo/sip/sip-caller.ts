/**
 * A telephone that calls in and sends exactly the packets it is told to: SIP over UDP in this process.
 *
 * SIPp plays a scenario and cannot send RTP at instants of ours, nor INFO at one of them; sixty of them are sixty
 * processes.
 */
import { createSocket, type Socket } from 'node:dgram'
import type { Clock, Timer } from '../../src/kernel/clock.ts'
import { type Random, randomText } from '../../src/kernel/random.ts'
import type { HandOverAnswer } from '../../src/sim/person.ts'
import { FRAME_MS } from './audio.ts'
import type { Sent } from './key-stream.ts'
import { type RtpPacket, readRtp } from './rtp-packet.ts'
import type { RtpAddress, RtpPeer } from './rtp-peer.ts'
import { headerOf, mediaOf, methodOf, readSip, responseTo, type SipMessage, statusOf, writeSip } from './sip-message.ts'
import { sdp } from './sipp-xml.ts'

/** One call to be made. */
export interface SipCall {
  readonly clock: Clock
  readonly random: Random
  /** Our own loopback address: it tells the switch which trunk this is. */
  readonly from: string
  /** The switch. */
  readonly target: RtpAddress
  readonly called: string
  /** Absent: withheld (RFC 3323: an anonymous From). */
  readonly caller?: string
  /** Its sound, while the call is up; absent: only what `play` sends. */
  readonly sound?: RtpPeer
  /** Payload type of telephone-event that our SDP offers. */
  readonly keysPayload: number | 'none'
  /** Gets every packet that comes, as it comes. */
  readonly hears?: (packet: RtpPacket) => void
  /** What our network does when the switch asks it to call somebody else (REFER); default: it refuses with 405. */
  readonly onHandOver?: HandOverAnswer
}

type Request = [
  method: 'INVITE' | 'ACK' | 'INFO' | 'NOTIFY' | 'BYE',
  more?: readonly (readonly [string, string])[],
  body?: readonly string[],
  type?: string,
]

/** RFC 3261 17.1.1.2; on loopback one time is enough. */
const RESEND_MS = 500
const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>'

/** A call that is up until one side ends it. */
export class SipCaller {
  readonly #call: SipCall
  readonly #sip: Socket
  readonly #rtp: Socket
  readonly #id: string
  readonly #answered = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #resending: Timer | undefined
  #theirTo: string
  #theirContact: string
  #theirMedia: RtpAddress | undefined
  #sequence = 1
  #isClosed = false
  /** Whom the switch asked to call: the addresses of its REFER requests. */
  readonly referredTo: string[] = []

  private constructor(call: SipCall, sip: Socket, rtp: Socket) {
    this.#call = call
    this.#sip = sip
    this.#rtp = rtp
    this.#id = randomText(call.random, 16)
    this.#theirContact = `sip:${call.called}@${call.target.host}:${call.target.port}`
    this.#theirTo = `<${this.#theirContact}>`
    sip.on('message', (bytes) => this.#receive(bytes))
    rtp.on('message', (bytes) => {
      const packet = call.hears && readRtp(bytes)
      if (packet) call.hears?.(packet)
    })
    for (const socket of [sip, rtp]) socket.on('error', () => undefined)
  }

  /** Calls, and waits for the answer. Rejects when the call is refused or our address is not ours. */
  static async call(call: SipCall): Promise<SipCaller> {
    const caller = new SipCaller(call, await bound(call.from), await bound(call.from))
    caller.#invite()
    await caller.#answered.promise
    return caller
  }

  /** Resolves when the switch has hung up. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /**
   * Sends everything at its instant; resolves after the last, or when the telephone is closed. What this process is too
   * busy to send in time makes all that follows as late: a telephone never hurries.
   */
  play(stream: readonly Sent[]): Promise<void> {
    const { clock } = this.#call
    let beganAtMs = clock.nowMs()
    const { promise, resolve } = Promise.withResolvers<void>()
    const sendFrom = (at: number): void => {
      if (this.#isClosed) return resolve()
      let next = at
      const lateMs = at < stream.length ? clock.nowMs() - beganAtMs - stream[at]!.atMs : 0
      if (lateMs > FRAME_MS) beganAtMs += lateMs
      while (next < stream.length && beganAtMs + stream[next]!.atMs <= clock.nowMs()) this.#send(stream[next++]!)
      if (next === stream.length) resolve()
      else clock.schedule(beganAtMs + stream[next]!.atMs, () => sendFrom(next))
    }
    sendFrom(0)
    return promise
  }

  /** Its answer is not waited for. */
  hangUp(): void {
    this.#request('BYE')
    this.#call.sound?.stop()
    this.#ended.resolve()
  }

  /** Ends without any message. */
  close(): void {
    this.#resending?.cancel()
    this.#isClosed = true
    this.#ended.resolve()
    for (const socket of [this.#sip, this.#rtp]) socket.close()
  }

  #send({ rtp, info }: Sent): void {
    if (rtp && this.#theirMedia) this.#rtp.send(rtp, this.#theirMedia.port, this.#theirMedia.host)
    if (!info) return
    this.#request('INFO', [], [`Signal=${info.key}`, `Duration=${info.saysMs}`], 'application/dtmf-relay')
  }

  #invite(): void {
    const contact = [['Contact', `<sip:phone@${this.#at}>`]] as const
    // The very same bytes again: with another branch, a slow switch would take it for a second call.
    const invite = this.#written('INVITE', contact, sdp(this.#media, this.#call.keysPayload))
    const send = () => this.#sipSend(invite)
    send()
    const { clock } = this.#call
    this.#resending = clock.schedule(clock.nowMs() + RESEND_MS, send)
  }

  #receive(bytes: Buffer): void {
    const message = readSip(bytes)
    if (!message) return
    if (methodOf(message) === 'BYE') {
      this.#sipSend(responseTo(message, '200 OK', 'caller'))
      this.#call.sound?.stop()
      this.#ended.resolve()
    } else if (methodOf(message) === 'REFER') {
      this.#refer(message)
    } else if (headerOf(message, 'cseq').endsWith('INVITE') && statusOf(message) >= 200) this.#settled(message)
  }

  /** RFC 3515: 202 accepts, and NOTIFY requests tell what became of the call to the other. */
  #refer(message: SipMessage): void {
    const address = /<([^>]+)>/.exec(headerOf(message, 'refer-to'))?.[1] ?? headerOf(message, 'refer-to')
    const { onHandOver = 'refuses' } = this.#call
    if (!this.referredTo.includes(address)) this.referredTo.push(address)
    if (onHandOver === 'ignores') return
    if (onHandOver === 'refuses') return this.#sipSend(responseTo(message, '405 Method Not Allowed', this.#id))
    this.#sipSend(responseTo(message, '202 Accepted', this.#id, [['Contact', `<sip:phone@${this.#at}>`]]))
    const notify = (state: string, status: string) =>
      this.#request(
        'NOTIFY',
        [
          ['Event', 'refer'],
          ['Subscription-State', state],
          ['Contact', `<sip:phone@${this.#at}>`],
        ],
        [`SIP/2.0 ${status}`],
        'message/sipfrag;version=2.0',
      )
    notify('active;expires=60', '100 Trying')
    notify('terminated;reason=noresource', onHandOver === 'fails' ? '486 Busy Here' : '200 OK')
    if (onHandOver === 'accepts') this.hangUp()
  }

  #settled(answer: SipMessage): void {
    this.#resending?.cancel()
    this.#theirTo = headerOf(answer, 'to')
    this.#theirContact = /<([^>]+)>/.exec(headerOf(answer, 'contact'))?.[1] ?? this.#theirContact
    const isAgain = this.#theirMedia !== undefined
    this.#theirMedia = mediaOf(answer)
    this.#request('ACK')
    if (statusOf(answer) === 200) {
      if (this.#theirMedia && !isAgain) this.#call.sound?.start(this.#theirMedia)
      this.#answered.resolve()
    } else this.#answered.reject(new Error(`the call was refused: ${answer.start}`))
  }

  #request(...request: Request): void {
    this.#sipSend(this.#written(...request))
  }

  #written(...[method, more = [], body = [], type]: Request): Buffer {
    const { called, caller, target, random } = this.#call
    const address = method === 'INVITE' ? `sip:${called}@${target.host}:${target.port}` : this.#theirContact
    if (method !== 'INVITE' && method !== 'ACK') this.#sequence++
    const headers = [
      ['Via', `SIP/2.0/UDP ${this.#at};branch=z9hG4bK${randomText(random, 12)}`],
      ['From', `${caller === undefined ? ANONYMOUS : `<sip:${caller}@${this.#at}>`};tag=${this.#id}`],
      ['To', this.#theirTo],
      ['Call-ID', this.#id],
      ['CSeq', `${method === 'ACK' ? 1 : this.#sequence} ${method}`],
      ['Max-Forwards', '70'],
      ...more,
    ] as const
    return writeSip(`${method} ${address} SIP/2.0`, headers, body, type)
  }

  #sipSend(bytes: Buffer): void {
    this.#sip.send(bytes, this.#call.target.port, this.#call.target.host)
  }

  get #at(): string {
    return `${this.#call.from}:${this.#sip.address().port}`
  }

  get #media(): RtpAddress {
    return this.#call.sound?.address ?? { host: this.#call.from, port: this.#rtp.address().port }
  }
}

async function bound(host: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((done, fail) => {
    socket.once('error', fail)
    socket.bind(0, host, done)
  })
  return socket
}
