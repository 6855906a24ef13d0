import type { AtMs } from '../kernel/clock.ts'
import type { WebAnswer } from '../ports/web.ts'

/**
 * The verdict on an answer (D-27).
 * - `accepted`: a 2xx within the time limit. No other status is a success, redirects included.
 * - `refused`: try again. `isStrained`: the receiver is overloaded and gets fewer posts at a time.
 * - `gone`: 410, the receiver wants no more events.
 * - `unasked`: the post never reached the receiver, so its health does not change.
 */
export type Verdict =
  | { readonly kind: 'accepted' | 'gone' | 'unasked'; readonly why: string }
  | {
      readonly kind: 'refused'
      readonly why: string
      readonly isStrained: boolean
      readonly retryAfterMs: number
    }

/** Too many requests, bad gateway, gateway timeout: "usually under load" (Standard Webhooks, "Delivery success"). */
const STRAINED: readonly number[] = [429, 502, 504]

/** Classifies an answer. */
export function classifyResponse(answer: WebAnswer, nowMs: AtMs): Verdict {
  const { outcome } = answer
  if (outcome === 'unavailable') return { kind: 'unasked', why: answer.why }
  if (outcome !== 'answered') {
    return { kind: 'refused', why: answer.why, isStrained: outcome === 'timeout', retryAfterMs: 0 }
  }
  const { status, retryAfter } = answer
  const why = `answered ${status}`
  if (status >= 200 && status <= 299) return { kind: 'accepted', why }
  if (status === 410) return { kind: 'gone', why }
  return {
    kind: 'refused',
    why,
    isStrained: STRAINED.includes(status),
    retryAfterMs: readRetryAfter(retryAfter, nowMs),
  }
}

/** Seconds or a date (RFC 9110, 10.2.3) as a duration in ms; 0 for the past, for nothing and for nonsense. */
export function readRetryAfter(text: string | undefined, nowMs: AtMs): number {
  if (text === undefined) return 0
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  // Only dates that name their zone as the RFC wants it: `Date.parse` alone would read "-5" as a year.
  const atMs = /^[A-Z][a-z]{2}, .{20,24} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs)
}
