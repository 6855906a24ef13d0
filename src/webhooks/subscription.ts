import type { AtMs } from '../kernel/clock.ts'
import type { WebhookSecret } from '../kernel/ids.ts'
import type { DatedSecret, DisabledBecause, Subscription, WebhookEvent } from '../ports/webhook.ts'

type Rotation = { readonly ok: true; readonly subscription: Subscription } | { readonly ok: false; why: string }

/** Each valid secret adds a signature to every post. */
const SECRETS_MAX = 3
/** Our choice: longer than a receiver needs to change a setting, shorter than a leaked secret should live. */
const OVERLAP_MAX_MS = 7 * 24 * 3_600_000

/** Whether a subscription gets an event. A test goes only to the subscription that asked for it. */
export function wants(subscription: Subscription, event: WebhookEvent): boolean {
  const { corporation, events, systemCodes, disabled } = subscription
  if (disabled || event.corporation !== corporation || event.type === 'webhook.test') return false
  if (!events.includes(event.type)) return false
  return systemCodes.length === 0 || (event.systemCode !== undefined && systemCodes.includes(event.systemCode))
}

/** The secrets that are valid now, newest first. */
export function secretsInForce({ secrets }: Subscription, nowMs: AtMs): WebhookSecret[] {
  return secrets.filter((dated) => isInForce(dated, nowMs)).map(({ secret }) => secret)
}

/** Adds a secret. The old ones stay valid for `overlapMs` at most, which gives the receiver time to change. */
export function rotateSecret(
  subscription: Subscription,
  secret: WebhookSecret,
  overlapMs: number,
  nowMs: AtMs,
): Rotation {
  if (overlapMs < 0 || overlapMs > OVERLAP_MAX_MS) {
    return { ok: false, why: `the overlap must be 0 to ${OVERLAP_MAX_MS / 3_600_000} hours` }
  }
  const endAtMs = nowMs + overlapMs
  const older = subscription.secrets
    .map((dated) => ({ ...dated, untilAtMs: Math.min(dated.untilAtMs ?? endAtMs, endAtMs) }))
    .filter((dated) => isInForce(dated, nowMs))
  if (older.length >= SECRETS_MAX) {
    return {
      ok: false,
      why: `${older.length} secrets are still in force; wait for one to end, or rotate with no overlap`,
    }
  }
  return { ok: true, subscription: { ...subscription, secrets: [{ secret }, ...older] } }
}

/** Disables a subscription. A disabled one keeps its first reason. */
export function disable(subscription: Subscription, because: DisabledBecause, nowMs: AtMs): Subscription {
  return subscription.disabled ? subscription : { ...subscription, disabled: { because, sinceAtMs: nowMs } }
}

/** Enables it again. Missed events are in the feed and among the dead letters. */
export function enable({ disabled: _, ...subscription }: Subscription): Subscription {
  return subscription
}

function isInForce({ untilAtMs }: DatedSecret, nowMs: AtMs): boolean {
  return untilAtMs === undefined || nowMs < untilAtMs
}
