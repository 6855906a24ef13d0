/** Translates by one table; events that find nothing in the registry are ignored, so late ones do no harm (F-A5). */
import type { AtMs } from '../kernel/clock.ts'
import { type BridgeId, type LegId, OUR_PREFIX } from '../kernel/ids.ts'
import type { LegPackets, PbxEvent } from '../ports/pbx.ts'
import type { AriEvent, Channel, RecordingFailed, RecordingFinished } from './ari-types.ts'
import { callerOf } from './caller.ts'
import { endOf } from './causes.ts'
import type { ChannelRegistry, Leg, Playback } from './channel-registry.ts'
import { legOfEar } from './ears/ear-channels.ts'
import type { SentKey } from './keys/info-keys.ts'
import { codecsOf, packetsOf } from './leg-sound.ts'

export interface EventTarget {
  emit(event: PbxEvent): void
  /** The channel of a leg to ring exists, and can be dialed. */
  made(leg: LegId): void
  /** A leg that was given up rings or was answered: the callee would hear silence. */
  stray(leg: LegId): void
  /** A leg was answered, and Asterisk names no single codec: there may be no sound. */
  doubted(leg: Leg): void
  /** A channel that brings the sound of the leg to the engine is in our application. */
  hearing(channel: string, leg: LegId): void
  /** A caller's leg is about to be reported as ended. */
  ending(leg: LegId): void
  /** The leg is gone, and with it what belongs to it. */
  gone(leg: LegId): void
  /** A snooping channel is in our application. */
  listening(side: string): void
  /** An unanswered leg is gone: `tell` runs when the network has said so, with the instant of an answer after all. */
  whenFinal(leg: LegId, tell: (answeredAtMs?: AtMs) => void): void
  /** A leg left a bridge, for whatever reason. */
  left(bridge: BridgeId, leg: LegId): void
  recorded(event: RecordingFinished | RecordingFailed): void
  /** A sound of the playback begins. */
  sounding(playback: Playback): void
  /** The playback has ended, and the registry knows it no more. */
  played(playback: Playback): void
}

/** RFC 3261 21.4.18: Temporarily Unavailable. */
const GIVEN_UP = 480
/** RFC 3261 21.4.26: no codec in common. Asterisk also writes it of an answer that names none of ours (measured). */
const NOT_ACCEPTABLE_HERE = 488
const OWN_ENDS: readonly number[] = [GIVEN_UP, NOT_ACCEPTABLE_HERE]

type Translators = {
  readonly [T in AriEvent['type']]?: (
    event: Extract<AriEvent, { type: T }>,
    registry: ChannelRegistry,
    target: EventTarget,
  ) => void
}

const TRANSLATORS: Translators = {
  StasisStart({ channel, args }, registry, target) {
    const leg = channel.id as LegId
    const heard = legOfEar(channel.id)
    if (heard !== undefined) {
      target.hearing(channel.id, heard)
    } else if (args[0] === 'dialed') {
      const known = registry.legs.get(leg)
      if (!known) target.stray(leg)
      else if (channel.state === 'Up') up(known, channel, target)
      else target.made(leg)
    } else if (args[0] === 'side') {
      target.listening(channel.id)
    } else if (!registry.legs.has(leg) && !registry.hasEnded(leg)) {
      registry.addLeg(leg, 'arrived')
      target.emit({ type: 'leg.arrived', leg, called: args[1] ?? channel.dialplan.exten, ...callerOf(channel) })
    }
  },

  // Measured order of an answer: first this event, then the answer to the request (asterisk.md 3).
  ChannelStateChange({ channel }, registry, target) {
    const leg = registry.legs.get(channel.id as LegId)
    if (channel.state === 'Ringing') reportRinging(channel.id as LegId, registry, target)
    if (channel.state !== 'Up') return
    if (leg) up(leg, channel, target)
    else if (isGivenUp(channel.id as LegId, registry)) target.stray(channel.id as LegId)
  },

  // SIP 180 is reported here too; 183, a ringing sound from the network, only here.
  Dial({ peer, dialstatus }, registry, target) {
    const isRinging = dialstatus === 'RINGING' || dialstatus === 'PROGRESS'
    if (isRinging) reportRinging(peer.id as LegId, registry, target)
  },

  ChannelDtmfReceived({ channel, digit, duration_ms: heldMs, timestamp }, registry, target) {
    const leg = registry.legs.get(channel.id as LegId)
    if (!leg) return
    const isPlaying = [...leg.playbacks].some((playback) => registry.playbacks.get(playback)?.started)
    const report = { digit, heldMs, atMs: Date.parse(timestamp), isPlaying }
    if (leg.keys.isNewReport(report)) target.emit({ type: 'leg.digit', leg: leg.id, digit, heldMs })
  },

  // Comes before all other events of a hang-up.
  ChannelHangupRequest({ channel, cause }, registry) {
    const leg = registry.legs.get(channel.id as LegId)
    if (leg) leg.hangUpCause = cause ?? 0
  },

  // The end of a caller's leg: no ChannelDestroyed comes for it (asterisk.md 7).
  StasisEnd({ channel }, registry, target) {
    const leg = registry.legs.get(channel.id as LegId)
    if (leg?.kind === 'dialed') return
    target.ending(channel.id as LegId)
    registry.endLeg(channel.id as LegId)
    if (!leg) return
    const { hangUpAsked, hangUpCause: cause = 0 } = leg
    const ended = { type: 'leg.ended', leg: leg.id, ...endOf({ cause, connected: true, hangUpAsked }) } as const
    target.emit({ ...ended, ...(leg.answered && soundOf(channel)) })
  },

  // The end of a dialed leg, whether it was answered or not.
  ChannelDestroyed({ channel, cause, tech_cause: techCause }, registry, target) {
    const leg = registry.legs.get(channel.id as LegId)
    registry.endLeg(channel.id as LegId)
    if (!leg) return
    target.gone(leg.id)
    const { answered: connected, hangUpAsked, unsent, soundlessAtMs: answeredAtMs } = leg
    if (answeredAtMs !== undefined) {
      const why = { reason: 'failed', code: NOT_ACCEPTABLE_HERE, answeredAtMs } as const
      return target.emit({ type: 'leg.ended', leg: leg.id, ...why })
    }
    const ended = { type: 'leg.ended', leg: leg.id, ...endOf({ cause, techCause, connected, hangUpAsked }) } as const
    if (unsent) return target.emit({ ...ended, neverSent: true })
    if (connected) return target.emit({ ...ended, ...soundOf(channel) })
    // The network or a transaction's timer ended the call, unless Asterisk writes the same of an end that is its own.
    const isOver = !hangUpAsked && techCause !== undefined && !OWN_ENDS.includes(techCause)
    if (isOver) return target.emit(ended)
    target.whenFinal(leg.id, (answeredAtMs) =>
      target.emit({ ...ended, ...(answeredAtMs !== undefined && { answeredAtMs }) }),
    )
  },

  ChannelTalkingStarted: ({ channel }, registry, target) => reportVoice('leg.talking', channel, registry, target),
  ChannelTalkingFinished: ({ channel }, registry, target) => reportVoice('leg.quiet', channel, registry, target),

  // Comes once per sound of a list (measured); the first one starts the playback.
  PlaybackStarted({ playback }, registry, target) {
    registry.turnCame(playback.id)
    const known = registry.playing(playback.id)
    if (!known) return
    target.sounding(known)
    if (known.started || isLeaving(known.leg, registry)) return
    known.started = true
    target.emit({ type: 'playback.started', leg: known.leg, playback: known.id })
  },

  PlaybackFinished({ playback }, registry, target) {
    registry.turnCame(playback.id)
    const known = registry.playing(playback.id)
    if (!known) return
    registry.endPlayback(known.id)
    target.played(known)
    if (isLeaving(known.leg, registry)) return
    // Asterisk also writes "done" for a playback that was stopped; only the engine knows that it asked (asterisk.md 8).
    const result = known.stopAsked ? 'stopped' : playback.state === 'failed' ? 'failed' : 'finished'
    target.emit({ type: 'playback.ended', leg: known.leg, playback: known.id, result })
  },

  ChannelEnteredBridge({ channel, bridge }, registry, target) {
    const leg = channel?.id as LegId
    const known = registry.bridges.get(bridge.id as BridgeId)
    // The leg may be on its way into another bridge.
    if (!known?.legs.has(leg) || known.joined.has(leg)) return
    known.joined.add(leg)
    target.emit({ type: 'bridge.joined', bridge: known.id, leg })
  },

  // The only event of a bridge that is deleted: its own comes to nobody any more (measured).
  ChannelLeftBridge({ channel, bridge: { id } }, _registry, target) {
    target.left(id as BridgeId, channel.id as LegId)
  },

  RecordingFinished: (event, _registry, target) => target.recorded(event),
  RecordingFailed: (event, _registry, target) => target.recorded(event),
}

/** Whether the hang-up of a leg is under way: its playbacks then fail because of it, and the end of the leg says so. */
function isLeaving(leg: LegId, registry: ChannelRegistry): boolean {
  return registry.legs.get(leg)?.hangUpCause !== undefined
}

/** Detection outlives its prompt by moments, and may find a sound before the prompt has begun. */
function reportVoice(
  type: 'leg.talking' | 'leg.quiet',
  { id }: Channel,
  registry: ChannelRegistry,
  target: EventTarget,
): void {
  const leg = registry.legs.get(id as LegId)
  const heard = [...(leg?.playbacks ?? [])].map((playback) => registry.playbacks.get(playback))
  const isHeard = heard.some((one) => one?.hearsVoice && one.started && !one.stopAsked)
  if (leg && isHeard) target.emit({ type, leg: leg.id })
}

/** Translates `event`, and updates the registry. */
export function translate(event: AriEvent, registry: ChannelRegistry, target: EventTarget): void {
  const translator = TRANSLATORS[event.type] as
    | ((...args: [AriEvent, ChannelRegistry, EventTarget]) => void)
    | undefined
  translator?.(event, registry, target)
  const channel = 'channel' in event ? event.channel : undefined
  const leg = registry.legs.get(channel?.id as LegId)
  if (leg && channel?.protocol_id) leg.callId = channel.protocol_id
}

/** A key that came as SIP INFO. */
export function reportInfoKey(
  { callId, ...key }: SentKey,
  registry: ChannelRegistry,
  target: Pick<EventTarget, 'emit'>,
): void {
  const leg = [...registry.legs.values()].find((one) => one.callId === callId)
  const { digit, heldMs } = key
  if (!leg) return
  const { isNew, keysAgo } = leg.keys.takeInfo(key)
  if (isNew) target.emit({ type: 'leg.digit', leg: leg.id, digit, heldMs, isInfo: true })
  else if (keysAgo !== undefined) target.emit({ type: 'leg.digitWasInfo', leg: leg.id, keysAgo })
}

function isGivenUp(id: LegId, registry: ChannelRegistry): boolean {
  return id.startsWith(OUR_PREFIX) && !registry.legs.has(id) && registry.hasEnded(id)
}

/** Reports once that a leg rings. A leg that was given up, and rings all the same, is a stray. */
function reportRinging(id: LegId, registry: ChannelRegistry, target: EventTarget): void {
  const leg = registry.legs.get(id)
  if (isGivenUp(id, registry)) target.stray(id)
  if (!leg || leg.rang || leg.answered) return
  leg.rang = true
  target.emit({ type: 'leg.ringing', leg: id })
}

/** A phone that the engine rang may have answered without a codec of ours. A caller without one is refused before. */
function up(leg: Leg, channel: Channel, target: EventTarget): void {
  const [codec, ...others] = codecsOf(channel)
  if (leg.kind === 'dialed' && others.length > 0) target.doubted(leg)
  else reportAnswered(leg, target, codec)
}

function soundOf(channel: Channel): { readonly packets?: LegPackets } {
  const packets = packetsOf(channel)
  return packets ? { packets } : {}
}

/** Reports once that a leg is answered, whichever sign of it comes first. */
export function reportAnswered(leg: Leg, target: Pick<EventTarget, 'emit'>, codec?: string): void {
  if (leg.answered) return
  leg.answered = true
  leg.codec = codec
  leg.unsent = undefined
  target.emit({ type: 'leg.answered', leg: leg.id, ...(codec !== undefined && { codec }) })
}
