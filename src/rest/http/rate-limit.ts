/** How often one client may ask (D-31). Counted in this process: each node gives its own allowance. */
import type { AtMs } from '../../kernel/clock.ts'
import type { RateClass, Route } from './route.ts'
import { type Allowance, type Grant, TokenBuckets } from './token-bucket.ts'

/** What each kind of request may cost; the numbers of D-31. */
export const ALLOWANCES: Readonly<Record<RateClass, Allowance>> = {
  reads: { perMinute: 600, burst: 100 },
  writes: { perMinute: 300, burst: 50 },
  imports: { perMinute: 30, burst: 30 },
  wideSearches: { perMinute: 10, burst: 10 },
  state: { perMinute: 60, burst: 60 },
}

/** A page wider than this is a wide search. */
const WIDE_ROWS = 1_000

/** The allowances of everybody. Requests that turn out invalid have counted like others. */
export class RateLimits {
  readonly #allowances: Readonly<Record<RateClass, Allowance>>
  readonly #buckets: Readonly<Record<RateClass, TokenBuckets>>

  constructor(allowances: Readonly<Record<RateClass, Allowance>> = ALLOWANCES) {
    this.#allowances = allowances
    const buckets = Object.entries(allowances).map(([name, allowance]) => [name, new TokenBuckets(allowance)] as const)
    this.#buckets = Object.fromEntries(buckets) as Record<RateClass, TokenBuckets>
  }

  /** Takes one of the allowance. `who`: a credential, or an address where there is none. */
  take(kind: RateClass, who: string, nowMs: AtMs): RateVerdict {
    const grant = this.#buckets[kind].take(who, nowMs)
    return { isGranted: grant.isGranted, headers: headersOf(kind, this.#allowances[kind], grant) }
  }
}

/** Whether the request may go on, and what the client is told either way. */
export interface RateVerdict {
  readonly isGranted: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** What a request counts as, before its body is read. */
export function rateClassOf({ rate, scope, method }: Route): RateClass {
  if (rate) return rate
  const reads = scope === 'any' ? method === 'GET' : scope?.endsWith(':read')
  return reads || method === 'GET' ? 'reads' : 'writes'
}

/** A search that asks for a wide page; 0 and less stand for 1,000 rows (contract.md §8), which is not wide. */
export function isWide(body: unknown): boolean {
  const limit = Number((body as { limit?: unknown } | null | undefined)?.limit)
  return limit > WIDE_ROWS
}

/** The form of the IETF draft "RateLimit header fields for HTTP": seconds, and requests left. */
function headersOf(kind: RateClass, { burst, perMinute }: Allowance, { isGranted, left, waitMs }: Grant) {
  const waitS = Math.ceil(waitMs / 1000)
  return {
    'ratelimit-policy': `"${kind}";q=${burst};w=${Math.ceil((burst * 60) / perMinute)}`,
    ratelimit: `"${kind}";r=${left};t=${waitS}`,
    ...(!isGranted && { 'retry-after': String(Math.max(1, waitS)) }),
  }
}
