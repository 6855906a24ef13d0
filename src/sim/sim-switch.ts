import type { Clock, Timer } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { LegEnd, Pbx, PbxEvent, RingOptions } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { Callee, Caller } from './person.ts'
import { SimAgentPhone } from './sim-agent-phone.ts'
import { type LineEnd, SimCaller } from './sim-caller.ts'
import type { SimEar } from './sim-ear.ts'
import { SimPlayer } from './sim-player.ts'

/** Why the switch refuses a call, in SIP (asterisk.md 4: what Asterisk sends for each reason). */
const REJECTION_CODES = { notFound: 404, busy: 486, congestion: 503 } as const
/** What a caller gets when we end a call that was never answered. */
const DECLINED = 603
/** What a caller hears while no engine is connected: the tail behind every number in the dialplan. */
const APOLOGY = { text: "I'm sorry. Please try your call later.", durationMs: 8_000 }

/** Who holds the phone of a leg. */
interface Holder {
  readonly ear: SimEar
  lineUp(): void
  heardWords(): void
  lineEnded(end: LineEnd): void
}

/** One leg, as the switch knows it. */
export interface SimLeg {
  readonly id: LegId
  readonly kind: 'arrived' | 'dialed'
  /** How the other party of a bridge hears of this one: caller's number or agent's name. */
  readonly name: string
  readonly called: string
  readonly caller: string | undefined
  readonly holder: Holder
  readonly player: SimPlayer
  isUp: boolean
  bridge: BridgeId | undefined
  ringTimer: Timer | undefined
}

/** How somebody phones in. `caller` is absent when withheld. */
export interface SimCallIn {
  readonly called: string
  readonly caller?: string
  readonly person: Caller
}

/** What the switch performs: the wishes of the port, without the connection to it. */
type Wishes = Omit<Pbx, 'onEvent' | 'start' | 'stop'>

/**
 * A switch that exists only here: legs, prompts, music, bridges and ringing phones, told at the instant they
 * happen. `SimPbx` is the connection to it. It behaves like the measured Asterisk and is never kinder.
 */
export class SimSwitch implements Wishes {
  readonly legs = new Map<LegId, SimLeg>()
  readonly bridges = new Map<BridgeId, Set<SimLeg>>()
  readonly playbacks = new Map<PlaybackId, SimLeg>()
  /** Where facts go. The connection sets it. */
  tell: (event: PbxEvent) => void = () => undefined
  /** Whether an engine is connected. Without one, and without calls of its own, new calls are refused. */
  isServed = false
  readonly #clock: Clock
  readonly #isPlayable: (sound: Sound) => boolean
  readonly #phones = new Map<AgentName, SimAgentPhone>()
  #legCount = 0

  /** `isPlayable` tells which sounds have a file; all of them unless it says otherwise. */
  constructor(clock: Clock, isPlayable: (sound: Sound) => boolean = () => true) {
    this.#clock = clock
    this.#isPlayable = isPlayable
  }

  callIn({ called, caller, person }: SimCallIn): SimCaller {
    const id = `sim-leg-${++this.#legCount}` as LegId
    const holder = new SimCaller(id, this.#clock, person, {
      digit: (digit) => this.legs.get(id)?.isUp && this.tell({ type: 'leg.digit', leg: id, digit }),
      hangUp: () => this.#end(id, 'hungUp', { by: 'person' }),
    })
    // Asterisk forgets an application that is not connected and has no calls (asterisk.md 10).
    if (!this.isServed && this.legs.size === 0) this.#apologise(holder)
    else {
      this.#connect(id, 'arrived', holder, { name: caller ?? 'somebody', called, caller })
      this.tell({ type: 'leg.arrived', leg: id, called, ...(caller === undefined ? {} : { caller }) })
    }
    return holder
  }

  /** Puts a phone on an agent's desk, or gives the person at it another script. */
  agentPhone(agent: AgentName, script: Callee): SimAgentPhone {
    const phone = this.#phones.get(agent) ?? new SimAgentPhone(this.#clock, script)
    phone.script = script
    this.#phones.set(agent, phone)
    return phone
  }

  answer(id: LegId): void {
    const leg = this.legs.get(id)
    if (leg?.kind === 'arrived') this.#up(leg)
  }

  ringAgent(id: LegId, agent: AgentName, { ringTimeoutMs }: RingOptions): void {
    if (this.legs.has(id)) return
    const phone = this.#phones.get(agent)
    if (!phone || phone.isBusy) {
      this.tell({ type: 'leg.ended', leg: id, ...(phone ? { reason: 'busy', code: 486 } : { reason: 'unreachable' }) })
      return
    }
    const leg = this.#connect(id, 'dialed', phone, { name: agent, called: agent, caller: undefined })
    leg.ringTimer = this.#clock.schedule(this.#clock.nowMs() + ringTimeoutMs, () =>
      this.#end(id, 'noAnswer', { by: 'switch' }, 480),
    )
    this.tell({ type: 'leg.ringing', leg: id })
    phone.ring({
      answer: () => this.#up(leg),
      refuse: (how) => !leg.isUp && this.#end(id, how, { by: 'person' }, how === 'busy' ? 486 : 603),
      hangUp: () => this.#end(id, leg.isUp ? 'hungUp' : 'rejected', { by: 'person' }),
    })
  }

  hangUp(id: LegId): void {
    this.#end(id, 'hungUp', { by: 'switch', code: DECLINED })
  }

  reject(id: LegId, reason: keyof typeof REJECTION_CODES): void {
    this.#end(id, 'hungUp', { by: 'switch', code: REJECTION_CODES[reason] })
  }

  play(playback: PlaybackId, id: LegId, sounds: readonly Sound[]): void {
    const leg = this.legs.get(id)
    if (!leg || this.playbacks.has(playback)) return
    this.playbacks.set(playback, leg)
    leg.player.play(playback, sounds)
  }

  stopPlaying(playback: PlaybackId): void {
    this.playbacks.get(playback)?.player.stop(playback)
  }

  /** A prompt ends the music for good: Asterisk does not take it up again (its documentation of `/moh`). */
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

  /** All legs or none: Asterisk refuses the whole list when one leg is gone or still rings (asterisk.md 7). */
  bridge(bridge: BridgeId, ids: readonly LegId[]): void {
    if (!this.bridges.has(bridge)) this.bridges.set(bridge, new Set())
    const legs = ids.map((id) => this.legs.get(id))
    if (!legs.every((leg) => leg !== undefined && (leg.isUp || leg.kind === 'arrived'))) return
    for (const leg of legs as SimLeg[]) leg.player.afterPrompts(() => this.#join(bridge, leg))
  }

  closeBridge(bridge: BridgeId): void {
    for (const leg of this.bridges.get(bridge) ?? []) this.#leave(leg)
    this.bridges.delete(bridge)
  }

  /** The switch dies: every leg is gone and nobody is told. */
  crash(): void {
    for (const leg of this.legs.values()) {
      leg.player.vanish()
      leg.ringTimer?.cancel()
      leg.holder.lineEnded({ by: 'nobody' })
    }
    this.legs.clear()
    this.bridges.clear()
    this.playbacks.clear()
  }

  #apologise(holder: SimCaller): void {
    holder.lineUp()
    holder.ear.begins('words', APOLOGY.text)
    this.#clock.schedule(this.#clock.nowMs() + APOLOGY.durationMs, () => holder.lineEnded({ by: 'switch' }))
  }

  #connect(id: LegId, kind: SimLeg['kind'], holder: Holder, who: Pick<SimLeg, 'name' | 'called' | 'caller'>): SimLeg {
    const player = new SimPlayer(this.#clock, {
      ear: holder.ear,
      isPlayable: this.#isPlayable,
      heardWords: () => holder.heardWords(),
      started: (playback) => this.tell({ type: 'playback.started', leg: id, playback }),
      ended: (playback, result) => {
        this.playbacks.delete(playback)
        this.tell({ type: 'playback.ended', leg: id, playback, result })
      },
    })
    const leg: SimLeg = { id, kind, ...who, holder, player, isUp: false, bridge: undefined, ringTimer: undefined }
    this.legs.set(id, leg)
    return leg
  }

  #up(leg: SimLeg): void {
    if (leg.isUp || !this.legs.has(leg.id)) return
    leg.isUp = true
    leg.ringTimer?.cancel()
    this.tell({ type: 'leg.answered', leg: leg.id })
    leg.holder.lineUp()
  }

  /** The one way a leg ends. `code` goes to the engine, `end.code` to the person. */
  #end(id: LegId, reason: LegEnd, end: LineEnd, code?: number): void {
    const leg = this.legs.get(id)
    if (!leg) return
    for (const playback of leg.player.close()) this.playbacks.delete(playback)
    leg.ringTimer?.cancel()
    this.#leave(leg)
    this.legs.delete(id)
    leg.holder.lineEnded(end)
    this.tell({ type: 'leg.ended', leg: id, reason, ...(code === undefined ? {} : { code }) })
  }

  #join(bridge: BridgeId, leg: SimLeg): void {
    const members = this.bridges.get(bridge)
    if (!members || members.has(leg)) return
    this.#leave(leg)
    for (const other of members) {
      other.holder.ear.begins('person', leg.name)
      leg.holder.ear.begins('person', other.name)
    }
    members.add(leg)
    leg.bridge = bridge
    this.tell({ type: 'bridge.joined', bridge, leg: leg.id })
  }

  /** The others stay in the bridge, in silence, until somebody ends them (asterisk.md 5). */
  #leave(leg: SimLeg): void {
    const members = leg.bridge === undefined ? undefined : this.bridges.get(leg.bridge)
    leg.bridge = undefined
    if (!members?.delete(leg)) return
    leg.holder.ear.ends('person')
    for (const other of members) other.holder.ear.ends('person', leg.name)
  }
}
