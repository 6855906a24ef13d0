/** Publishes how each campaign is paced: after a change, and at most as often as `publishChanges` is called. */

import type { Campaign } from '../../dialer/campaign.ts'
import { mayAct } from '../../dialer/detection-error.ts'
import { capOf, type LiveLines, linesAtRisk } from '../../dialer/ledger.ts'
import type { Learnt } from '../../dialer/pacing/learned-distributions.ts'
import { meansOf } from '../../dialer/pacing/means.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignId } from '../../kernel/ids.ts'
import { shareInterval } from '../../kernel/share-interval.ts'
import type { Detector } from '../../ports/attempt.ts'
import type {
  BoardDetection,
  BoardOrders,
  BoardRate,
  BoardService,
  BoardShadow,
  CampaignBoard,
  Counts,
} from '../../ports/board.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { PaceHour } from '../campaigns/pacing-stats.ts'
import type { DialerOptions, EngineContext } from '../context.ts'
import type { CallPlacer } from './place-calls.ts'

const DAY_MS = 24 * 3_600_000
/** A new listener has the whole picture by then. */
const AGAIN_MS = 15_000
const BASIS = 10_000

interface Shown {
  readonly live: LiveLines
  readonly service: BoardService | null
}

interface BoardParts {
  readonly callPlacer: CallPlacer
  readonly callbacks: { countsOf(run: CampaignRun): CampaignBoard['callbacks'] }
}

type BoardOptions = Required<Pick<DialerOptions, 'onBoard'>> & Pick<DialerOptions, 'mayDial' | 'agentNodes'>

/** Publishes the boards of all campaigns. */
export class CampaignBoards {
  readonly #context: EngineContext
  readonly #parts: BoardParts
  readonly #options: BoardOptions
  readonly #published = new Map<CampaignId, { readonly text: string; readonly atMs: AtMs }>()

  constructor(context: EngineContext, parts: BoardParts, options: BoardOptions) {
    this.#context = context
    this.#parts = parts
    this.#options = options
  }

  publishChanges(): void {
    const { distributor, dependencies } = this.#context
    const nowMs = dependencies.clock.nowMs()
    const { callPlacer, callbacks } = this.#parts
    const allocation = callPlacer.allocation()
    const { onBoard, mayDial, agentNodes } = this.#options
    // Of several nodes, all of which have every campaign, the one that dials shows them (rest-57).
    const isElsewhere = agentNodes !== undefined && mayDial?.() === false
    for (const run of callPlacer.campaigns.values()) {
      const published = this.#published.get(run.campaign.id)
      const isShown = (run.isAutomatic && !isElsewhere) || allocation.hasLines(run)
      if (!isShown && !published) continue
      const shown = { live: allocation.of(run), service: callPlacer.callerService.shown(run) }
      const agents = distributor.readyIn(run.campaign.team)
      const carrierFailing = callPlacer.carrierFailing(run)
      const board = { ...boardOf(run, shown, agents, nowMs), carrierFailing, callbacks: callbacks.countsOf(run) }
      const text = JSON.stringify(board)
      const isTold = published?.text === text && (!isShown || nowMs < published.atMs + AGAIN_MS)
      // One last board of a campaign that has stopped dialing here, before another node shows it.
      if (!isShown) this.#published.delete(run.campaign.id)
      else if (!isTold) this.#published.set(run.campaign.id, { text, atMs: nowMs })
      if (!isTold) onBoard(board)
    }
  }
}

type Rest = Omit<CampaignBoard, 'carrierFailing' | 'callbacks'>

function boardOf(run: CampaignRun, { live, service }: Shown, agents: number, nowMs: AtMs): Rest {
  const { campaign, stored, pace } = run
  const { placing, stats, learnt } = pace
  const hours = stats.hours.filter(({ fromAtMs }) => fromAtMs > nowMs - DAY_MS)
  return {
    type: 'campaign',
    campaign: campaign.id,
    corporation: stored.corporation,
    ...(campaign.team !== undefined && { team: campaign.team }),
    name: campaign.name,
    mode: campaign.mode,
    pace: pace.pace,
    live: { agents, ...live },
    placing: {
      lines: placing.lines,
      why: placing.why,
      ...(placing.weighed && { weighed: rounded({ ...placing.weighed }) }),
    },
    refused: run.refused ?? null,
    nothingDue: run.nextDueAtMs === undefined ? null : { untilAtMs: run.nextDueAtMs },
    ledgers: run.ledgers(live, nowMs).map(({ rule, tally }) => ({
      name: rule.name,
      capBasisPoints: rule.capBasisPoints,
      ...tally,
      atRisk: linesAtRisk(live),
      allowed: Math.floor((capOf(rule) * tally.answered) / BASIS),
    })),
    lost: run.lost,
    placed: sumOf(hours.map(({ placed }) => placed)),
    held: sumOf(hours.map(({ held }) => held)),
    refusals: sumOf(hours.map(({ refused }) => refused)),
    learnt: {
      ...learntFigures(learnt, campaign.wrapUp),
      known: learnt.known,
    },
    shadow: shadowOf(run, hours),
    detection: detectionOf(run),
    weight: campaign.weight,
    service,
    orders: ordersOf(run, live, nowMs),
  }
}

function detectionOf({ campaign, detection, greetings }: CampaignRun): BoardDetection | null {
  if (campaign.machineDetection === 'off') return null
  const { persons, machines } = detection
  const errorsOf = (detector: Detector) => ({
    acts: mayAct(campaign, detection, detector),
    personsTaken: rateOf(detection[detector].personsTaken, persons),
    machinesMissed: rateOf(detection[detector].machinesMissed, machines),
  })
  const greetingsKnown = greetings.filter(({ isKnown }) => isKnown).length
  return { pauses: errorsOf('pauses'), greeting: errorsOf('greeting'), greetingsKnown, greetings: greetings.length }
}

function rateOf(count: number, of: number): BoardRate {
  const { from, to } = shareInterval(count, of)
  return { count, of, ...rounded({ from: from * 100, to: to * 100 }) }
}

function ordersOf({ campaign }: CampaignRun, { inFlight, waiting }: LiveLines, nowMs: AtMs): BoardOrders {
  const { endsAtMs = null, slowDown } = campaign
  const { linesPerAgentMax = null, isOneToOne = false, untilAtMs = 0 } = slowDown ?? {}
  return {
    isDraining: !campaign.isActive && inFlight + waiting > 0,
    endsAtMs,
    slowDown:
      nowMs < untilAtMs
        ? { linesPerAgentMax, isOneToOne, untilAtMs: Number.isFinite(untilAtMs) ? untilAtMs : null }
        : null,
  }
}

/** Figures of what was learnt, by the latest fact: boards are made far more often than facts come. */
const figures = new WeakMap<Learnt, { readonly wrapUp: Campaign['wrapUp']; readonly shown: object }>()

function learntFigures(learnt: Learnt, wrapUp: Campaign['wrapUp']) {
  const known = figures.get(learnt)
  if (known?.wrapUp === wrapUp) return known.shown as ReturnType<typeof figuresOf>
  const shown = figuresOf(learnt, wrapUp)
  figures.set(learnt, { wrapUp, shown })
  return shown
}

function figuresOf({ hitRate, laws, hours }: Learnt, wrapUp: Campaign['wrapUp']) {
  return { ...rounded({ hitRate, ...meansOf(laws, wrapUp) }), hours: hours.map(rounded) }
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

/** Four digits: a smaller change is not published. */
function rounded<Figures extends object>(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, Number((figure as number).toPrecision(4))]),
  ) as Figures
}
