/** Counts the answered calls of all campaigns for every ledger: by campaign, by client, by caller id. */

import { type AnsweredCall, AnswerWindow, type CountedCall } from '../../dialer/answer-window.ts'
import { callerIdsOf } from '../../dialer/caller-ids.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import type { LedgerRule, Tally } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
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
function pageName(scope: LedgerRule['scope'], origin: Origin): string {
  return JSON.stringify(scopeOf(scope, origin))
}

type Whole = Origin & { readonly campaign: Pick<Campaign, 'callerIds'> }

/** Which calls of another campaign a ledger of this one counts; `some`: those that show its caller id. */
export function callsCounted(scope: LedgerRule['scope'], one: Whole, other: Whole): 'all' | 'some' | 'none' {
  const isShown = scope === 'callerId' && one.stored.corporation === other.stored.corporation
  if (isShown && other.campaign.callerIds.length > 0) {
    return callerIdsOf(other.campaign).includes(one.campaign.callerId) ? 'some' : 'none'
  }
  return pageName(scope, one) === pageName(scope, other) ? 'all' : 'none'
}

/** The answer windows of all scopes. */
export class AnswerCounts {
  readonly #pages = new Map<string, AnswerWindow>()

  /** The window of a scope; a new one has no past. */
  page(scope: CountedScope): AnswerWindow {
    const key = JSON.stringify(scope)
    const known = this.#pages.get(key)
    if (known) return known
    const window = new AnswerWindow()
    this.#pages.set(key, window)
    return window
  }

  /** No window is known until it is filled again: another node has counted meanwhile. */
  forget(): void {
    for (const window of this.#pages.values()) window.forget()
  }

  /** What the rule counts for this campaign; undefined while the past is unknown. */
  tally(rule: LedgerRule, origin: Origin, nowAtMs: AtMs): Tally | undefined {
    return this.page(scopeOf(rule.scope, origin)).tally(rule, nowAtMs)
  }

  /**
   * Counts an answered call, or what is known of it by now, in every scope that counts it. A call that turned out to be
   * a machine stays one: nothing takes an agent's word back (campaigns-40).
   */
  note(origin: Origin, answered: AnsweredCall, known: Partial<Pick<CountedCall, 'isMachine' | 'isAbandoned'>>): Noted {
    const pages = SCOPES.map((scope) => this.page(scopeOf(scope, origin)))
    const fresh: CountedCall = { ...answered, isMachine: false, isAbandoned: false }
    const counted = pages.map((page) => {
      const found = page.find(answered)
      if (!found) page.add(fresh)
      return { page, call: found ?? fresh, isNew: !found }
    })
    for (const { page, call } of counted) page.without(call)
    const wasMachine = counted.every(({ call }) => call.isMachine)
    const isLost = () => counted.every(({ call }) => call.isAbandoned && !call.isMachine)
    const wasLost = isLost()
    for (const { call } of counted) {
      call.isMachine ||= known.isMachine ?? false
      call.isAbandoned = known.isAbandoned ?? call.isAbandoned
    }
    for (const { page, call } of counted) page.again(call)
    return {
      isNew: counted.every(({ isNew }) => isNew),
      isNewMachine: !wasMachine && known.isMachine === true,
      isNewLoss: !wasLost && isLost(),
    }
  }
}

interface Noted {
  /** No scope had counted the call. */
  readonly isNew: boolean
  readonly isNewMachine: boolean
  /** The ledgers count it as abandoned from now on. */
  readonly isNewLoss: boolean
}
