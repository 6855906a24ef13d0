import { type BridgeId, type LegId, OUR_PREFIX } from '../kernel/ids.ts'
import { callerOf } from './caller.ts'
import type { Bridge, Leg } from './ledger.ts'

/** A channel as Asterisk lists it; of its many fields those that matter here. */
export interface FoundChannel {
  readonly id: string
  readonly state: string
  readonly caller?: { readonly number?: string }
  readonly dialplan: { readonly exten: string }
}

/** What was found in Asterisk after a (re)connection. */
export interface Found {
  readonly channels: readonly FoundChannel[]
  readonly bridges: readonly { readonly id: string; readonly channels: readonly string[] }[]
  /** Ids that Asterisk counts as our application's. */
  readonly appChannels: ReadonlySet<string>
  readonly appBridges: ReadonlySet<string>
}

/** What we believed until then. */
export interface Known {
  readonly legs: ReadonlyMap<LegId, Pick<Leg, 'id' | 'kind' | 'answered'>>
  readonly bridges: ReadonlyMap<BridgeId, Pick<Bridge, 'id' | 'legs' | 'joined'>>
}

/** What has to be told, and done, so that both sides believe the same again. */
export interface Differences {
  /** Known legs that are not there any more. */
  readonly lost: readonly LegId[]
  /** Known legs that were answered unseen. */
  readonly answered: readonly LegId[]
  /** Callers in our application whom nobody serves: they sit in silence. */
  readonly arrived: readonly { readonly leg: LegId; readonly called: string; readonly caller?: string }[]
  /** Conversations that go on, and nobody here knows of them. They are left alone. */
  readonly talking: readonly { readonly bridge: BridgeId; readonly legs: readonly LegId[] }[]
  /** Known bridges that are gone although their legs are not: people who no longer hear each other. */
  readonly broken: readonly BridgeId[]
  /** Channels and bridges of ours that nobody owns. */
  readonly closeChannels: readonly string[]
  readonly closeBridges: readonly string[]
}

/** Compares what we believed with what is there. Pure. */
export function differences(known: Known, found: Found): Differences {
  const channels = new Map(found.channels.map((channel) => [channel.id, channel]))
  const isThere = ({ id, kind }: Pick<Leg, 'id' | 'kind'>) =>
    // A caller who left our application is in the hands of the dialplan: over, as far as we are concerned.
    channels.has(id) && (kind === 'dialed' || found.appChannels.has(id))
  const legs = [...known.legs.values()]
  const bridges = found.bridges.filter(
    ({ id }) => !known.bridges.has(id as BridgeId) && (id.startsWith(OUR_PREFIX) || found.appBridges.has(id)),
  )
  const isKnown = (id: string) => known.legs.has(id as LegId)
  const talking = bridges.filter((bridge) => bridge.channels.length >= 2 && !bridge.channels.some(isKnown))
  const spokenFor = new Set(talking.flatMap((bridge) => bridge.channels))
  const strangers = found.channels.filter(
    ({ id }) => !isKnown(id) && !spokenFor.has(id) && (found.appChannels.has(id) || id.startsWith(OUR_PREFIX)),
  )
  const isCaller = ({ id }: FoundChannel) => !id.startsWith(OUR_PREFIX)
  return {
    lost: legs.filter((leg) => !isThere(leg)).map(({ id }) => id),
    answered: legs.filter((leg) => isThere(leg) && !leg.answered && channels.get(leg.id)?.state === 'Up').map(byId),
    arrived: strangers.filter(isCaller).map((channel) => ({
      leg: channel.id as LegId,
      called: channel.dialplan.exten,
      ...callerOf(channel),
    })),
    talking: talking.map(({ id, channels }) => ({ bridge: id as BridgeId, legs: channels as readonly LegId[] })),
    broken: [...known.bridges.values()].filter((bridge) => isBroken(bridge, channels, found)).map(({ id }) => id),
    closeChannels: strangers.filter((channel) => !isCaller(channel)).map(byId),
    closeBridges: bridges.filter((bridge) => bridge.channels.length < 2).map(({ id }) => id),
  }
}

const byId = <Id>({ id }: { readonly id: Id }): Id => id

function isBroken({ id, legs, joined }: Pick<Bridge, 'id' | 'legs' | 'joined'>, channels: Channels, found: Found) {
  const hasLivingLegs = joined.size > 0 && legs.filter((leg) => channels.has(leg)).length >= 2
  return hasLivingLegs && !found.bridges.some((bridge) => bridge.id === id)
}

type Channels = ReadonlyMap<string, FoundChannel>
