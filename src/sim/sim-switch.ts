import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId, ListeningId, PhoneNumber, PlaybackId, RecordingId } from '../kernel/ids.ts'
import type { Random } from '../kernel/random.ts'
import type {
  DialOptions,
  Greeting,
  HandOverTo,
  LegEnd,
  MessageRules,
  PbxEvent,
  PlayOptions,
  RingOptions,
  Volume,
} from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { Caller } from './person.ts'
import type { AgentScript, SimAgentPhone } from './sim-agent-phone.ts'
import { SimAgentPhones } from './sim-agent-phones.ts'
import type { SimBridge } from './sim-bridge.ts'
import { SimBridges } from './sim-bridges.ts'
import { SimCallEvents } from './sim-call-event-log.ts'
import { type LineEnd, SimCaller } from './sim-caller.ts'
import { reasonOf, SimCarrier, type SimCarrierOptions } from './sim-carrier.ts'
import { type SimDetection, SimDetector } from './sim-detector.ts'
import { handOver } from './sim-hand-over.ts'
import { SimHearing } from './sim-hearing.ts'
import { arrivalOf, type Holder, type SimLeg } from './sim-leg.ts'
import type { SimOverhearing } from './sim-overhearing.ts'
import { type PlaybackResult, SimPlayer } from './sim-player.ts'
import { type RecordingOptions, SimRecorder, type SimRecording } from './sim-recorder.ts'
import { SimTalkDetection } from './sim-talk-detection.ts'

/** SIP status of each rejection (asterisk.md 4). */
const REJECTION_CODES = { notFound: 404, busy: 486, congestion: 503 } as const
/** Status for a caller whose call is ended before an answer. */
const DECLINED = 603
/** An answer without a codec of ours (RFC 3261 21.4.26). */
const NOT_ACCEPTABLE_HERE = 488
/** The announcement while no engine is connected: the end of every number's dialplan. */
const APOLOGY = { text: "I'm sorry. Please try your call later.", durationMs: 8_000 }

/** A call from outside. `caller` is absent when withheld. */
export interface SimCallIn {
  readonly called: string
  readonly caller?: string
  readonly trunk?: string
  readonly person: Caller
}

export interface SimSwitchOptions extends RecordingOptions {
  readonly clock: Clock
  readonly random: Random
  /** Which sounds have a file; default: all. */
  readonly isPlayable?: (sound: Sound) => boolean
  readonly carrier?: SimCarrierOptions
  readonly detection?: SimDetection
  /** Asterisk refuses to add a leg to a bridge. */
  readonly refusesToJoin?: (leg: SimLeg) => boolean
}

/** The answer to a dial command. `in use`: a leg with this id exists (Asterisk's 409). */
export type DialAnswer = 'dialed' | 'in use' | 'refused'

/** The commands of the port, without the connection. */
/** The switch, reporting at once; `SimPbx` is the connection to it. Like the measured Asterisk, never kinder. */
export class SimSwitch {
  readonly legs = new Map<LegId, SimLeg>()
  readonly bridges: Map<BridgeId, SimBridge>
  readonly overhearing: SimOverhearing
  readonly playbacks = new Map<PlaybackId, SimPlayer>()
  readonly carrier: SimCarrier
  readonly callEvents: SimCallEvents
  emit: (event: PbxEvent) => void = () => undefined
  /** Whether an engine is connected. Without one, and without running calls, new calls are refused. */
  isServed = false
  readonly #clock: Clock
  readonly #isPlayable: (sound: Sound) => boolean
  readonly #detection: SimDetector
  readonly #hearing: SimHearing
  readonly #recorder: SimRecorder
  readonly #talk: SimTalkDetection
  readonly #bridging: SimBridges
  readonly #phones: SimAgentPhones
  #legCount = 0

  constructor(options: SimSwitchOptions) {
    const { clock, random, isPlayable = () => true, carrier = {}, detection = {} } = options
    this.#clock = clock
    this.#phones = new SimAgentPhones(clock)
    this.#isPlayable = isPlayable
    this.#detection = new SimDetector(clock, random, detection, (event) => this.emit(event))
    this.#talk = new SimTalkDetection(clock, (event) => this.emit(event))
    this.#hearing = new SimHearing(clock, (event) => this.emit(event))
    this.callEvents = new SimCallEvents(clock)
    this.carrier = new SimCarrier(clock, carrier)
    this.#recorder = new SimRecorder(clock, options, (recording) => this.emit(endOf(recording)))
    this.#bridging = new SimBridges({
      clock,
      isPlayable,
      refuses: (leg) => this.#recorder.isTaking(leg.id) || options.refusesToJoin?.(leg) === true,
      emit: (event) => this.emit(event),
      joined: (bridge) => this.#recorder.joined(bridge),
      played: (playback, leg, result) => this.#tellPlayed(playback, leg, result),
    })
    this.bridges = this.#bridging.all
    this.overhearing = this.#bridging.overhearing
  }

  get recordings(): ReadonlyMap<RecordingId, SimRecording> {
    return this.#recorder.all
  }

  callIn({ called, caller, trunk, person }: SimCallIn): SimCaller {
    const id = `sim-leg-${++this.#legCount}` as LegId
    const holder = new SimCaller(id, this.#clock, person, {
      digit: (digit, heldMs) => this.legs.get(id)?.isUp && this.emit({ type: 'leg.digit', leg: id, digit, heldMs }),
      say: (text, confidence) => this.#hearing.said(id, text, confidence),
      hangUp: () => this.#end(id, 'hungUp', { by: 'person' }),
    })
    // Asterisk forgets an application that is not connected and has no calls (asterisk.md 10).
    if (!this.isServed && this.legs.size === 0) this.#apologise(holder)
    else {
      this.#connect(id, 'arrived', holder, { name: caller ?? 'somebody', called, caller, trunk })
      this.emit(arrivalOf(this.legs.get(id)!))
    }
    return holder
  }

  agentPhone(agent: AgentName, script: AgentScript): SimAgentPhone {
    return this.#phones.of(agent, script)
  }

  answer(id: LegId): void {
    const leg = this.legs.get(id)
    if (leg?.kind !== 'arrived') return
    if (leg.isUp) this.emit({ type: 'leg.answered', leg: id })
    else this.#up(leg)
  }

  ringAgent(id: LegId, agent: AgentName, { ringTimeoutMs }: RingOptions): void {
    if (this.legs.has(id)) return
    const phone = this.#phones.toRing(agent)
    if (!phone || phone.isBusy) {
      this.emit({ type: 'leg.ended', leg: id, ...(phone ? { reason: 'busy', code: 486 } : { reason: 'unreachable' }) })
      return
    }
    const leg = this.#connect(id, 'dialed', phone, { name: agent, called: agent, caller: undefined })
    this.#limitRinging(leg, ringTimeoutMs)
    if (!phone.isGone) this.emit({ type: 'leg.ringing', leg: id })
    phone.ring({
      answer: () => this.#up(leg),
      refuse: (how) => !leg.isUp && this.#end(id, how, { by: 'person' }, how === 'busy' ? 486 : 603),
      hangUp: () => this.#end(id, leg.isUp ? 'hungUp' : 'rejected', { by: 'person' }),
      falls: () => leg.bridge && this.bridges.get(leg.bridge)?.hush(leg),
      rises: () => leg.bridge && this.bridges.get(leg.bridge)?.meet(leg),
      lost: () => this.#end(id, leg.isUp ? 'failed' : 'unreachable', { by: 'nobody' }),
    })
  }

  /** Sends an INVITE, unless the trunk does not exist or is down, or the id is in use. */
  dial(id: LegId, { trunk: requested, number: party, callerId, ringTimeoutMs, reference }: DialOptions): DialAnswer {
    if (this.legs.has(id)) return 'in use'
    const trunk = this.carrier.trunkFor(requested)
    if (trunk === undefined) return 'refused'
    // A user behind the trunk is found by name, as a number is.
    const number = typeof party === 'string' ? party : (party.user as string as PhoneNumber)
    const contact = this.carrier.invite({ leg: id, trunk, number, callerId, reference })
    const leg = this.#connect(id, 'dialed', contact, { name: number, called: number, caller: callerId })
    this.#limitRinging(leg, ringTimeoutMs)
    contact.begin({
      ring: () => !leg.isUp && this.emit({ type: 'leg.ringing', leg: id }),
      answer: () => this.#up(leg),
      refuse: (code) => !leg.isUp && this.#end(id, reasonOf(code), { by: 'person' }, code),
      hangUp: () => this.#end(id, 'hungUp', { by: 'person' }),
      digit: (digit, heldMs) =>
        leg.isUp && this.legs.has(id) && this.emit({ type: 'leg.digit', leg: id, digit, heldMs }),
    })
    return 'dialed'
  }

  handOver(id: LegId, to: HandOverTo): void {
    const caller = this.legs.get(id)?.holder
    if (!(caller instanceof SimCaller) || !caller.isUp) return
    caller.handedOverTo.push(to)
    const tell = (result: object) => this.emit({ type: 'leg.handedOver', leg: id, ...result } as PbxEvent)
    handOver(caller, { clock: this.#clock, tell, end: (by) => this.#end(id, 'hungUp', { by }) })
  }

  hangUp(id: LegId): void {
    this.#giveUp(id, 'hungUp', { by: 'switch', code: DECLINED })
  }

  reject(id: LegId, reason: keyof typeof REJECTION_CODES): void {
    this.#end(id, 'hungUp', { by: 'switch', code: REJECTION_CODES[reason] })
  }

  play(playback: PlaybackId, id: LegId, sounds: readonly Sound[], { hearsVoice }: PlayOptions = {}): void {
    const leg = this.legs.get(id)
    if (!leg || this.playbacks.has(playback)) return
    this.playbacks.set(playback, leg.player)
    if (hearsVoice) this.#talk.want(playback)
    leg.player.play(playback, sounds)
  }

  playInBridge(playback: PlaybackId, bridgeId: BridgeId, leg: LegId, sounds: readonly Sound[]): void {
    if (this.playbacks.has(playback)) return
    const bridge = this.bridges.get(bridgeId)
    if (!bridge) this.#tellPlayed(playback, leg, 'failed')
    else {
      this.playbacks.set(playback, bridge.player)
      bridge.hears(playback, leg, sounds)
    }
  }

  stopPlaying(playback: PlaybackId): void {
    this.playbacks.get(playback)?.stop(playback)
  }

  setVolume(playback: PlaybackId, volume: Volume): void {
    this.playbacks.get(playback)?.setVolume(playback, volume)
  }

  /** A prompt ends the music for good: Asterisk does not resume it (its documentation of `/moh`). */
  startMusic(id: LegId, music: string): void {
    const leg = this.legs.get(id)
    leg?.player.afterPrompts(() => {
      leg.holder.ear.ends('music')
      leg.holder.ear.begins('music', music)
    })
  }

  stopMusic(id: LegId): void {
    const leg = this.legs.get(id)
    leg?.player.afterPrompts(() => leg.holder.ear.ends('music'))
  }

  bridge(id: BridgeId, ids: readonly LegId[]): boolean {
    const legs = ids.map((leg) => this.legs.get(leg))
    return this.#bridging.bridge(id, legs)
  }

  closeBridge(id: BridgeId): void {
    this.#bridging.close(id)
  }

  join(id: BridgeId, leg: LegId): boolean {
    return this.#bridging.join(id, this.legs.get(leg))
  }

  leave(id: BridgeId, legId: LegId): void {
    const leg = this.legs.get(legId)
    if (leg?.bridge === id) this.#bridging.leave(leg)
  }

  detectMachine(id: LegId, greetings: readonly Greeting[] = []): void {
    const leg = this.legs.get(id)
    if (leg) this.#detection.begin(leg, greetings)
  }

  listen(listening: ListeningId, id: LegId): void {
    if (this.legs.get(id)?.isUp) this.#hearing.begin(listening, id)
  }

  stopListening(listening: ListeningId): void {
    this.#hearing.stop(listening)
  }

  record(recording: RecordingId, id: LegId): void {
    const leg = this.legs.get(id)
    this.#recorder.start(recording, id, leg?.isUp ? leg : undefined, leg?.bridge && this.bridges.get(leg.bridge))
  }

  takeMessage(recording: RecordingId, id: LegId, rules: MessageRules): void {
    const leg = this.legs.get(id)
    this.#recorder.takeMessage(recording, id, leg?.isUp ? leg : undefined, rules)
  }

  stopRecording(recording: RecordingId): void {
    this.#recorder.stop(recording)
  }

  /** The switch dies: every leg is gone, without a report. */
  crash(): void {
    this.#recorder.crash()
    for (const bridge of this.bridges.values()) bridge.player.vanish()
    for (const playback of this.playbacks.keys()) this.#talk.ended(playback)
    for (const leg of this.legs.values()) {
      leg.player.vanish()
      leg.ringTimer?.cancel()
      this.#detection.end(leg)
      this.#hearing.gone(leg.id)
      leg.holder.lineEnded({ by: 'nobody' })
    }
    this.overhearing.lose()
    this.legs.clear()
    this.bridges.clear()
    this.playbacks.clear()
  }

  #limitRinging(leg: SimLeg, ringTimeoutMs: number): void {
    leg.ringTimer = this.#clock.schedule(this.#clock.nowMs() + ringTimeoutMs, () =>
      this.#giveUp(leg.id, 'noAnswer', { by: 'switch' }, 480),
    )
  }

  /** Cancels a call, or ends it. A callee may answer all the same: then the leg ends, as answered, when they do. */
  #giveUp(id: LegId, reason: LegEnd, end: LineEnd, code?: number): void {
    const leg = this.legs.get(id)
    const lateMs = leg?.isUp ? undefined : leg?.holder.answersCancelAfterMs
    if (!leg || lateMs === undefined) return this.#end(id, reason, end, code)
    if (leg.isCancelled) return
    leg.isCancelled = true
    this.#clock.schedule(this.#clock.nowMs() + lateMs, () => {
      if (!this.legs.has(id)) return
      leg.holder.lineUp()
      this.#end(id, reason, end, code, this.#clock.nowMs())
    })
  }

  #apologise(holder: SimCaller): void {
    holder.lineUp()
    holder.ear.begins('words', APOLOGY.text)
    this.#clock.schedule(this.#clock.nowMs() + APOLOGY.durationMs, () => holder.lineEnded({ by: 'switch' }))
  }

  #connect(
    id: LegId,
    kind: SimLeg['kind'],
    holder: Holder,
    who: Pick<SimLeg, 'name' | 'called' | 'caller' | 'trunk'>,
  ): SimLeg {
    const player = new SimPlayer(this.#clock, {
      ear: holder.ear,
      isPlayable: this.#isPlayable,
      heardWords: () => holder.heardWords(),
      started: (playback) => {
        this.emit({ type: 'playback.started', leg: id, playback })
        this.#talk.began(playback, leg)
      },
      ended: (playback, result) => this.#tellPlayed(playback, id, result),
    })
    const atFirst = {
      isUp: false,
      isCancelled: false,
      bridge: undefined,
      ringTimer: undefined,
      listening: new Set<Timer>(),
    }
    const leg: SimLeg = { id, kind, ...who, holder, player, ...atFirst }
    this.legs.set(id, leg)
    if (kind === 'dialed') this.callEvents.began(id)
    return leg
  }

  #tellPlayed(playback: PlaybackId, leg: LegId, result: PlaybackResult): void {
    this.playbacks.delete(playback)
    this.#talk.ended(playback)
    this.emit({ type: 'playback.ended', leg, playback, result })
  }

  #up(leg: SimLeg): void {
    if (leg.isUp || !this.legs.has(leg.id)) return
    leg.isUp = true
    leg.ringTimer?.cancel()
    this.callEvents.answered(leg.id)
    if (leg.holder.soundless) {
      leg.holder.lineUp()
      return this.#end(leg.id, 'failed', { by: 'switch' }, NOT_ACCEPTABLE_HERE, this.#clock.nowMs())
    }
    this.emit({ type: 'leg.answered', leg: leg.id })
    leg.holder.lineUp()
  }

  /** The only way a leg ends. `code` goes to the engine, `end.code` to the person. */
  #end(id: LegId, reason: LegEnd, end: LineEnd, code?: number, answeredAtMs?: AtMs): void {
    const leg = this.legs.get(id)
    if (!leg) return
    for (const playback of leg.player.close()) {
      this.playbacks.delete(playback)
      this.#talk.ended(playback)
    }
    leg.ringTimer?.cancel()
    this.#detection.end(leg)
    this.#hearing.gone(id)
    this.#bridging.gone(leg)
    this.#recorder.ended(id)
    this.legs.delete(id)
    this.callEvents.ended(id, reason, code)
    leg.holder.lineEnded(end)
    const late = answeredAtMs === undefined ? {} : { answeredAtMs }
    this.emit({ type: 'leg.ended', leg: id, reason, ...(code === undefined ? {} : { code }), ...late })
  }
}

function endOf({ id, end }: SimRecording): PbxEvent {
  const { atMs: _, ...how } = end ?? { atMs: 0, result: 'failed' as const }
  return { type: 'recording.ended', recording: id, ...how }
}
