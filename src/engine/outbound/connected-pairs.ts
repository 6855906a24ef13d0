/** Callers and callees whom an agent connected with somebody outside: the two talk without us, and end together. */
import type { AgentName, BridgeId, LegId } from '../../kernel/ids.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import { OUTSIDE_TALK_MAX_MS } from '../../ports/transfer.ts'
import type { EngineContext } from '../context.ts'
import type { LiveAttempt } from './live-attempt.ts'
import type { NotedTransfer, TransferNotes } from './transfer-notes.ts'

export interface Pair extends NotedTransfer {
  /** Who connected them. */
  readonly agent: AgentName
  readonly other: LegId
}

type Added = Pair & { readonly close: () => void }

/** The call of the party goes on until one of the two hangs up. */
export class ConnectedPairs {
  readonly #context: EngineContext
  readonly #ofLeg: (leg: LegId) => LiveAttempt | undefined
  readonly #notes: TransferNotes
  readonly #all = new Set<Added>()

  constructor(context: EngineContext, ofLeg: (leg: LegId) => LiveAttempt | undefined, notes: TransferNotes) {
    this.#context = context
    this.#ofLeg = ofLeg
    this.#notes = notes
  }

  /** Moves both into a bridge of their own. What they say is not our conversation, and is not recorded. */
  connect(pair: Pair): void {
    const { dependencies, recordings, calls, keptTalks } = this.#context
    const bridge = this.#notes.bridgeOf(pair)
    const attempt = this.#ofLeg(pair.partyLeg)
    const caller = calls.get(pair.call) ?? keptTalks.get(pair.partyLeg)
    if (attempt) recordings.stop(attempt)
    if (caller) {
      recordings.stop(caller)
      caller.talk = undefined
    }
    dependencies.pbx.bridge(bridge, [pair.partyLeg, pair.other])
    this.#notes.change(pair, { mode: 'attended' })
    this.#add(pair, bridge)
  }

  /** A later engine finds the party in the bridge, and the other on the line, or not. */
  adopt(pair: Pair, bridge: BridgeId, isOtherHere: boolean): void {
    const added = this.#add(pair, bridge)
    if (!isOtherHere) this.#end(added, true)
  }

  owns(leg: LegId): boolean {
    return [...this.#all].some(({ other }) => other === leg)
  }

  /** The pair of which the leg is either side. */
  of(leg: LegId): Pair | undefined {
    return [...this.#all].find(({ partyLeg, other }) => partyLeg === leg || other === leg)
  }

  #add(pair: Pair, bridge: BridgeId): Added {
    const { dependencies, enqueue } = this.#context
    const { clock, pbx } = dependencies
    // No agent hears that nobody talks any more. The end of the other side ends the pair.
    const over = () => enqueue(() => this.#all.has(added) && pbx.hangUp(pair.other))
    const timer = clock.schedule(clock.nowMs() + OUTSIDE_TALK_MAX_MS, over)
    const close = () => {
      timer.cancel()
      pbx.closeBridge(bridge)
    }
    const added = { ...pair, close }
    this.#all.add(added)
    return added
  }

  /** True if the event was about the other side of a pair. */
  handleSwitchEvent(event: Extract<PbxEvent, { leg: LegId }>): boolean {
    for (const pair of this.#all) {
      const isOther = event.leg === pair.other
      if (!isOther && event.leg !== pair.partyLeg) continue
      if (event.type === 'leg.ended') this.#end(pair, isOther)
      return isOther
    }
    return false
  }

  #end(pair: Added, isOther: boolean): void {
    const { dependencies, inboundCalls, outbound, calls, later } = this.#context
    this.#all.delete(pair)
    pair.close()
    this.#notes.end(pair)
    inboundCalls?.transfers.dialedEnded(pair.other)
    if (!isOther) return dependencies.pbx.hangUp(pair.other)
    const caller = calls.get(pair.call)
    if (this.#ofLeg(pair.partyLeg)) return dependencies.pbx.hangUp(pair.partyLeg)
    // One whom an earlier engine served has no place in the flow any more.
    if (!caller) return outbound?.kept.agentLeftCall(pair.call)
    // The flow goes on as after every conversation.
    Object.assign(caller, { hasAgentLeft: true, talk: undefined })
    later(pair.call, { type: 'agent.left', agent: pair.agent })
  }
}
