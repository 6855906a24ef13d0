import type { Clock, Timer } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { Random } from '../kernel/random.ts'
import type { Pbx, PbxEvent, PbxIdentity, RingOptions } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { Callee } from './person.ts'
import type { SimAgentPhone } from './sim-agent-phone.ts'
import type { SimCaller } from './sim-caller.ts'
import { type LatencyMs, SimLine } from './sim-line.ts'
import { type SimCallIn, SimSwitch } from './sim-switch.ts'
import { SimView } from './sim-view.ts'

/**
 * Facts that the port does not promise exactly once: a broken frame may lose them, a doubled subscription may
 * double them (asterisk.md 7). The others (digits, ends, arrivals) are promised, and only a cut loses them.
 */
const UNPROMISED: ReadonlySet<PbxEvent['type']> = new Set([
  'leg.ringing',
  'leg.answered',
  'playback.started',
  'bridge.joined',
])

/** How good the connection is, and what the switch can play. */
export interface SimPbxOptions {
  readonly clock: Clock
  readonly random: Random
  /** Each way. Default 1 to 5 ms; it alone makes answers and cancels cross. */
  readonly latencyMs?: LatencyMs
  /** Probability that an unpromised fact is lost. */
  readonly loseEvents?: number
  /** Probability that an unpromised fact is told twice. */
  readonly doubleEvents?: number
  /** Which sounds can be played; all of them unless it says otherwise. */
  readonly isPlayable?: (sound: Sound) => boolean
  /** A switch that was there before: for engines that are started again beside living calls. */
  readonly switch?: SimSwitch
}

/** The second switch of the house: people are scripts, the connection is slow and sometimes gone. */
export class SimPbx implements Pbx {
  /** The truth, for checkers: what really happens, whatever was told. */
  readonly switch: SimSwitch
  readonly #clock: Clock
  readonly #random: Random
  readonly #options: SimPbxOptions
  readonly #toSwitch: SimLine
  readonly #toUs: SimLine
  readonly #view = new SimView()
  readonly #listeners: ((event: PbxEvent) => void)[] = []
  /** Bridges whose closing has not reached the switch. */
  readonly #closing = new Set<BridgeId>()
  #isUp = false
  #reconnecting: Timer | undefined
  #hasRestarted = false

  constructor(options: SimPbxOptions) {
    const { clock, random, latencyMs = [1, 5], isPlayable } = options
    this.switch = options.switch ?? new SimSwitch(clock, isPlayable)
    this.#clock = clock
    this.#random = random
    this.#options = options
    this.#toSwitch = new SimLine(clock, random, latencyMs)
    this.#toUs = new SimLine(clock, random, latencyMs)
  }

  /** Somebody phones in. Returns the person, who can be watched and led. */
  callIn(call: SimCallIn): SimCaller {
    return this.switch.callIn(call)
  }

  /** Puts a phone on an agent's desk, or gives the person at it another script. */
  agentPhone(agent: AgentName, script: Callee): SimAgentPhone {
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
    this.#down()
    return Promise.resolve()
  }

  /** The connection breaks, and comes back after `forMs`. What is said meanwhile is lost, both ways. */
  cut(forMs: number): void {
    if (!this.#isUp) return
    this.#down()
    this.#tell({ type: 'pbx.down', why: 'the connection was cut' })
    this.#reconnecting = this.#clock.schedule(this.#clock.nowMs() + forMs, () => this.#up())
  }

  /** The switch dies with all its calls, and comes back empty after `forMs`. */
  restart(forMs: number): void {
    this.switch.crash()
    this.#hasRestarted = true
    this.cut(forMs)
  }

  answer(leg: LegId): void {
    this.#ask((pbx) => pbx.answer(leg))
  }

  ringAgent(leg: LegId, agent: AgentName, options: RingOptions): void {
    this.#view.asked(leg)
    this.#ask(
      (pbx) => pbx.ringAgent(leg, agent, options),
      () => this.#tell({ type: 'leg.ended', leg, reason: 'failed' }),
    )
  }

  hangUp(leg: LegId): void {
    this.#ask((pbx) => pbx.hangUp(leg))
  }

  reject(leg: LegId, reason: 'notFound' | 'busy' | 'congestion'): void {
    this.#ask((pbx) => pbx.reject(leg, reason))
  }

  play(playback: PlaybackId, leg: LegId, sounds: readonly Sound[]): void {
    this.#view.askedToPlay(playback, leg)
    this.#ask(
      (pbx) => pbx.play(playback, leg, sounds),
      () => this.#tell({ type: 'playback.ended', leg, playback, result: 'failed' }),
    )
  }

  stopPlaying(playback: PlaybackId): void {
    this.#ask((pbx) => pbx.stopPlaying(playback))
  }

  startMusic(leg: LegId, music: string): void {
    this.#ask((pbx) => pbx.startMusic(leg, music))
  }

  stopMusic(leg: LegId): void {
    this.#ask((pbx) => pbx.stopMusic(leg))
  }

  /** Prompts still playing to the legs are stopped first, as the ARI adapter does. */
  bridge(bridge: BridgeId, legs: readonly LegId[]): void {
    for (const leg of legs) for (const playback of this.#view.playbacksOf(leg)) this.stopPlaying(playback)
    this.#ask((pbx) => pbx.bridge(bridge, legs))
  }

  /** The one wish that a gap does not swallow: the ARI adapter makes it again, too, and nobody else ever would. */
  closeBridge(bridge: BridgeId): void {
    this.#closing.add(bridge)
    this.#ask((pbx) => {
      this.#closing.delete(bridge)
      pbx.closeBridge(bridge)
    })
  }

  /** Sends a wish. Without a connection it comes to nothing; `refused` says so where the port promises an end. */
  #ask(wish: (pbx: SimSwitch) => void, refused?: () => void): void {
    if (this.#isUp) this.#toSwitch.send(() => wish(this.switch))
    else if (refused) this.#clock.schedule(this.#clock.nowMs(), refused)
  }

  #up(): void {
    if (this.#isUp) return
    this.#isUp = true
    this.switch.isServed = true
    this.switch.tell = (event) => this.#report(event)
    for (const bridge of this.#closing) this.switch.closeBridge(bridge)
    this.#closing.clear()
    for (const event of this.#view.missed(this.switch)) this.#tell(event)
    this.#tell({ type: 'pbx.up', restarted: this.#hasRestarted })
    this.#hasRestarted = false
  }

  #down(): void {
    this.#isUp = false
    this.switch.isServed = false
    this.switch.tell = () => undefined
    this.#toSwitch.cut()
    this.#toUs.cut()
  }

  #report(event: PbxEvent): void {
    const { loseEvents = 0, doubleEvents = 0 } = this.#options
    const isUnpromised = UNPROMISED.has(event.type)
    if (isUnpromised && loseEvents > 0 && this.#random.next() < loseEvents) return
    this.#toUs.send(() => this.#tell(event))
    if (isUnpromised && doubleEvents > 0 && this.#random.next() < doubleEvents) {
      this.#toUs.send(() => this.#tell(event))
    }
  }

  #tell(event: PbxEvent): void {
    if (!this.#view.takes(event)) return
    for (const listener of this.#listeners) listener(event)
  }
}
