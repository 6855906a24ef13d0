/** How good the sound of a leg is, by what `getStats` says of ten seconds. Pure. */

/** More than a few packets are lost, or what is said comes late. */
export type PoorSound = 'loss' | 'delay'

/** Counters so far, and the latest round trip. `lostOut` and `roundTripMs` are what the other side reports (RTCP). */
export interface QualityCount {
  readonly received: number
  readonly lostIn: number
  readonly sent: number
  readonly lostOut: number
  readonly roundTripMs: number | undefined
}

export interface SoundQualityFigures {
  readonly poor: PoorSound | undefined
  /** Of the worse way. */
  readonly lossPercent: number
  /** Undefined: the other side has not said it. */
  readonly roundTripMs: number | undefined
}

/** Our choice (console-22). */
const LOSS_MAX_PERCENT = 5
const ROUND_TRIP_MAX_MS = 400
const WINDOW_MS = 10_000

interface Sample extends QualityCount {
  readonly atMs: number
}

/** One leg at a time; `begin` for the next one. */
export class SoundQuality {
  readonly #samples: Sample[] = []

  begin(): void {
    this.#samples.length = 0
  }

  /** Once a second. Undefined until ten seconds are known. */
  take(count: QualityCount, nowMs: number): SoundQualityFigures | undefined {
    this.#samples.push(Object.assign({ atMs: nowMs }, count))
    while ((this.#samples[1]?.atMs ?? nowMs) <= nowMs - WINDOW_MS) this.#samples.shift()
    const [first] = this.#samples
    if (!first || nowMs - first.atMs < WINDOW_MS) return undefined
    const lossPercent = Math.max(
      percent(count.lostIn - first.lostIn, count.received - first.received),
      percent(count.lostOut - first.lostOut, count.sent - first.sent - (count.lostOut - first.lostOut)),
    )
    const trips = this.#samples.flatMap(({ roundTripMs }) => roundTripMs ?? [])
    const roundTripMs = trips.length === 0 ? undefined : trips.reduce((sum, one) => sum + one, 0) / trips.length
    return { poor: poorOf(lossPercent, roundTripMs ?? 0), lossPercent, roundTripMs }
  }
}

function poorOf(lossPercent: number, roundTripMs: number): PoorSound | undefined {
  if (lossPercent > LOSS_MAX_PERCENT) return 'loss'
  return roundTripMs > ROUND_TRIP_MAX_MS ? 'delay' : undefined
}

/** Packets that come twice or late may count down. */
function percent(lost: number, arrived: number): number {
  const all = Math.max(0, lost) + Math.max(0, arrived)
  return all === 0 ? 0 : (100 * Math.max(0, lost)) / all
}

/** From the rows of W3C WebRTC Stats: inbound-rtp, outbound-rtp, remote-inbound-rtp and the pair that carries them. */
export function qualityCountOf(rows: Iterable<Readonly<Record<string, unknown>>>): QualityCount {
  const sum = { received: 0, lostIn: 0, sent: 0, lostOut: 0 }
  let [said, carried]: (number | undefined)[] = []
  for (const row of rows) {
    const trip = Number(row['roundTripTime'] ?? row['currentRoundTripTime'])
    const isKnown = !Number.isNaN(trip)
    if (row['type'] === 'inbound-rtp') {
      sum.received += Number(row['packetsReceived'] ?? 0)
      sum.lostIn += Number(row['packetsLost'] ?? 0)
    } else if (row['type'] === 'outbound-rtp') sum.sent += Number(row['packetsSent'] ?? 0)
    else if (row['type'] === 'remote-inbound-rtp') {
      sum.lostOut += Number(row['packetsLost'] ?? 0)
      if (isKnown) said = 1_000 * trip
    } else if (row['type'] === 'candidate-pair' && row['nominated'] === true && isKnown) carried = 1_000 * trip
  }
  return Object.assign(sum, { roundTripMs: said ?? carried })
}
