/**
 * Learns how long talks and wrap-ups last, also from those that are under way: each span of age has a rate, its ends
 * over the time spent in it (occurrences by exposure; Kaplan–Meier is the limit for short spans). Plain data, in
 * seconds.
 */

export interface Hazards {
  readonly ends: readonly number[]
  readonly spentS: readonly number[]
}

/** Begins of the spans: 0, 2 s, then each a quarter longer, up to more than an hour. */
const BEGINS_S: readonly number[] = [0, ...Array.from({ length: 34 }, (_, place) => 2 * 1.25 ** place)]
/** Old observations fade: the latest 2,000 ends or so dominate. */
const FADES = 1 - 1 / 2_000

/** The first guess: this many ends of a lognormal distribution, given by the mean and variance of its logarithm. */
export function guessedHazards(count: number, logMean: number, logVariance: number): Hazards {
  const survival = (atS: number) => 1 - normalCdf((Math.log(atS) - logMean) / Math.sqrt(logVariance))
  const ends: number[] = []
  const spentS: number[] = []
  for (const [place, fromS] of BEGINS_S.entries()) {
    const toS = BEGINS_S[place + 1] ?? fromS * 1.25
    const alive = [fromS, (fromS + toS) / 2, toS].map((atS) => (atS === 0 ? 1 : survival(atS)))
    const [first, middle, last] = alive as [number, number, number]
    ends.push(count * (first - last))
    spentS.push((count * (toS - fromS) * (first + 4 * middle + last)) / 6)
  }
  return { ends, spentS }
}

/** Adds one talk or wrap-up that ended at this age. */
export function withEnd({ ends, spentS }: Hazards, lengthS: number): Hazards {
  const at = spanOf(lengthS)
  return {
    ends: ends.map((count, place) => count * FADES + (place === at ? 1 : 0)),
    spentS: spentS.map((spent, place) => {
      const fromS = BEGINS_S[place] as number
      const toS = BEGINS_S[place + 1] ?? Number.POSITIVE_INFINITY
      return spent * FADES + Math.max(0, Math.min(lengthS, toS) - fromS)
    }),
  }
}

/** The share that lasts longer than each age: `count` ages from 0 on, `stepS` apart. */
export function survivalOf({ ends, spentS }: Hazards, stepS: number, count: number): Float64Array {
  const alive = new Float64Array(count)
  let left = 1
  for (let place = 0; place < count; place++) {
    alive[place] = left
    const span = spanOf((place + 0.5) * stepS)
    const rate = (ends[span] as number) / Math.max(1e-9, spentS[span] as number)
    left *= Math.exp(-Math.min(rate, 2) * stepS)
  }
  return alive
}

function spanOf(atS: number): number {
  const place = atS < 2 ? 0 : 1 + Math.floor(Math.log(atS / 2) / Math.log(1.25))
  return Math.min(BEGINS_S.length - 1, place)
}

/** The share of the normal distribution below `z`, to 7 digits (Abramowitz and Stegun 26.2.17). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z))
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  const tail = Math.exp((-z * z) / 2) * 0.398_942_280_4 * series
  return z > 0 ? 1 - tail : tail
}
