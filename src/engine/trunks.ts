/** Carriers and what is on them: lines that are out, those that claims under way were allowed, and the pace. */
import type { AtMs } from '../kernel/clock.ts'
import type { CallTaskId } from '../ports/call-task.ts'
import type { CampaignRun } from './campaign-run.ts'
import type { Lines } from './lines.ts'
import { type PacedUse, type TrunkLimits, TrunkPace } from './trunk-use.ts'

/** What a claim under way was allowed: nobody else may have these lines. */
export interface Allowed {
  readonly trunk: string | undefined
  readonly perTask: Map<CallTaskId, number>
}

/** Mutable state with a lifetime, hence a class. */
export class Trunks {
  readonly pace = new TrunkPace()
  /** One for each claim whose answer is not there yet. */
  readonly claims = new Set<Allowed>()
  readonly #lines: Lines
  readonly #find: (name: string | undefined) => TrunkLimits | undefined

  constructor(lines: Lines, find: (name: string | undefined) => TrunkLimits | undefined) {
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
    const allowed = this.#allowedOn(trunk.name)
    const use = this.pace.useOf(trunk, this.#linesOn(trunk.name) + allowed, nowMs)
    const { placedLastSecond, placedLastTenth } = use
    return { ...use, placedLastSecond: placedLastSecond + allowed, placedLastTenth: placedLastTenth + allowed }
  }

  #allowedOn(trunk: string): number {
    let lines = 0
    for (const allowed of this.claims) if (allowed.trunk === trunk) lines += linesOf(allowed)
    return lines
  }

  #linesOn(trunk: string): number {
    let lines = 0
    for (const live of this.#lines.all()) if (!live.report && this.of(live.campaign)?.name === trunk) lines++
    return lines
  }
}

/** How many lines a claim was allowed so far. */
export function linesOf({ perTask }: Allowed): number {
  let lines = 0
  for (const count of perTask.values()) lines += count
  return lines
}
