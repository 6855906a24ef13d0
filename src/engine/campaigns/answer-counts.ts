/** Counts the answered calls of all campaigns for every ledger: by campaign, by client, by caller id. */

import { AnswerWindow, type CountedCall } from '../../dialer/answer-window.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import type { LedgerRule, Tally } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AttemptId } from '../../kernel/ids.ts'
import type { CountedScope } from '../../ports/attempt.ts'
import type { StoredCampaign } from '../../ports/dialer-repository.ts'

export interface Origin {
  readonly stored: Pick<StoredCampaign, 'id' | 'corporation'>
  readonly campaign: Pick<Campaign, 'callerId'>
}

const SCOPES = ['campaign', 'client', 'callerId'] as const

/** The calls that a ledger of that scope counts for this campaign. */
export function scopeOf(scope: LedgerRule['scope'], { stored, campaign }: Origin): CountedScope {
  const { id, corporation } = stored
  if (scope === 'campaign') return { campaign: id }
  return scope === 'client' ? { corporation } : { corporation, callerId: campaign.callerId }
}

/** The scope as a text: campaigns with equal texts are counted together. */
export function pageName(scope: LedgerRule['scope'], origin: Origin): string {
  return JSON.stringify(scopeOf(scope, origin))
}

/** The answer windows of all scopes. */
export class AnswerCounts {
  readonly #pages = new Map<string, AnswerWindow>()
  readonly #open = new Map<AttemptId, { readonly call: CountedCall; readonly pages: readonly AnswerWindow[] }>()
  #latestAtMs: AtMs = 0

  /** The window of a scope; a new one has no past. */
  page(scope: CountedScope): AnswerWindow {
    const key = JSON.stringify(scope)
    const known = this.#pages.get(key)
    if (known) return known
    const window = new AnswerWindow()
    this.#pages.set(key, window)
    return window
  }

  /** What the rule counts for this campaign; undefined while the past is unknown. */
  tally(rule: LedgerRule, origin: Origin, nowAtMs: AtMs): Tally | undefined {
    return this.page(scopeOf(rule.scope, origin)).tally(rule, nowAtMs)
  }

  /** A person or a machine answered, or the engine knows by now which of the two. */
  answered(origin: Origin, attempt: AttemptId, isMachine: boolean, nowAtMs: AtMs): void {
    const known = this.#open.get(attempt)
    if (known) return this.#change(attempt, isMachine, known.call.isAbandoned)
    this.#latestAtMs = Math.max(this.#latestAtMs, nowAtMs)
    const call = { attempt, answeredAtMs: this.#latestAtMs, isMachine, isAbandoned: false }
    const pages = SCOPES.map((scope) => this.page(scopeOf(scope, origin)))
    for (const window of pages) window.add(call)
    this.#open.set(attempt, { call, pages })
  }

  abandoned(origin: Origin, attempt: AttemptId, nowAtMs: AtMs): void {
    this.answered(origin, attempt, false, nowAtMs)
    this.#change(attempt, false, true)
  }

  /** The result is known. False: the call was never answered. */
  resolved(attempt: AttemptId, isMachine: boolean, isAbandoned: boolean): boolean {
    if (!this.#open.has(attempt)) return false
    this.#change(attempt, isMachine, isAbandoned)
    return this.#open.delete(attempt)
  }

  #change(attempt: AttemptId, isMachine: boolean, isAbandoned: boolean): void {
    const { call, pages } = this.#open.get(attempt)!
    for (const window of pages) window.without(call)
    call.isMachine = isMachine
    call.isAbandoned = isAbandoned
    for (const window of pages) window.again(call)
  }
}
