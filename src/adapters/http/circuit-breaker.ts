import type { AtMs, Clock } from '../../kernel/clock.ts'
import { LruMap } from './lru-map.ts'

/** What an exchange says about a host's health. */
type Health = 'well' | 'ill'

/** Failures that open a circuit, and the time in which they must fall (flow-language.md 3.2, F-E2). */
const FAILURES_TO_OPEN = 5
const WINDOW_MS = 30_000

/** While open, one request per this long goes through, to see whether the host is back. */
const PROBE_EVERY_MS = 10_000

/**
 * Our choice: of the last ten exchanges. On a quiet host that is the plain rule "5 failures in 30 s"; on a busy
 * one it keeps one failure in a hundred from cutting off all callers.
 */
const REMEMBERED_MAX = 10

/** A host is a few hundred bytes; a flow that makes up names must not grow this for ever. */
const HOSTS_MAX = 1_000

interface Circuit {
  /** The last exchanges while closed, oldest first. */
  recent: { atMs: AtMs; ill: boolean }[]
  /** Set while open. */
  nextProbeAtMs: AtMs | undefined
}

/**
 * Stops asking hosts that do not answer, so that callers do not wait for them one after the other.
 *
 *   closed ──5 failures in 30 s──▶ open ──a probe every 10 s: well──▶ closed
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #circuits = new LruMap<string, Circuit>(HOSTS_MAX)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the host may be asked now. An open circuit says yes once per probe interval: that one is the probe. */
  mayAsk(host: string): boolean {
    const circuit = this.#circuits.get(host)
    if (circuit?.nextProbeAtMs === undefined) return true
    if (this.#clock.nowMs() < circuit.nextProbeAtMs) return false
    // The next turn is set here and not when the probe ends: a probe that is cancelled blocks nobody.
    circuit.nextProbeAtMs = this.#clock.nowMs() + PROBE_EVERY_MS
    return true
  }

  /** Tells how an exchange ended. Answers `opened` or `closed` when that changed the circuit. */
  report(host: string, health: Health): 'opened' | 'closed' | undefined {
    const circuit = this.#circuits.get(host) ?? { recent: [], nextProbeAtMs: undefined }
    if (circuit.nextProbeAtMs !== undefined) {
      if (health === 'ill') return undefined
      this.#circuits.delete(host)
      return 'closed'
    }
    const nowMs = this.#clock.nowMs()
    circuit.recent = circuit.recent.filter(({ atMs }) => atMs > nowMs - WINDOW_MS).slice(1 - REMEMBERED_MAX)
    circuit.recent.push({ atMs: nowMs, ill: health === 'ill' })
    this.#circuits.set(host, circuit)
    if (circuit.recent.filter(({ ill }) => ill).length < FAILURES_TO_OPEN) return undefined
    circuit.recent = []
    circuit.nextProbeAtMs = nowMs + PROBE_EVERY_MS
    return 'opened'
  }

  /** How many hosts are remembered. */
  get size(): number {
    return this.#circuits.size
  }
}
