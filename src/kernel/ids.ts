import type { AtMs, Clock } from './clock.ts'
import { type Random, randomInt, randomText } from './random.ts'

declare const brand: unique symbol
/** A string (or number) that cannot be mistaken for another kind of string. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** One conversation as people see it. */
export type CallId = Branded<string, 'CallId'>
/** One party's connection to the switch; a channel in Asterisk's words. */
export type LegId = Branded<string, 'LegId'>
/** Where legs hear each other. */
export type BridgeId = Branded<string, 'BridgeId'>
/** One prompt being spoken to one leg. */
export type PlaybackId = Branded<string, 'PlaybackId'>
/** One recording; also the name of its file, without `.wav`. */
export type RecordingId = Branded<string, 'RecordingId'>
/** One HTTP request of one flow step. */
export type RequestId = Branded<string, 'RequestId'>
export type AgentName = Branded<string, 'AgentName'>
export type TeamName = Branded<string, 'TeamName'>
export type FlowName = Branded<string, 'FlowName'>
export type StepName = Branded<string, 'StepName'>
export type CorporationId = Branded<number, 'CorporationId'>
export type ExternalSystemId = Branded<number, 'ExternalSystemId'>
export type CampaignId = Branded<number, 'CampaignId'>
export type CallTaskId = Branded<number, 'CallTaskId'>
/** A number as the network dials it: `+` and digits (E.164). */
export type PhoneNumber = Branded<string, 'PhoneNumber'>
export type UserId = Branded<number, 'UserId'>
export type TeamId = Branded<number, 'TeamId'>
export type InfoFieldId = Branded<number, 'InfoFieldId'>
export type AttemptId = Branded<number, 'AttemptId'>
/** Calls and cases are activities: their ids come from one number space. */
export type ActivityId = Branded<number, 'ActivityId'>
/** Grows with every lease that is given: of two writers the one with the smaller fence is the older (R5). */
export type Fence = Branded<number, 'Fence'>
export type EntityId = Branded<number, 'EntityId'>
/** The role of a contact, such as customer: what activities are about. */
export type ExtensionId = Branded<number, 'ExtensionId'>
/** A status as a corporation names it; several may do the same. */
export type CustomStatusId = Branded<number, 'CustomStatusId'>
export type PriorityId = Branded<number, 'PriorityId'>
export type CategoryId = Branded<number, 'CategoryId'>
/** Names one event for ever: on every retry, at every receiver, in the feed. Receivers use it to find doubles. */
export type EventId = Branded<string, 'EventId'>
export type SubscriptionId = Branded<number, 'SubscriptionId'>
/** Names one event's way to one subscription; there is one of each pair. */
export type DeliveryId = Branded<number, 'DeliveryId'>
/**
 * One channel of a recording: a channel of Asterisk's that listens in on a leg ("snoop"), and the file that it fills,
 * bear one name. Such a channel ends with its leg by itself (measured), so nobody has to look after it.
 */
export type SideName = Branded<string, 'SideName'>
/** Grows with every change of a subscription that its owner or a courier makes; writes name the one they saw. */
export type SubscriptionVersion = Branded<number, 'SubscriptionVersion'>
/** The name that the store of bytes chose: random, never one that somebody sent (F-J7). */
export type StorageName = Branded<string, 'StorageName'>
/** A signing key as its owner keeps it: `whsec_` and base64 of 24 to 64 bytes. Never logged. */
export type WebhookSecret = Branded<string, 'WebhookSecret'>
export type LegalHoldId = Branded<number, 'LegalHoldId'>
/** A person, as the external system knows them: its code and its debtor id together (INV-D3). */
export type ContactKey = Branded<string, 'ContactKey'>

/** The one that every installation has, and whose agents and teams the set-up names. */
export const FIRST_CORPORATION = 1 as CorporationId

/** The call of an attempt: it bears the name of the callee's leg. */
export function callOf(leg: LegId): CallId {
  return leg as string as CallId
}

/** Everything we ask the switch to make bears this prefix, so that we find what is ours again (law 4). */
export const OUR_PREFIX = 'sb-'

/** Makes names before the things exist. Built from injected time and chance: a seed gives the same names. */
export interface Ids {
  call(): CallId
  leg(): LegId
  bridge(): BridgeId
}

/** Ids such as `sb-call-mhk2v1c0-7f3k9a`: they sort by time and can be read aloud. */
export function makeIds(clock: Clock, random: Random): Ids {
  const id = (kind: string) => `${OUR_PREFIX}${kind}-${clock.nowMs().toString(36)}-${randomText(random, 6)}`
  return {
    call: () => id('call') as CallId,
    leg: () => id('leg') as LegId,
    bridge: () => id('bridge') as BridgeId,
  }
}

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
