/**
 * The thin part over JsSIP: registers, answers, carries sound, and tells facts. It decides nothing; what it shows of
 * calls is never used by the desk.
 */
import JsSIP from 'jssip'
import type { IncomingRTCSessionEvent } from 'jssip/lib/UA.js'
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { PhoneCredentials } from './phone-door.ts'
import type { PhoneEvent } from './phone-messages.ts'
import { sipSocket } from './sip-socket.ts'

type Session = IncomingRTCSessionEvent['session']

export interface SipLineOptions {
  readonly clock: Clock
  readonly credentials: PhoneCredentials
  readonly ticket: () => Promise<string>
  readonly tell: (event: PhoneEvent) => void
  /** Plays the other side. */
  readonly speaker: HTMLAudioElement
}

/** Of RFC 3261 21.4: busy here. */
const BUSY = 486
const REGISTER_SECONDS = 120
/** JsSIP waits for all candidates; a server that does not answer would cost 10 s (JsSIP issue 432). */
const ICE_QUIET_MS = 1_000
/** Its defaults are 2 and 30 s. */
const RECOVERY_SECONDS = { connection_recovery_min_interval: 1, connection_recovery_max_interval: 4 } as const

/** One registration and its sessions, each named by its leg. */
export class SipLine {
  readonly #options: SipLineOptions
  readonly #ua: JsSIP.UA
  readonly #sessions = new Map<string, Session>()
  #isOver = false

  constructor(options: SipLineOptions) {
    const { credentials, clock, ticket } = options
    this.#options = options
    const url = new URL(credentials.wsUrl, location.href.replace(/^http/, 'ws')).href
    const { host } = new URL(url)
    const socket = sipSocket({ url, clock, ticket, closed: (type) => this.#tell({ type }) })
    this.#ua = new JsSIP.UA({
      sockets: socket,
      uri: `sip:${credentials.sipUser}@${host.replace(/:\d+$/, '')}`,
      password: credentials.sipPassword,
      register_expires: REGISTER_SECONDS,
      session_timers: false,
      ...RECOVERY_SECONDS,
    })
    this.#ua.on('registered', () => this.#tell({ type: 'registered' }))
    this.#ua.on('registrationFailed', ({ response }) => {
      this.#tell({ type: response ? 'registration.refused' : 'signal.lost' })
      // JsSIP does not ask again on a connection that nobody answers on; a new one registers by itself.
      if (response || !socket.isConnected()) return
      socket.disconnect()
      socket.ondisconnect(true, undefined, 'no answer')
    })
    this.#ua.on('disconnected', () => this.#tell({ type: 'signal.lost' }))
    this.#ua.on('newRTCSession', (event: IncomingRTCSessionEvent) => this.#invited(event))
    this.#ua.start()
  }

  answer(leg: string, microphone: MediaStream): void {
    const session = this.#sessions.get(leg)
    if (!session) return
    const pcConfig = { iceServers: [...this.#options.credentials.iceServers] }
    session.answer({ mediaStream: microphone, pcConfig })
  }

  refuse(leg: string): void {
    this.#sessions.get(leg)?.terminate({ status_code: BUSY })
  }

  /** All of them, without a leg. */
  terminate(leg: string | undefined, keep?: string): void {
    for (const [one, session] of [...this.#sessions]) {
      if (one === keep || (leg !== undefined && one !== leg)) continue
      this.#sessions.delete(one)
      if (!session.isEnded()) session.terminate()
    }
  }

  renegotiate(leg: string | undefined): void {
    const session = leg === undefined ? undefined : this.#sessions.get(leg)
    const isSent = session?.renegotiate({}, () => this.#tell({ type: 'renegotiated' }))
    if (!isSent) this.#tell({ type: 'renegotiation.refused' })
  }

  /** The next microphone takes over without a word of SIP. */
  replaceTrack(track: MediaStreamTrack): void {
    for (const { connection } of this.#sessions.values()) {
      for (const sender of connection?.getSenders() ?? []) void sender.replaceTrack(track)
    }
  }

  /** Counters of a leg, for the quality of its sound. */
  async stats(leg: string): Promise<RTCStatsReport | undefined> {
    return this.#sessions.get(leg)?.connection?.getStats()
  }

  /** Nothing is told any more. */
  close(): void {
    this.#isOver = true
    this.terminate(undefined)
    this.#ua.stop()
  }

  #invited({ session, request, originator }: IncomingRTCSessionEvent): void {
    if ((originator as string) !== 'remote') return
    const leg = request.getHeader(this.#options.credentials.legHeader) ?? `nameless ${session.id}`
    this.#sessions.set(leg, session)
    session.on('peerconnection', ({ peerconnection }) => this.#watch(leg, peerconnection))
    this.#hurryIce(session)
    const ended = () => {
      if (this.#sessions.get(leg) === session) this.#sessions.delete(leg)
      this.#tell({ type: 'session.ended', leg })
    }
    session.on('ended', ended)
    session.on('failed', ended)
    this.#tell({ type: 'invite', leg })
  }

  /** Without servers the search ends by itself; with them, the answer goes when no more was found for a moment. */
  #hurryIce(session: Session): void {
    const { clock, credentials } = this.#options
    if (credentials.iceServers.length === 0) return
    let quiet: Timer | undefined
    session.on('icecandidate', ({ ready }) => {
      quiet?.cancel()
      quiet = clock.schedule(clock.nowMs() + ICE_QUIET_MS, ready)
    })
  }

  /** Connected means ICE and DTLS: sound can flow both ways. */
  #watch(leg: string, connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ streams: [stream] }) => {
      if (!stream) return
      this.#options.speaker.srcObject = stream
      void this.#options.speaker.play().catch(() => {})
    })
    let wasConnected = false
    connection.addEventListener('connectionstatechange', () => {
      const { connectionState: state } = connection
      if (state === 'connected') this.#tell({ type: wasConnected ? 'sound.back' : 'session.connected', leg })
      if (state === 'connected') wasConnected = true
      if (state === 'disconnected') this.#tell({ type: 'sound.unstable', leg })
      if (state === 'failed') this.#tell({ type: 'sound.failed', leg })
    })
  }

  #tell(event: PhoneEvent): void {
    if (!this.#isOver) this.#options.tell(event)
  }
}
