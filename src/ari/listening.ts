import type { Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import { FRAME_SAMPLES, GreetingListener, type Heard, PATIENT } from '../listening/greeting-listener.ts'
import { GreetingPrinter, isSamePrint } from '../listening/greeting-print.ts'
import type { Greeting } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import { earOf } from './ear-channels.ts'
import type { MediaSocket } from './media-socket.ts'

/** The limit of the verdict, and 2 s for channels and socket; measured: the first sound comes after 45 ms. */
const VERDICT_MAX_MS = PATIENT.verdictMaxMs + 2_000
/** Greetings that are longer get no message. */
const LISTENING_MAX_MS = 55_000

/** Opens the sound of a channel; see `openMediaSocket`. */
export type OpenMedia = (parts: {
  readonly connection: string
  onSound(samples: Int16Array): void
  onLost(why: string): void
}) => MediaSocket

interface Ear {
  readonly leg: LegId
  readonly listener: GreetingListener
  readonly printer: GreetingPrinter
  readonly greetings: readonly Greeting[]
  /** Samples that do not fill a frame yet. */
  rest: Int16Array
  readonly here: Set<string>
  isJudged: boolean
  socket: MediaSocket | undefined
  timer: Timer
}

/**
 * Listens to legs without touching them: prompts, agents and recordings go on meanwhile.
 *
 *   leg ──snoop (in)──▶ bridge ──▶ media channel ──WebSocket──▶ engine
 *
 * Nothing is repeated after a failure: whoever is not heard in time is `unsure`, which counts as a person.
 */
export class Listening {
  readonly #context: AriContext
  readonly #openMedia: OpenMedia
  readonly #ears = new Map<LegId, Ear>()

  constructor(context: AriContext, openMedia: OpenMedia) {
    this.#context = context
    this.#openMedia = openMedia
  }

  /** Only for dialed legs, once at a time. */
  begin(leg: LegId, greetings: readonly Greeting[]): void {
    const { app, clock, registry } = this.#context
    if (registry.legs.get(leg)?.kind !== 'dialed' || this.#ears.has(leg)) return
    const timer = clock.schedule(clock.nowMs() + VERDICT_MAX_MS, () => this.#unheard(ear, 'no verdict in time'))
    const heard = { listener: new GreetingListener(), printer: new GreetingPrinter(), greetings }
    const nothing = { rest: new Int16Array(0), here: new Set<string>(), isJudged: false, socket: undefined }
    const ear: Ear = { leg, ...heard, ...nothing, timer }
    this.#ears.set(leg, ear)
    const { snoop, media } = earOf(leg)
    void this.#make(
      ear,
      this.#context.ask('POST /channels/{channelId}/snoop/{snoopId}', {
        channelId: leg,
        snoopId: snoop,
        spy: 'in',
        app,
        appArgs: 'ear',
      }),
    )
    const sound = { encapsulation: 'none', transport: 'websocket', connection_type: 'server', format: 'slin' }
    const asked = this.#context.ask('POST /channels/externalMedia', {
      channelId: media,
      app,
      external_host: 'INCOMING',
      ...sound,
    })
    void this.#make(ear, asked).then((channel) => this.#connect(ear, channel?.channelvars))
  }

  /** A channel of an ear is in our application. An ear that is not listening any more needs none. */
  here(channel: string, leg: LegId): void {
    const ear = this.#ears.get(leg)
    if (!ear) return this.#hangUp(channel)
    ear.here.add(channel)
    const { snoop, media, bridge } = earOf(leg)
    if (!ear.here.has(snoop) || !ear.here.has(media)) return
    void this.#make(ear, this.#context.ask('POST /bridges', { type: 'mixing', bridgeId: bridge }))
    const joined = { bridgeId: bridge, channel: [snoop, media] }
    void this.#make(ear, this.#context.ask('POST /bridges/{bridgeId}/addChannel', joined))
  }

  /** The leg is gone, or nobody needs to know any more. Silent. */
  stop(leg: LegId): void {
    const ear = this.#ears.get(leg)
    if (!ear) return
    this.#ears.delete(leg)
    ear.timer.cancel()
    ear.socket?.close()
    const { snoop, media, bridge } = earOf(leg)
    for (const channel of [snoop, media]) this.#hangUp(channel)
    this.#context.commands.send(always, 'DELETE /bridges/{bridgeId}', { bridgeId: bridge })
  }

  stopAll(): void {
    for (const leg of [...this.#ears.keys()]) this.stop(leg)
  }

  /** The answer's body; an ear that cannot be made hears nothing. */
  async #make<T>(ear: Ear, asked: Promise<{ ok: true; body: T } | { ok: false; why: string }>): Promise<T | undefined> {
    const answer = await asked
    if (answer.ok) return answer.body
    this.#unheard(ear, `Asterisk refused: ${answer.why}`)
    return undefined
  }

  #connect(ear: Ear, variables: Readonly<Record<string, unknown>> | undefined): void {
    const connection = variables?.['MEDIA_WEBSOCKET_CONNECTION_ID']
    if (!this.#isListening(ear)) return
    if (typeof connection !== 'string') return this.#unheard(ear, 'Asterisk gave the media channel no connection id')
    ear.socket = this.#openMedia({
      connection,
      onSound: (samples) => this.#hears(ear, samples),
      onLost: (why) => this.#unheard(ear, why),
    })
  }

  #hears(ear: Ear, samples: Int16Array): void {
    const sound = new Int16Array(ear.rest.length + samples.length)
    sound.set(ear.rest)
    sound.set(samples, ear.rest.length)
    let at = 0
    for (; at + FRAME_SAMPLES <= sound.length && this.#isListening(ear); at += FRAME_SAMPLES) {
      const frame = sound.subarray(at, at + FRAME_SAMPLES)
      for (const heard of ear.listener.takes(frame)) this.#tell(ear, heard)
      const print = ear.printer.takes(frame)
      if (print !== undefined) this.#compare(ear, print)
      if (ear.listener.isDone && ear.printer.isDone) this.stop(ear.leg)
    }
    ear.rest = sound.slice(at)
  }

  /** The pauses are judged all the same: the agents' words shall say how good each detector is. */
  #compare({ leg, listener, greetings }: Ear, print: string): void {
    const same = greetings.find((greeting) => isSamePrint(greeting.print, print))
    if (same?.isKnown) listener.goesOnToTheEnd()
    this.#context.emit({ type: 'leg.greeted', leg, print, ...(same && { greeting: same.id }) })
  }

  #tell(ear: Ear, heard: Heard): void {
    const { clock, emit } = this.#context
    const { leg } = ear
    if (heard.type === 'greetingEnded') return emit({ type: 'leg.greetingEnded', leg, by: heard.by })
    ear.isJudged = true
    ear.timer.cancel()
    ear.timer = clock.schedule(clock.nowMs() + LISTENING_MAX_MS - VERDICT_MAX_MS, () => this.stop(leg))
    emit({ type: 'leg.judged', leg, verdict: heard.verdict })
  }

  #unheard(ear: Ear, why: string): void {
    if (!this.#isListening(ear)) return
    const { emit, log } = this.#context
    this.stop(ear.leg)
    if (ear.isJudged) return
    log.warn({ leg: ear.leg, why }, 'nothing was heard of who answered; it counts as a person')
    emit({ type: 'leg.judged', leg: ear.leg, verdict: 'unsure' })
  }

  #isListening(ear: Ear): boolean {
    return this.#ears.get(ear.leg) === ear
  }

  #hangUp(channel: string): void {
    this.#context.commands.send(always, 'DELETE /channels/{channelId}', { channelId: channel })
  }
}

const always = () => true
