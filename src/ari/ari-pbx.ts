import {
  type AgentName,
  type BridgeId,
  isMessage,
  type LegId,
  type ListeningId,
  type PlaybackId,
  type RecordingId,
} from '../kernel/ids.ts'
import type { BrowserPhones } from '../ports/browser-phones.ts'
import type {
  DialOptions,
  Greeting,
  HandOverTo,
  MessageRules,
  OverhearingVoice,
  Pbx,
  PbxEvent,
  PbxIdentity,
  PlayOptions,
  RingOptions,
  Volume,
} from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import { ariAddress } from './address.ts'
import { AnswerChecks } from './answer-checks.ts'
import { AriClient, type Rest, type Settled } from './ari-client.ts'
import type { AriContext, AriPbxOptions } from './ari-context.ts'
import type { AsteriskInfo } from './ari-types.ts'
import { Bridges } from './bridges.ts'
import { browserPhonesOver } from './browser-phones.ts'
import { Recordings } from './channel-recordings.ts'
import { ChannelRegistry, kindOf } from './channel-registry.ts'
import { Legs } from './channels.ts'
import { CommandQueue } from './command-queue.ts'
import { openMediaSocket } from './ears/media-socket.ts'
import type { OpenMedia } from './ears.ts'
import { HandOvers } from './hand-overs.ts'
import { LegActs } from './leg-acts.ts'
import { LegEars } from './leg-ears.ts'
import { MessageRecordings } from './message-recordings.ts'
import { OrphanSweep } from './orphan-sweep.ts'
import { OutboundChannels } from './outbound-channels.ts'
import { Playbacks } from './playbacks.ts'
import { type Differences, differences } from './reconcile.ts'
import { type Survey, survey } from './resync.ts'
import { SipCopies } from './sip-copies.ts'
import { SoundChecks } from './sound-checks.ts'
import { type EventTarget, reportAnswered, reportInfoKey, translate } from './translate-events.ts'

/** A channel that an earlier engine created, and perhaps never dialed, is hung up if it has no answer by then. */
const INHERITED_RINGING_MAX_MS = 120_000

/** Asterisk as a switch. Throws when `url` is not an address; `start` and events report everything else. */
export function ariPbx(options: AriPbxOptions): AriPbx {
  return new AriPbx(options)
}

/** The port over one ARI connection: commands leave as requests, events arrive through the channel registry. */
export class AriPbx implements Pbx {
  readonly browserPhones: BrowserPhones
  readonly #context: AriContext
  readonly #client: AriClient
  readonly #registry = new ChannelRegistry()
  readonly #legs: Legs
  readonly #acts: LegActs
  readonly #playing: Playbacks
  readonly #recordings: Recordings
  readonly #messages: MessageRecordings
  readonly #dialing: OutboundChannels
  readonly #handOvers: HandOvers
  readonly #bridging: Bridges
  readonly #ears: LegEars
  readonly #soundChecks: SoundChecks
  readonly #answerChecks: AnswerChecks
  readonly #sweep: OrphanSweep
  readonly #expected = { legs: new Set<LegId>(), bridges: new Set<BridgeId>() }
  readonly #listeners: ((event: PbxEvent) => void)[] = []
  #startupTime: string | undefined

  constructor(options: AriPbxOptions) {
    const { app, clock, log, sipCopiesPort: port, firstTrunk = () => undefined } = options
    const address = ariAddress(options.url)
    this.#client = new AriClient({
      ...options,
      address,
      onConnected: (rest, info) => this.#settle(rest, info),
      onEvent: (event) => translate(event, this.#registry, this.#target()),
      // Copies of SIP messages are read before what follows from them.
      mayOvertake: (event) => port !== undefined && this.#handOvers.mayOvertake(event),
      onDown: (why) => this.#down(why),
    })
    const ask: AriContext['ask'] = (operation, args) => this.#client.ask(operation, args)
    this.#context = {
      app,
      clock,
      log,
      ask,
      registry: this.#registry,
      commands: new CommandQueue({ ask, clock, log }),
      sipCopies:
        port === undefined
          ? undefined
          : new SipCopies({
              port,
              clock,
              log,
              onNoCodec: (called) => this.#emit({ type: 'arrival.refused', called }),
              onKey: (key) => reportInfoKey(key, this.#registry, this.#target()),
              onRefer: (copy) => this.#handOvers.heard(copy),
            }),
      isUp: () => this.#client.isUp,
      emit: (event) => this.#emit(event),
    }
    this.browserPhones = browserPhonesOver(ask, address, log)
    this.#legs = new Legs(this.#context)
    this.#acts = new LegActs(this.#context, this.#legs)
    this.#playing = new Playbacks(this.#context, this.#legs)
    this.#recordings = new Recordings(this.#context, options.joinSides)
    this.#messages = new MessageRecordings(this.#context, options.keepMessage)
    this.#dialing = new OutboundChannels(this.#context, this.#legs, firstTrunk)
    this.#handOvers = new HandOvers(this.#context)
    this.#bridging = new Bridges(this.#context, this.#legs, this.#playing)
    const openMedia: OpenMedia = (media) => openMediaSocket({ address, ...this.#client.access, ...media })
    this.#ears = new LegEars(this.#context, openMedia, options.hearing)
    this.#soundChecks = new SoundChecks(this.#context)
    this.#answerChecks = new AnswerChecks(this.#context, this.#legs)
    this.#sweep = new OrphanSweep(this.#context, this.#legs, (operation, args) => this.#client.askLong(operation, args))
  }

  onEvent(listener: (event: PbxEvent) => void): void {
    this.#listeners.push(listener)
  }

  expect(legs: readonly LegId[], bridges: readonly BridgeId[]): void {
    for (const leg of legs) this.#expected.legs.add(leg)
    for (const bridge of bridges) this.#expected.bridges.add(bridge)
  }

  async start(): Promise<PbxIdentity> {
    await this.#context.sipCopies?.open()
    const { system } = await this.#client.start()
    this.#sweep.start()
    return { kind: 'asterisk', version: system?.version.split('+')[0] ?? 'unknown' }
  }

  async stop(): Promise<void> {
    this.#sweep.stop()
    this.#ears.stopAll()
    this.#soundChecks.stopAll()
    this.#handOvers.stopAll()
    this.#registry.clear()
    this.#messages.stopWatches()
    this.#context.sipCopies?.close()
    await this.#client.stop()
    await Promise.all([this.#recordings.idle(), this.#messages.idle()])
  }

  /** Counters since the start, for a status page; events that were passed over are counted by type. */
  stats() {
    const { legs, playbacks, bridges, recordings } = this.#registry
    const sizes = { legs: legs.size, playbacks: playbacks.size, bridges: bridges.size, recordings: recordings.size }
    return { ...this.#client.stats(), ...sizes }
  }

  answer(leg: LegId): void {
    this.#acts.answer(leg)
  }

  ringAgent(leg: LegId, agent: AgentName, options: RingOptions): void {
    this.#dialing.ringAgent(leg, agent, options)
  }

  dial(leg: LegId, options: DialOptions): void {
    this.#dialing.dial(leg, options)
  }

  handOver(leg: LegId, to: HandOverTo, timeoutMs: number): void {
    this.#handOvers.begin(leg, to, timeoutMs)
  }

  hangUp(leg: LegId): void {
    const known = this.#registry.legs.get(leg)
    if (!known) return
    known.hangUpAsked = true
    this.#legs.hangUp(leg)
  }

  reject(leg: LegId, reason: 'notFound' | 'busy' | 'congestion'): void {
    this.#acts.reject(leg, reason)
  }

  play(playback: PlaybackId, leg: LegId, sounds: readonly Sound[], options: PlayOptions = {}): void {
    this.#playing.play(playback, leg, sounds, options)
  }

  playInBridge(playback: PlaybackId, bridge: BridgeId, leg: LegId, sounds: readonly Sound[]): void {
    this.#playing.play(playback, leg, sounds, { bridge })
  }

  setVolume(playback: PlaybackId, volume: Volume): void {
    this.#playing.setVolume(playback, volume)
  }

  stopPlaying(playback: PlaybackId): void {
    this.#playing.stop(playback)
  }

  startMusic(leg: LegId, music: string): void {
    this.#acts.startMusic(leg, music)
  }

  stopMusic(leg: LegId): void {
    this.#acts.stopMusic(leg)
  }

  bridge(bridge: BridgeId, legs: readonly LegId[]): void {
    this.#bridging.bridge(bridge, legs)
  }

  closeBridge(bridge: BridgeId): void {
    this.#bridging.close(bridge)
  }

  join(bridge: BridgeId, leg: LegId): void {
    // In this order: Asterisk takes a leg out of the bridge that is deleted, also on its way into the next one.
    this.#bridging.join(bridge, leg)
    this.#ears.overhearing.end(leg)
  }

  leave(bridge: BridgeId, leg: LegId): void {
    this.#bridging.leave(bridge, leg)
  }

  mute(leg: LegId, isMuted: boolean): void {
    this.#acts.mute(leg, isMuted)
  }

  sendDigits(leg: LegId, digits: string): void {
    this.#acts.sendDigits(leg, digits)
  }

  detectMachine(leg: LegId, greetings: readonly Greeting[] = []): void {
    this.#ears.answers.begin(leg, greetings)
  }

  listen(listening: ListeningId, leg: LegId, language: string): void {
    this.#ears.utterances.begin(listening, leg, language)
  }

  stopListening(listening: ListeningId): void {
    this.#ears.utterances.stop(listening)
  }

  overhear(leg: LegId, whom: LegId, voice: OverhearingVoice): void {
    this.#ears.overhearing.begin(leg, whom, voice)
  }

  checkSound(leg: LegId, withinMs?: number): void {
    this.#soundChecks.begin(leg, withinMs)
  }

  record(recording: RecordingId, leg: LegId): void {
    this.#recordings.record(recording, leg)
  }

  takeMessage(recording: RecordingId, leg: LegId, rules: MessageRules): void {
    this.#messages.take(recording, leg, rules)
  }

  stopRecording(recording: RecordingId): void {
    if (isMessage(recording)) this.#messages.stop(recording)
    else this.#recordings.stop(recording)
  }

  #target(): EventTarget {
    return {
      emit: (event) => this.#emit(event),
      made: (leg) => this.#dialing.made(leg),
      stray: (leg) => this.#legs.hangUp(leg),
      doubted: (leg) => void this.#answerChecks.check(leg),
      whenFinal: (leg, tell) => {
        if (this.#context.sipCopies) this.#context.sipCopies.whenFinal(leg, tell)
        else tell()
      },
      hearing: (channel, leg) => this.#ears.here(channel, leg),
      ending: (leg) => this.#handOvers.legEnds(leg),
      gone: (leg) => this.#ears.gone(leg),
      listening: (side) => this.#recordings.listening(side),
      sounding: (playback) => this.#playing.sounding(playback),
      played: (playback) => this.#playing.played(playback),
      left: (bridge, leg) => this.#bridging.putBack(bridge, leg),
      recorded: (event) => {
        this.#recordings.recordingEnded(event)
        this.#messages.recordingEnded(event)
      },
    }
  }

  #down(why: string): void {
    this.#context.commands.lineLost()
    this.#emit({ type: 'pbx.down', why })
  }

  async #settle(rest: Rest, info: AsteriskInfo): Promise<Settled> {
    const { playbacks, recordings } = this.#registry
    const playing = [...playbacks.values()].filter(({ sent }) => sent).map(({ part }) => part)
    const sides = [...recordings.values()].flatMap((recording) => recording.sides)
    const written = sides.filter(({ step, end }) => step === 'on' && !end).map(({ name }) => name)
    const asked = { playbacks: playing, recordings: [...written, ...this.#messages.written] }
    const surveyed = await survey(rest, this.#context.app, asked)
    return surveyed.ok ? { ok: true, onUp: () => this.#catchUp(surveyed.survey, info) } : surveyed
  }

  /** Reports what happened during the gap, and then that the switch is up again. */
  #catchUp({ found, gonePlaybacks, recordings }: Survey, info: AsteriskInfo): void {
    const startupTime = info.status?.startup_time
    const restarted = this.#startupTime !== undefined && this.#startupTime !== startupTime
    this.#startupTime = startupTime
    this.#dialing.giveUpUnsent()
    const { legs, bridges } = this.#registry
    const difference = differences({ legs, bridges, expected: this.#expected }, found)
    const { lost } = difference
    for (const leg of lost) {
      this.#registry.endLeg(leg)
      this.#ears.gone(leg)
    }
    // Whoever is inside is not added again.
    for (const { bridge, leg } of difference.joined) this.#registry.bridges.get(bridge)?.joined.add(leg)
    // Old commands first: commands that follow from the next events must not overtake them.
    this.#context.commands.resend()
    for (const leg of lost) this.#emit({ type: 'leg.ended', leg, reason: 'lost' })
    for (const id of difference.answered) {
      const leg = this.#registry.legs.get(id)
      if (leg) reportAnswered(leg, this.#context)
    }
    for (const { bridge, leg } of difference.joined) this.#emit({ type: 'bridge.joined', bridge, leg })
    this.#playing.settle(gonePlaybacks)
    this.#bridging.settle()
    this.#soundChecks.settle()
    this.#recordings.settle(recordings, restarted)
    this.#messages.settle(recordings, restarted)
    this.#ears.overhearing.lose('the connection to the switch was lost')
    this.#inherit(difference)
    this.#adopt(difference)
    // No event may name them before copies of their SIP messages come.
    for (const { id, protocol_id: callId } of found.channels)
      if (callId) Object.assign(this.#registry.legs.get(id as LegId) ?? {}, { callId })
    this.#emit({ type: 'pbx.up', restarted })
  }

  /** Takes over what an earlier engine created. Reported once; from then on the registry knows it. */
  #inherit({ inherited, inheritedBridges }: Differences): void {
    const registry = this.#registry
    for (const id of inheritedBridges) registry.openBridge(id)
    for (const { leg, isUp, bridge } of inherited) {
      const known = registry.addLeg(leg, kindOf(leg), isUp)
      this.#legs.lookAfter(known, INHERITED_RINGING_MAX_MS, () => {
        if (!known.answered) this.#legs.hangUp(leg)
      })
      if (bridge) this.#registry.moveInto(bridge, leg)
    }
    this.#expected.legs.clear()
    this.#expected.bridges.clear()
    for (const found of inherited) this.#emit({ type: 'leg.found', ...found })
  }

  /** Adopts callers and conversations, repairs bridges, and closes orphans. */
  #adopt({ arrived, talking, broken, outside, closeBridges, closeChannels }: Differences): void {
    const registry = this.#registry
    for (const bridge of broken) this.#bridging.mend(bridge)
    for (const { leg, bridge } of outside) this.#bridging.putBack(bridge, leg)
    for (const bridge of closeBridges) this.closeBridge(bridge as BridgeId)
    for (const channel of closeChannels) this.#legs.hangUp(channel as LegId)
    for (const { isUp, ...arrival } of arrived) {
      registry.addLeg(arrival.leg, 'arrived', isUp)
      this.#emit({ type: 'leg.arrived', ...arrival })
    }
    for (const { bridge, legs } of talking) {
      for (const leg of legs) {
        registry.addLeg(leg, kindOf(leg), true)
        this.#registry.moveInto(bridge, leg)
      }
      this.#emit({ type: 'bridge.found', bridge, legs })
    }
  }

  /** A listener that throws is a bug; the other listeners still get the event, and the process goes on. */
  #emit(event: PbxEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#context.log.error({ err: error, event: event.type }, 'a listener for switch events threw')
      }
    }
  }
}
