/** Whether sound flows, by the packets that the browser counts on a leg. Pure. */

/** Ours stay away, or theirs. */
export type SilentWay = 'in' | 'out'

/** So far. */
export interface SoundCount {
  /** Packets of sound. */
  readonly received: number
  readonly sent: number
  /** Bytes of any kind: an idle leg gets one packet a second and no sound (`rtp_keepalive`, measured, 22.10.1). */
  readonly arrivedBytes: number
}

/** Our choice, as 5.4 of the console's design has it: shorter gaps heal unnoticed. */
const SILENT_AFTER_MS = 3_000

const NOTHING: SoundCount = { received: 0, sent: 0, arrivedBytes: 0 }

/** One leg at a time; `begin` for the next one. */
export class SoundCounters {
  #last = NOTHING
  #receivedAtMs = 0
  #sentAtMs = 0
  #arrivedAtMs = 0

  begin(nowMs: number): void {
    this.#last = NOTHING
    this.#receivedAtMs = nowMs
    this.#sentAtMs = nowMs
    this.#arrivedAtMs = nowMs
  }

  /**
   * The way on which nothing has come for 3 s. `expectsSound`: somebody is at the other end of the leg; an idle leg and
   * one whose party is held get no sound from Asterisk (measured, 22.10.1), but are reached by something.
   */
  take(count: SoundCount, nowMs: number, expectsSound: boolean): SilentWay | undefined {
    const last = this.#last
    this.#last = count
    if (count.received !== last.received || !expectsSound) this.#receivedAtMs = nowMs
    if (count.sent !== last.sent) this.#sentAtMs = nowMs
    if (count.arrivedBytes !== last.arrivedBytes) this.#arrivedAtMs = nowMs
    if (nowMs - this.#sentAtMs >= SILENT_AFTER_MS) return 'out'
    return nowMs - Math.min(this.#receivedAtMs, this.#arrivedAtMs) >= SILENT_AFTER_MS ? 'in' : undefined
  }
}

/** The way of the sound: the pair of ICE candidates that the browser has chosen, by its id (W3C WebRTC Stats 8.12). */
export function soundPathOf(rows: Iterable<Readonly<Record<string, unknown>>>): unknown {
  for (const { type, selectedCandidatePairId } of rows) if (type === 'transport') return selectedCandidatePairId
  return undefined
}

/** The sums of what `getStats` says (W3C WebRTC Stats 7.3, 7.5, 7.18); the checks of ICE itself are not counted. */
export function soundCountOf(rows: Iterable<Readonly<Record<string, unknown>>>): SoundCount {
  let [received, sent, arrivedBytes] = [0, 0, 0]
  for (const { type, packetsReceived, packetsSent, bytesReceived } of rows) {
    if (type === 'inbound-rtp') received += Number(packetsReceived ?? 0)
    if (type === 'outbound-rtp') sent += Number(packetsSent ?? 0)
    if (type === 'candidate-pair') arrivedBytes += Number(bytesReceived ?? 0)
  }
  return { received, sent, arrivedBytes }
}
