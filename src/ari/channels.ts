import type { LegId } from '../kernel/ids.ts'
import type { LegEnd } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Leg } from './channel-registry.ts'

/** From "no such channel" to our own word that the leg has ended, should its event not come (F-A4). */
const MISSING_MS = 5_000

/** How legs end, on every way that is not an event of Asterisk's: each of them exactly once (law 5). */
export class Legs {
  readonly #context: AriContext

  constructor(context: AriContext) {
    this.#context = context
  }

  /** Hangs up, also what the ledger does not know; `reason` is a word of ARI's `DELETE /channels`. */
  hangUp(id: LegId, reason?: string): void {
    const args = { channelId: id, ...(reason && { reason }) }
    this.#context.commands.make(always, 'DELETE /channels/{channelId}', args, (answer) => {
      if (answer.status === 404) this.missing(id)
    })
  }

  /** Asterisk has no such leg. Its end should be on its way; if not, it is told here. */
  missing(id: LegId): void {
    const leg = this.#context.registry.legs.get(id)
    if (!leg) return
    this.lookAfter(leg, MISSING_MS, () => {
      if (this.#context.isUp()) this.end(id, 'lost')
    })
  }

  /** Tells the end of a leg that has not ended yet. */
  end(leg: LegId, reason: LegEnd, neverSent = false): void {
    const { registry, emit } = this.#context
    if (!registry.legs.has(leg)) return
    registry.endLeg(leg)
    emit({ type: 'leg.ended', leg, reason, ...(neverSent && { neverSent }) })
  }

  /** Sets the one alarm clock of a leg. */
  lookAfter(leg: Leg, afterMs: number, action: () => void): void {
    const { clock } = this.#context
    leg.watch?.cancel()
    leg.watch = clock.schedule(clock.nowMs() + afterMs, action)
  }
}

const always = () => true
