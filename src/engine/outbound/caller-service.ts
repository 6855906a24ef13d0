/**
 * What blended teams owe their callers (pacing-13). A campaign with a service goal keeps agents back: each caller who
 * waited too long raises their number, each one in time lowers it. The steps balance when the goal is met exactly.
 */
import type { ServiceGoal } from '../../dialer/campaign.ts'
import type { BoardService } from '../../ports/board.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'

interface Service {
  keptBack: number
  /** Of the latest callers, the oldest first: whether each was in time. */
  inTime: readonly boolean[]
}

const KEPT_AT_FIRST = 1
/** How far one caller moves the number of agents that are kept back. */
const STEP = 0.5
const CALLERS_MAX = 200

/** How callers are served, by campaign; forgotten at a restart. */
export class CallerService {
  readonly #context: EngineContext
  readonly #services = new Map<CampaignRun, Service>()

  constructor(context: EngineContext) {
    this.#context = context
  }

  /** Learns from the callers who were served, or left, since the last call. */
  learn(runs: Iterable<CampaignRun>): void {
    const { distributor } = this.#context
    const waits = distributor.takeWaits()
    if (waits.length === 0) return
    for (const run of runs) {
      const { serviceGoal: goal, team } = run.campaign
      if (!goal) continue
      const most = Math.max(KEPT_AT_FIRST, distributor.readyIn(team) / 2)
      for (const { team: queue, waitedMs, isServed } of waits) {
        // A caller who leaves early was not kept waiting.
        const counts = isServed || waitedMs > goal.withinMs
        if (counts && distributor.shareAgents(queue, team)) this.#note(run, goal, waitedMs <= goal.withinMs, most)
      }
    }
  }

  /** Agents who are not for lines of this campaign. */
  keptBack(run: CampaignRun): number {
    return run.campaign.serviceGoal ? Math.round(this.#of(run).keptBack) : 0
  }

  shown(run: CampaignRun): BoardService | null {
    const { serviceGoal: goal } = run.campaign
    if (!goal) return null
    const { inTime } = this.#of(run)
    return {
      percent: Math.round(goal.share * 100),
      withinSeconds: goal.withinMs / 1_000,
      callers: inTime.length,
      inTime: inTime.filter(Boolean).length,
      keptBack: this.keptBack(run),
    }
  }

  #note(run: CampaignRun, { share }: ServiceGoal, isInTime: boolean, most: number): void {
    const service = this.#of(run)
    service.inTime = [...service.inTime, isInTime].slice(-CALLERS_MAX)
    const moved = service.keptBack + STEP * (isInTime ? share - 1 : share)
    service.keptBack = Math.min(most, Math.max(0, moved))
  }

  #of(run: CampaignRun): Service {
    const known = this.#services.get(run)
    if (known) return known
    const service = { keptBack: KEPT_AT_FIRST, inTime: [] }
    this.#services.set(run, service)
    return service
  }
}
