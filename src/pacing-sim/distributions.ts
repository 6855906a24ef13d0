/** Probability distributions of lengths and ages, in milliseconds. */

export type Distribution =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  /** `cv` is the standard deviation over the mean. */
  | { readonly kind: 'lognormal'; readonly meanMs: number; readonly cv: number }
  | { readonly kind: 'exponential'; readonly meanMs: number }
  /** Shares are weights: they need not add up to 1. */
  | {
      readonly kind: 'mixture'
      readonly parts: readonly { readonly share: number; readonly distribution: Distribution }[]
    }
  /** Measured: the share `cdf` is at most `ms`, linear between two or more rising points; the rest is the last `ms`. */
  | { readonly kind: 'table'; readonly ms: readonly number[]; readonly cdf: readonly number[] }

export interface Sampler {
  /** A length, from a uniform number in (0, 1). */
  drawMs(uniform: number): number
  cdf(ms: number): number
}

/** The sampler of a distribution. */
export function samplerOf(distribution: Distribution): Sampler {
  switch (distribution.kind) {
    case 'fixed':
      return { drawMs: () => distribution.ms, cdf: (ms) => (ms >= distribution.ms ? 1 : 0) }
    case 'uniform': {
      const span = distribution.toMs - distribution.fromMs
      const cdf = (ms: number) =>
        span === 0 ? Number(ms >= distribution.toMs) : Math.min(1, Math.max(0, (ms - distribution.fromMs) / span))
      return { drawMs: (uniform) => distribution.fromMs + span * uniform, cdf }
    }
    case 'lognormal': {
      const variance = Math.log(1 + distribution.cv * distribution.cv)
      const [mu, sigma] = [Math.log(distribution.meanMs) - variance / 2, Math.sqrt(variance)]
      return {
        drawMs: (uniform) => Math.exp(mu + sigma * normalQuantile(uniform)),
        cdf: (ms) => (ms <= 0 ? 0 : normalCdf((Math.log(ms) - mu) / sigma)),
      }
    }
    case 'exponential':
      return {
        drawMs: (uniform) => -distribution.meanMs * Math.log(1 - uniform),
        cdf: (ms) => (ms <= 0 ? 0 : 1 - Math.exp(-ms / distribution.meanMs)),
      }
    case 'mixture':
      return mixture(distribution.parts.map(({ share, distribution: part }) => ({ share, sampler: samplerOf(part) })))
    case 'table':
      return {
        drawMs: (uniform) => between(distribution.cdf, distribution.ms, uniform),
        cdf: (ms) => shareAt(distribution, ms),
      }
  }
}

function shareAt({ ms, cdf }: Distribution & { readonly kind: 'table' }, lengthMs: number): number {
  if (lengthMs < ms[0]!) return 0
  return lengthMs >= ms.at(-1)! ? 1 : between(ms, cdf, lengthMs)
}

/** The value at `x`, linear between the points. Of points with equal `xs`, the last one counts. */
function between(xs: readonly number[], values: readonly number[], x: number): number {
  let low = 0
  let high = xs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (xs[middle]! <= x) low = middle + 1
    else high = middle
  }
  // Now `low` is the first point beyond x.
  if (low === 0) return values[0]!
  if (low === xs.length) return values.at(-1)!
  const [from, to] = [xs[low - 1]!, xs[low]!]
  return values[low - 1]! + ((x - from) / (to - from)) * (values[low]! - values[low - 1]!)
}

/** Several distributions, each with its share. One uniform number chooses the distribution and draws from it. */
export function mixture(parts: readonly { readonly share: number; readonly sampler: Sampler }[]): Sampler {
  const whole = parts.reduce((sum, { share }) => sum + share, 0)
  return {
    drawMs: (uniform) => {
      let left = uniform * whole
      for (const { share, sampler } of parts) {
        if (left < share) return sampler.drawMs(openUnit(left / share))
        left -= share
      }
      return parts.at(-1)!.sampler.drawMs(0.5)
    },
    cdf: (ms) => parts.reduce((sum, { share, sampler }) => sum + share * sampler.cdf(ms), 0) / whole,
  }
}

/** The distribution of lengths up to `limitMs`: a longer one is drawn again. */
export function upTo(sampler: Sampler, limitMs: number): Sampler {
  const within = sampler.cdf(limitMs)
  return {
    drawMs: (uniform) => Math.min(limitMs, sampler.drawMs(uniform * within)),
    cdf: (ms) => Math.min(1, sampler.cdf(ms) / within),
  }
}

/** The same distribution, shifted by `byMs`. */
export function shifted(sampler: Sampler, byMs: number): Sampler {
  return { drawMs: (uniform) => byMs + sampler.drawMs(uniform), cdf: (ms) => sampler.cdf(ms - byMs) }
}

/** The mean, by the midpoints of many equal shares: exact to a thousandth for the distributions above. */
export function meanOf(sampler: Sampler): number {
  const SHARES = 20_000
  let sum = 0
  for (let share = 0; share < SHARES; share++) sum += sampler.drawMs((share + 0.5) / SHARES)
  return sum / SHARES
}

/** Φ, to 1.2e-7 (the complementary error function by a Chebyshev fit, Numerical Recipes 6.2). */
export function normalCdf(x: number): number {
  const t = 1 / (1 + Math.abs(x) / (2 * Math.SQRT2))
  const series = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
  ].reduce((sum, coefficient) => sum * t + coefficient, 0)
  const tail = (t * Math.exp((-x * x) / 2 + series)) / 2
  return x >= 0 ? 1 - tail : tail
}

const TAIL = 0.02425
const INNER_TOP = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
]
const INNER_BASE = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1]
const OUTER_TOP = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
]
const OUTER_BASE = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1]

/** The inverse of Φ, to a relative 1.2e-9 (P. J. Acklam's rational approximation). */
function normalQuantile(share: number): number {
  if (share > 0.5) return -normalQuantile(1 - share)
  if (share >= TAIL) {
    const q = share - 0.5
    const r = q * q
    return (horner(INNER_TOP, r) * q) / horner(INNER_BASE, r)
  }
  const q = Math.sqrt(-2 * Math.log(share))
  return horner(OUTER_TOP, q) / horner(OUTER_BASE, q)
}

function horner(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let i = 0; i < coefficients.length; i++) sum = sum * x + coefficients[i]!
  return sum
}

/** Limits `x` to strictly between 0 and 1, where quantiles are finite. */
function openUnit(x: number): number {
  return Math.min(1 - 1e-12, Math.max(1e-12, x))
}
