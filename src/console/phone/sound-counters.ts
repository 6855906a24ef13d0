/** Whether sound flows, by the packets that the browser counts on a leg. Pure. */

/** Ours stay away, or theirs. */
export type SilentWay = 'in' | 'out'

/** Packets so far. */
export interface SoundCount {
  readonly received: number
  readonly sent: number
}

/** Our choice, as 5.4 of the console's design has it: shorter gaps heal unnoticed. */
const SILENT_AFTER_MS = 3_000

/** One leg at a time; `begin` for the next one. */
export class SoundCounters {
  #last: SoundCount = { received: 0, sent: 0 }
  #receivedAtMs = 0
  #sentAtMs = 0

  begin(nowMs: number): void {
    this.#last = { received: 0, sent: 0 }
    this.#receivedAtMs = nowMs
    this.#sentAtMs = nowMs
  }

  /**
   * The way on which nothing has come for 3 s. `expectsSound`: somebody is at the other end of the leg; an idle leg and
   * one whose party is held get no packets from Asterisk (measured, 22.10.1).
   */
  take({ received, sent }: SoundCount, nowMs: number, expectsSound: boolean): SilentWay | undefined {
    if (received !== this.#last.received || !expectsSound) this.#receivedAtMs = nowMs
    if (sent !== this.#last.sent) this.#sentAtMs = nowMs
    this.#last = { received, sent }
    if (nowMs - this.#sentAtMs >= SILENT_AFTER_MS) return 'out'
    return nowMs - this.#receivedAtMs >= SILENT_AFTER_MS ? 'in' : undefined
  }
}

/** The sums of what `getStats` says (W3C WebRTC Stats 7.3, 7.5). */
export function soundCountOf(rows: Iterable<Readonly<Record<string, unknown>>>): SoundCount {
  let [received, sent] = [0, 0]
  for (const { type, packetsReceived, packetsSent } of rows) {
    if (type === 'inbound-rtp') received += Number(packetsReceived ?? 0)
    if (type === 'outbound-rtp') sent += Number(packetsSent ?? 0)
  }
  return { received, sent }
}
