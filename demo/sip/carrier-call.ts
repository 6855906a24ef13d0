import type { AtMs, Clock, Timer } from '../../src/kernel/clock.ts'
import { type Random, randomText } from '../../src/kernel/random.ts'
import { type Contact, REFUSAL_CODES, type Soundless } from '../../src/sim/person.ts'
import type { EndedBy } from '../../src/sim/sim-contact.ts'
import { PAYLOAD_KEYS } from './rtp-packet.ts'
import type { RtpAddress, RtpPeer } from './rtp-peer.ts'
import { headerOf, mediaOf, methodOf, responseTo, type SipMessage, writeSip } from './sip-message.ts'
import { sdp } from './sipp-xml.ts'

/** RFC 3261 17.2.1 and 13.3.1.4: what is not acknowledged is sent again after T1, then twice as late, up to T2. */
const T1_MS = 500
const T2_MS = 4_000
/** 64 × T1: then the other side is taken to be gone. */
const GIVE_UP_MS = 32_000
/** A switch that died sends no BYE: a call ends after this time. */
const CALL_MAX_MS = 3_600_000

const PHRASES: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  480: 'Temporarily Unavailable',
  484: 'Address Incomplete',
  486: 'Busy Here',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
}

/** The SDP of an answer from which no sound can follow. */
const SOUNDLESS: Readonly<Record<Soundless, (media: RtpAddress) => readonly string[]>> = {
  otherCodec: (media) => sdp(media, 'none', 'g729'),
  otherCodecWithKeys: (media) => sdp(media, PAYLOAD_KEYS, 'g729'),
  noSdp: () => [],
}

/** What one call needs of the carrier. */
export interface CarrierCallParts {
  readonly clock: Clock
  readonly random: Random
  /** Our own SIP address. */
  readonly at: RtpAddress
  /** Address of the sound; `speaks` is absent in a call without sound. */
  readonly media: RtpAddress
  readonly speaks: RtpPeer | undefined
  send(bytes: Buffer): void
  rang(atMs: AtMs): void
  answered(atMs: AtMs): void
  refused(code: number): void
  ended(atMs: AtMs, by: EndedBy): void
}

/**
 * One call to a number of the carrier: the server's side of an INVITE (RFC 3261 section 17.2.1), and the dialog
 * that follows (12, 15), led by a script.
 *
 *   ringing ──▶ answered ──ACK──▶ up ──BYE──▶ over
 *      │                          └──hangs up──▶ leaving ──200──▶ over
 *      └── refused, CANCEL ──▶ refused ──ACK──▶ over
 */
export class CarrierCall {
  readonly contact: Contact
  readonly #dependencies: CarrierCallParts
  readonly #invite: SipMessage
  readonly #tag: string
  readonly #timers: Timer[] = []
  #state: 'ringing' | 'answered' | 'up' | 'refused' | 'leaving' | 'over' = 'ringing'
  /** The last response to the INVITE: sent again when the INVITE comes again. */
  #response: Buffer
  #resending: Timer | undefined
  #hasEnded = false
  /** RFC 3261 15: no BYE before the ACK. */
  #leavesOnAck = false

  constructor(invite: SipMessage, contact: Contact, dependencies: CarrierCallParts) {
    this.contact = contact
    this.#dependencies = dependencies
    this.#invite = invite
    this.#tag = randomText(dependencies.random, 10)
    this.#response = responseTo(invite, '100 Trying', this.#tag)
    dependencies.send(this.#response)
    this.#begin()
  }

  /** A request of this call. */
  receives(request: SipMessage): void {
    const method = methodOf(request)
    if (method === 'INVITE') this.#receivesInvite(request)
    else if (method === 'ACK') this.#acknowledged()
    else if (method === 'CANCEL') this.#cancelled(request)
    else {
      this.#dependencies.send(responseTo(request, '200 OK', this.#tag))
      if (method === 'BYE') this.#over('switch')
    }
  }

  /** A final response to our BYE. */
  byeAnswered(): void {
    if (this.#state === 'leaving') this.#over('contact')
  }

  /** Hangs up: BYE after the answer, a refusal before it. */
  hangUp(): void {
    if (this.#state === 'ringing') this.#refuse(REFUSAL_CODES.reject)
    else if (this.#state === 'answered') this.#leavesOnAck = true
    else if (this.#state === 'up') this.#leave()
  }

  /** Ends without any message, like a carrier that lost its power. */
  vanish(): void {
    this.#stop()
    this.#state = 'over'
  }

  #begin(): void {
    const { does, afterMs, ringsAfterMs, code } = this.contact
    if (ringsAfterMs !== undefined) this.#after(ringsAfterMs, () => this.#ring())
    if (does === 'ignore') return
    this.#after(afterMs, () => {
      if (does === 'answer') this.#answer()
      else this.#refuse(code ?? REFUSAL_CODES[does])
    })
  }

  #ring(): void {
    if (this.#state !== 'ringing') return
    this.#respond('180 Ringing')
    this.#dependencies.rang(this.#dependencies.clock.nowMs())
  }

  #answer(): void {
    if (this.#state !== 'ringing') return
    this.#state = 'answered'
    const { clock, media, speaks } = this.#dependencies
    const atMs = clock.nowMs()
    const { soundless } = this.contact
    this.#respond('200 OK', soundless ? SOUNDLESS[soundless](media) : sdp(media))
    this.#dependencies.answered(atMs)
    this.#resend(() => this.#dependencies.send(this.#response))
    const theirs = mediaOf(this.#invite)
    if (theirs) speaks?.start(theirs)
    this.#after(this.contact.hangsUpAfterMs ?? CALL_MAX_MS, () => this.hangUp())
    const { secondAnswerAfterMs } = this.contact
    if (secondAnswerAfterMs !== undefined) this.#after(secondAnswerAfterMs, () => this.#secondAnswer())
  }

  /** The INVITE was forked: another phone answers with a tag of its own (RFC 3261 13.2.2.4). */
  #secondAnswer(): void {
    const { random, media, send } = this.#dependencies
    send(responseTo(this.#invite, '200 OK', randomText(random, 10), this.#contactHeader(), sdp(media)))
  }

  #refuse(code: number): void {
    if (this.#state !== 'ringing') return
    this.#dependencies.refused(code)
    this.#final(`${code} ${PHRASES[code] ?? 'Refused'}`, 'contact')
  }

  #cancelled(request: SipMessage): void {
    this.#dependencies.send(responseTo(request, '200 OK', this.#tag))
    if (this.#state !== 'ringing') return
    const { answersCancelAfterMs } = this.contact
    if (answersCancelAfterMs === undefined) this.#final('487 Request Terminated', 'switch')
    else this.#after(answersCancelAfterMs, () => this.#answer())
  }

  /** For the person it is over now; the switch still has to acknowledge. */
  #final(status: string, by: EndedBy): void {
    this.#state = 'refused'
    this.#respond(status)
    this.#resend(() => this.#dependencies.send(this.#response))
    this.#tellEnd(by)
  }

  #receivesInvite(request: SipMessage): void {
    const isSame = headerOf(request, 'cseq') === headerOf(this.#invite, 'cseq')
    if (isSame) this.#dependencies.send(this.#response)
    // Asked anew within the call (RFC 3261 14.2): nothing changes.
    else
      this.#dependencies.send(
        responseTo(request, '200 OK', this.#tag, this.#contactHeader(), sdp(this.#dependencies.media)),
      )
  }

  #acknowledged(): void {
    if (this.#state === 'answered') this.#state = 'up'
    else if (this.#state === 'refused') this.#state = 'over'
    else return
    this.#resending?.cancel()
    if (this.#leavesOnAck) this.#leave()
  }

  #leave(): void {
    this.#state = 'leaving'
    const { at, random } = this.#dependencies
    const target = /<([^>]+)>/.exec(headerOf(this.#invite, 'contact'))?.[1] ?? headerOf(this.#invite, 'contact')
    const bye = writeSip(`BYE ${target} SIP/2.0`, [
      ['Via', `SIP/2.0/UDP ${at.host}:${at.port};branch=z9hG4bK${randomText(random, 12)}`],
      ['From', `${headerOf(this.#invite, 'to')};tag=${this.#tag}`],
      ['To', headerOf(this.#invite, 'from')],
      ['Call-ID', headerOf(this.#invite, 'call-id')],
      ['CSeq', '1 BYE'],
      ['Max-Forwards', '70'],
    ])
    this.#dependencies.send(bye)
    this.#resend(() => this.#dependencies.send(bye))
    this.#tellEnd('contact')
  }

  #respond(status: string, body: readonly string[] = []): void {
    this.#response = responseTo(this.#invite, status, this.#tag, this.#contactHeader(), body)
    this.#dependencies.send(this.#response)
  }

  #contactHeader(): readonly (readonly [string, string])[] {
    const { host, port } = this.#dependencies.at
    return [['Contact', `<sip:${host}:${port}>`]]
  }

  #resend(send: () => void, waitMs = T1_MS, leftMs = GIVE_UP_MS): void {
    this.#resending?.cancel()
    const { clock } = this.#dependencies
    this.#resending = clock.schedule(clock.nowMs() + Math.min(waitMs, leftMs), () => {
      if (waitMs >= leftMs) this.#over('nobody')
      else {
        send()
        this.#resend(send, Math.min(2 * waitMs, T2_MS), leftMs - waitMs)
      }
    })
  }

  #over(by: EndedBy): void {
    this.#state = 'over'
    this.#tellEnd(by)
    this.#stop()
  }

  #tellEnd(by: EndedBy): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const timer of this.#timers) timer.cancel()
    this.#dependencies.speaks?.stop()
    this.#dependencies.ended(this.#dependencies.clock.nowMs(), by)
  }

  #stop(): void {
    for (const timer of this.#timers) timer.cancel()
    this.#resending?.cancel()
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.#dependencies
    this.#timers.push(clock.schedule(clock.nowMs() + ms, act))
  }
}
