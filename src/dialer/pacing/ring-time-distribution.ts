/** When lines are answered and when they fail, learnt from each that ends. Plain data. */

/** Answers and failures by the age of the line, in spans of half a second from the dial. */
export interface RingTimeDistribution {
  readonly answers: readonly number[]
  readonly failures: readonly number[]
}

/** Spans of an age: 64 s, longer than any line is left ringing but for the longest settings, which share the last. */
export const RING_SPANS = 128
/** Seconds. */
export const RING_SPAN_S = 0.5
/** What was seen long ago counts for less: of some 5,000 lines that last the oldest has faded. */
const FADES = 1 - 1 / 5_000

/** The guess to begin with: 6 answers after 5 to 15 s, 14 failures after 15 to 28 s (dialing-rules.md 3.4). */
export const GUESSED_RINGS: RingTimeDistribution = { answers: spread(6, 5, 15), failures: spread(14, 15, 28) }

/** One more line has ended, at that age. */
export function withLine(
  { answers, failures }: RingTimeDistribution,
  ageS: number,
  isAnswer: boolean,
): RingTimeDistribution {
  const at = Math.min(RING_SPANS - 1, Math.max(0, Math.floor(ageS / RING_SPAN_S)))
  const faded = (counts: readonly number[], isHere: boolean) =>
    counts.map((count, place) => count * FADES + (isHere && place === at ? 1 : 0))
  return { answers: faded(answers, isAnswer), failures: faded(failures, !isAnswer) }
}

/** The share of the counts that lies below an age; straight within a span. */
export function shareBelow(counts: readonly number[]): (ageS: number) => number {
  const sums = new Float64Array(RING_SPANS + 1)
  for (const [place, count] of counts.entries()) sums[place + 1] = (sums[place] as number) + count
  const total = Math.max(1e-9, sums[RING_SPANS] as number)
  return (ageS) => {
    const at = Math.min(RING_SPANS, Math.max(0, ageS / RING_SPAN_S))
    const below = Math.floor(at)
    const next = sums[Math.min(RING_SPANS, below + 1)] as number
    const sum = sums[below] as number
    return (sum + (at - below) * (next - sum)) / total
  }
}

function spread(count: number, fromS: number, toS: number): number[] {
  const [from, to] = [fromS / RING_SPAN_S, toS / RING_SPAN_S]
  return Array.from({ length: RING_SPANS }, (_, place) => (place >= from && place < to ? count / (to - from) : 0))
}
