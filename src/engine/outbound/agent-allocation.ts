/** Splits idle agents between campaigns that share them, waiting callers, and agents who asked for a break. */
import { linesStood } from '../../dialer/joint-ledger.ts'
import type { LiveLines } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, TeamName } from '../../kernel/ids.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import { phaseOf } from './live-attempt.ts'

interface Count {
  inFlight: number
  waiting: number
}

const NONE: Readonly<Count> = { inFlight: 0, waiting: 0 }

/** A snapshot of all attempts: build a new one after a change. Attempts dialed by hand have their agent. */
export class AgentAllocation {
  readonly #context: EngineContext
  readonly #campaigns: () => Iterable<CampaignRun>
  readonly #isKept: (agent: AgentName) => boolean
  readonly #counts = new Map<CampaignRun, Count>()

  constructor(
    context: EngineContext,
    lines: AttemptRunner,
    campaigns: () => Iterable<CampaignRun>,
    isKept: (agent: AgentName) => boolean,
  ) {
    this.#context = context
    this.#isKept = isKept
    this.#campaigns = campaigns
    for (const live of lines.all()) {
      if (live.byHand !== undefined || live.report) continue
      const phase = phaseOf(live)
      if (phase !== 'out' && phase !== 'waiting') continue
      const count = this.#counts.get(live.campaign) ?? { inFlight: 0, waiting: 0 }
      this.#counts.set(live.campaign, count)
      if (phase === 'out') count.inFlight++
      else count.waiting++
    }
  }

  /** Lines in flight for each team, with those that a claim is about to place. */
  perTeam(): Map<TeamName, number> {
    const perTeam = new Map<TeamName, number>()
    for (const run of this.#campaigns()) {
      const { team } = run.campaign
      perTeam.set(team, (perTeam.get(team) ?? 0) + this.#needed(run))
    }
    return perTeam
  }

  /** Teams whose claims are running: the engine does not know yet whether a task is due. */
  placing(): TeamName[] {
    return [...this.#campaigns()].flatMap(({ claiming, campaign }) => (claiming > 0 ? [campaign.team] : []))
  }

  /** A campaign's lines, and the idle agents left for it after the lines of other campaigns and the callers. */
  of(run: CampaignRun): LiveLines {
    const { team } = run.campaign
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    let others = 0
    for (const other of this.#sharing(run)) others += this.#needed(other)
    return { inFlight: inFlight + run.claiming, waiting, idleAgents: Math.max(0, this.#idleIn(team) - others) }
  }

  /**
   * How many more lines every ledger allows. A line within its own ledger might take the agent that another campaign's
   * line relies on, and a client's ledger counts the lines of all its campaigns. `permitted`: so many lines of the
   * campaign's claim are certain; undefined: all requested lines count as placed.
   */
  stood(run: CampaignRun, lines: number, nowAtMs: AtMs, permitted?: number): number {
    const hasWideLedger = (one: CampaignRun) => one.campaign.isActive && one.hasWideLedger
    const isOut = (one: CampaignRun) => one === run || this.#needed(one) > 0
    const runs = [...this.#campaigns()].filter((one) => isOut(one) || hasWideLedger(one))
    if (!runs.includes(run)) return 0
    const isAlone = !runs.some((one) => one.hasWideLedger) && !this.#sharing(run).some(isOut)
    if (isAlone) return lines
    const campaigns = runs.map((one) => {
      const claiming = one === run ? (permitted ?? run.claiming) : one.claiming
      const { inFlight, waiting } = this.#counts.get(one) ?? NONE
      const idleAgents = Math.max(0, this.#idleIn(one.campaign.team))
      const sharing = new Set(this.#sharing(one))
      const sharesWith = runs.flatMap((other, place) => (sharing.has(other) ? [place] : []))
      return { inFlight: inFlight + claiming, waiting, idleAgents, sharesWith }
    })
    const ledgers = runs.flatMap((one) => one.jointLedgers(runs, nowAtMs))
    return linesStood({ campaigns, ledgers }, runs.indexOf(run), lines)
  }

  #idleIn(team: TeamName): number {
    const { distributor } = this.#context
    return distributor.idleAgents(team).filter((agent) => !this.#isKept(agent)).length - distributor.callersNear(team)
  }

  #sharing(run: CampaignRun): CampaignRun[] {
    const { distributor } = this.#context
    const { team } = run.campaign
    return [...this.#campaigns()].filter((other) => other !== run && distributor.shareAgents(team, other.campaign.team))
  }

  #needed(run: CampaignRun): number {
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    return inFlight + waiting + run.claiming
  }
}
