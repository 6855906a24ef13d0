/** Tells boards how each campaign is paced: a picture for each change, and no more often than it is asked to look. */
import { capOf, linesAtRisk } from '../../dialer/ledger.ts'
import { meansOf } from '../../dialer/pacing/means.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignId } from '../../kernel/ids.ts'
import type { BoardShadow, CampaignBoard, Counts } from '../../ports/board.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { PaceHour } from '../campaigns/pacing-stats.ts'
import type { EngineContext } from '../context.ts'
import type { AgentAllocation } from './agent-allocation.ts'
import type { CallPlacer } from './place-calls.ts'

const DAY_MS = 24 * 3_600_000
/** Whoever begins to listen has the whole picture by then. */
const AGAIN_MS = 15_000
const BASIS = 10_000

/** Mutable state with a lifetime, hence a class. */
export class CampaignBoards {
  readonly #context: EngineContext
  readonly #dialing: CallPlacer
  readonly #tell: (board: CampaignBoard) => void
  readonly #told = new Map<CampaignId, { readonly text: string; readonly atMs: AtMs }>()

  constructor(context: EngineContext, dialing: CallPlacer, tell: (board: CampaignBoard) => void) {
    this.#context = context
    this.#dialing = dialing
    this.#tell = tell
  }

  /** Looks at every campaign that dials, and tells of those that have changed. */
  look(): void {
    const { distributor, dependencies } = this.#context
    const nowMs = dependencies.clock.nowMs()
    const allocation = this.#dialing.allocation()
    for (const run of this.#dialing.campaigns.values()) {
      const told = this.#told.get(run.campaign.id)
      if (!run.isAutomatic && !told) continue
      const board = boardOf(run, allocation, distributor.readyIn(run.campaign.team), nowMs)
      const text = JSON.stringify(board)
      if (told?.text === text && nowMs < told.atMs + AGAIN_MS) continue
      this.#told.set(run.campaign.id, { text, atMs: nowMs })
      this.#tell(board)
      // A last picture of one that does not dial any more.
      if (!run.isAutomatic) this.#told.delete(run.campaign.id)
    }
  }
}

function boardOf(run: CampaignRun, allocation: AgentAllocation, agents: number, nowMs: AtMs): CampaignBoard {
  const { campaign, stored, pace } = run
  const live = allocation.of(run)
  const { placing, stats, learnt } = pace
  const hours = stats.hours.filter(({ fromAtMs }) => fromAtMs > nowMs - DAY_MS)
  return {
    type: 'campaign',
    ...{ campaign: campaign.id, corporation: stored.corporation, name: campaign.name },
    ...{ mode: campaign.mode, pace: pace.pace, live: { agents, ...live } },
    placing: {
      lines: placing.lines,
      why: placing.why,
      ...(placing.weighed && { weighed: rounded({ ...placing.weighed }) }),
    },
    refused: run.refused ?? null,
    ledgers: run.ledgers(live, nowMs).map(({ rule, tally }) => ({
      ...{ name: rule.name, capBasisPoints: rule.capBasisPoints, ...tally },
      ...{ atRisk: linesAtRisk(live), allowed: Math.floor((capOf(rule) * tally.answered) / BASIS) },
    })),
    placed: sumOf(hours.map(({ placed }) => placed)),
    held: sumOf(hours.map(({ held }) => held)),
    refusals: sumOf(hours.map(({ refused }) => refused)),
    learnt: {
      ...rounded({ hitRate: learnt.hitRate, ...meansOf(learnt.laws, campaign.wrapUp) }),
      known: learnt.known,
    },
    shadow: shadowOf(run, hours),
  }
}

function shadowOf({ campaign: { shadowPacing }, pace }: CampaignRun, hours: readonly PaceHour[]): BoardShadow | null {
  if (shadowPacing === undefined || !pace.shadowed) return null
  const shown = hours.map(({ fromAtMs, placed, shadowMore, shadowLess }) => {
    const lines = Object.values(sumOf([placed])).reduce((sum, count) => sum + count, 0)
    return { fromAtMs, placed: lines, more: shadowMore, less: shadowLess }
  })
  return { pace: shadowPacing, lines: pace.shadowed.lines, hours: shown }
}

function sumOf(all: readonly Partial<Counts>[]): Counts {
  const sums: Record<string, number> = {}
  for (const counts of all) {
    for (const [name, count = 0] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

/** Four digits: what changes less is no change. */
function rounded<Figures extends object>(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, Number((figure as number).toPrecision(4))]),
  ) as Figures
}
