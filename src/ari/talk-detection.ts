import { QUIET_AFTER_MS } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Leg, Playback } from './channel-registry.ts'

/**
 * The mean of the samples of 20 ms from which Asterisk hears a sound: its default, -42 dB of full scale. Measured with
 * 22.10.1: speech of -40 dBm0 is heard, the noise of a line below -45 dBm0 is not, nor is our own prompt, 26 dB below.
 */
const LOUD_ENOUGH = 256

/**
 * Asterisk's talk detection, on while a playback wants it. It is set only while nothing plays: Asterisk carries out no
 * request to a channel that plays, and all requests behind it wait as long (measured, 22.10.1).
 */
export class TalkDetection {
  readonly #context: AriContext

  constructor(context: AriContext) {
    this.#context = context
  }

  /** For a playback that is about to be asked for. */
  begin(leg: Leg, playback: Playback): void {
    const { registry } = this.#context
    const plays = [...leg.playbacks].some((id) => !registry.playbacks.get(id)?.stopAsked)
    if (leg.detectsTalk || leg.mayPlayEarlier || plays) return
    leg.detectsTalk = true
    const isBefore = () => registry.playbacks.has(playback.id) && !playback.sent && !playback.stopAsked
    this.#ask(leg, isBefore, 'set', `${QUIET_AFTER_MS},${LOUD_ENOUGH}`)
  }

  /** A playback of the leg has ended. The last one takes detection with it. */
  end(leg: Leg): void {
    if (!leg.detectsTalk || leg.playbacks.size > 0) return
    leg.detectsTalk = false
    this.#ask(leg, () => this.#context.registry.legs.has(leg.id) && leg.playbacks.size === 0, 'remove', '')
  }

  #ask({ id: channelId }: Leg, isWorthwhile: () => boolean, act: 'set' | 'remove', value: string): void {
    const args = { channelId, variable: `TALK_DETECT(${act})`, value }
    this.#context.commands.send(isWorthwhile, 'POST /channels/{channelId}/variable', args)
  }
}
