import { createSocket, type Socket } from 'node:dgram'
import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { InfoKeys, type SentKey } from './keys/info-keys.ts'
import { CHALLENGES, type ReferCopy, readInfoCopy, readReferCopy, readSipCopy } from './sip/hep.ts'

/** Asterisk waits 64 × T1 = 6.4 s for the response to a cancelled INVITE (asterisk/pjsip.ts); copies may be lost. */
const FINAL_MAX_MS = 10_000
/** More than any switch dials at a time: the oldest are forgotten. */
const CALLS_MAX = 5_000
/** RFC 3261 21.4.26. Asterisk sends it before a channel exists: no event and no log tells of it (measured, 22.10.1). */
const NOT_ACCEPTABLE_HERE = 488
/** An engine that is busy for a second reads its copies later; the system may grant less. */
const UNREAD_MAX_BYTES = 1024 * 1024
/** A response is sent again until its ACK arrives, for 32 s at most (RFC 3261 17.2.1). */
const REFUSED_MAX = 1_000

export interface SipCopiesOptions {
  /** UDP, on loopback. */
  readonly port: number
  readonly clock: Clock
  readonly log: Log
  /** The switch refused a call that nobody here dialed, because it knows no codec of the offer. Once for each call. */
  readonly onNoCodec: (called: string) => void
  /** Asterisk took a key that a telephone sent as SIP INFO; its report follows. */
  readonly onKey: (key: SentKey) => void
  /** What a network says of a REFER of ours. */
  readonly onRefer: (copy: ReferCopy) => void
}

interface DialedCall {
  readonly leg: LegId
  readonly reference: string
  callId?: string
  final?: { readonly answeredAtMs?: AtMs }
  /** The phones that answered, by the tags of their answers. */
  answeredBy?: ReadonlySet<string>
  timer?: Timer
  tell?: (answeredAtMs?: AtMs) => void
}

/**
 * What the network says of a call that was cancelled. Asterisk destroys the channel when it sends CANCEL, and answers a
 * 200 OK that comes after it with ACK and BYE; no event tells of it (measured, 22.10.1). Therefore Asterisk sends a
 * copy of each SIP message (`res_hep_pjsip`), and the end of a line that rang is told when the INVITE has its final
 * response (RFC 3261 9.1, campaigns-77). Without copies, as from a switch that is not configured so, it is told at
 * once.
 */
export class SipCopies {
  readonly #options: SipCopiesOptions
  readonly #byLeg = new Map<LegId, DialedCall>()
  readonly #byReference = new Map<string, DialedCall>()
  readonly #byCallId = new Map<string, DialedCall>()
  readonly #refused = new Set<string>()
  readonly #infoKeys = new InfoKeys()
  #socket: Socket | undefined

  constructor(options: SipCopiesOptions) {
    this.#options = options
  }

  /** Never rejects: without copies the engine works, and late answers stay unseen. */
  open(): Promise<void> {
    const { port, log } = this.#options
    const socket = createSocket({ type: 'udp4', recvBufferSize: UNREAD_MAX_BYTES })
    this.#socket = socket
    socket.on('message', (packet) => this.receive(packet))
    return new Promise((opened) => {
      socket.once('listening', opened)
      socket.on('error', (error) => {
        const remedy = 'answers that cross a CANCEL are not seen; free the port, or give ARI another one'
        log.warn({ port, why: String(error), remedy }, 'no copies of SIP messages')
        opened()
      })
      socket.bind(port, '127.0.0.1')
    })
  }

  close(): void {
    this.#socket?.close()
    for (const { timer } of this.#byLeg.values()) timer?.cancel()
  }

  /** The INVITE of this leg will bear the reference. */
  dialed(leg: LegId, reference: string): void {
    const call = { leg, reference }
    this.#byLeg.set(leg, call)
    this.#byReference.set(reference, call)
    const [oldest] = this.#byLeg.values()
    if (this.#byLeg.size > CALLS_MAX && oldest) this.#forget(oldest)
  }

  /** The channel of an unanswered leg is gone. `tell` runs once, with the instant of an answer that came after all. */
  whenFinal(leg: LegId, tell: (answeredAtMs?: AtMs) => void): void {
    const call = this.#byLeg.get(leg)
    if (call?.callId === undefined || call.final) {
      if (call) this.#forget(call)
      return tell(call?.final?.answeredAtMs)
    }
    const { clock } = this.#options
    call.tell = tell
    call.timer = clock.schedule(clock.nowMs() + FINAL_MAX_MS, () => this.#settle(call, {}))
  }

  /** A packet from Asterisk, or noise. */
  receive(packet: Buffer): void {
    const copy = readSipCopy(packet)
    if (!copy) return this.#other(packet)
    const { callId, reference, status, called, toTag } = copy
    const dialed = reference === undefined ? undefined : this.#byReference.get(reference)
    if (dialed && dialed.callId === undefined) {
      dialed.callId = callId
      this.#byCallId.set(callId, dialed)
    }
    const call = this.#byCallId.get(callId)
    if (!call && status === NOT_ACCEPTABLE_HERE && called !== undefined) this.#noCodec(callId, called)
    if (!call || status === undefined || status < 200 || CHALLENGES.includes(status)) return
    if (status < 300 && toTag !== undefined) this.#answeredBy(call, toTag)
    this.#settle(call, status < 300 ? { answeredAtMs: this.#options.clock.nowMs() } : {})
  }

  /** Asterisk does not end the call of a second phone (measured, 22.10.1): whoever operates the trunk must know. */
  #answeredBy(call: DialedCall, toTag: string): void {
    const { answeredBy = new Set() } = call
    call.answeredBy = new Set([...answeredBy, toTag])
    if (answeredBy.size !== 1 || answeredBy.has(toTag)) return
    const remedy = 'whoever answered second hears nobody; ask the carrier not to fork calls of this trunk'
    this.#options.log.warn({ leg: call.leg, remedy }, 'two phones answered one call')
  }

  #other(packet: Buffer): void {
    const copy = readInfoCopy(packet)
    const key = copy && this.#infoKeys.receive(copy)
    if (key) return this.#options.onKey(key)
    const refer = copy ? undefined : readReferCopy(packet)
    if (refer) this.#options.onRefer(refer)
  }

  #noCodec(callId: string, called: string): void {
    if (this.#refused.has(callId)) return
    this.#refused.add(callId)
    const [oldest] = this.#refused
    if (this.#refused.size > REFUSED_MAX && oldest !== undefined) this.#refused.delete(oldest)
    this.#options.onNoCodec(called)
  }

  /** The first final response counts: a 200 OK is sent again until its ACK arrives. */
  #settle(call: DialedCall, final: NonNullable<DialedCall['final']>): void {
    call.final ??= final
    if (!call.tell) return
    this.#forget(call)
    call.tell(call.final.answeredAtMs)
  }

  #forget({ leg, reference, callId, timer }: DialedCall): void {
    timer?.cancel()
    this.#byLeg.delete(leg)
    this.#byReference.delete(reference)
    if (callId !== undefined) this.#byCallId.delete(callId)
  }
}
