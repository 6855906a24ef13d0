import type { AtMs } from '../../kernel/clock.ts'

/** How often something may be done: so many at once, and so many a minute in the long run. */
export interface Allowance {
  readonly burst: number
  readonly perMinute: number
}

/** What came of asking: how many are left now, and when there is the next one. */
export interface Grant {
  readonly isGranted: boolean
  readonly left: number
  readonly waitMs: number
}

interface Bucket {
  tokens: number
  filledAtMs: AtMs
}

/** Of whoever came; a stranger beyond them finds the oldest ones forgotten, which are full again by then. */
const BUCKETS_MAX = 20_000

/** One allowance for everybody who has a name: an address, a credential. In this process only. */
export class TokenBuckets {
  readonly #allowance: Allowance
  readonly #buckets = new Map<string, Bucket>()

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Takes one, if there is one. A clock that jumps back gives nothing and takes nothing. */
  take(name: string, nowMs: AtMs): Grant {
    const { burst } = this.#allowance
    const bucket = this.#filled(name, nowMs)
    if (bucket.tokens < 1) return { isGranted: false, left: 0, waitMs: this.#msUntilOne(bucket) }
    bucket.tokens -= 1
    return { isGranted: true, left: Math.min(burst, Math.floor(bucket.tokens)), waitMs: this.#msUntilOne(bucket) }
  }

  #filled(name: string, nowMs: AtMs): Bucket {
    const { burst, perMinute } = this.#allowance
    const bucket = this.#buckets.get(name) ?? { tokens: burst, filledAtMs: nowMs }
    const passedMs = Math.max(0, nowMs - bucket.filledAtMs)
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perMinute) / 60_000)
    bucket.filledAtMs = nowMs
    // The last one to come is the last one in the map: the first is who stayed away for longest.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value ?? name)
    return bucket
  }

  #msUntilOne({ tokens }: Bucket): number {
    return Math.max(0, Math.ceil(((1 - tokens) * 60_000) / this.#allowance.perMinute))
  }
}
