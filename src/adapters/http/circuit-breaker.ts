import type { AtMs, Clock } from '../../kernel/clock.ts'
import { LruMap } from './lru-map.ts'

type Health = 'well' | 'ill'

/** This many failures within this time open a circuit (flow-language.md 3.2, F-E2). */
const FAILURES_TO_OPEN = 5
const WINDOW_MS = 30_000

/** While open, one request per interval goes through as a probe. */
const PROBE_EVERY_MS = 10_000

/** Our choice: "5 failures in 30 s" on a quiet host; on a busy one, one failure in a hundred cuts off no caller. */
const REMEMBERED_MAX = 10

/** A circuit takes a few hundred bytes; the limit matters when a flow makes up host names. */
const HOSTS_MAX = 1_000

interface Circuit {
  /** The last exchanges while closed, oldest first. */
  recent: { atMs: AtMs; ill: boolean }[]
  /** Set while open. */
  nextProbeAtMs: AtMs | undefined
}

/**
 * The circuits of web hosts: a request to a failing host ends at once, so callers do not wait for it. A closed circuit
 * opens after 5 failures in 30 s; a successful probe, one every 10 s, closes it.
 *
 * Not the `RedisCircuitBreaker`: a web host serves many callers at once, so failures count despite successes between
 * them. Not the `TrunkPace` of the engine (`isFailing`): there, any call that the trunk accepts proves that it works.
 */
export class HttpCircuitBreaker {
  readonly #clock: Clock
  readonly #circuits = new LruMap<string, Circuit>(HOSTS_MAX)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether to ask the host now. An open circuit lets one request per interval through: the probe. */
  mayAsk(host: string): boolean {
    const circuit = this.#circuits.get(host)
    if (circuit?.nextProbeAtMs === undefined) return true
    if (this.#clock.nowMs() < circuit.nextProbeAtMs) return false
    // The next probe is set here, not when this one ends: a cancelled probe must not block the host.
    circuit.nextProbeAtMs = this.#clock.nowMs() + PROBE_EVERY_MS
    return true
  }

  /** Reports how an exchange ended. Returns `opened` or `closed` when that changed the circuit. */
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

  get size(): number {
    return this.#circuits.size
  }
}
