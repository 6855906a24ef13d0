/**
 * Asterisk's events in the words of the port. Each type has one line in one table; each event finds its leg,
 * playback or bridge in the ledger by id, and one that finds nothing there is over and tells nothing. That is how
 * doubled, late and reordered events are survived (F-A5).
 */
import { type BridgeId, type LegId, OUR_PREFIX, type PlaybackId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { RecordingFailed, RecordingFinished } from './ari-types.ts'
import { callerOf } from './caller.ts'
import { endOf } from './causes.ts'
import type { ChannelRegistry, Leg } from './channel-registry.ts'
import type { UsedEvent } from './used-events.ts'

/** Where translated facts go. */
export interface Telling {
  emit(event: PbxEvent): void
  /** The channel of a leg that we want to ring is there, and can be dialed. */
  made(leg: LegId): void
  /** A leg we rang rings, or was answered, after we had given it up: somebody is about to hear silence. */
  stray(leg: LegId): void
  /** The dialplan brings a leg back that was sent to be judged. `status` is Asterisk's `AMDSTATUS`. */
  judged(leg: LegId, status: string): void
  /** A channel that is to listen in on a leg is in our application. */
  listening(side: string): void
  recorded(event: RecordingFinished | RecordingFailed): void
}

type Translators = {
  readonly [T in UsedEvent['type']]?: (
    event: Extract<UsedEvent, { type: T }>,
    registry: ChannelRegistry,
    telling: Telling,
  ) => void
}

const TRANSLATORS: Translators = {
  StasisStart({ channel, args }, registry, telling) {
    const leg = channel.id as LegId
    if (args[0] === 'dialed') {
      const known = registry.legs.get(leg)
      if (!known) telling.stray(leg)
      else if (channel.state === 'Up') tellAnswered(known, telling)
      else telling.made(leg)
    } else if (args[0] === 'judged') {
      if (registry.legs.has(leg)) telling.judged(leg, args[1] ?? '')
      else telling.stray(leg)
    } else if (args[0] === 'side') {
      telling.listening(channel.id)
    } else if (!registry.legs.has(leg) && !registry.hasEnded(leg)) {
      registry.addLeg(leg, 'arrived')
      telling.emit({ type: 'leg.arrived', leg, called: args[1] ?? channel.dialplan.exten, ...callerOf(channel) })
    }
  },

  // Order of an answer, measured: first this, then the answer to our request (asterisk.md 3).
  ChannelStateChange({ channel }, registry, telling) {
    const leg = registry.legs.get(channel.id as LegId)
    if (channel.state === 'Ringing') tellRinging(channel.id as LegId, registry, telling)
    if (channel.state !== 'Up') return
    if (leg) tellAnswered(leg, telling)
    else if (isGivenUp(channel.id as LegId, registry)) telling.stray(channel.id as LegId)
  },

  // SIP 180 comes this way too; 183, a sound of the network's own while it rings, only this way.
  Dial({ peer, dialstatus }, registry, telling) {
    const isRinging = dialstatus === 'RINGING' || dialstatus === 'PROGRESS'
    if (isRinging) tellRinging(peer.id as LegId, registry, telling)
  },

  ChannelDtmfReceived({ channel, digit }, registry, telling) {
    const leg = channel.id as LegId
    if (registry.legs.has(leg)) telling.emit({ type: 'leg.digit', leg, digit })
  },

  // Comes before everything that a hang-up brings down with it.
  ChannelHangupRequest({ channel, cause }, registry) {
    const leg = registry.legs.get(channel.id as LegId)
    if (leg) leg.hangUpCause = cause ?? 0
  },

  // The end of a leg that arrived: its ChannelDestroyed does not come (asterisk.md 7).
  StasisEnd({ channel }, registry, telling) {
    const leg = registry.legs.get(channel.id as LegId)
    if (leg?.kind === 'dialed') return
    registry.endLeg(channel.id as LegId)
    if (!leg) return
    const { hangUpAsked, hangUpCause: cause = 0 } = leg
    telling.emit({ type: 'leg.ended', leg: leg.id, ...endOf({ cause, connected: true, hangUpAsked }) })
  },

  // The end of a leg we rang, whether it was answered or not.
  ChannelDestroyed({ channel, cause, tech_cause: techCause }, registry, telling) {
    const leg = registry.legs.get(channel.id as LegId)
    registry.endLeg(channel.id as LegId)
    if (!leg) return
    const { answered: connected, hangUpAsked, unsent } = leg
    const end = endOf({ cause, techCause, connected, hangUpAsked })
    telling.emit({ type: 'leg.ended', leg: leg.id, ...end, ...(unsent && { neverSent: true }) })
  },

  // Comes once for every sound of a list (measured); the first one starts the playback.
  PlaybackStarted({ playback }, registry, telling) {
    const known = registry.playbacks.get(playback.id as PlaybackId)
    if (!known || known.started || isLeaving(known.leg, registry)) return
    known.started = true
    telling.emit({ type: 'playback.started', leg: known.leg, playback: known.id })
  },

  PlaybackFinished({ playback }, registry, telling) {
    const known = registry.playbacks.get(playback.id as PlaybackId)
    if (!known) return
    registry.endPlayback(known.id)
    if (isLeaving(known.leg, registry)) return
    // Asterisk writes "done" for a playback that was stopped, too; only we know that we asked (asterisk.md 8).
    const result = known.stopAsked ? 'stopped' : playback.state === 'failed' ? 'failed' : 'finished'
    telling.emit({ type: 'playback.ended', leg: known.leg, playback: known.id, result })
  },

  ChannelEnteredBridge({ channel, bridge }, registry, telling) {
    const leg = channel?.id as LegId
    const known = registry.bridges.get(bridge.id as BridgeId)
    // Whether it is still wished: the leg may be on its way into another bridge.
    if (!known?.legs.has(leg) || known.joined.has(leg)) return
    known.joined.add(leg)
    telling.emit({ type: 'bridge.joined', bridge: known.id, leg })
  },

  RecordingFinished: (event, _registry, telling) => telling.recorded(event),
  RecordingFailed: (event, _registry, telling) => telling.recorded(event),
}

/** Whether the hang-up of a leg is under way: what fails then fails because of it, and its end says so. */
function isLeaving(leg: LegId, registry: ChannelRegistry): boolean {
  return registry.legs.get(leg)?.hangUpCause !== undefined
}

/** Says in our words what `event` means, and writes it into the ledger. */
export function translate(event: UsedEvent, registry: ChannelRegistry, telling: Telling): void {
  const translator = TRANSLATORS[event.type] as ((...args: [UsedEvent, ChannelRegistry, Telling]) => void) | undefined
  translator?.(event, registry, telling)
}

function isGivenUp(id: LegId, registry: ChannelRegistry): boolean {
  return id.startsWith(OUR_PREFIX) && !registry.legs.has(id) && registry.hasEnded(id)
}

/** Tells once that a leg rings. One that was given up, and rings all the same, is a stray. */
function tellRinging(id: LegId, registry: ChannelRegistry, telling: Telling): void {
  const leg = registry.legs.get(id)
  if (isGivenUp(id, registry)) telling.stray(id)
  if (!leg || leg.rang || leg.answered) return
  leg.rang = true
  telling.emit({ type: 'leg.ringing', leg: id })
}

/** Tells once that a leg is answered, whichever sign of it comes first. */
export function tellAnswered(leg: Leg, telling: Pick<Telling, 'emit'>): void {
  if (leg.answered) return
  leg.answered = true
  leg.unsent = undefined
  telling.emit({ type: 'leg.answered', leg: leg.id })
}
