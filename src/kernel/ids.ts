import type { AtMs, Clock } from './clock.ts'
import { type Random, randomInt, randomText } from './random.ts'

declare const brand: unique symbol
/** A string or number that the type checker keeps apart from other kinds. */
export type Branded<T, Name extends string> = T & { readonly [brand]: Name }

/** One conversation, from the caller's point of view. */
export type CallId = Branded<string, 'CallId'>
/** One party's connection to the switch; a channel in Asterisk. */
export type LegId = Branded<string, 'LegId'>
/** Where legs hear each other. */
export type BridgeId = Branded<string, 'BridgeId'>
/** One prompt played to one leg. */
export type PlaybackId = Branded<string, 'PlaybackId'>
/** One time of listening to what a person says. */
export type ListeningId = Branded<string, 'ListeningId'>
/** One recording; also the name of its file, without `.wav`. */
export type RecordingId = Branded<string, 'RecordingId'>
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
/** A user at a telephone system, `reception`: what stands before the `@` of a SIP address. */
export type SipUser = Branded<string, 'SipUser'>
export type UserId = Branded<number, 'UserId'>
export type TeamId = Branded<number, 'TeamId'>
export type InfoFieldId = Branded<number, 'InfoFieldId'>
/** One entry of a campaign's catalogue of outcomes. */
export type OutcomeId = Branded<number, 'OutcomeId'>
export type AttemptId = Branded<number, 'AttemptId'>
/** Calls and cases are activities: they share one number space. */
export type ActivityId = Branded<number, 'ActivityId'>
/** Grows with every lease: of two writers the one with the smaller fence is older (R5). */
export type Fence = Branded<number, 'Fence'>
export type EntityId = Branded<number, 'EntityId'>
/** The role of a contact, such as customer: the subject of activities. */
export type ExtensionId = Branded<number, 'ExtensionId'>
/** A status as a corporation names it; several may have the same meaning. */
export type CustomStatusId = Branded<number, 'CustomStatusId'>
export type PriorityId = Branded<number, 'PriorityId'>
export type CategoryId = Branded<number, 'CategoryId'>
/** Identifies one event on every retry, for every receiver, and in the feed. Receivers use it to find duplicates. */
export type EventId = Branded<string, 'EventId'>
export type SubscriptionId = Branded<number, 'SubscriptionId'>
export type DeliveryId = Branded<number, 'DeliveryId'>
/** One channel of a recording: the snooping channel in Asterisk, which ends with its leg (measured), and its file. */
export type SideName = Branded<string, 'SideName'>
/** Grows with every change of a subscription by its owner or the dispatcher; writes name the version they saw. */
export type SubscriptionVersion = Branded<number, 'SubscriptionVersion'>
/** A random name that the file store chose, never a name from outside (F-J7). */
export type StorageName = Branded<string, 'StorageName'>
/** A signing key: `whsec_` and base64 of 24 to 64 bytes. Never logged. */
export type WebhookSecret = Branded<string, 'WebhookSecret'>
export type LegalHoldId = Branded<number, 'LegalHoldId'>
/** One trial of a revision of a flow. */
export type CanaryId = Branded<number, 'CanaryId'>
/** A contact as the external system knows it: its system code and debtor id together (INV-D3). */
export type ContactKey = Branded<string, 'ContactKey'>

/** The corporation that every installation has; the configuration names its agents and teams. */
export const FIRST_CORPORATION = 1 as CorporationId

/** The call of an attempt: it has the name of the callee's leg. */
export function callOf(leg: LegId): CallId {
  return leg as string as CallId
}

/** Prefix of everything the engine creates in the switch, to find it again after a restart (law 4). */
export const OUR_PREFIX = 'sb-'

const ATTEMPT = new RegExp(`^${OUR_PREFIX}att-(\\d{1,15})$`)

/** The attempt whose leg, and so whose call, has this name; undefined for every other name. */
export function attemptNamed(name: string): AttemptId | undefined {
  const [, digits] = ATTEMPT.exec(name) ?? []
  return digits === undefined ? undefined : (Number(digits) as AttemptId)
}

/** A message that a caller leaves, by its beginning. The name tells a later engine, and the switch, what it is. */
export function messageOf(leg: LegId, atMs: AtMs): RecordingId {
  return `${leg}-message-${atMs}` as RecordingId
}

/** Whether a recording has the name of a message. */
export function isMessage(recording: RecordingId): boolean {
  return /-message-\d+$/.test(recording)
}

/** Makes ids before the things exist. Deterministic: clock and random source are injected. */
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

/** Crockford's base 32: no letter that looks like a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LETTERS = 10
const CHANCE_LETTERS = 16

/**
 * An id such as `evt_01JH…`: a ULID (github.com/ulid/spec), which sorts by time. It holds no full stop, which separates
 * the parts of a signed message (Standard Webhooks, "Signature scheme").
 */
export function makeEventId(atMs: AtMs, random: Random): EventId {
  let time = ''
  for (let left = atMs, i = 0; i < TIME_LETTERS; i++, left = Math.floor(left / 32)) time = LETTERS[left % 32] + time
  let chance = ''
  for (let i = 0; i < CHANCE_LETTERS; i++) chance += LETTERS[randomInt(random, 0, 31)]
  return `evt_${time}${chance}` as EventId
}
