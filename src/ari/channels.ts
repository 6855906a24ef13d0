import type { LegId } from '../kernel/ids.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Leg } from './channel-registry.ts'

/** From "no such channel" to reporting the end ourselves, if no event comes (F-A4). */
const MISSING_MS = 5_000

/** Ends of legs that no event of Asterisk reports: each leg ends exactly once (law 5). */
export class Legs {
  readonly #context: AriContext

  constructor(context: AriContext) {
    this.#context = context
  }

  /** Also hangs up unknown channels; `reason` is a value of ARI's `DELETE /channels`. */
  hangUp(id: LegId, reason?: string): void {
    const args = { channelId: id, ...(reason && { reason }) }
    this.#context.commands.send(always, 'DELETE /channels/{channelId}', args, (answer) => {
      if (answer.status === 404) this.missing(id)
    })
  }

  /** Asterisk has no such leg. Its end event should follow; otherwise the end is reported here. */
  missing(id: LegId): void {
    const leg = this.#context.registry.legs.get(id)
    if (!leg) return
    this.lookAfter(leg, MISSING_MS, () => {
      if (this.#context.isUp()) this.end(id, 'lost')
    })
  }

  /** Reports the end of a leg, unless it has ended. */
  end(leg: LegId, reason: LegEnd, neverSent = false): void {
    const { registry, emit } = this.#context
    if (!registry.legs.has(leg)) return
    registry.endLeg(leg)
    emit({ type: 'leg.ended', leg, reason, ...(neverSent && { neverSent }) })
  }

  /** Sets the only timer of a leg. */
  lookAfter(leg: Leg, afterMs: number, action: () => void): void {
    const { clock } = this.#context
    leg.watch?.cancel()
    leg.watch = clock.schedule(clock.nowMs() + afterMs, action)
  }
}

const always = () => true
