/** Rate limits of clients (D-31), counted per process: each node has its own. */
import type { AtMs } from '../../kernel/clock.ts'
import type { RateClass, Route } from './route.ts'
import { type Allowance, type Grant, TokenBuckets } from './token-bucket.ts'

/**
 * Imports are counted in rows, because rows are what they cost (rest-18): so many count at least for an import of call
 * tasks, and so many for everything else of the class, of which a spreadsheet may have more.
 */
export const IMPORT_ROWS = { least: 1_000, usual: 10_000 } as const

/** Rate limits of D-31. */
export const ALLOWANCES: Readonly<Record<RateClass, Allowance>> = {
  reads: { perMinute: 600, burst: 100 },
  writes: { perMinute: 300, burst: 50 },
  imports: { perMinute: 300_000, burst: 300_000 },
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

  /** Counts one request, or so many rows of it. `who`: a credential, or an IP address without one. */
  take(kind: RateClass, who: string, nowMs: AtMs, { cost, next = cost }: Cost = { cost: 1 }): RateVerdict {
    const grant = this.#buckets[kind].take(who, nowMs, cost, next)
    return { isGranted: grant.isGranted, headers: headersOf(kind, this.#allowances[kind], grant) }
  }
}

/** Tokens. `next`: what the same request would cost as a whole, where this is a part of it. */
interface Cost {
  readonly cost: number
  readonly next?: number
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

/** What a request costs before its body is read. */
export function costOf(route: Route): number {
  return rateClassOf(route) === 'imports' ? (route.leastRows ?? IMPORT_ROWS.usual) : 1
}

/** What a client can do about a refusal of this class. */
export const ADVICE: Partial<Readonly<Record<RateClass, string>>> = {
  imports:
    `; an import counts its call tasks, ${IMPORT_ROWS.least} at least: send up to 10,000 call tasks in one import, ` +
    'or 100,000 with importAsync, instead of one import for each',
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
