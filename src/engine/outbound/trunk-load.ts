/** Trunks and their load: lines in use, lines that running claims may place, and the pace. */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { trunksFor } from '../../dialer/trunk-choice.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId, LegId } from '../../kernel/ids.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { TrunkLimits } from '../context.ts'
import type { AttemptRunner } from './attempt-runner.ts'
import type { LiveAttempt } from './live-attempt.ts'
import { type PacedUse, TrunkPace } from './trunk-limits.ts'

/** The lines that a running claim may place; nothing else may use them. */
export interface Allowed {
  readonly trunk: string | undefined
  /** Tasks that the claim asked for: an upper bound until the rules have decided. */
  readonly requested: number
  readonly perTask: Map<CallTaskId, number>
}

/** RFC 3261 21.4.4: the carrier works and refuses this call. */
const FORBIDDEN = 403
/** Before any ring, these come from the callee's network. */
const FROM_BEYOND: ReadonlySet<AttemptResult> = new Set<AttemptResult>(['busy', 'invalidNumber', 'rejected'])

/** The load of each trunk. */
export class Trunks {
  readonly pace: TrunkPace
  readonly claims = new Set<Allowed>()
  #waiting: (() => void)[] = []
  /** Callers who are transferred over a trunk, by the leg of the other side. */
  readonly transfers = new Map<LegId, string>()
  readonly #lines: AttemptRunner
  readonly #find: (name: string | undefined) => TrunkLimits | undefined

  constructor(
    lines: AttemptRunner,
    find: (name: string | undefined) => TrunkLimits | undefined,
    onOutage: (name: string, isFailing: boolean) => void,
  ) {
    this.#lines = lines
    this.#find = find
    this.pace = new TrunkPace(onOutage)
  }

  claimEnded(claim: Allowed): void {
    this.claims.delete(claim)
    for (const tell of this.#waiting.splice(0)) tell()
  }

  /** `tell` runs once, when the next running claim has ended. */
  whenClaimEnds(tell: () => void): void {
    this.#waiting.push(tell)
  }

  /** The trunk of that name; undefined where the configuration has none. */
  named(name: string | undefined): TrunkLimits | undefined {
    return this.#find(name)
  }

  /**
   * The trunk for the next call of a campaign: the first that works or is due for a probe. A further one of its list
   * takes over only where all caller ids of the campaign are ours (campaigns-44).
   */
  of({ campaign }: CampaignRun, nowMs: AtMs): TrunkLimits | undefined {
    const all = trunksFor(campaign, this.#find)
    if (all.length <= 1) return all[0]
    return all.find((one) => this.useOf(one, nowMs).probesLeft > 0) ?? all[0]
  }

  /** The trunk that a campaign uses while all work. */
  first({ campaign }: CampaignRun): TrunkLimits | undefined {
    return this.#find(campaign.trunk)
  }

  useOf(trunk: TrunkLimits, nowMs: AtMs): PacedUse {
    const claims = [...this.claims].filter((claim) => claim.trunk === trunk.name)
    const allowed = sum(claims.map(linesOf))
    // Requested lines may come to nothing: they do not hold up the decisions of a claim, only further claims.
    const requested = sum(claims.map((claim) => Math.max(claim.requested, linesOf(claim))))
    return this.pace.useOf(trunk, { ...this.#linesOn(trunk.name), allowed, requested }, nowMs)
  }

  rang({ shown, seen: { dialedAtMs } }: LiveAttempt): void {
    const trunk = this.named(shown.trunk)
    if (trunk && dialedAtMs !== undefined) this.pace.rang(trunk.name, dialedAtMs)
  }

  /** What the end of a line says about its trunk. True: the carrier failed it, and no phone rang. */
  lineEnded({ shown, seen: { dialedAtMs } }: LiveAttempt, { facts, result }: AttemptReport, atMs: AtMs): boolean {
    const trunk = this.named(shown.trunk)
    if (!trunk || facts.reach === 'rang' || facts.reach === 'answered') return false
    if (FROM_BEYOND.has(result) && dialedAtMs !== undefined) this.pace.cameThrough(trunk.name, dialedAtMs)
    const isSilent = result === 'noAnswer' && facts.earlyEnd === 'ringTimeout' && this.pace.hasRung(trunk.name)
    const isFailure = isSilent || (result === 'failed' && facts.end?.code !== FORBIDDEN)
    if (isFailure) this.pace.failed(trunk.name, atMs)
    return isFailure
  }

  #linesOn(trunk: string): { lines: number; probes: number } {
    const sinceAtMs = this.pace.failingSince(trunk) ?? Number.POSITIVE_INFINITY
    const lines = [...this.#lines.all()].filter((live) => !live.report && this.named(live.shown.trunk)?.name === trunk)
    const isProbe = ({ seen: { dialedAtMs = Number.MAX_VALUE } }: LiveAttempt) => dialedAtMs >= sinceAtMs
    const transfers = [...this.transfers.values()].filter((name) => name === trunk)
    return { lines: lines.length + transfers.length, probes: lines.filter(isProbe).length }
  }
}

/** Lines that a claim may place so far. */
function linesOf({ perTask }: Allowed): number {
  return sum([...perTask.values()])
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
