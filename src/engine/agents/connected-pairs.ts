/** Callers and callees whom an agent connected with somebody outside: the two talk without us, and end together. */
import type { AgentName, CallId, LegId } from '../../kernel/ids.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'

interface Pair {
  /** Who connected them. */
  readonly agent: AgentName
  readonly call: CallId
  readonly partyLeg: LegId
  readonly other: LegId
}

/** The call of the party goes on until one of the two hangs up. */
export class ConnectedPairs {
  readonly #context: EngineContext
  readonly #attempts: Pick<AttemptRunner, 'ofLeg'>
  readonly #all = new Set<Pair & { readonly close: () => void }>()

  constructor(context: EngineContext, attempts: Pick<AttemptRunner, 'ofLeg'>) {
    this.#context = context
    this.#attempts = attempts
  }

  /** Moves both into a bridge of their own. What they say is not our conversation, and is not recorded. */
  connect(pair: Pair): void {
    const { dependencies, recordings, inboundCalls, calls } = this.#context
    const bridge = dependencies.ids.bridge()
    const attempt = this.#attempts.ofLeg(pair.partyLeg)
    const caller = calls.get(pair.call)
    if (attempt) recordings.stop(attempt)
    if (caller) inboundCalls?.talkEnded(caller)
    dependencies.pbx.bridge(bridge, [pair.partyLeg, pair.other])
    this.#all.add({ ...pair, close: () => dependencies.pbx.closeBridge(bridge) })
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

  #end(pair: Pair & { readonly close: () => void }, isOther: boolean): void {
    const { dependencies, inboundCalls, calls, later } = this.#context
    this.#all.delete(pair)
    pair.close()
    inboundCalls?.transfers.dialedEnded(pair.other)
    if (!isOther) return dependencies.pbx.hangUp(pair.other)
    const caller = calls.get(pair.call)
    if (!caller) return dependencies.pbx.hangUp(pair.partyLeg)
    // The flow goes on as after every conversation.
    Object.assign(caller, { hasAgentLeft: true, talk: undefined })
    later(pair.call, { type: 'agent.left', agent: pair.agent })
  }
}
