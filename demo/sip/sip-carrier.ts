/**
 * A real carrier behind a trunk: speaks SIP over UDP, one process and one port for any number of calls.
 *
 * Our own, and not SIPp like the telephones: SIPp plays one scenario and one sound for all its calls, cannot give each
 * call an ear of its own, and its log would have to be followed and joined. Here each call is led by the same script
 * as on the simulated switch, its sound is an `RtpPeer`, and the log has the instant of each 200 OK.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { AtMs, Clock, Timer } from '../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Random } from '../../src/kernel/random.ts'
import { magicContact } from '../../src/sim/magic-numbers.ts'
import type { Contact, Voice } from '../../src/sim/person.ts'
import type { EndedBy } from '../../src/sim/sim-contact.ts'
import { FRAME_MS } from './audio.ts'
import { CarrierCall } from './carrier-call.ts'
import { CarrierLog, type Invite } from './carrier-log.ts'
import { RtpEar } from './rtp-ear.ts'
import { type RtpAddress, RtpPeer, type Saying } from './rtp-peer.ts'
import { headerOf, methodOf, readSip, responseTo, type SipMessage, userOf } from './sip-message.ts'

/** Address, contacts and sound of a carrier. */
export interface SipCarrierOptions {
  readonly clock: Clock
  readonly random: Random
  readonly host: string
  /** 0, or absent: a free one. */
  readonly port?: number
  /** Who is reached under a number; `magicContact` when absent. */
  readonly contactOf?: (number: PhoneNumber, invite: Invite) => Contact
  /** Sound of the contacts; without it calls have no RTP at all. */
  readonly toneHz?: number
  /** Of calls without sound: a packet is sent this often. An agent's phone must, or Asterisk takes it to be lost. */
  readonly silentEveryMs?: number
  /** Tones that people listen for. */
  readonly listensFor?: readonly number[]
  /** A file for the log, see `readInvites`. */
  readonly logFile?: string
}

/** One call, from the carrier's side. */
export interface CarrierContact {
  /** As the log has it by now. */
  readonly invite: Invite
  readonly ear: RtpEar
  /** Sound of its own that it has sent so far, silence included. */
  saidMs(): number
  /** Resolves when it is over for the person. */
  readonly ended: Promise<EndedBy>
  hangUp(): void
}

/** A carrier that can be called. */
export interface SipCarrier {
  readonly at: RtpAddress
  /** Every INVITE so far, in order. */
  invites(): readonly Invite[]
  /** The latest call to this number; waits for the first one. */
  contact(number: PhoneNumber): Promise<CarrierContact>
  /** Ends without any message. */
  close(): Promise<void>
}

/** The discard port (RFC 863), for calls without sound. */
const DISCARD_PORT = 9
/** Finished calls are remembered for this long, for what is sent again. */
const REMEMBERED_MS = 40_000

/** Answer of a carrier without a free socket. */
const NO_LINE_FREE: Contact = { does: 'fail', code: 503, afterMs: 0 }

/** When a machine has beeped, in ms of its own sound. */
export const BEEP_END_MS = 8_900
const BEEP_MS = 500
const GREETING_END_MS = 8_000

/** Words with the gaps between them. */
const words = (atMs: number, fromMs: number, toMs = Number.POSITIVE_INFINITY) =>
  atMs >= fromMs && atMs < toMs && (atMs - fromMs) % 400 < 320 ? ('voice' as const) : undefined

/** By ms after the answer: a person greets, waits, and talks; a machine greets for long, beeps and records. */
const SAYS: Readonly<Record<Voice, (atMs: number) => Saying | undefined>> = {
  person: (atMs) => words(atMs, 300, 900) ?? words(atMs, 3_400),
  machine: (atMs) => (atMs >= BEEP_END_MS - BEEP_MS && atMs < BEEP_END_MS ? 'beep' : words(atMs, 300, GREETING_END_MS)),
  silent: () => undefined,
}

/** Opens a carrier. Rejects when the address cannot be used. */
export async function openCarrier(options: SipCarrierOptions): Promise<SipCarrier> {
  const socket = createSocket('udp4')
  await new Promise<void>((done, fail) => {
    const { host, port = 0 } = options
    socket.once('error', (error) => fail(new Error(`no carrier can stand at ${host}:${port}: ${error.message}`)))
    socket.bind(port, host, done)
  })
  return new UdpCarrier(options, socket)
}

/** A call and what belongs to it. */
interface Line {
  readonly call: CarrierCall
  readonly contact: CarrierContact
  readonly peer: RtpPeer | undefined
}

class UdpCarrier implements SipCarrier {
  readonly at: RtpAddress
  readonly #options: SipCarrierOptions
  readonly #socket: Socket
  readonly #log: CarrierLog
  readonly #lines = new Map<string, Line>()
  readonly #latest = new Map<PhoneNumber, CarrierContact>()
  readonly #waiting = new Map<PhoneNumber, ((contact: CarrierContact) => void)[]>()
  /** INVITEs whose ear is still being opened, by Call-ID. */
  readonly #opening = new Set<string>()
  /** When each finished call is forgotten. */
  readonly #forgetting = new Map<string, Timer>()
  #isClosed = false

  constructor(options: SipCarrierOptions, socket: Socket) {
    const { address: host, port } = socket.address()
    this.at = { host, port }
    this.#options = options
    this.#socket = socket
    this.#log = new CarrierLog(options.logFile)
    socket.on('message', (bytes, from) => this.#receive(bytes, from))
    // A peer that is gone: what was said to it is said again, or given up.
    socket.on('error', () => undefined)
  }

  invites(): readonly Invite[] {
    return this.#log.invites
  }

  contact(number: PhoneNumber): Promise<CarrierContact> {
    const latest = this.#latest.get(number)
    if (latest) return Promise.resolve(latest)
    return new Promise((tell) => this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), tell]))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#forgetting.values()) timer.cancel()
    for (const { call, peer } of this.#lines.values()) {
      call.vanish()
      await peer?.close()
    }
    await new Promise<void>((done) => this.#socket.close(() => done()))
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    const message = readSip(bytes)
    if (!message) return
    const method = methodOf(message)
    const callId = headerOf(message, 'call-id')
    const line = this.#lines.get(callId)
    if (line && method === '') {
      if (headerOf(message, 'cseq').endsWith(' BYE')) line.call.byeAnswered()
    } else if (line) line.call.receives(message)
    else if (method === 'INVITE') this.#invited(message, callId, from)
    else if (method === 'OPTIONS') this.#send(responseTo(message, '200 OK', 'carrier'), from)
    else if (method !== 'ACK' && method !== '') {
      this.#send(responseTo(message, '481 Call/Transaction Does Not Exist', 'carrier'), from)
    }
  }

  /** An INVITE that was sent again late, after its call had ended, is none. */
  #invited(message: SipMessage, callId: string, from: RemoteInfo): void {
    if (this.#log.of(callId) || this.#opening.has(callId)) return
    const invite: Invite = {
      callId,
      atMs: this.#options.clock.nowMs(),
      number: `+${userOf(message.start).replace(/[^0-9]/g, '')}` as PhoneNumber,
      callerId: userOf(headerOf(message, 'from')),
      reference: headerOf(message, 'x-switchboard-attempt'),
    }
    this.#log.add(invite)
    const contact = (this.#options.contactOf ?? magicContact)(invite.number, invite)
    const { toneHz, silentEveryMs } = this.#options
    if (toneHz === undefined && silentEveryMs === undefined) this.#begin(message, invite, contact, from, undefined)
    else {
      this.#opening.add(callId)
      this.#openEar(contact).then(
        (peer) => this.#opened(message, invite, contact, from, peer),
        () => this.#opened(message, invite, NO_LINE_FREE, from, undefined),
      )
    }
  }

  #opened(message: SipMessage, invite: Invite, script: Contact, from: RemoteInfo, peer: RtpPeer | undefined): void {
    this.#opening.delete(invite.callId)
    if (this.#isClosed) void peer?.close()
    else this.#begin(message, invite, script, from, peer)
  }

  #openEar({ voice = 'person', losesEvery }: Contact): Promise<RtpPeer> {
    const { clock, random, host, toneHz, silentEveryMs: everyMs, listensFor = [] } = this.#options
    const tone = { ...(toneHz !== undefined && { toneHz }), ...(everyMs !== undefined && { everyMs }) }
    const loss = losesEvery !== undefined && { losesEvery }
    return RtpPeer.open({ clock, random, host, listensFor, ...tone, ...loss, says: SAYS[voice] })
  }

  #begin(message: SipMessage, invite: Invite, script: Contact, from: RemoteInfo, peer: RtpPeer | undefined): void {
    const { callId, number } = invite
    const { promise: ended, resolve } = Promise.withResolvers<EndedBy>()
    const log = this.#log
    const call = new CarrierCall(message, script, {
      clock: this.#options.clock,
      random: this.#options.random,
      at: this.at,
      media: peer?.address ?? { host: this.at.host, port: DISCARD_PORT },
      speaks: peer,
      send: (bytes) => this.#send(bytes, from),
      rang: (rangAtMs: AtMs) => log.note(callId, { rangAtMs }),
      answered: (answeredAtMs: AtMs) => log.note(callId, { answeredAtMs }),
      refused: (refusedWith) => log.note(callId, { refusedWith }),
      ended: (endedAtMs: AtMs, endedBy) => {
        log.note(callId, { endedAtMs, endedBy })
        resolve(endedBy)
        this.#forgetLater(invite)
      },
    })
    const contact: CarrierContact = {
      get invite() {
        return log.of(callId) ?? invite
      },
      ear: peer?.ear ?? new RtpEar([]),
      saidMs: () => (peer?.sentPackets ?? 0) * FRAME_MS,
      ended,
      hangUp: () => call.hangUp(),
    }
    this.#lines.set(callId, { call, contact, peer })
    this.#latest.set(number, contact)
    for (const tell of this.#waiting.get(number) ?? []) tell(contact)
    this.#waiting.delete(number)
  }

  #forgetLater({ callId, number }: Invite): void {
    const line = this.#lines.get(callId)
    void line?.peer?.close()
    const { clock } = this.#options
    const forget = () => {
      this.#lines.delete(callId)
      this.#forgetting.delete(callId)
      if (this.#latest.get(number) === line?.contact) this.#latest.delete(number)
    }
    this.#forgetting.set(callId, clock.schedule(clock.nowMs() + REMEMBERED_MS, forget))
  }

  #send(bytes: Buffer, { address, port }: RemoteInfo): void {
    if (!this.#isClosed) this.#socket.send(bytes, port, address)
  }
}
