/** What agents and flows began with others, in calls that an earlier engine left (calls-and-flows-90 and 91). */
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, LegId } from '../../kernel/ids.ts'
import type { Attempt } from '../../ports/attempt.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import type { TransferProgress } from '../../ports/transfer.ts'
import type { EngineContext } from '../context.ts'
import { AGENT_KEY, madeTransfers } from '../made-transfers.ts'
import type { ConnectedPairs } from '../outbound/connected-pairs.ts'
import type { FoundLeg } from '../outbound/live-attempt.ts'

type Transfers = Readonly<Record<string, TransferProgress>>

/** Somebody outside with whom an agent left the other side alone, in a bridge of their own. */
export interface PastPair {
  readonly key: string
  readonly leg: LegId
  readonly bridge: BridgeId
  readonly trunk: string | undefined
  readonly agent: AgentName
}

/** What an attempt has of a caller's progress. */
export function progressOf({ transfers }: Attempt) {
  return transfers ? { transfers } : undefined
}

/** Other sides of transfers that go on. Without a place in the flow nothing could come back to those of flows. */
export function openTransfers(progress: Pick<NonNullable<OpenCall['progress']>, 'transfers' | 'place'> | undefined) {
  return Object.entries(progress?.transfers ?? {}).flatMap(([key, { leg, bridge, end }]) =>
    leg && bridge && end === undefined && (progress?.place || key.startsWith(AGENT_KEY)) ? [{ leg, bridge }] : [],
  )
}

/** What agents had begun is over by now, except for the pair that is kept; the transfers of flows are not touched. */
export function endConsultations(transfers: Transfers, nowMs: AtMs, kept: PastPair | undefined): Transfers {
  const now = ([key, one]: [string, TransferProgress]): [string, TransferProgress] => {
    if (!key.startsWith(AGENT_KEY)) return [key, one]
    if (key !== kept?.key) return [key, madeTransfers([one], nowMs)[0]!]
    // The crash may have come before this was stored.
    return [key, Object.assign({}, one, { mode: 'attended' as const, connectedAtMs: one.connectedAtMs ?? nowMs })]
  }
  return Object.fromEntries(Object.entries(transfers).map(now))
}

/** The call, with the consultations of its agents ended. */
export function callWithout(call: OpenCall, nowMs: AtMs, kept: PastPair | undefined): OpenCall {
  const { progress } = call
  if (!progress?.transfers) return call
  const transfers = endConsultations(progress.transfers, nowMs, kept)
  // Nobody listens to two without an agent.
  const { talk, ...rest } = progress
  const went = Object.assign({}, rest, { transfers }, talk && !kept ? { talk } : {})
  return Object.assign({}, call, { progress: went })
}

/** Finds pairs again. `found`: the legs that the switch has reported, as they come. */
export class PastPairs {
  readonly #context: EngineContext
  readonly #pairs: ConnectedPairs
  readonly #found: ReadonlyMap<LegId, FoundLeg>

  constructor(context: EngineContext, pairs: ConnectedPairs, found: ReadonlyMap<LegId, FoundLeg>) {
    this.#context = context
    this.#pairs = pairs
    this.#found = found
  }

  /** Of a party who is still where the agent left them; undefined: nobody talked without an agent. */
  of(transfers: Transfers | null | undefined, agent: AgentName | null | undefined, party: FoundLeg) {
    if (!agent || !party.isUp) return undefined
    return Object.entries(transfers ?? {}).flatMap(([key, { leg, bridge, trunk, end }]): PastPair[] =>
      key.startsWith(AGENT_KEY) && leg && bridge && bridge === party.bridge && end === undefined
        ? [{ key, leg, bridge, trunk, agent }]
        : [],
    )[0]
  }

  isHere({ leg }: PastPair): boolean {
    return this.#found.get(leg)?.isUp === true
  }

  adopt({ key, leg: other, bridge, trunk, agent }: PastPair, call: CallId, partyLeg: LegId): void {
    const { distributor, dependencies, performDistributor, inboundCalls } = this.#context
    const found = this.#found.get(other)
    if (trunk !== undefined) inboundCalls?.transfers.dialedBefore(other, trunk)
    if (found?.isUp && found.bridge !== bridge) dependencies.pbx.join(bridge, other)
    // The saved session may be older than the transfer.
    performDistributor(distributor.partyEnded(partyLeg, dependencies.clock.nowMs()))
    this.#pairs.adopt({ key, call, partyLeg, other, agent }, bridge, found?.isUp === true)
  }
}
