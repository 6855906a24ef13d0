import { type BridgeId, type LegId, OUR_PREFIX } from '../kernel/ids.ts'
import { callerOf } from './caller.ts'
import type { Leg } from './channel-registry.ts'
import { legOfEar } from './ears/ear-channels.ts'
import { isSide } from './recording-channels.ts'

/** The fields of Asterisk's channel list that matter here. */
interface FoundChannel {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly caller?: { readonly number?: string }
  /** Of its SIP messages. */
  readonly protocol_id?: string
  readonly dialplan: { readonly exten: string }
}

export interface Found {
  readonly channels: readonly FoundChannel[]
  readonly bridges: readonly { readonly id: string; readonly channels: readonly string[] }[]
  /** Ids that Asterisk counts to our application. */
  readonly appChannels: ReadonlySet<string>
  readonly appBridges: ReadonlySet<string>
}

/** The engine's state before the comparison. */
export interface Known {
  readonly legs: ReadonlyMap<LegId, Pick<Leg, 'id' | 'kind' | 'answered'>>
  readonly bridges: ReadonlyMap<BridgeId, KnownBridge>
  readonly expected: Expected
}

/** Legs and bridges that an earlier engine created. */
interface Expected {
  readonly legs: ReadonlySet<LegId>
  readonly bridges: ReadonlySet<BridgeId>
}

interface KnownBridge {
  readonly id: BridgeId
  readonly legs: ReadonlySet<LegId>
  readonly joined: ReadonlySet<LegId>
}

/** What to report, and to do, until both sides agree again. */
export interface Differences {
  /** Known legs that are gone, and expected legs that do not exist. */
  readonly lost: readonly LegId[]
  /** Known legs that were answered during the gap. */
  readonly answered: readonly LegId[]
  /** Known legs that are in their bridge, which was not reported. */
  readonly joined: readonly { readonly bridge: BridgeId; readonly leg: LegId }[]
  /** Known legs that were in their bridge, which is there without them. */
  readonly outside: readonly { readonly bridge: BridgeId; readonly leg: LegId }[]
  /** Expected legs that are alive, and where. */
  readonly inherited: readonly {
    readonly leg: LegId
    readonly isUp: boolean
    readonly isSilent?: true
    readonly bridge?: BridgeId
  }[]
  /** Bridges that were expected, or hold an expected leg; they are kept also with one leg or none. */
  readonly inheritedBridges: readonly BridgeId[]
  /** Callers in our application whom no engine serves: they hear silence. */
  readonly arrived: readonly {
    readonly leg: LegId
    readonly called: string
    readonly caller?: string
    readonly isUp: boolean
  }[]
  /** Conversations that go on and that this engine does not know. They are left alone. */
  readonly talking: readonly { readonly bridge: BridgeId; readonly legs: readonly LegId[] }[]
  /** Known bridges that are gone although their legs are not: the parties no longer hear each other. */
  readonly broken: readonly BridgeId[]
  /** Our channels and bridges without an owner. */
  readonly closeChannels: readonly string[]
  readonly closeBridges: readonly string[]
}

/** Compares the engine's state with Asterisk's. Pure. */
export function differences(known: Known, found: Found): Differences {
  const channels: Channels = new Map(found.channels.map((channel) => [channel.id, channel]))
  // A caller who left our application is in the dialplan: for the engine the leg has ended.
  const isThere = (id: LegId, isDialed: boolean) => channels.has(id) && (isDialed || found.appChannels.has(id))
  const legs = [...known.legs.values()]
  const living = legs.filter((leg) => isThere(leg.id, leg.kind === 'dialed'))
  const expected = [...known.expected.legs].filter((id) => !known.legs.has(id))
  const inherited = new Set(expected.filter((id) => isThere(id, isOurs(id))))

  const unknown = found.bridges.filter(
    ({ id }) => !known.bridges.has(id as BridgeId) && (isOurs(id) || found.appBridges.has(id)),
  )
  const isInherited = (bridge: FoundBridge) =>
    known.expected.bridges.has(bridge.id as BridgeId) || bridge.channels.some((id) => inherited.has(id as LegId))
  const inheritedBridges = unknown.filter(isInherited)
  const foreign = unknown.filter((bridge) => !isInherited(bridge))
  // Ears do not survive a gap: who was not judged by then counts as a person.
  const bridges = foreign.filter(({ id }) => legOfEar(id) === undefined)
  const ears = foreign.filter(({ id }) => legOfEar(id) !== undefined)

  const isKnown = (id: string) => known.legs.has(id as LegId) || inherited.has(id as LegId)
  const talking = bridges.filter((bridge) => bridge.channels.length >= 2 && !bridge.channels.some(isKnown))
  const spokenFor = new Set(talking.flatMap((bridge) => bridge.channels))
  const strangers = found.channels.filter(
    ({ id }) => !isKnown(id) && !spokenFor.has(id) && !isSide(id) && (found.appChannels.has(id) || isOurs(id)),
  )
  return {
    lost: [...legs.filter((leg) => !living.includes(leg)).map(byId), ...expected.filter((id) => !inherited.has(id))],
    answered: living.filter((leg) => !leg.answered && channels.get(leg.id)?.state === 'Up').map(byId),
    joined: [...known.bridges.values()].flatMap((bridge) => unseenJoins(bridge, found)),
    outside: [...known.bridges.values()].flatMap((bridge) => unseenExits(bridge, channels, found)),
    inherited: [...inherited].map((leg) => whereabouts(leg, channels, inheritedBridges)),
    inheritedBridges: inheritedBridges.map(({ id }) => id as BridgeId),
    arrived: strangers.filter((channel) => !isOurs(channel.id)).map(arrival),
    talking: talking.map(({ id, channels }) => ({ bridge: id as BridgeId, legs: channels as readonly LegId[] })),
    broken: [...known.bridges.values()].filter((bridge) => isBroken(bridge, channels, found)).map(byId),
    closeChannels: strangers.map(byId).filter(isOurs),
    closeBridges: [...bridges.filter((bridge) => bridge.channels.length < 2), ...ears].map(byId),
  }
}

type Channels = ReadonlyMap<string, FoundChannel>
type FoundBridge = Found['bridges'][number]

const byId = <Id>({ id }: { readonly id: Id }): Id => id
const isOurs = (id: string) => id.startsWith(OUR_PREFIX)

function arrival(channel: FoundChannel) {
  const { id, dialplan, state } = channel
  return { leg: id as LegId, called: dialplan.exten, ...callerOf(channel), isUp: state === 'Up' }
}

function whereabouts(leg: LegId, channels: Channels, bridges: readonly FoundBridge[]) {
  const bridge = bridges.find((bridge) => bridge.channels.includes(leg))?.id as BridgeId | undefined
  const state = channels.get(leg)?.state
  // Created, and perhaps dialed: the network has not responded yet.
  const isSilent = state === 'Down' && ({ isSilent: true } as const)
  return { leg, isUp: state === 'Up', ...isSilent, ...(bridge && { bridge }) }
}

function unseenJoins({ id, legs, joined }: KnownBridge, found: Found) {
  const inside = new Set(found.bridges.find((bridge) => bridge.id === id)?.channels)
  return [...legs].filter((leg) => inside.has(leg) && !joined.has(leg)).map((leg) => ({ bridge: id, leg }))
}

function unseenExits({ id, joined }: KnownBridge, channels: Channels, found: Found) {
  const bridge = found.bridges.find((one) => one.id === id)
  const outside = bridge ? [...joined].filter((leg) => channels.has(leg) && !bridge.channels.includes(leg)) : []
  return outside.map((leg) => ({ bridge: id, leg }))
}

function isBroken({ id, legs, joined }: KnownBridge, channels: Channels, found: Found) {
  const hasLivingLegs = joined.size > 0 && [...legs].filter((leg) => channels.has(leg)).length >= 2
  return hasLivingLegs && !found.bridges.some((bridge) => bridge.id === id)
}
