/** What was answered before this engine began, as far as ledgers still count it. */

import { type AnsweredCounts, KEPT_MS, type PagePast, type TallyPage } from '../../dialer/answer-window.ts'
import { type LedgerWindow, windowBeginAtMs } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CountedScope } from '../../ports/attempt.ts'
import type { Records } from '../../ports/dialer-repository.ts'
import { type Origin, scopeOf, type TallyBook } from './answer-counts.ts'

/** A page that does not know the past of a window that a ledger asks for, and all windows that are asked of it. */
export interface PastNeeded {
  readonly page: TallyPage
  readonly of: CountedScope
  readonly windows: readonly LedgerWindow[]
}

/** The pages that must be filled before these campaigns may use any credit. */
export function pastsNeeded(book: TallyBook, origins: readonly Origins[]): PastNeeded[] {
  const needed = new Map<TallyPage, { of: CountedScope; windows: LedgerWindow[] }>()
  for (const origin of origins) {
    for (const { scope, window } of origin.campaign.ledgers) {
      const of = scopeOf(scope, origin)
      const page = book.page(of)
      const known = needed.get(page) ?? { of, windows: [] }
      needed.set(page, known)
      known.windows.push(window)
    }
  }
  return [...needed].flatMap(([page, { of, windows }]) =>
    windows.every((window) => page.knows(window)) ? [] : [{ page, of, windows }],
  )
}

type Origins = Origin & { readonly campaign: { readonly ledgers: readonly Parameters<TallyPage['tally']>[0][] } }

const NOTHING: AnsweredCounts = { persons: 0, machines: 0, abandoned: 0 }

/** Asks the records: the calls of the last day one by one, what was before as sums. */
export async function pastOf(records: Records, { of, windows }: PastNeeded, nowMs: AtMs): Promise<PagePast> {
  const keptFromAtMs = nowMs - KEPT_MS
  const counting = Promise.all(
    windows.map(async (window) => {
      const fromAtMs = windowBeginAtMs(window, nowMs)
      const earlier = fromAtMs < keptFromAtMs ? await records.answeredSums(of, fromAtMs, keptFromAtMs) : NOTHING
      return { window, earlier }
    }),
  )
  const [calls, counted] = await Promise.all([records.answeredCalls(of, keptFromAtMs), counting])
  return { calls: calls.map((call) => ({ ...call })), windows: counted }
}
