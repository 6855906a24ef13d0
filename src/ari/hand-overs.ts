import type { Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { HandOverTo } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { AriEvent } from './ari-types.ts'
import type { ReferCopy } from './sip/hep.ts'
import { partyText } from './sip/trunk-call.ts'

interface HandOver {
  readonly leg: LegId
  readonly timer: Timer
  isAccepted: boolean
}

const NO_COPIES = 'the switch sends no copies of SIP messages, and only they tell whether a network takes over a call'

/**
 * Callers who are handed over with SIP REFER (RFC 3515). ARI's `redirect` sends one and reports nothing: not whether
 * the network accepts it, nor what became of it (measured, 22.10.1). The copies of SIP messages tell both. The channel
 * does nothing else meanwhile; without any response Asterisk ends it after 6.4 s.
 */
export class HandOvers {
  readonly #context: AriContext
  readonly #running = new Map<LegId, HandOver>()

  constructor(context: AriContext) {
    this.#context = context
  }

  begin(leg: LegId, to: HandOverTo, timeoutMs: number): void {
    const { registry, sipCopies, clock, ask } = this.#context
    if (!registry.legs.has(leg) || this.#running.has(leg)) return
    const endpoint = sipCopies ? referTo(to) : undefined
    // A command returns before its effects begin.
    if (endpoint === undefined) return queueMicrotask(() => this.#tell(leg, 'failed', sipCopies ? BAD : NO_COPIES))
    const timer = clock.schedule(clock.nowMs() + timeoutMs, () => this.#late(leg))
    this.#running.set(leg, { leg, timer, isAccepted: false })
    // Once: a second REFER would call the other twice.
    void ask('POST /channels/{channelId}/redirect', { channelId: leg, endpoint }).then((answer) => {
      if (!answer.ok && !('heard' in answer)) this.#end(leg, 'failed', `Asterisk refused: ${answer.why}`)
    })
  }

  /** A copy of a SIP message. */
  heard({ callId, says, status }: ReferCopy): void {
    const of = [...this.#running.values()].find(({ leg }) => this.#context.registry.legs.get(leg)?.callId === callId)
    if (!of) return
    if (says === 'accepted') of.isAccepted = true
    else this.#end(of.leg, says, says === 'failed' ? `the network of the caller answered ${status}` : undefined)
  }

  /** Whether the copy of a SIP message must be read before this event: of a key as SIP INFO, of a call handed over. */
  mayOvertake(event: AriEvent): boolean {
    if (event.type === 'ChannelDtmfReceived') return true
    return event.type === 'StasisEnd' && this.#running.has(event.channel.id as LegId)
  }

  /** The leg is about to end. A network that accepted, and ends its call to us, has taken over. */
  legEnds(leg: LegId): void {
    if (this.#running.get(leg)?.isAccepted) this.#end(leg, 'done')
    this.#running.get(leg)?.timer.cancel()
    this.#running.delete(leg)
  }

  stopAll(): void {
    for (const { timer } of this.#running.values()) timer.cancel()
    this.#running.clear()
  }

  /** Whoever accepted calls the other: to leave then is what RFC 5589 6.1 describes. */
  #late(leg: LegId): void {
    const isAccepted = this.#running.get(leg)?.isAccepted === true
    this.#end(leg, isAccepted ? 'done' : 'failed', isAccepted ? undefined : 'the network of the caller did not answer')
  }

  #end(leg: LegId, result: 'done' | 'failed', why?: string): void {
    const running = this.#running.get(leg)
    if (!running) return
    running.timer.cancel()
    this.#running.delete(leg)
    this.#tell(leg, result, why)
  }

  #tell(leg: LegId, result: 'done' | 'failed', why?: string): void {
    const { registry, emit } = this.#context
    if (registry.legs.has(leg)) emit({ type: 'leg.handedOver', leg, result, ...(why !== undefined && { why }) })
  }
}

const BAD = 'the target is no number and no user at a host'

/** Built from checked parts: no text from outside reaches the header `Refer-To` unchecked (F-J15). */
function referTo({ number, host }: HandOverTo): string | undefined {
  const party = partyText(number)
  return party !== undefined && /^[A-Za-z0-9.-]{1,253}$/.test(host) ? `PJSIP/sip:${party}@${host}` : undefined
}
