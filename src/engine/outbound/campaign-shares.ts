/**
 * Shares of campaigns that use the same agents or the same trunk (campaigns-53). Each campaign has an account of the
 * agents it was given and of the lines it placed. A campaign that is ahead of another one, by weight, places nothing
 * while the other has tasks that wait for agents or lines. Its phones ring out and leave the agents to the other.
 */
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { AgentAllocation } from './agent-allocation.ts'

/** What campaigns have in common, and what is out for them. */
export interface SharedUse {
  readonly runs: () => Iterable<CampaignRun>
  readonly allocation: () => AgentAllocation
  readonly shareTrunk: (one: CampaignRun, other: CampaignRun) => boolean
}

type Resource = 'agents' | 'lines'

interface Account {
  agents: number
  lines: number
  /** A task was due, and could be dialed but for agents and lines. */
  wantsUntilAtMs: AtMs
  /** The latest decision was limited by the trunk. */
  needsTrunkUntilAtMs: AtMs
  lookAtMs: AtMs
  /** Since when this campaign leaves its agents or lines to another one, and the lines of that one then. */
  readonly leavesTo: Map<CampaignRun, { readonly sinceAtMs: AtMs; readonly lines: number }>
}

/** So far one campaign may be ahead, in agents or lines of its own. */
const AHEAD_MAX: Readonly<Record<Resource, number>> = { agents: 2, lines: 4 }
/** Longer than the time between two looks for due tasks. */
const WANTS_MS = 10_000
const LOOK_EVERY_MS = 2_000
/** Longer than phones usually ring. A campaign that places nothing for so long is stopped by a limit of its own. */
const LEAVES_MAX_MS = 90_000

/** The accounts of all campaigns, since the start of the engine. */
export class CampaignShares {
  readonly #use: SharedUse
  readonly #accounts = new Map<CampaignRun, Account>()

  constructor(use: SharedUse) {
    this.#use = use
  }

  agentTaken(run: CampaignRun): void {
    this.#of(run).agents++
  }

  linesPlaced(run: CampaignRun, lines: number, nowMs: AtMs): void {
    this.#of(run).lines += lines
    this.wants(run, nowMs)
  }

  /** A task is due. A campaign that comes back is not behind: what it did not want is not owed to it. */
  wants(run: CampaignRun, nowMs: AtMs): void {
    const account = this.#of(run)
    const isBack = account.wantsUntilAtMs < nowMs
    account.wantsUntilAtMs = nowMs + WANTS_MS
    if (!isBack) return
    const allocation = this.#use.allocation()
    const used = (one: CampaignRun, resource: Resource) => this.#used(one, resource, allocation)
    for (const resource of ['agents', 'lines'] as const) {
      const rivals = this.#rivals(run, resource, allocation, nowMs)
      const behind = rivals.map((rival) => used(rival, resource) - used(run, resource))
      const least = behind.length === 0 ? 0 : Math.max(0, Math.min(...behind))
      account[resource] += least * run.campaign.weight
    }
  }

  /** The engine looked for due tasks that wait for nothing but agents and lines. */
  looked(run: CampaignRun, isDue: boolean, nowMs: AtMs): void {
    if (isDue) this.wants(run, nowMs)
    else this.#of(run).wantsUntilAtMs = 0
  }

  /** The trunk is what limits the campaign now. */
  needsTrunk(run: CampaignRun, nowMs: AtMs): void {
    this.#of(run).needsTrunkUntilAtMs = nowMs + WANTS_MS
  }

  /** Whether the engine must look for due tasks although no line may be placed: others need to know of them. */
  mustLook(run: CampaignRun, allocation: AgentAllocation, nowMs: AtMs): boolean {
    const account = this.#of(run)
    if (nowMs < account.lookAtMs) return false
    const { runs, shareTrunk } = this.#use
    const isRival = (other: CampaignRun) =>
      other !== run && other.isAutomatic && (shareTrunk(run, other) || allocation.shareAgents(run, other))
    if (![...runs()].some(isRival)) return false
    account.lookAtMs = nowMs + LOOK_EVERY_MS
    return true
  }

  /** Whether the campaign leaves agents or lines to another one that is behind its share. */
  isAhead(run: CampaignRun, allocation: AgentAllocation, nowMs: AtMs): boolean {
    const rivals = (['agents', 'lines'] as const).flatMap((resource) =>
      this.#rivals(run, resource, allocation, nowMs).map((rival) =>
        this.#leaves(run, rival, resource, allocation, nowMs),
      ),
    )
    return rivals.includes(true)
  }

  #leaves(run: CampaignRun, rival: CampaignRun, resource: Resource, allocation: AgentAllocation, nowMs: AtMs): boolean {
    const account = this.#of(run)
    const behind = this.#of(rival)
    const ahead = this.#used(run, resource, allocation) - this.#used(rival, resource, allocation)
    const known = account.leavesTo.get(rival)
    const isAhead = ahead > 0 && (known !== undefined || ahead * run.campaign.weight > AHEAD_MAX[resource])
    if (!isAhead) {
      account.leavesTo.delete(rival)
      return false
    }
    const isServed = known === undefined || known.lines < behind.lines
    if (isServed) account.leavesTo.set(rival, { sinceAtMs: nowMs, lines: behind.lines })
    else if (nowMs - known.sinceAtMs > LEAVES_MAX_MS) {
      behind[resource] += ahead * rival.campaign.weight
      account.leavesTo.delete(rival)
      return false
    }
    return true
  }

  /** Campaigns that want what this campaign has. A maximum of lines for each agent is their own limit. */
  #rivals(run: CampaignRun, resource: Resource, allocation: AgentAllocation, nowMs: AtMs): CampaignRun[] {
    const { shareTrunk, runs } = this.#use
    return [...runs()].filter((other) => {
      if (other === run || !other.isAutomatic || other.pace.placing.why === 'agentMax') return false
      const { wantsUntilAtMs, needsTrunkUntilAtMs } = this.#of(other)
      if (wantsUntilAtMs < nowMs) return false
      const isSameTeam = allocation.shareAgents(run, other)
      return resource === 'agents' ? isSameTeam : !isSameTeam && needsTrunkUntilAtMs >= nowMs && shareTrunk(run, other)
    })
  }

  /** By weight, with the agents that the lines in flight will probably take. */
  #used(run: CampaignRun, resource: Resource, allocation: AgentAllocation): number {
    const account = this.#of(run)
    const { weight } = run.campaign
    if (resource === 'lines') return account.lines / weight
    const { inFlight, waiting } = allocation.linesOf(run)
    return (account.agents + waiting + inFlight * run.pace.learnt.hitRate) / weight
  }

  #of(run: CampaignRun): Account {
    const known = this.#accounts.get(run)
    if (known) return known
    const nothing = { agents: 0, lines: 0, wantsUntilAtMs: 0, needsTrunkUntilAtMs: 0, lookAtMs: 0 }
    const account = { ...nothing, leavesTo: new Map() }
    this.#accounts.set(run, account)
    return account
  }
}
