/** Keeps the right to dial alive. An engine that slept notices here, before it does anything else (F-A3). */
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerOptions } from '../context.ts'
import { ClockSteps } from './clock-steps.ts'

/** A node that has not renewed its lease for so long may have been replaced. */
const LIFE_MS = 10_000
/** The other node may only be cut off from the database: its calls go on. */
const CUT_OFF_MAX_MS = 60_000
const NEVER_MS = 10 * 365 * 24 * 3_600_000
const RENEW_EVERY_MS = 2_500
const RETRY_MS = 500

interface NodeLeaseHolderOptions
  extends Pick<DialerOptions, 'dialerRepository' | 'node' | 'instance' | 'mayHoldLease'> {
  readonly clock: Clock
  readonly log: Log
  /** A new lease: open attempts of earlier leases must be settled before dialing. */
  readonly onTaken: (lease: NodeLease) => void
  readonly onLost: () => void
  /** The lease had run out: runs before it is held again. Where it rejects, the lease is asked for once more. */
  readonly onReturn: () => Promise<void>
}

/** Takes, renews and returns the node's lease. */
export class NodeLeaseHolder {
  readonly #options: NodeLeaseHolderOptions
  #lease: NodeLease | undefined
  /** By our own clock, counted from before the request: never later than the database's own instant. */
  #untilAtMs: AtMs = 0
  /** Since then it was ours at every instant. */
  #sinceAtMs: AtMs = 0
  #timer: Timer | undefined
  readonly #clockSteps = new ClockSteps()
  #apartMs = 0
  #isStopped = false
  /** It is tried twice a second, perhaps for days: told once. */
  #isToldMissing = false

  constructor(options: NodeLeaseHolderOptions) {
    this.#options = options
  }

  /** Retries until there is a lease, then renews it. */
  start(): void {
    void this.#takeLease()
  }

  /** The lease, as long as it is certainly ours. */
  get held(): NodeLease | undefined {
    return this.#options.clock.nowMs() < this.#untilAtMs ? this.#lease : undefined
  }

  /** How far apart our clock and that of the database were when it last answered, beyond the time of the answer. */
  get clocksApartMs(): number {
    return this.#apartMs
  }

  /**
   * How long the lease of another node must be over to be that of a dead one. After an outage of the database that both
   * had, the other one may come back a little later than we.
   */
  get graceMs(): number {
    const isLong = this.held !== undefined && this.#options.clock.nowMs() - this.#sinceAtMs >= CUT_OFF_MAX_MS
    return isLong ? CUT_OFF_MAX_MS : NEVER_MS
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    const lease = this.#lease
    this.#lease = undefined
    if (lease) await this.#options.dialerRepository.dropLease(lease).catch(() => {})
  }

  get #mayHold(): boolean {
    return this.#options.mayHoldLease?.() ?? true
  }

  async #takeLease(): Promise<void> {
    const { dialerRepository, clock, node, instance, onTaken, onReturn } = this.#options
    if (!this.#mayHold) return this.#later(RETRY_MS, () => this.#takeLease())
    const askedAtMs = clock.nowMs()
    try {
      const lease = await dialerRepository.takeLease(node, LIFE_MS, instance)
      await onReturn()
      if (this.#isStopped) return
      this.#hold(lease, askedAtMs)
      onTaken(lease)
      this.#later(RENEW_EVERY_MS, () => this.#renew())
    } catch (error) {
      this.#tellMissing(error)
      this.#later(RETRY_MS, () => this.#takeLease())
    }
  }

  async #renew(): Promise<void> {
    const { dialerRepository, clock, onLost, onReturn } = this.#options
    const askedAtMs = clock.nowMs()
    const before = this.#lease
    if (!before) return
    if (!this.#mayHold) return this.#later(RETRY_MS, () => this.#renew())
    try {
      const lease = await dialerRepository.renewLease(before, LIFE_MS, this.#clockSteps.seenMaxMs(before.databaseAtMs))
      if (lease && !this.held) await onReturn()
      if (this.#isStopped) return
      if (lease) {
        this.#hold(lease, askedAtMs)
        return this.#later(RENEW_EVERY_MS, () => this.#renew())
      }
      this.#lease = undefined
      onLost()
      this.#later(0, () => this.#takeLease())
    } catch (error) {
      // The lease may expire meanwhile; `held` knows.
      this.#tellMissing(error)
      this.#later(RETRY_MS, () => this.#renew())
    }
  }

  #hold(lease: NodeLease, askedAtMs: AtMs): void {
    if (!this.held) this.#sinceAtMs = askedAtMs
    this.#lease = lease
    this.#untilAtMs = askedAtMs + LIFE_MS
    this.#isToldMissing = false
    const nowMs = this.#options.clock.nowMs()
    this.#apartMs = Math.max(0, lease.databaseAtMs - nowMs, askedAtMs - lease.databaseAtMs)
    const step = this.#clockSteps.seen(lease.databaseAtMs, nowMs)
    if (step) this.#options.log.warn(step, 'a clock has stepped: its instants are not remembered for ten minutes')
  }

  #tellMissing(error: unknown): void {
    const why = String(error)
    const text = 'the database takes no lease; without one nothing is dialed'
    if (!this.#isToldMissing) this.#options.log.warn({ why }, text)
    this.#isToldMissing = true
  }

  #later(ms: number, action: () => Promise<void>): void {
    if (this.#isStopped) return
    const { clock } = this.#options
    this.#timer = clock.schedule(clock.nowMs() + ms, () => void action())
  }
}
