import type { Clock } from './clock.ts'
import { type Random, randomText } from './random.ts'

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
