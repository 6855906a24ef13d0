/** Carriers and what is on them: lines that are out, those that claims under way were allowed, and the pace. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { TrunkLimits } from '../context.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { type PacedUse, TrunkPace } from './trunk-limits.ts'

/** What a claim under way was allowed: nobody else may have these lines. */
export interface Allowed {
  readonly trunk: string | undefined
  /** Tasks that it asked for: until the gate has judged them, nobody knows better. */
  readonly wished: number
  readonly perTask: Map<CallTaskId, number>
}

/** Mutable state with a lifetime, hence a class. */
export class Trunks {
  readonly pace = new TrunkPace()
  /** One for each claim whose answer is not there yet. */
  readonly claims = new Set<Allowed>()
  readonly #lines: AttemptRunner
  readonly #find: (name: string | undefined) => TrunkLimits | undefined

  constructor(lines: AttemptRunner, find: (name: string | undefined) => TrunkLimits | undefined) {
    this.#lines = lines
    this.#find = find
  }

  /** The carrier of a campaign; undefined where the set-up has none of that name. */
  of({ campaign }: CampaignRun): TrunkLimits | undefined {
    return this.#find(campaign.trunk)
  }

  useOf(run: CampaignRun, nowMs: AtMs): PacedUse | undefined {
    const trunk = this.of(run)
    if (!trunk) return undefined
    const claims = [...this.claims].filter((claim) => claim.trunk === trunk.name)
    const allowed = sum(claims.map(linesOf))
    // What is only wished for may come to nothing: it holds up nobody who is judged, but whoever would ask beside it.
    const wished = sum(claims.map((claim) => Math.max(claim.wished, linesOf(claim))))
    const use = this.pace.useOf(trunk, this.#linesOn(trunk.name) + allowed, nowMs)
    const { placedLastSecond, placedLastTenth } = use
    return { ...use, placedLastSecond: placedLastSecond + allowed, placedLastTenth: placedLastTenth + wished }
  }

  #linesOn(trunk: string): number {
    let lines = 0
    for (const live of this.#lines.all()) if (!live.report && this.of(live.campaign)?.name === trunk) lines++
    return lines
  }
}

/** How many lines a claim was allowed so far. */
export function linesOf({ perTask }: Allowed): number {
  return sum([...perTask.values()])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
