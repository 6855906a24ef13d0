/** Rate limits of clients (D-31), counted per process: each node has its own. */
import type { AtMs } from '../../kernel/clock.ts'
import type { RateClass, Route } from './route.ts'
import { type Allowance, type Grant, TokenBuckets } from './token-bucket.ts'

/** Rate limits of D-31. */
export const ALLOWANCES: Readonly<Record<RateClass, Allowance>> = {
  reads: { perMinute: 600, burst: 100 },
  writes: { perMinute: 300, burst: 50 },
  imports: { perMinute: 30, burst: 30 },
  wideSearches: { perMinute: 10, burst: 10 },
  state: { perMinute: 60, burst: 60 },
}

/** A search with a larger page counts as a wide search. */
const WIDE_ROWS = 1_000

/** The rate limits of all clients. Invalid requests count too. */
export class RateLimits {
  readonly #allowances: Readonly<Record<RateClass, Allowance>>
  readonly #buckets: Readonly<Record<RateClass, TokenBuckets>>

  constructor(allowances: Readonly<Record<RateClass, Allowance>> = ALLOWANCES) {
    this.#allowances = allowances
    const buckets = Object.entries(allowances).map(([name, allowance]) => [name, new TokenBuckets(allowance)] as const)
    this.#buckets = Object.fromEntries(buckets) as Record<RateClass, TokenBuckets>
  }

  /** Counts one request. `who`: a credential, or an IP address without one. */
  take(kind: RateClass, who: string, nowMs: AtMs): RateVerdict {
    const grant = this.#buckets[kind].take(who, nowMs)
    return { isGranted: grant.isGranted, headers: headersOf(kind, this.#allowances[kind], grant) }
  }
}

interface RateVerdict {
  readonly isGranted: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** The class of a request, before its body is read. */
export function rateClassOf({ rate, scope, method }: Route): RateClass {
  if (rate) return rate
  const reads = scope === 'any' ? method === 'GET' : scope?.endsWith(':read')
  return reads || method === 'GET' ? 'reads' : 'writes'
}

/** Whether a search requests a large page; 0 or less means 1,000 rows (contract.md §8), which is not large. */
export function isWide(body: unknown): boolean {
  const limit = Number((body as { limit?: unknown } | null | undefined)?.limit)
  return limit > WIDE_ROWS
}

/** Headers of the IETF draft "RateLimit header fields for HTTP". */
function headersOf(kind: RateClass, { burst, perMinute }: Allowance, { isGranted, left, waitMs }: Grant) {
  const waitS = Math.ceil(waitMs / 1000)
  return {
    'ratelimit-policy': `"${kind}";q=${burst};w=${Math.ceil((burst * 60) / perMinute)}`,
    ratelimit: `"${kind}";r=${left};t=${waitS}`,
    ...(!isGranted && { 'retry-after': String(Math.max(1, waitS)) }),
  }
}
