/** The ages at which lines are answered and fail, learnt from each line that ends. Plain data. */

/** Answers and failures by age of the line, in half seconds from the dial. */
export interface RingTimeDistribution {
  readonly answers: readonly number[]
  readonly failures: readonly number[]
}

/** The number of spans: 64 s. Lines that ring longer, at extreme settings, share the last span. */
export const RING_SPANS = 128
/** Seconds. */
export const RING_SPAN_S = 0.5
/** Old observations fade: the latest 5,000 lines or so dominate. */
const FADES = 1 - 1 / 5_000

/** The first guess: 6 answers after 5 to 15 s, 14 failures after 15 to 28 s (dialing-rules.md 3.4). */
export const GUESSED_RINGS: RingTimeDistribution = { answers: spread(6, 5, 15), failures: spread(14, 15, 28) }

/** Adds a line that was answered or failed at that age. */
export function withLine(
  { answers, failures }: RingTimeDistribution,
  ageS: number,
  isAnswer: boolean,
): RingTimeDistribution {
  const at = spanOf(ageS)
  const faded = (counts: readonly number[], isHere: boolean) =>
    counts.map((count, place) => count * FADES + (isHere && place === at ? 1 : 0))
  return { answers: faded(answers, isAnswer), failures: faded(failures, !isAnswer) }
}

/** What was counted as an answer at that age was a failure. */
export function withoutAnswer({ answers, failures }: RingTimeDistribution, ageS: number): RingTimeDistribution {
  const at = spanOf(ageS)
  const change = (counts: readonly number[], by: number) =>
    counts.map((count, place) => (place === at ? Math.max(0, count + by) : count))
  return { answers: change(answers, -1), failures: change(failures, 1) }
}

function spanOf(ageS: number): number {
  return Math.min(RING_SPANS - 1, Math.max(0, Math.floor(ageS / RING_SPAN_S)))
}

/** The share of the counts below an age; linear within a span. */
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
