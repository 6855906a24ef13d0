import type { AriContext } from './ari-context.ts'
import type { Leg } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import { reportAnswered } from './translate-events.ts'

/**
 * Whether an answered leg has sound at all. Asterisk lets an answer pass whose SDP has `telephone-event` in common with
 * the offer and no codec: the channel is up, and without RTP (measured, 22.10.1). Asked only where the channel names
 * no single codec, so other answers are reported at once.
 */
export class AnswerChecks {
  readonly #context: AriContext
  readonly #legs: Legs

  constructor(context: AriContext, legs: Legs) {
    this.#context = context
    this.#legs = legs
  }

  /** Reports the answer, or hangs up: the end of the leg then says that it was answered, and that nobody was heard. */
  async check(leg: Leg): Promise<void> {
    const { ask, clock, log, registry } = this.#context
    if (leg.answered || leg.soundlessAtMs !== undefined) return
    leg.soundlessAtMs = clock.nowMs()
    const answer = await ask('GET /channels/{channelId}/rtp_statistics', { channelId: leg.id })
    if (registry.legs.get(leg.id) !== leg) return
    if (answer.status !== 404) {
      leg.soundlessAtMs = undefined
      return reportAnswered(leg, this.#context)
    }
    const remedy = 'let the carrier or the phone answer with G.711 (PCMA or PCMU)'
    log.warn({ leg: leg.id, remedy }, 'a phone answered without a codec of ours, and is hung up')
    this.#legs.hangUp(leg.id)
  }
}
