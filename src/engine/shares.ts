/** Who of the agents is left for whom: campaigns that share agents, callers who wait, and agents who wish to go. */
import type { LiveLines } from '../dialer/ledger.ts'
import type { TeamName } from '../kernel/ids.ts'
import type { CampaignRun } from './campaign-run.ts'
import type { Lines } from './lines.ts'
import { phaseOf } from './live-attempt.ts'
import type { Rooms } from './rooms.ts'

/** Lines of a campaign that may still need an agent, and persons who wait for one. */
interface Count {
  inFlight: number
  waiting: number
}

const NONE: Readonly<Count> = { inFlight: 0, waiting: 0 }

/** All lines, counted once: ask for a new one after anything has changed. By-hand lines have their agent. */
export class Shares {
  readonly #rooms: Rooms
  readonly #campaigns: () => Iterable<CampaignRun>
  readonly #counts = new Map<CampaignRun, Count>()

  constructor(rooms: Rooms, lines: Lines, campaigns: () => Iterable<CampaignRun>) {
    this.#rooms = rooms
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

  /** What is out for each team, what is about to be placed among it. */
  perTeam(): Map<TeamName, number> {
    const perTeam = new Map<TeamName, number>()
    for (const run of this.#campaigns()) {
      const { team } = run.campaign
      perTeam.set(team, (perTeam.get(team) ?? 0) + this.#needed(run))
    }
    return perTeam
  }

  /** What of the team's agents is left for a campaign when the lines of others and the callers have theirs. */
  of(run: CampaignRun): LiveLines {
    const { desk } = this.#rooms
    const { team } = run.campaign
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    let others = desk.callersNear(team)
    for (const other of this.#sharing(run)) others += this.#needed(other)
    return { inFlight: inFlight + run.claiming, waiting, idleAgents: Math.max(0, desk.idleIn(team) - others) }
  }

  /**
   * Whether others count on agents of this campaign's: then it places only what those who are left can take. A line
   * beyond them is paid for by its own ledger, but might take the agent on whom another campaign's line relies.
   */
  isShared(run: CampaignRun): boolean {
    return this.#sharing(run).some((other) => this.#needed(other) > 0)
  }

  #sharing(run: CampaignRun): CampaignRun[] {
    const { desk } = this.#rooms
    const { team } = run.campaign
    return [...this.#campaigns()].filter((other) => other !== run && desk.shareAgents(team, other.campaign.team))
  }

  #needed(run: CampaignRun): number {
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    return inFlight + waiting + run.claiming
  }
}
