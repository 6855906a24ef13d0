import type { Clock } from '../kernel/clock.ts'
import { type AgentName, type BridgeId, type LegId, OUR_PREFIX, type PlaybackId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Random } from '../kernel/random.ts'
import type { LegEnd, Pbx, PbxEvent, PbxIdentity, RingOptions } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import { ariAddress } from './address.ts'
import type { AsteriskInfo } from './ari-types.ts'
import { type Differences, differences } from './differences.ts'
import { Ledger, type Leg } from './ledger.ts'
import type { AriAnswer } from './operation.ts'
import { Playing } from './playing.ts'
import { type Survey, survey } from './resync.ts'
import { tellAnswered, translate } from './translate.ts'
import { AriWire, type Rest, type Settled } from './wire.ts'
import { Wishes } from './wishes.ts'

/** Asterisk ends ringing by itself; this much later we do (style.md 2, "Timeouts"). */
const RING_GRACE_MS = 5_000

/** From "no such channel" to our own word that the leg has ended, should its event not come (faults.md F-A4). */
const MISSING_MS = 5_000

const REJECTIONS = { notFound: 'unallocated', busy: 'busy', congestion: 'congestion' } as const

/** Which Asterisk, as whom, under which name, and the clock, chance and log to live with. */
export interface AriPbxOptions {
  /** `http://host:port`, see `ariAddress`. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** Name of the Stasis application, as in the dialplan. One engine uses it at a time. */
  readonly app: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Asterisk as a switch. Throws when `url` is no address; everything else is told by `start` or by events. */
export function ariPbx(options: AriPbxOptions): AriPbx {
  return new AriPbx(options)
}

/** The port over one line to Asterisk: wishes go out as requests, events come in through the ledger. */
export class AriPbx implements Pbx {
  readonly #app: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #wire: AriWire
  readonly #wishes: Wishes
  readonly #playing: Playing
  readonly #ledger = new Ledger()
  readonly #listeners: ((event: PbxEvent) => void)[] = []
  #startupTime: string | undefined

  constructor(options: AriPbxOptions) {
    const { app, clock, log } = options
    const ledger = this.#ledger
    const tell = (event: PbxEvent) => this.#tell(event)
    const telling = { tell, stray: (leg: LegId) => this.#hangUpChannel(leg) }
    const isUp = () => this.#wire.isUp
    const onMissing = (leg: LegId) => this.#missing(leg)
    this.#app = app
    this.#clock = clock
    this.#log = log
    this.#wire = new AriWire({
      ...options,
      address: ariAddress(options.url),
      onConnected: (rest, info) => this.#settle(rest, info),
      onEvent: (event) => translate(event, ledger, telling),
      onDown: (why) => this.#down(why),
    })
    this.#wishes = new Wishes({ ask: (operation, args) => this.#wire.ask(operation, args), clock, log })
    this.#playing = new Playing({ clock, ledger, wishes: this.#wishes, isUp, tell, onMissing })
  }

  onEvent(listener: (event: PbxEvent) => void): void {
    this.#listeners.push(listener)
  }

  async start(): Promise<PbxIdentity> {
    const { system } = await this.#wire.start()
    return { kind: 'asterisk', version: system?.version.split('+')[0] ?? 'unknown' }
  }

  async stop(): Promise<void> {
    this.#ledger.clear()
    await this.#wire.stop()
  }

  /** Counters since the start, for a status page: connections, requests, events, and events passed over by type. */
  stats() {
    const { legs, playbacks, bridges } = this.#ledger
    return { ...this.#wire.stats(), legs: legs.size, playbacks: playbacks.size, bridges: bridges.size }
  }

  answer(leg: LegId): void {
    const known = this.#ledger.legs.get(leg)
    if (!known) return
    this.#wishes.make(this.#lives(leg), 'POST /channels/{channelId}/answer', { channelId: leg }, (answer) => {
      // A leg adopted after a restart of ours was answered long ago: no event comes, only this answer.
      if (answer.ok && this.#ledger.legs.has(leg)) tellAnswered(known, { tell: (event) => this.#tell(event) })
      if (answer.status === 404) this.#missing(leg)
    })
  }

  ringAgent(leg: LegId, agent: AgentName, { callerId, ringTimeoutMs }: RingOptions): void {
    if (this.#ledger.legs.has(leg)) return
    const known = this.#ledger.addLeg(leg, 'dialed')
    this.#hangUpIfStillRinging(known, ringTimeoutMs)
    const place = {
      endpoint: `PJSIP/agent-${agent}`,
      app: this.#app,
      appArgs: 'dialed',
      channelId: leg,
      callerId,
      timeout: Math.max(1, Math.ceil(ringTimeoutMs / 1000)),
    }
    // No wish to be made again: nobody is rung twice, or after the reason for it has passed (law 6).
    void this.#wire.ask('POST /channels', place).then((answer) => this.#rung(known, ringTimeoutMs, answer))
  }

  hangUp(leg: LegId): void {
    const known = this.#ledger.legs.get(leg)
    if (!known) return
    known.hangUpAsked = true
    this.#hangUpChannel(leg)
  }

  reject(leg: LegId, reason: 'notFound' | 'busy' | 'congestion'): void {
    const known = this.#ledger.legs.get(leg)
    if (!known) return
    known.hangUpAsked = true
    this.#hangUpChannel(leg, REJECTIONS[reason])
  }

  play(playback: PlaybackId, leg: LegId, sounds: readonly Sound[]): void {
    this.#playing.play(playback, leg, sounds)
  }

  stopPlaying(playback: PlaybackId): void {
    this.#playing.stop(playback)
  }

  startMusic(leg: LegId, music: string): void {
    if (!this.#ledger.legs.has(leg)) return
    this.#wishes.make(this.#lives(leg), 'POST /channels/{channelId}/moh', { channelId: leg, mohClass: music })
  }

  stopMusic(leg: LegId): void {
    if (!this.#ledger.legs.has(leg)) return
    this.#wishes.make(this.#lives(leg), 'DELETE /channels/{channelId}/moh', { channelId: leg })
  }

  /**
   * What still plays to the legs is stopped first. Asterisk lets a leg into a bridge only when its playbacks are
   * over, and answers no other request of ours until then (measured, 22.10.1: 2.5 s of standstill).
   */
  bridge(bridge: BridgeId, legs: readonly LegId[]): void {
    const living = legs.flatMap((leg) => this.#ledger.legs.get(leg) ?? [])
    if (living.length === 0) return
    for (const leg of living) for (const playback of leg.playbacks) this.#playing.stop(playback)
    this.#ledger.addBridge(bridge, legs)
    const isOpen = () => this.#ledger.bridges.has(bridge)
    const channel = living.map(({ id }) => id)
    this.#wishes.make(isOpen, 'POST /bridges', { type: 'mixing', bridgeId: bridge })
    this.#wishes.make(isOpen, 'POST /bridges/{bridgeId}/addChannel', { bridgeId: bridge, channel })
  }

  closeBridge(bridge: BridgeId): void {
    this.#ledger.bridges.delete(bridge)
    this.#wishes.make(always, 'DELETE /bridges/{bridgeId}', { bridgeId: bridge })
  }

  #lives(leg: LegId): () => boolean {
    return () => this.#ledger.legs.has(leg)
  }

  #hangUpChannel(leg: LegId, reason?: string): void {
    const args = { channelId: leg, ...(reason && { reason }) }
    this.#wishes.make(always, 'DELETE /channels/{channelId}', args, (answer) => {
      if (answer.status === 404) this.#missing(leg)
    })
  }

  /** What came of asking to ring. A refusal has no event, so the leg's one end is told here. */
  #rung(leg: Leg, ringTimeoutMs: number, answer: AriAnswer): void {
    if (answer.ok || !this.#ledger.legs.has(leg.id)) return
    // The id is in use: Asterisk has got this wish before (faults.md F-A17).
    if (answer.status === 409) return
    if ('heard' in answer && answer.heard === 'perhaps') this.#lookForLater(leg, ringTimeoutMs)
    else {
      this.#log.warn({ leg: leg.id, status: answer.status, why: answer.why }, "an agent's phone could not be rung")
      // "Allocation failed", 500: the phone is not registered (measured, asterisk.md 4).
      this.#end(leg.id, answer.status === 500 ? 'unreachable' : 'failed')
    }
  }

  /** The answer is missing, so nobody knows whether the phone rings. It is not asked again, but looked for. */
  #lookForLater(leg: Leg, ringTimeoutMs: number): void {
    this.#lookAfter(leg, MISSING_MS, async () => {
      const answer = await this.#wire.ask('GET /channels/{channelId}', { channelId: leg.id })
      if (!this.#ledger.legs.has(leg.id)) return
      if (answer.status === 404) this.#end(leg.id, 'failed')
      else this.#hangUpIfStillRinging(leg, ringTimeoutMs)
    })
  }

  #hangUpIfStillRinging(leg: Leg, ringTimeoutMs: number): void {
    this.#lookAfter(leg, ringTimeoutMs + RING_GRACE_MS, () => {
      if (!leg.answered) this.#hangUpChannel(leg.id)
    })
  }

  /** Asterisk has no such leg. Its end should be on its way; if not, it is told here. */
  #missing(id: LegId): void {
    const leg = this.#ledger.legs.get(id)
    if (!leg) return
    this.#lookAfter(leg, MISSING_MS, () => {
      if (this.#wire.isUp) this.#end(id, 'lost')
    })
  }

  #lookAfter(leg: Leg, afterMs: number, action: () => void): void {
    leg.watch?.cancel()
    leg.watch = this.#clock.schedule(this.#clock.nowMs() + afterMs, action)
  }

  #end(leg: LegId, reason: LegEnd): void {
    if (!this.#ledger.legs.has(leg)) return
    this.#ledger.endLeg(leg)
    this.#tell({ type: 'leg.ended', leg, reason })
  }

  #down(why: string): void {
    this.#wishes.lineLost()
    this.#tell({ type: 'pbx.down', why })
  }

  async #settle(rest: Rest, info: AsteriskInfo): Promise<Settled> {
    const sent = [...this.#ledger.playbacks.values()].filter((playback) => playback.sent)
    const surveyed = await survey(
      rest,
      this.#app,
      sent.map(({ id }) => id),
    )
    return surveyed.ok ? { ok: true, tell: () => this.#catchUp(surveyed.survey, info) } : surveyed
  }

  /** Tells what happened unseen, and then that the switch is there again. */
  #catchUp({ found, gonePlaybacks }: Survey, info: AsteriskInfo): void {
    const startupTime = info.status?.startup_time
    const restarted = this.#startupTime !== undefined && this.#startupTime !== startupTime
    this.#startupTime = startupTime
    const difference = differences(this.#ledger, found)
    for (const leg of difference.lost) this.#ledger.endLeg(leg)
    // Old wishes first: what follows from the news must not overtake them.
    this.#wishes.makeAgain()
    for (const leg of difference.lost) this.#tell({ type: 'leg.ended', leg, reason: 'lost' })
    for (const id of difference.answered) {
      const leg = this.#ledger.legs.get(id)
      if (leg) tellAnswered(leg, { tell: (event) => this.#tell(event) })
    }
    this.#playing.settle(gonePlaybacks)
    this.#adopt(difference)
    this.#tell({ type: 'pbx.up', restarted })
  }

  /** Makes ours what is ours, mends what is broken, and closes what nobody owns. */
  #adopt({ arrived, talking, broken, closeBridges, closeChannels }: Differences): void {
    const ledger = this.#ledger
    for (const bridge of broken) this.bridge(bridge, ledger.bridges.get(bridge)?.legs ?? [])
    for (const bridge of closeBridges) this.closeBridge(bridge as BridgeId)
    for (const channel of closeChannels) this.#hangUpChannel(channel as LegId)
    for (const arrival of arrived) {
      ledger.addLeg(arrival.leg, 'arrived')
      this.#tell({ type: 'leg.arrived', ...arrival })
    }
    for (const { bridge, legs } of talking) {
      for (const leg of legs) ledger.addLeg(leg, leg.startsWith(OUR_PREFIX) ? 'dialed' : 'arrived', true)
      const { joined } = ledger.addBridge(bridge, legs)
      for (const leg of legs) joined.add(leg)
      this.#tell({ type: 'bridge.found', bridge, legs })
    }
  }

  /** A listener that throws is our mistake; it must not cost the others their event, or the process its life. */
  #tell(event: PbxEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#log.error({ err: error, event: event.type }, 'a listener of the switch failed')
      }
    }
  }
}

const always = () => true
