/** Splits idle agents between campaigns that share them, waiting callers, and agents who asked for a break. */
import type { TeamLines } from '../../acd/team-membership.ts'
import { excessIn, type Floor, linesStood, standsBeside } from '../../dialer/joint-ledger.ts'
import type { LiveLines } from '../../dialer/ledger.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, TeamName } from '../../kernel/ids.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import type { CallerService } from './caller-service.ts'
import { type LiveAttempt, phaseOf } from './live-attempt.ts'

interface Count {
  inFlight: number
  waiting: number
  beside: number
  readonly team: TeamName
  /** Of the oldest line. */
  staffing: number
}

const NONE = { inFlight: 0, waiting: 0, beside: 0 }
/** Modes that place lines beyond idle agents, within the ledgers. */
const ON_CREDIT: ReadonlySet<string> = new Set(['power', 'predictive'])

/**
 * A snapshot of all attempts: build a new one after a change. Attempts dialed by hand have their agent, but no agent is
 * for a number that rings beside another one of the person.
 */
export class AgentAllocation {
  readonly #context: EngineContext
  readonly #campaigns: () => Iterable<CampaignRun>
  readonly #isKept: (agent: AgentName) => boolean
  readonly #service: CallerService
  readonly #counts = new Map<CampaignRun, Count>()
  readonly #beside = new Set<LiveAttempt>()

  constructor(
    context: EngineContext,
    lines: AttemptRunner,
    campaigns: () => Iterable<CampaignRun>,
    isKept: (agent: AgentName) => boolean,
    service: CallerService,
  ) {
    this.#context = context
    this.#isKept = isKept
    this.#service = service
    this.#campaigns = campaigns
    for (const live of lines.all()) {
      const phase = live.report ? 'none' : phaseOf(live)
      if (phase !== 'out' && phase !== 'waiting') continue
      const isBeside = ringsBeside(live, lines)
      if (isBeside) this.#beside.add(live)
      else if (live.byHand !== undefined) continue
      const count = this.#counts.get(live.campaign) ?? { ...NONE, team: live.shown.team, staffing: live.staffing }
      this.#counts.set(live.campaign, count)
      count.staffing = Math.min(count.staffing, live.staffing)
      if (isBeside) count.beside++
      else if (phase === 'out') count.inFlight++
      else count.waiting++
    }
  }

  /** Lines in flight for each team, with those that a claim is about to place. */
  perTeam(nowAtMs: AtMs): Map<TeamName, TeamLines> {
    const perTeam = new Map<TeamName, TeamLines>()
    for (const run of this.#campaigns()) {
      const lines = this.#needed(run)
      if (lines === 0) continue
      const team = this.#teamOf(run)
      const before = perTeam.get(team) ?? { lines: 0, toCover: 0, staffing: Number.POSITIVE_INFINITY }
      const oldest = Math.min(
        this.#counts.get(run)?.staffing ?? run.staffing,
        run.claiming > 0 ? run.staffing : Infinity,
      )
      perTeam.set(team, { lines: before.lines + lines, toCover: 0, staffing: Math.min(before.staffing, oldest) })
    }
    for (const [team, one] of perTeam) perTeam.set(team, { ...one, toCover: this.#toCover(team, one.lines, nowAtMs) })
    return perTeam
  }

  hasLines(run: CampaignRun): boolean {
    return this.#needed(run) > 0
  }

  linesOf(run: CampaignRun): { readonly inFlight: number; readonly waiting: number } {
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    return { inFlight: inFlight + run.claiming, waiting }
  }

  shareAgents(one: CampaignRun, other: CampaignRun): boolean {
    return this.#context.distributor.shareAgents(this.#teamOf(one), this.#teamOf(other))
  }

  /** Whether lines of the campaign's former team are out: the new team waits until they are resolved. */
  isChangingTeam(run: CampaignRun): boolean {
    return this.#teamOf(run) !== run.campaign.team
  }

  /** Teams whose claims are running: the engine does not know yet whether a task is due. */
  placing(): TeamName[] {
    return [...this.#campaigns()].flatMap(({ claiming, campaign }) => (claiming > 0 ? [campaign.team] : []))
  }

  /** A campaign's lines, and the idle agents left for it after the lines of other campaigns and the callers. */
  of(run: CampaignRun): LiveLines {
    const team = this.#teamOf(run)
    const { inFlight, waiting, beside } = this.#counts.get(run) ?? NONE
    let others = 0
    for (const other of this.#sharing(run)) others += this.#needed(other)
    const idleAgents = Math.max(0, this.#idleIn(team) - this.#service.keptBack(run) - others)
    return { inFlight: inFlight + run.claiming, waiting, idleAgents, beside: beside + run.claimingBeside }
  }

  /** Agents who will be for callers when they become free: more are owed to callers than are idle. */
  forCallers(run: CampaignRun): number {
    return Math.max(0, this.#service.keptBack(run) - this.#idleIn(this.#teamOf(run)))
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
    const claimingOf = (one: CampaignRun) => (one === run ? (permitted ?? run.claiming) : one.claiming)
    const idleOf = (one: CampaignRun) => Math.max(0, this.#idleIn(this.#teamOf(one)))
    return linesStood(this.#floor(runs, nowAtMs, claimingOf, idleOf), runs.indexOf(run), lines)
  }

  /**
   * Whether every ledger allows a number beside the others of a task: `lines` of the task need an agent who is idle,
   * `permitted` ones of its claim are certain.
   */
  standsBeside(run: CampaignRun, permitted: number, lines: number, beside: number, nowAtMs: AtMs): boolean {
    const runs = [...this.#campaigns()]
    const claimingOf = (one: CampaignRun) => (one === run ? permitted : one.claiming)
    const idleOf = (one: CampaignRun) => Math.max(0, this.#idleIn(this.#teamOf(one)))
    return standsBeside(this.#floor(runs, nowAtMs, claimingOf, idleOf), runs.indexOf(run), lines, beside)
  }

  /** Whether another number of the same person comes first: this line needs no agent. */
  isBeside(live: LiveAttempt): boolean {
    return this.#beside.has(live)
  }

  #floor(
    runs: readonly CampaignRun[],
    nowAtMs: AtMs,
    claimingOf: (run: CampaignRun) => number,
    idleOf: (run: CampaignRun) => number,
  ): Floor {
    const campaigns = runs.map((one) => {
      const { inFlight, waiting, beside } = this.#counts.get(one) ?? NONE
      const sharing = new Set(this.#sharing(one))
      const sharesWith = runs.flatMap((other, place) => (sharing.has(other) ? [place] : []))
      const lines = { inFlight: inFlight + claimingOf(one), waiting, beside: beside + one.claimingBeside }
      return { ...lines, idleAgents: idleOf(one), sharesWith }
    })
    return { campaigns, ledgers: runs.flatMap((one) => one.jointLedgers(runs, nowAtMs)) }
  }

  /**
   * The least number of idle agents with which every ledger holds, whatever the lines do; at most one for each line.
   * Callers may take the others: each event leaves the proof of `joint-ledger.ts` as it was, or easier. Lines of modes
   * that promise an agent to each line are covered in full, and so are those of a team that shares only some agents.
   */
  #toCover(team: TeamName, lines: number, nowAtMs: AtMs): number {
    const { distributor } = this.#context
    if (!distributor.takesCallers(team)) return lines
    const runs = [...this.#campaigns()].filter((run) => this.#needed(run) > 0 || run.hasWideLedger)
    const ofTeam = runs.filter((run) => this.#teamOf(run) === team)
    const isOverlapping = runs.some((run) => !ofTeam.includes(run) && distributor.shareAgents(team, this.#teamOf(run)))
    if (isOverlapping || !ofTeam.every(({ campaign }) => ON_CREDIT.has(campaign.mode))) return lines
    const holds = (idle: number) => {
      const idleOf = (run: CampaignRun) => (ofTeam.includes(run) ? idle : Math.max(0, this.#idleIn(this.#teamOf(run))))
      const floor = this.#floor(runs, nowAtMs, ({ claiming }) => claiming, idleOf)
      return floor.ledgers.length > 0 && floor.ledgers.every((ledger) => excessIn(floor, ledger) <= 0)
    }
    let [few, enough] = [-1, lines]
    while (enough - few > 1) {
      const middle = Math.floor((few + enough) / 2)
      if (holds(middle)) enough = middle
      else few = middle
    }
    return enough
  }

  #idleIn(team: TeamName): number {
    const { distributor } = this.#context
    return distributor.idleAgents(team).filter((agent) => !this.#isKept(agent)).length - distributor.callersNear(team)
  }

  #sharing(run: CampaignRun): CampaignRun[] {
    const { distributor } = this.#context
    const team = this.#teamOf(run)
    const shares = (other: CampaignRun) => other !== run && distributor.shareAgents(team, this.#teamOf(other))
    return [...this.#campaigns()].filter(shares)
  }

  /** Lines keep the team they were placed for; all lines of a campaign have the same one. */
  #teamOf(run: CampaignRun): TeamName {
    return this.#counts.get(run)?.team ?? run.campaign.team
  }

  #needed(run: CampaignRun): number {
    const { inFlight, waiting } = this.#counts.get(run) ?? NONE
    return inFlight + waiting + run.claiming
  }
}

/** The agent is for the number that answered, or else for the first one that is out; all others are beside it. */
function ringsBeside(live: LiveAttempt, lines: AttemptRunner): boolean {
  return [...live.group.open].some((attempt) => {
    const other = attempt === live.attempt ? undefined : lines.of(attempt)
    if (!other || other.report) return false
    const [isAnswered, isOut] = [phaseOf(other) !== 'out', phaseOf(live) === 'out']
    return isAnswered === isOut ? isAnswered : attempt < live.attempt
  })
}
