import type { TrunkUse } from '../../dialer/may-dial-now.ts'
import type { PacingReason } from '../../dialer/placing.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { TrunkLimits } from '../context.ts'

/** The trunk's load as the dialing rules see it, and what new claims may ask of it. */
export interface PacedUse extends TrunkUse {
  readonly placedLastTenth: number
  /** Lines that a failing trunk may still get: one probe, or none. Infinity while it works. */
  readonly probesLeft: number
}

/** What is on a trunk: lines, and what running claims may place or asked for. */
export interface TrunkLines {
  /** Dialed or about to be. */
  readonly lines: number
  /** Of these, lines since the outage began. */
  readonly probes: number
  readonly allowed: number
  readonly requested: number
}

interface Outage {
  readonly sinceAtMs: AtMs
  /** The latest call over the failing trunk. */
  probedAtMs: AtMs
}

interface Trunk {
  placed: AtMs[]
  /** Calls of the last ten seconds that never reached a phone. */
  failures: AtMs[]
  outage: Outage | undefined
  /** The trunk tells when phones ring: a call without any sign of life is then a failure. */
  hasRung: boolean
}

const SECOND_MS = 1_000
/** A second's calls are spread over its tenths: twenty at once make carriers refuse, and keep callees waiting. */
const TENTH_MS = 100
/** F-A11: after so many failures within so long, only one probe at a time goes over the trunk. */
const FAILURES_MAX = 5
/** In milliseconds: older failures say nothing about the trunk. */
export const FAILURES_WITHIN_MS = 10_000
const PROBE_EVERY_MS = 5_000

/** How fast the engine calls over each trunk, and whether the trunk works. */
export class TrunkPace {
  readonly #trunks = new Map<string, Trunk>()
  readonly #onOutage: (name: string, isFailing: boolean) => void

  /** `onOutage`: an outage began or is over. */
  constructor(onOutage: (name: string, isFailing: boolean) => void) {
    this.#onOutage = onOutage
  }

  placed(name: string, atMs: AtMs): void {
    const trunk = this.#of(name)
    trunk.placed = [...trunk.placed.filter((one) => one > atMs - SECOND_MS), atMs]
    if (trunk.outage) trunk.outage.probedAtMs = atMs
  }

  failed(name: string, atMs: AtMs): void {
    const trunk = this.#of(name)
    trunk.failures = [...trunk.failures.filter((one) => one > atMs - FAILURES_WITHIN_MS), atMs]
    if (trunk.outage || trunk.failures.length < FAILURES_MAX) return
    trunk.outage = { sinceAtMs: atMs, probedAtMs: atMs }
    this.#onOutage(name, true)
  }

  /** A call that was dialed then reached its phone, or its network: only later failures say something. */
  cameThrough(name: string, dialedAtMs: AtMs): void {
    const trunk = this.#of(name)
    trunk.failures = trunk.failures.filter((atMs) => atMs > dialedAtMs)
    if (!trunk.outage || dialedAtMs < trunk.outage.sinceAtMs) return
    trunk.failures = []
    trunk.outage = undefined
    this.#onOutage(name, false)
  }

  rang(name: string, dialedAtMs: AtMs): void {
    this.#of(name).hasRung = true
    this.cameThrough(name, dialedAtMs)
  }

  hasRung(name: string): boolean {
    return this.#of(name).hasRung
  }

  failingSince(name: string): AtMs | undefined {
    return this.#of(name).outage?.sinceAtMs
  }

  useOf(
    { name, linesMax, callsPerSecondMax }: TrunkLimits,
    { lines, probes, allowed, requested }: TrunkLines,
    nowMs: AtMs,
  ): PacedUse {
    const { placed, outage } = this.#of(name)
    const mayProbe = outage === undefined || (nowMs >= outage.probedAtMs + PROBE_EVERY_MS && probes === 0)
    const placedWithin = (ms: number) => placed.filter((atMs) => atMs > nowMs - ms).length
    const linesInUse = lines + allowed
    return {
      name,
      isFailing: !mayProbe || (outage !== undefined && allowed > 0),
      linesInUse,
      // Of several numbers that would ring together, one is the probe.
      linesMax: outage ? Math.min(linesMax, linesInUse + 1) : linesMax,
      perSecondMax: callsPerSecondMax,
      placedLastSecond: placedWithin(SECOND_MS) + allowed,
      placedLastTenth: placedWithin(TENTH_MS) + requested,
      probesLeft: outage ? Math.max(0, (mayProbe ? 1 : 0) - requested) : Number.POSITIVE_INFINITY,
    }
  }

  #of(name: string): Trunk {
    const known = this.#trunks.get(name)
    if (known) return known
    const trunk: Trunk = { placed: [], failures: [], outage: undefined, hasRung: false }
    this.#trunks.set(name, trunk)
    return trunk
  }
}

/** Free lines of the trunk now, within its lines and its calls per second and per tenth. */
export function linesLeft(use: PacedUse): number {
  const { linesInUse, linesMax, probesLeft } = use
  return Math.max(0, Math.min(linesMax - linesInUse, callsLeft(use), probesLeft))
}

/** Why the trunk has no more free lines than these (pacing-16). */
export function whyNoMoreLines(use: PacedUse): PacingReason {
  if (Number.isFinite(use.probesLeft)) return 'carrierFailing'
  return callsLeft(use) < use.linesMax - use.linesInUse ? 'paced' : 'trunkFull'
}

/** Calls that may be placed now, within those of a second and of a tenth. */
function callsLeft({ placedLastSecond, placedLastTenth, perSecondMax }: PacedUse): number {
  return Math.min(perSecondMax - placedLastSecond, Math.ceil(perSecondMax / 10) - placedLastTenth)
}

/** Whether only the pace delays the next line: the trunk has room again in a moment. */
export function isPaced(use: PacedUse): boolean {
  return use.probesLeft > 0 && use.linesInUse < use.linesMax && linesLeft(use) === 0
}
