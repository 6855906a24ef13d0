import type { AtMs } from '../kernel/clock.ts'
import type { Branded } from '../kernel/ids.ts'
import { type Random, randomInt } from '../kernel/random.ts'

/** Names one event for ever: on every retry, at every receiver, in the feed. Receivers use it to find doubles. */
export type EventId = Branded<string, 'EventId'>

/** What subscriptions can ask for (Interface §6). */
export const EVENT_TYPES = ['phone-call.ended', 'phone-call-summary.creation', 'phone-call-summary.update'] as const

/** One of the types that subscriptions can ask for. */
export type EventType = (typeof EVENT_TYPES)[number]

/**
 * A past fact that integrators are told of. It names things and says nothing about them: who wants more looks it
 * up, and then sees a state at least as new as the event (decisions D-26).
 */
export type WebhookEvent = {
  readonly id: EventId
  /** When the fact happened, not when it was told. */
  readonly atMs: AtMs
  /** Whose call it was: no other corporation hears of it. */
  readonly corporation: number
  readonly environment: 'production' | 'development'
  /** The external system the call belongs to; absent where it belongs to none. */
  readonly systemCode?: string
} & EventFact

/** What happened. `activity` is the number of the call activity, `version` counts the summary's versions from 1. */
export type EventFact =
  | { readonly type: 'phone-call.ended'; readonly activity: number }
  | {
      readonly type: 'phone-call-summary.creation' | 'phone-call-summary.update'
      readonly activity: number
      readonly version: number
    }
  /** Asked for by the owner of a subscription, to see whether it works (D-25). */
  | { readonly type: 'webhook.test' }

/** Crockford's base 32: no letter that is mistaken for a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LETTERS = 10
const CHANCE_LETTERS = 16

/**
 * An id such as `evt_01JH…`: a ULID (github.com/ulid/spec), which sorts by time, and holds no full stop, because
 * that divides the parts of what is signed (Standard Webhooks, "Signature scheme").
 */
export function makeEventId(atMs: AtMs, random: Random): EventId {
  let time = ''
  for (let left = atMs, i = 0; i < TIME_LETTERS; i++, left = Math.floor(left / 32)) time = LETTERS[left % 32] + time
  let chance = ''
  for (let i = 0; i < CHANCE_LETTERS; i++) chance += LETTERS[randomInt(random, 0, 31)]
  return `evt_${time}${chance}` as EventId
}
