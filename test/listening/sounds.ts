import { FRAME_MS, FRAME_SAMPLES } from '../../src/listening/greeting-listener.ts'
import { SAMPLE_RATE_HZ } from '../../src/listening/tone.ts'

/** Sound of a greeting in frames of 20 ms: words have gaps and an overtone, a beep has neither. */
export type Part = readonly ['words' | 'silence' | 'noise', ms: number] | readonly ['tone', ms: number, hz: number]

const WORD_MS = 320
const GAP_MS = 80

/** The frames of these parts, one after another. */
export function framesOf(...parts: readonly Part[]): Int16Array[] {
  let at = 0
  return parts.flatMap(([what, ms, hz = 220]) =>
    Array.from({ length: ms / FRAME_MS }, (_, frame) => {
      const isGap = what === 'silence' || (what === 'words' && (frame * FRAME_MS) % (WORD_MS + GAP_MS) >= WORD_MS)
      return Int16Array.from({ length: FRAME_SAMPLES }, () => (isGap ? 0 : sampleOf(what, hz, at++)))
    }),
  )
}

function sampleOf(what: Part[0], hz: number, at: number): number {
  const angle = (2 * Math.PI * hz * at) / SAMPLE_RATE_HZ
  // The noise of a street: the same every time, and in no pattern.
  if (what === 'noise') return Math.round(2_500 * (((Math.sin(at * 12.9898) * 43_758.5453) % 1) + 0))
  return Math.round(what === 'tone' ? 6_000 * Math.sin(angle) : 6_000 * Math.sin(angle) + 3_000 * Math.sin(3 * angle))
}
