/** Whether the microphone gives no sound at all while the other side talks: muted at the headset, or broken. Pure. */

/** Energy so far, as `totalAudioEnergy` counts it: 1 is a second of full scale (W3C WebRTC Stats 7.4, 7.6). */
export interface EnergyCount {
  readonly ours: number
  readonly theirs: number
}

/** Our choice (console-22). */
const FLAT_MS = 10_000
/** In these ten seconds: their voice, at a quiet level for a second; ours, below what the quietest room has. */
const TALK_ENERGY = 1e-4
const FLAT_ENERGY = 1e-9

/** One time in which the agent may be heard; `begin` for the next one. */
export class FlatMicrophone {
  #since: (EnergyCount & { readonly atMs: number }) | undefined
  #isFlat = false

  begin(): void {
    this.#since = undefined
    this.#isFlat = false
  }

  /** Once a second. */
  take({ ours, theirs }: EnergyCount, nowMs: number): boolean {
    const since = this.#since
    if (!since || ours - since.ours > FLAT_ENERGY || ours < since.ours) {
      this.#since = { ours, theirs, atMs: nowMs }
      this.#isFlat = false
    } else if (nowMs - since.atMs >= FLAT_MS && theirs - since.theirs >= TALK_ENERGY) this.#isFlat = true
    return this.#isFlat
  }
}

/** From the rows of `getStats`. */
export function energyCountOf(rows: Iterable<Readonly<Record<string, unknown>>>): EnergyCount {
  const sum = { ours: 0, theirs: 0 }
  for (const { type, kind, totalAudioEnergy } of rows) {
    if (type === 'media-source' && kind === 'audio') sum.ours += Number(totalAudioEnergy ?? 0)
    if (type === 'inbound-rtp') sum.theirs += Number(totalAudioEnergy ?? 0)
  }
  return sum
}
