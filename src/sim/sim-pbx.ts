import type { Clock, Timer } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId, ListeningId, PlaybackId, RecordingId } from '../kernel/ids.ts'
import type { Random } from '../kernel/random.ts'
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
import type { AgentScript, SimAgentPhone } from './sim-agent-phone.ts'
import { mute } from './sim-bridges.ts'
import type { SimCaller } from './sim-caller.ts'
import type { SimCarrier } from './sim-carrier.ts'
import { SimJoins } from './sim-joins.ts'
import { type LatencyMs, SimLine } from './sim-line.ts'
import { checkSoundOf } from './sim-sound-check.ts'
import { type DialAnswer, type SimCallIn, SimSwitch, type SimSwitchOptions } from './sim-switch.ts'
import { endOfRecording, SimView } from './sim-view.ts'

/** Events that a broken frame may lose, a doubled subscription double (asterisk.md 7); only a cut loses the others. */
const UNPROMISED: ReadonlySet<PbxEvent['type']> = new Set([
  'leg.ringing',
  'leg.answered',
  'leg.judged',
  'leg.greeted',
  'leg.talking',
  'leg.quiet',
  'playback.started',
  'bridge.joined',
])

/** From a reconnect to reporting that a dialed leg does not exist (F-A4). */
const LOOK_FOR_MS = 5_000

/** E.164: a plus sign, then at most fifteen digits. */
const PHONE_NUMBER = /^\+[1-9][0-9]{0,14}$/

/** From 0 to 1; one that changes is asked for at each event. */
type Chance = number | (() => number)

export interface SimPbxOptions extends SimSwitchOptions {
  /** Each way. Default 1 to 5 ms; this alone makes answers and cancels cross. */
  readonly latencyMs?: LatencyMs
  readonly loseEvents?: Chance
  readonly doubleEvents?: Chance
  /** An existing switch, for engines that restart during calls. Its options stay. */
  readonly switch?: SimSwitch
}

/** The second implementation of the port: callers are scripts, and the connection is slow and sometimes cut. */
export class SimPbx implements Pbx {
  /** The truth, for checkers: what really happens, whatever was reported. */
  readonly switch: SimSwitch
  readonly #clock: Clock
  readonly #random: Random
  readonly #options: SimPbxOptions
  readonly #toSwitch: SimLine
  readonly #toUs: SimLine
  readonly #view = new SimView()
  readonly #listeners: ((event: PbxEvent) => void)[] = []
  /** Commands that survive a gap and have not reached the switch. */
  readonly #kept = new Set<(pbx: SimSwitch) => void>()
  readonly #doubtful = new Set<LegId>()
  readonly #listened = new Set<ListeningId>()
  readonly joins: SimJoins
  #isUp = false
  #reconnecting: Timer | undefined
  #hasRestarted = false

  constructor(options: SimPbxOptions) {
    const { clock, random, latencyMs = [1, 5] } = options
    this.switch = options.switch ?? new SimSwitch(options)
    this.#clock = clock
    this.#random = random
    this.#options = options
    this.#toSwitch = new SimLine(clock, random, latencyMs)
    this.#toUs = new SimLine(clock, random, latencyMs)
    this.joins = new SimJoins(clock, {
      send: (command, refused) =>
        this.#askForSure((pbx) => {
          if (!command(pbx)) this.#toUs.send(refused)
        }),
      hush: (leg) => this.#hush(leg),
      emit: (event) => this.#emit(event),
    })
  }

  get carrier(): SimCarrier {
    return this.switch.carrier
  }

  /** Starts a call from outside. Returns the caller, for observation and control. */
  callIn(call: SimCallIn): SimCaller {
    return this.switch.callIn(call)
  }

  agentPhone(agent: AgentName, script: AgentScript): SimAgentPhone {
    return this.switch.agentPhone(agent, script)
  }

  onEvent(listener: (event: PbxEvent) => void): void {
    this.#listeners.push(listener)
  }

  start(): Promise<PbxIdentity> {
    this.#up()
    return Promise.resolve({ kind: 'simulated', version: '1' })
  }

  stop(): Promise<void> {
    this.#reconnecting?.cancel()
    this.joins.stop()
    this.#down()
    return Promise.resolve()
  }

  /** Cuts the connection, which comes back after `forMs`. Messages meanwhile are lost, both ways. */
  cut(forMs: number): void {
    if (!this.#isUp) return
    this.#down()
    this.#emit({ type: 'pbx.down', why: 'the connection was cut' })
    this.#reconnecting = this.#clock.schedule(this.#clock.nowMs() + forMs, () => this.#up())
  }

  /** The switch dies with all its calls, and comes back empty after `forMs`. */
  restart(forMs: number): void {
    this.switch.crash()
    this.#hasRestarted = true
    this.cut(forMs)
  }

  answer(leg: LegId): void {
    this.#askForSure((pbx) => pbx.answer(leg))
  }

  ringAgent(leg: LegId, agent: AgentName, options: RingOptions): void {
    this.#view.asked(leg)
    this.#ask(
      (pbx) => pbx.ringAgent(leg, agent, options),
      () => this.#emit({ type: 'leg.ended', leg, reason: 'failed', neverSent: true }),
    )
  }

  hangUp(leg: LegId): void {
    this.#askForSure((pbx) => pbx.hangUp(leg))
  }

  reject(leg: LegId, reason: 'notFound' | 'busy' | 'congestion'): void {
    this.#askForSure((pbx) => pbx.reject(leg, reason))
  }

  play(playback: PlaybackId, leg: LegId, sounds: readonly Sound[], options: PlayOptions = {}): void {
    this.#view.askedToPlay(playback, leg)
    this.#ask(
      (pbx) => pbx.play(playback, leg, sounds, options),
      () => this.#emit({ type: 'playback.ended', leg, playback, result: 'failed' }),
    )
  }

  stopPlaying(playback: PlaybackId): void {
    this.#ask((pbx) => pbx.stopPlaying(playback))
  }

  setVolume(playback: PlaybackId, volume: Volume): void {
    this.#ask((pbx) => pbx.setVolume(playback, volume))
  }

  startMusic(leg: LegId, music: string): void {
    this.#askForSure((pbx) => pbx.startMusic(leg, music))
  }

  stopMusic(leg: LegId): void {
    this.#askForSure((pbx) => pbx.stopMusic(leg))
  }

  /** Like the ARI adapter: opens no bridge for legs that are all gone, and stops playbacks to the legs first. */
  bridge(bridge: BridgeId, legs: readonly LegId[]): void {
    if (!legs.some((leg) => this.#view.knows(leg))) return
    this.#view.opened(bridge)
    this.joins.bridge(bridge, legs)
  }

  closeBridge(bridge: BridgeId): void {
    this.#view.closed(bridge)
    this.joins.close(bridge)
    this.#askForSure((pbx) => pbx.closeBridge(bridge))
  }

  dial(leg: LegId, options: DialOptions): void {
    if (this.#view.knows(leg)) return
    this.#view.asked(leg)
    const neverSent = () => this.#emit({ type: 'leg.ended', leg, reason: 'failed', neverSent: true })
    const { number } = options
    if (typeof number === 'string' && !PHONE_NUMBER.test(number)) this.#soon(neverSent)
    else if (!this.#isUp) this.#soon(neverSent)
    else {
      this.#doubtful.add(leg)
      this.#toSwitch.send(() => {
        const answer = this.switch.dial(leg, options)
        this.#toUs.send(() => this.#dialed(leg, answer, neverSent))
      })
    }
  }

  handOver(leg: LegId, to: HandOverTo): void {
    this.#ask(
      (pbx) => pbx.handOver(leg, to),
      () => this.#emit({ type: 'leg.handedOver', leg, result: 'failed', why: 'the switch is not connected' }),
    )
  }

  join(bridge: BridgeId, leg: LegId): void {
    this.joins.join(bridge, leg)
  }

  leave(bridge: BridgeId, leg: LegId): void {
    this.#view.left(bridge, leg)
    this.joins.leave(bridge, leg)
    this.#askForSure((pbx) => pbx.leave(bridge, leg))
  }

  mute(leg: LegId, isMuted: boolean): void {
    this.#askForSure((pbx) => mute(pbx.legs.get(leg), isMuted, pbx.bridges))
  }

  sendDigits(leg: LegId, digits: string): void {
    this.#ask(({ legs }) => {
      const to = legs.get(leg)
      for (const digit of to?.isUp ? digits : '') to?.holder.gotDigit?.(digit)
    })
  }

  playInBridge(playback: PlaybackId, bridge: BridgeId, leg: LegId, sounds: readonly Sound[]): void {
    this.#view.askedToPlay(playback, leg)
    this.#ask(
      (pbx) => pbx.playInBridge(playback, bridge, leg, sounds),
      () => this.#emit({ type: 'playback.ended', leg, playback, result: 'failed' }),
    )
  }

  detectMachine(leg: LegId, greetings: readonly Greeting[] = []): void {
    this.#view.askedToDetect(leg)
    this.#ask((pbx) => pbx.detectMachine(leg, greetings))
  }

  listen(listening: ListeningId, leg: LegId): void {
    this.#listened.add(listening)
    this.#ask(
      (pbx) => pbx.listen(listening, leg),
      () => this.#emit({ type: 'leg.unheard', leg, listening, why: 'the switch is not connected' }),
    )
  }

  stopListening(listening: ListeningId): void {
    this.#listened.delete(listening)
    this.#ask((pbx) => pbx.stopListening(listening))
  }

  overhear(leg: LegId, whom: LegId, voice: OverhearingVoice): void {
    this.#ask(
      (pbx) => pbx.overhearing.begin(pbx.legs.get(leg), pbx.legs.get(whom), voice),
      () => this.#emit({ type: 'leg.overhearsNot', leg, why: 'the switch is not connected' }),
    )
  }

  checkSound(leg: LegId, withinMs?: number): void {
    if (!this.#view.knows(leg)) return
    this.#view.soundChecks.set(leg, withinMs)
    this.#ask((pbx) => checkSoundOf(leg, pbx, this.#clock, withinMs))
  }

  record(recording: RecordingId, leg: LegId): void {
    if (!this.#view.awaitsRecording(recording)) return
    this.#ask(
      (pbx) => pbx.record(recording, leg),
      () => this.#emit({ type: 'recording.ended', recording, result: 'failed', why: 'the switch is not connected' }),
    )
  }

  takeMessage(recording: RecordingId, leg: LegId, rules: MessageRules): void {
    if (!this.#view.awaitsRecording(recording)) return
    this.#ask(
      (pbx) => pbx.takeMessage(recording, leg, rules),
      () => this.#emit({ type: 'recording.ended', recording, result: 'failed', why: 'the switch is not connected' }),
    )
  }

  /** Also for a recording of an earlier engine: its end is reported, also when it ended long ago. */
  stopRecording(recording: RecordingId): void {
    if (!this.#view.awaitsRecording(recording)) return
    this.#askForSure((pbx) => {
      pbx.stopRecording(recording)
      this.#toUs.send(() => {
        for (const event of endOfRecording(recording, pbx)) this.#emit(event)
      })
    })
  }

  expect(legs: readonly LegId[], bridges: readonly BridgeId[]): void {
    for (const leg of legs) this.#view.expected(leg)
    for (const bridge of bridges) this.#view.opened(bridge)
  }

  #hush(leg: LegId): void {
    for (const playback of this.#view.playbacksOf(leg)) this.stopPlaying(playback)
  }

  /** The answer to a dial command. It removes the doubt; a refusal has no event of its own. */
  #dialed(leg: LegId, answer: DialAnswer, neverSent: () => void): void {
    this.#doubtful.delete(leg)
    if (answer === 'refused') neverSent()
  }

  /** Sends a command. Without a connection it is lost; `refused` reports it where the port promises an end. */
  #ask(command: (pbx: SimSwitch) => void, refused?: () => void): void {
    if (this.#isUp) this.#toSwitch.send(() => command(this.switch))
    else if (refused) this.#soon(refused)
  }

  /** Sends a command that is repeated after a gap, as the ARI adapter does with commands that may arrive twice. */
  #askForSure(command: (pbx: SimSwitch) => void): void {
    this.#kept.add(command)
    this.#ask((pbx) => {
      this.#kept.delete(command)
      command(pbx)
    })
  }

  #soon(action: () => void): void {
    this.#clock.schedule(this.#clock.nowMs(), action)
  }

  #up(): void {
    if (this.#isUp) return
    this.#isUp = true
    this.switch.isServed = true
    this.switch.emit = (event) => this.#report(event)
    for (const command of this.#kept) command(this.switch)
    this.#kept.clear()
    for (const event of this.switch.overhearing.lose()) this.#emit(event)
    for (const event of this.#view.missed(this.switch, this.#doubtful)) this.#emit(event)
    for (const leg of this.#doubtful) this.#lookFor(leg)
    for (const [leg, withinMs] of this.#view.soundChecks) this.checkSound(leg, withinMs)
    this.#emit({ type: 'pbx.up', restarted: this.#hasRestarted })
    this.#hasRestarted = false
  }

  /** It is unknown whether this leg was dialed. The command is not repeated; the leg is looked for. */
  #lookFor(leg: LegId): void {
    if (this.switch.legs.has(leg)) {
      this.#doubtful.delete(leg)
      return
    }
    this.#clock.schedule(this.#clock.nowMs() + LOOK_FOR_MS, () => {
      if (!this.#isUp || !this.#doubtful.delete(leg)) return
      if (!this.switch.legs.has(leg)) this.#emit({ type: 'leg.ended', leg, reason: 'lost' })
    })
  }

  #down(): void {
    this.#isUp = false
    this.switch.isServed = false
    this.switch.emit = () => undefined
    this.#toSwitch.cut()
    this.#toUs.cut()
  }

  #report(event: PbxEvent): void {
    const { loseEvents = 0, doubleEvents = 0 } = this.#options
    const isUnpromised = UNPROMISED.has(event.type)
    if (isUnpromised && this.#happens(loseEvents)) return
    this.#toUs.send(() => this.#emit(event))
    if (isUnpromised && this.#happens(doubleEvents)) this.#toUs.send(() => this.#emit(event))
  }

  #happens(chance: Chance): boolean {
    const now = typeof chance === 'number' ? chance : chance()
    return now > 0 && this.#random.next() < now
  }

  #emit(event: PbxEvent): void {
    if (!this.#view.takes(event)) return
    // Of what was said before it was stopped nothing is told.
    if ('listening' in event && !this.#listened.has(event.listening)) return
    if (event.type === 'leg.ended') {
      this.#doubtful.delete(event.leg)
      this.joins.ended(event.leg)
    }
    for (const listener of this.#listeners) listener(event)
  }
}
