import type { SentTexts, TextLimits, TextToNote } from '../../src/ports/calls/sent-texts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The texts of a day in memory. */
export class SimSentTexts implements SentTexts {
  readonly #texts = new Map<string, TextToNote>()

  async note(text: TextToNote, limits: TextLimits): Promise<'noted' | keyof TextLimits> {
    const { key, number, abroad, caseNumber, atMs } = text
    const kept = [...this.#texts.values()].filter((one) => one.atMs > atMs - DAY_MS)
    const others = kept.filter((one) => callOf(one.key) !== callOf(key) && one.atMs > atMs - HOUR_MS)
    const about = others.filter((one) => caseNumber !== undefined && one.caseNumber === caseNumber)
    const counts: TextLimits = {
      ofNumber: kept.filter((one) => one.number === number).length,
      ofCase: new Set(about.map((one) => callOf(one.key))).size,
      ofCountry: kept.filter((one) => abroad !== undefined && one.abroad === abroad).length,
      ofAll: kept.length,
    }
    const full = (Object.keys(counts) as (keyof TextLimits)[]).find((limit) => counts[limit] >= limits[limit])
    if (full === undefined) this.#texts.set(key, text)
    return full ?? 'noted'
  }

  async forget(key: string): Promise<void> {
    this.#texts.delete(key)
  }
}

function callOf(key: string): string {
  return key.split('/')[0]!
}
