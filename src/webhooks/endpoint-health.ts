/**
 * The health of an endpoint, and how many posts it may get therefore (D-27). Pure functions from one plain JSON state
 * to the next.
 *
 *   closed ──over 70 % of at least 20 attempts in 5 min failed──▶ open ──a probe went well──▶ closed
 */
import type { AtMs } from '../kernel/clock.ts'
import type { EndpointHealth, HealthSlot } from '../ports/webhook.ts'
import type { Verdict } from './classify-response.ts'

/** D-27: concurrent posts to one endpoint. */
export const IN_FLIGHT_MAX = 8

const WINDOW_MS = 5 * 60_000
const SLOT_MS = 30_000
const ATTEMPTS_TO_OPEN = 20
const ERROR_SHARE_TO_OPEN = 0.7
const PROBE_WAIT_MIN_MS = 30_000
const PROBE_WAIT_MAX_MS = 10 * 60_000
const DAY_MS = 24 * 3_600_000
const WARN_AFTER_MS = 3 * DAY_MS
const DISABLE_AFTER_MS = 5 * DAY_MS

/** The health of a new endpoint. */
export const HEALTHY: EndpointHealth = { slots: [], inFlightMax: IN_FLIGHT_MAX, isOwnerWarned: false }

/** How many more posts may begin now. An open circuit allows a single probe. */
export function placesFree({ open, inFlightMax }: EndpointHealth, inFlight: number, nowMs: AtMs): number {
  if (!open) return Math.max(0, inFlightMax - inFlight)
  return inFlight === 0 && nowMs >= open.probeAtMs ? 1 : 0
}

/** Updates the health by a verdict. `unasked` changes nothing. */
export function afterAnswer(health: EndpointHealth, verdict: Verdict, nowMs: AtMs): EndpointHealth {
  switch (verdict.kind) {
    case 'unasked':
      return health
    case 'accepted':
      return afterSuccess(health, nowMs)
    case 'refused':
      return afterFailure(health, verdict.isStrained, nowMs)
    case 'gone':
      return afterFailure(health, false, nowMs)
  }
}

/** Whether to warn the owner (after three days of failures) or disable the subscription (after five). */
export function silenceOf(
  { failingSinceAtMs, isOwnerWarned }: EndpointHealth,
  nowMs: AtMs,
): 'fine' | 'warn' | 'disable' {
  if (failingSinceAtMs === undefined) return 'fine'
  if (nowMs - failingSinceAtMs >= DISABLE_AFTER_MS) return 'disable'
  return nowMs - failingSinceAtMs >= WARN_AFTER_MS && !isOwnerWarned ? 'warn' : 'fine'
}

/** Slow start: one post at a time after an open circuit; each success doubles the limit. */
function afterSuccess({ slots, open, inFlightMax }: EndpointHealth, nowMs: AtMs): EndpointHealth {
  return {
    slots: counted(open ? [] : slots, 0, nowMs),
    inFlightMax: open ? 1 : Math.min(IN_FLIGHT_MAX, inFlightMax * 2),
    isOwnerWarned: false,
  }
}

function afterFailure(health: EndpointHealth, isStrained: boolean, nowMs: AtMs): EndpointHealth {
  const failing = { ...health, failingSinceAtMs: health.failingSinceAtMs ?? nowMs }
  if (health.open) return { ...failing, open: afterFailedProbe(health.open, nowMs) }
  const slots = counted(health.slots, 1, nowMs)
  const attempts = slots.reduce((sum, slot) => sum + slot.attempts, 0)
  const errors = slots.reduce((sum, slot) => sum + slot.errors, 0)
  if (attempts >= ATTEMPTS_TO_OPEN && errors / attempts > ERROR_SHARE_TO_OPEN) {
    return { ...failing, slots: [], open: { probeAtMs: nowMs + PROBE_WAIT_MIN_MS, waitMs: PROBE_WAIT_MIN_MS } }
  }
  return { ...failing, slots, inFlightMax: isStrained ? 1 : health.inFlightMax }
}

/** A post from before the circuit opened is not a probe: it ends before the first probe is due. */
function afterFailedProbe(open: NonNullable<EndpointHealth['open']>, nowMs: AtMs) {
  if (nowMs < open.probeAtMs) return open
  const waitMs = Math.min(open.waitMs * 2, PROBE_WAIT_MAX_MS)
  return { probeAtMs: nowMs + waitMs, waitMs }
}

function counted(slots: readonly HealthSlot[], errors: 0 | 1, nowMs: AtMs): HealthSlot[] {
  const recent = slots.filter(({ atMs }) => atMs > nowMs - WINDOW_MS)
  const last = recent.at(-1)
  if (!last || nowMs >= last.atMs + SLOT_MS) return [...recent, { atMs: nowMs, attempts: 1, errors }]
  return [...recent.slice(0, -1), { ...last, attempts: last.attempts + 1, errors: last.errors + errors }]
}
