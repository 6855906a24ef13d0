/** One party of a bridge without SIP: sound in packets of 20 ms, sent and received by this process. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { monotonicMs } from '../monotonic.ts'

const FRAME_MS = 20
const SAMPLES = 160
const HEADER = 12
const PCMU = 0
/** So often each party says something, and for so long. */
const EVERY_FRAMES = 50
const SAYS_FRAMES = 5
const SILENCE = Buffer.alloc(SAMPLES, 0xff)
/** A square wave of 1 kHz, in G.711 µ-law: a small code is loud. */
const TONE = Buffer.from(Array.from({ length: SAMPLES }, (_, at) => (at % 8 < 4 ? 0x90 : 0x10)))
const isLoud = (code: number) => (code & 0x7f) < 0x40

/** What a party heard: from the other's first loud packet to its own, and how far packets were from 20 ms apart. */
export interface Heard {
  readonly delaysMs: number[]
  readonly unevenMs: number[]
  packets: number
}

/** A party at a port of its own. */
export class MediaLeg {
  readonly heard: Heard = { delaysMs: [], unevenMs: [], packets: 0 }
  readonly #socket: Socket
  #to: { readonly host: string; readonly port: number } | undefined
  #other: MediaLeg | undefined
  #frame: number
  #timestamp = 0
  #sequence = 0
  /** When what it says now began. */
  #saysSinceMs: number | undefined
  #lastAtMs: number | undefined

  /** `phase`: in which frame of the second it begins to say something. */
  private constructor(socket: Socket, phase: number) {
    this.#socket = socket
    this.#frame = phase
    socket.on('message', (packet) => this.#hear(packet))
  }

  static async open(host: string, phase: number): Promise<MediaLeg> {
    const socket = createSocket('udp4')
    socket.bind(0, host)
    await once(socket, 'listening')
    return new MediaLeg(socket, phase)
  }

  get address(): string {
    const { address, port } = this.#socket.address()
    return `${address}:${port}`
  }

  /** Where it sends to, and whom it hears. */
  join(to: { readonly host: string; readonly port: number }, other: MediaLeg): void {
    this.#to = to
    this.#other = other
  }

  /** Sends the packet of this frame. */
  send(): void {
    if (!this.#to) return
    const at = this.#frame++ % EVERY_FRAMES
    if (at === 0) this.#saysSinceMs = monotonicMs()
    const packet = Buffer.alloc(HEADER + SAMPLES)
    packet[0] = 0x80
    packet[1] = PCMU
    packet.writeUInt16BE(this.#sequence++ & 0xffff, 2)
    packet.writeUInt32BE(this.#timestamp, 4)
    packet.writeUInt32BE(this.#socket.address().port, 8)
    this.#timestamp += SAMPLES
    const sound = at < SAYS_FRAMES ? TONE : SILENCE
    sound.copy(packet, HEADER)
    this.#socket.send(packet, this.#to.port, this.#to.host)
  }

  close(): void {
    this.#socket.close()
  }

  #hear(packet: Buffer): void {
    const nowMs = monotonicMs()
    this.heard.packets++
    if (this.#lastAtMs !== undefined) this.heard.unevenMs.push(Math.abs(nowMs - this.#lastAtMs - FRAME_MS))
    this.#lastAtMs = nowMs
    const loud = packet.subarray(HEADER).filter(isLoud).length
    const since = this.#other?.take(loud > SAMPLES / 8)
    if (since !== undefined) this.heard.delaysMs.push(nowMs - since)
  }

  /** Since when it says what was heard; each beginning is taken once. */
  take(isHeard: boolean): number | undefined {
    if (!isHeard) return undefined
    const since = this.#saysSinceMs
    this.#saysSinceMs = undefined
    return since
  }
}

/** Sends for all of them, each every 20 ms, spread over these; the answer ends it. */
export function keepSending(legs: readonly MediaLeg[]): () => void {
  const beganAtMs = monotonicMs()
  const due = legs.map((_, place) => beganAtMs + (place * FRAME_MS) / legs.length)
  const timer = setInterval(() => {
    const nowMs = monotonicMs()
    for (const [place, leg] of legs.entries()) {
      while (due[place]! <= nowMs) {
        leg.send()
        due[place]! += FRAME_MS
      }
    }
  }, 1)
  return () => clearInterval(timer)
}
