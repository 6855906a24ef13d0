import type { AtMs } from '../../kernel/clock.ts'

/** `burst` at once, and `perMinute` in the long run. */
export interface Allowance {
  readonly burst: number
  readonly perMinute: number
}

/** `left`: tokens now. `waitMs`: time until as many tokens as the client needs next are there. */
export interface Grant {
  readonly isGranted: boolean
  readonly left: number
  readonly waitMs: number
}

interface Bucket {
  tokens: number
  filledAtMs: AtMs
}

/** Beyond this the least recently used bucket is dropped; it is full again by then. */
const BUCKETS_MAX = 20_000

/** One bucket for each name (IP address or credential), in this process. */
export class TokenBuckets {
  readonly #allowance: Allowance
  readonly #buckets = new Map<string, Bucket>()

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Takes so many tokens, the burst at most, if they are there. A clock that jumps back has no effect. */
  take(name: string, nowMs: AtMs, wanted = 1, next = wanted): Grant {
    const { burst } = this.#allowance
    const count = Math.min(wanted, burst)
    const bucket = this.#filled(name, nowMs)
    const isGranted = bucket.tokens >= count
    if (isGranted) bucket.tokens -= count
    return { isGranted, left: Math.floor(bucket.tokens), waitMs: this.#msUntil(bucket, Math.min(next, burst)) }
  }

  #filled(name: string, nowMs: AtMs): Bucket {
    const { burst, perMinute } = this.#allowance
    const bucket = this.#buckets.get(name) ?? { tokens: burst, filledAtMs: nowMs }
    const passedMs = Math.max(0, nowMs - bucket.filledAtMs)
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perMinute) / 60_000)
    bucket.filledAtMs = nowMs
    // Moves the bucket to the end of the map: the first one is the least recently used.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value ?? name)
    return bucket
  }

  #msUntil({ tokens }: Bucket, count: number): number {
    return Math.max(0, Math.ceil(((count - tokens) * 60_000) / this.#allowance.perMinute))
  }
}
