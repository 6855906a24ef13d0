import type { LegId } from '../kernel/ids.ts'
import type { OverhearingVoice } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import { spyOf } from './ears/ear-channels.ts'

interface Overheard {
  readonly leg: LegId
  readonly whom: LegId
  /** Of the snooping channel, and of its bridge with the leg. */
  readonly name: string
}

/** ARI's `whisper`: where the audio that is written to the snooping channel goes. */
const WHISPER = { unheard: 'none', whispered: 'out' } as const

/**
 * Legs that overhear others.
 *
 *   whom ──snoop (both)──▶ bridge ──▶ leg        leg ──▶ bridge ──snoop (whisper: out)──▶ whom's ear
 *
 * Without whisper Asterisk throws away whatever is written to the snooping channel: silence needs no mute that could
 * fail. The snooping channel ends with `whom`. Nothing is repeated after a failure.
 */
export class Overhearing {
  readonly #context: AriContext
  readonly #all = new Map<LegId, Overheard>()
  #count = 0

  constructor(context: AriContext) {
    this.#context = context
  }

  begin(leg: LegId, whom: LegId, voice: OverhearingVoice): void {
    const { app, ask, registry } = this.#context
    const known = registry.legs.get(leg)
    if (!known) return
    this.end(leg)
    // It is moved into the bridge of the snooping channel, out of any other.
    registry.takeOut(known)
    const one = { leg, whom, name: spyOf(leg, ++this.#count) }
    this.#all.set(leg, one)
    const snoop = { channelId: whom, snoopId: one.name, spy: 'both', whisper: WHISPER[voice], app, appArgs: 'spy' }
    void this.#make(one, ask('POST /channels/{channelId}/snoop/{snoopId}', snoop))
  }

  /** A snooping channel is in our application. False: it is none of a leg that overhears. */
  here(channel: string, leg: LegId): boolean {
    const one = this.#all.get(leg)
    if (one?.name !== channel) return false
    const { ask, emit } = this.#context
    void this.#make(one, ask('POST /bridges', { type: 'mixing', bridgeId: channel }))
    const joined = { bridgeId: channel, channel: [channel, leg] }
    void this.#make(one, ask('POST /bridges/{bridgeId}/addChannel', joined)).then((isMade) => {
      if (isMade && this.#all.get(leg) === one) emit({ type: 'leg.overhears', leg })
    })
    return true
  }

  /** The leg overhears nobody any more. Silent. */
  end(leg: LegId): void {
    const one = this.#all.get(leg)
    if (!one) return
    this.#all.delete(leg)
    const { commands } = this.#context
    commands.send(always, 'DELETE /channels/{channelId}', { channelId: one.name })
    commands.send(always, 'DELETE /bridges/{bridgeId}', { bridgeId: one.name })
  }

  /** A leg is gone: whoever overheard it hears nothing more. */
  gone(leg: LegId): void {
    this.end(leg)
    for (const one of [...this.#all.values()]) if (one.whom === leg) this.#lose(one, 'the leg has ended')
  }

  /** All of them. */
  lose(why: string): void {
    for (const one of [...this.#all.values()]) this.#lose(one, why)
  }

  async #make(one: Overheard, asked: Promise<{ ok: true } | { ok: false; why: string }>): Promise<boolean> {
    const answer = await asked
    if (!answer.ok) this.#lose(one, `Asterisk refused: ${answer.why}`)
    return answer.ok
  }

  #lose(one: Overheard, why: string): void {
    if (this.#all.get(one.leg) !== one) return
    this.end(one.leg)
    this.#context.emit({ type: 'leg.overhearsNot', leg: one.leg, why })
  }
}

const always = () => true
