/** Loads the answered calls from before this engine began, as far as ledgers still count them. */

import { type AnsweredCounts, type AnswerWindow, KEPT_MS, type PagePast } from '../../dialer/answer-window.ts'
import { type LedgerWindow, windowBeginAtMs } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CountedScope } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { type AnswerCounts, type Origin, scopeOf } from './answer-counts.ts'

/** A window, and the ledger windows that need its past. */
export interface PastNeeded {
  readonly window: AnswerWindow
  readonly of: CountedScope
  readonly windows: readonly LedgerWindow[]
}

/** All windows of these campaigns. */
export function pastsNeeded(counts: AnswerCounts, origins: readonly Origins[]): PastNeeded[] {
  const needed = new Map<AnswerWindow, { of: CountedScope; windows: LedgerWindow[] }>()
  for (const origin of origins) {
    for (const { scope, window } of origin.campaign.ledgers) {
      const of = scopeOf(scope, origin)
      const answerWindow = counts.page(of)
      const known = needed.get(answerWindow) ?? { of, windows: [] }
      needed.set(answerWindow, known)
      known.windows.push(window)
    }
  }
  return [...needed].map(([window, { of, windows }]) => ({ window, of, windows }))
}

type Origins = Origin & { readonly campaign: { readonly ledgers: readonly Parameters<AnswerWindow['tally']>[0][] } }

const NOTHING: AnsweredCounts = { persons: 0, machines: 0, abandoned: 0 }

/** Asks the database: the calls of the last day one by one, older ones as sums. */
export async function pastOf(
  dialerRepository: DialerRepository,
  { of, windows }: PastNeeded,
  nowMs: AtMs,
): Promise<PagePast> {
  const keptFromAtMs = nowMs - KEPT_MS
  const counting = Promise.all(
    windows.map(async (window) => {
      const fromAtMs = windowBeginAtMs(window, nowMs)
      const earlier =
        fromAtMs < keptFromAtMs ? await dialerRepository.answeredSums(of, fromAtMs, keptFromAtMs) : NOTHING
      return { window, earlier }
    }),
  )
  const [calls, counted] = await Promise.all([dialerRepository.answeredCalls(of, keptFromAtMs), counting])
  return { calls: calls.map((call) => ({ ...call })), windows: counted }
}
