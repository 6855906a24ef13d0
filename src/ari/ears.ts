import type { LegId } from '../kernel/ids.ts'
import { FRAME_SAMPLES } from '../listening/greeting-listener.ts'
import type { AriContext } from './ari-context.ts'
import { earOf } from './ears/ear-channels.ts'
import type { MediaSocket } from './ears/media-socket.ts'

/** Opens the sound of a channel; see `openMediaSocket`. */
export type OpenMedia = (parts: {
  readonly connection: string
  onSound(samples: Int16Array): void
  onLost(why: string): void
}) => MediaSocket

/** Who gets the sound of one leg. */
interface Listener {
  /** 20 ms of what the leg says. */
  onFrame(frame: Int16Array): void
  /** At most once; no sound follows. */
  onLost(why: string): void
}

interface Ear extends Listener {
  readonly leg: LegId
  readonly names: ReturnType<typeof earOf>
  /** Samples that do not fill a frame yet. */
  rest: Int16Array
  readonly here: Set<string>
  socket: MediaSocket | undefined
}

/**
 * Brings the sound of legs to the engine without touching them: prompts, agents and recordings go on meanwhile.
 *
 *   leg ──snoop (in)──▶ bridge ──▶ media channel ──WebSocket──▶ engine
 *
 * Nothing is repeated after a failure. Measured: the first sound comes after 45 ms.
 */
export class Ears {
  readonly #context: AriContext
  readonly #openMedia: OpenMedia
  readonly #ears = new Map<LegId, Ear>()

  constructor(context: AriContext, openMedia: OpenMedia) {
    this.#context = context
    this.#openMedia = openMedia
  }

  isOpen(leg: LegId): boolean {
    return this.#ears.has(leg)
  }

  /** One listener for each leg; closed by `close` or with the leg. */
  open(leg: LegId, listener: Listener): void {
    const { app, ask, registry } = this.#context
    const known = registry.legs.get(leg)
    if (!known) return
    known.ears++
    const names = earOf(leg, known.ears)
    const ear: Ear = { leg, names, ...listener, rest: new Int16Array(0), here: new Set(), socket: undefined }
    this.#ears.set(leg, ear)
    const { snoop, media } = names
    const hears = { channelId: leg, snoopId: snoop, spy: 'in', app, appArgs: 'ear' }
    void this.#make(ear, ask('POST /channels/{channelId}/snoop/{snoopId}', hears))
    const sound = { encapsulation: 'none', transport: 'websocket', connection_type: 'server', format: 'slin' }
    const asked = ask('POST /channels/externalMedia', { channelId: media, app, external_host: 'INCOMING', ...sound })
    void this.#make(ear, asked).then((channel) => this.#connect(ear, channel?.channelvars))
  }

  /** A channel of an ear is in our application. An ear that is not listening any more needs none. */
  here(channel: string, leg: LegId): void {
    const ear = this.#ears.get(leg)
    if (!ear || (channel !== ear.names.snoop && channel !== ear.names.media)) return this.#hangUp(channel)
    ear.here.add(channel)
    const { snoop, media, bridge } = ear.names
    if (!ear.here.has(snoop) || !ear.here.has(media)) return
    void this.#make(ear, this.#context.ask('POST /bridges', { type: 'mixing', bridgeId: bridge }))
    const joined = { bridgeId: bridge, channel: [snoop, media] }
    void this.#make(ear, this.#context.ask('POST /bridges/{bridgeId}/addChannel', joined))
  }

  close(leg: LegId): void {
    const ear = this.#ears.get(leg)
    if (!ear) return
    this.#ears.delete(leg)
    ear.socket?.close()
    const { snoop, media, bridge } = ear.names
    for (const channel of [snoop, media]) this.#hangUp(channel)
    this.#context.commands.send(always, 'DELETE /bridges/{bridgeId}', { bridgeId: bridge })
  }

  /** The answer's body; an ear that cannot be made hears nothing. */
  async #make<T>(ear: Ear, asked: Promise<{ ok: true; body: T } | { ok: false; why: string }>): Promise<T | undefined> {
    const answer = await asked
    if (answer.ok) return answer.body
    this.#lose(ear, `Asterisk refused: ${answer.why}`)
    return undefined
  }

  #connect(ear: Ear, variables: Readonly<Record<string, unknown>> | undefined): void {
    const connection = variables?.['MEDIA_WEBSOCKET_CONNECTION_ID']
    if (!this.#isListening(ear)) return
    if (typeof connection !== 'string') return this.#lose(ear, 'Asterisk gave the media channel no connection id')
    ear.socket = this.#openMedia({
      connection,
      onSound: (samples) => this.#hears(ear, samples),
      onLost: (why) => this.#lose(ear, why),
    })
  }

  #hears(ear: Ear, samples: Int16Array): void {
    const sound = new Int16Array(ear.rest.length + samples.length)
    sound.set(ear.rest)
    sound.set(samples, ear.rest.length)
    let at = 0
    for (; at + FRAME_SAMPLES <= sound.length && this.#isListening(ear); at += FRAME_SAMPLES) {
      ear.onFrame(sound.subarray(at, at + FRAME_SAMPLES))
    }
    ear.rest = sound.slice(at)
  }

  #lose(ear: Ear, why: string): void {
    if (!this.#isListening(ear)) return
    this.close(ear.leg)
    ear.onLost(why)
  }

  #isListening(ear: Ear): boolean {
    return this.#ears.get(ear.leg) === ear
  }

  #hangUp(channel: string): void {
    this.#context.commands.send(always, 'DELETE /channels/{channelId}', { channelId: channel })
  }
}

const always = () => true
