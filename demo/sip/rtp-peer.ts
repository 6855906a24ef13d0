import { createSocket, type Socket } from 'node:dgram'
import type { AtMs, Clock, Timer } from '../../src/kernel/clock.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'
import { checkKeys, KEY_DOWN_MS, KEY_PAUSE_MS } from '../../src/sim/person.ts'
import { FRAME_MS, FRAME_SAMPLES, toneFrame, toUlaw, ULAW_SILENCE, voiceFrame } from './audio.ts'
import { RtpEar } from './rtp-ear.ts'
import { keyPayload, PAYLOAD_KEYS, PAYLOAD_PCMU, readRtp, writeRtp } from './rtp-packet.ts'

/** How a telephone speaks and listens. */
export interface RtpPeerOptions {
  readonly clock: Clock
  readonly random: Random
  /** Our own address; the port is a free one. */
  readonly host: string
  /** Sent tone; silence when absent. */
  readonly toneHz?: number
  /** What is said, by ms of sound since `start`; absent: the tone, all the time. */
  readonly says?: (atMs: number) => Saying | undefined
  /** From one packet to the next, 20 ms when absent. With more there is no sound, but the phone is seen to be there. */
  readonly everyMs?: number
  /** Every such packet is lost on the way; absent: none. */
  readonly losesEvery?: number
  /** Tones to listen for. */
  readonly listensFor?: readonly number[]
}

/** `voice`: the tone with an overtone. Undefined is silence. */
export type Saying = 'tone' | 'voice' | 'beep'

/** Where sound is wanted, as SDP says it. */
export interface RtpAddress {
  readonly host: string
  readonly port: number
}

/** A frame to come: sound, or a moment of a key that is held (or was released, three times: RFC 4733 2.5.1.4). */
type Frame = 'sound' | { readonly key: string; readonly heldFrames: number; readonly isEnd: boolean }

/** Later than this (a busy machine, a sleeping laptop) frames are left out instead of sent in a burst. */
const LATE_MAX_MS = 200
const KEY_FRAMES = KEY_DOWN_MS / FRAME_MS
const PAUSE_FRAMES = KEY_PAUSE_MS / FRAME_MS
const KEYS_MAX = 100
/** Of a machine, before it records. */
const BEEP_HZ = 1_400
const SILENCE = Buffer.alloc(FRAME_SAMPLES, ULAW_SILENCE)

/** The audio and keys of a real telephone: RTP over UDP, G.711 µ-law, 50 packets a second, no root needed. */
export class RtpPeer {
  readonly ear: RtpEar
  readonly #clock: Clock
  readonly #socket: Socket
  readonly #toneHz: number | undefined
  readonly #says: (atMs: number) => Saying | undefined
  readonly #everyMs: number
  readonly #losesEvery: number
  readonly #source: number
  #frames: Frame[] = []
  /** µ-law of what is spoken next, instead of the tone. */
  #words = Buffer.alloc(0)
  #remote: RtpAddress | undefined
  #timer: Timer | undefined
  #sequence: number
  #timestamp: number
  #keyTimestamp = 0
  #sent = 0
  #isClosed = false

  private constructor(options: RtpPeerOptions, socket: Socket) {
    const {
      clock,
      random,
      toneHz,
      says = () => 'tone',
      everyMs = FRAME_MS,
      losesEvery = Infinity,
      listensFor = [],
    } = options
    this.ear = new RtpEar(listensFor)
    this.#clock = clock
    this.#socket = socket
    this.#toneHz = toneHz
    this.#says = says
    this.#everyMs = everyMs
    this.#losesEvery = losesEvery
    this.#source = randomInt(random, 1, 2 ** 31)
    this.#sequence = randomInt(random, 0, 2 ** 15)
    this.#timestamp = randomInt(random, 0, 2 ** 31)
    socket.on('message', (bytes) => this.#receive(bytes))
    socket.on('error', () => undefined)
  }

  /** Binds a free port. Rejects when the address is not ours. */
  static async open(options: RtpPeerOptions): Promise<RtpPeer> {
    const socket = createSocket('udp4')
    const peer = new RtpPeer(options, socket)
    await new Promise<void>((done, fail) => {
      socket.once('error', fail)
      socket.bind(0, options.host, done)
    })
    return peer
  }

  get address(): RtpAddress {
    const { address, port } = this.#socket.address()
    return { host: address, port }
  }

  /** Sound packets sent so far. */
  get sentPackets(): number {
    return this.#sent
  }

  /** Begins to send, to where the other side's SDP says. Keys pressed before are lost. */
  start(remote: RtpAddress): void {
    this.stop()
    this.#remote = remote
    this.#tick(this.#clock.nowMs(), true)
  }

  /** Stops sending; drops keys that are not sent yet. */
  stop(): void {
    this.#timer?.cancel()
    this.#remote = undefined
    this.#frames = []
  }

  /** Presses keys one after another, behind those still being pressed. At most 100 may wait. */
  press(keys: string): void {
    checkKeys(keys)
    for (const key of keys) {
      if (this.#frames.length > KEYS_MAX * (KEY_FRAMES + PAUSE_FRAMES)) return
      for (let held = 1; held < KEY_FRAMES; held++) this.#frames.push({ key, heldFrames: held, isEnd: false })
      for (let end = 0; end < 3; end++) this.#frames.push({ key, heldFrames: KEY_FRAMES, isEnd: true })
      for (let pause = 2; pause < PAUSE_FRAMES; pause++) this.#frames.push('sound')
    }
  }

  /** Speaks samples at 8 kHz, behind those that are not spoken yet. */
  speak(samples: Int16Array): void {
    const words = Buffer.from(Array.from(samples, toUlaw))
    this.#words = Buffer.concat([this.#words, words])
  }

  close(): Promise<void> {
    this.stop()
    if (this.#isClosed) return Promise.resolve()
    this.#isClosed = true
    return new Promise((done) => this.#socket.close(() => done()))
  }

  /** One frame, and the next one `everyMs` after this one was due: lateness does not add up. */
  #tick(dueAtMs: AtMs, isFirst: boolean): void {
    this.#sendFrame(isFirst)
    const nowMs = this.#clock.nowMs()
    const nextAtMs = nowMs - dueAtMs > LATE_MAX_MS ? nowMs + this.#everyMs : dueAtMs + this.#everyMs
    this.#timer = this.#clock.schedule(nextAtMs, () => this.#tick(nextAtMs, false))
  }

  #sendFrame(isFirst: boolean): void {
    const frame = this.#frames.shift() ?? 'sound'
    if (frame === 'sound') {
      this.#send(PAYLOAD_PCMU, isFirst, this.#timestamp, this.#sound())
      this.#sent++
    } else {
      const isBegin = frame.heldFrames === 1 && !frame.isEnd
      // All packets of one key bear the instant at which it went down (RFC 4733 2.1).
      if (isBegin) this.#keyTimestamp = this.#timestamp
      const payload = keyPayload(frame.key, frame.heldFrames * FRAME_SAMPLES, frame.isEnd)
      this.#send(PAYLOAD_KEYS, isBegin, this.#keyTimestamp, payload)
    }
    this.#timestamp = (this.#timestamp + FRAME_SAMPLES) >>> 0
  }

  #sound(): Buffer {
    if (this.#words.length >= FRAME_SAMPLES) {
      const frame = this.#words.subarray(0, FRAME_SAMPLES)
      this.#words = this.#words.subarray(FRAME_SAMPLES)
      return frame
    }
    const says = this.#says(this.#sent * FRAME_MS)
    const from = this.#sent * FRAME_SAMPLES
    if (this.#toneHz === undefined || says === undefined) return SILENCE
    if (says === 'voice') return voiceFrame(this.#toneHz, from)
    return toneFrame(says === 'beep' ? BEEP_HZ : this.#toneHz, from)
  }

  #send(payloadType: number, marker: boolean, timestamp: number, payload: Buffer): void {
    if (!this.#remote) return
    const sequence = this.#sequence
    this.#sequence = (sequence + 1) & 0xffff
    if (sequence % this.#losesEvery === 0) return
    const packet = writeRtp({ payloadType, marker, sequence, timestamp, source: this.#source, payload })
    this.#socket.send(packet, this.#remote.port, this.#remote.host)
  }

  #receive(bytes: Buffer): void {
    const packet = readRtp(bytes)
    if (packet?.payloadType === PAYLOAD_PCMU) this.ear.takes(packet.payload)
    if (packet?.payloadType === PAYLOAD_KEYS) this.ear.takesKey(packet.payload, packet.timestamp)
  }
}
