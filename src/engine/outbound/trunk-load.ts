/** Trunks and their load: lines in use, lines that running claims may place, and the pace. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { TrunkLimits } from '../context.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { type PacedUse, TrunkPace } from './trunk-limits.ts'

/** The lines that a running claim may place; nothing else may use them. */
export interface Allowed {
  readonly trunk: string | undefined
  /** Tasks that the claim asked for: an upper bound until the rules have decided. */
  readonly requested: number
  readonly perTask: Map<CallTaskId, number>
}

/** The load of each trunk. */
export class Trunks {
  readonly pace = new TrunkPace()
  readonly claims = new Set<Allowed>()
  readonly #lines: AttemptRunner
  readonly #find: (name: string | undefined) => TrunkLimits | undefined

  constructor(lines: AttemptRunner, find: (name: string | undefined) => TrunkLimits | undefined) {
    this.#lines = lines
    this.#find = find
  }

  /** The trunk of a campaign; undefined where the configuration has none of that name. */
  of({ campaign }: CampaignRun): TrunkLimits | undefined {
    return this.#find(campaign.trunk)
  }

  useOf(run: CampaignRun, nowMs: AtMs): PacedUse | undefined {
    const trunk = this.of(run)
    if (!trunk) return undefined
    const claims = [...this.claims].filter((claim) => claim.trunk === trunk.name)
    const allowed = sum(claims.map(linesOf))
    // Requested lines may come to nothing: they do not hold up the decisions of a claim, only further claims.
    const requested = sum(claims.map((claim) => Math.max(claim.requested, linesOf(claim))))
    const use = this.pace.useOf(trunk, this.#linesOn(trunk.name) + allowed, nowMs)
    const { placedLastSecond, placedLastTenth } = use
    return { ...use, placedLastSecond: placedLastSecond + allowed, placedLastTenth: placedLastTenth + requested }
  }

  #linesOn(trunk: string): number {
    let lines = 0
    for (const live of this.#lines.all()) if (!live.report && this.of(live.campaign)?.name === trunk) lines++
    return lines
  }
}

/** Lines that a claim may place so far. */
export function linesOf({ perTask }: Allowed): number {
  return sum([...perTask.values()])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
