/** Whom agents ask or connect during a conversation, as the record of the call tells of it (calls-and-flows-90). */
import type { AgentName, BridgeId, CallId, Fence, LegId } from '../../kernel/ids.ts'
import type { AttemptTransfers } from '../../ports/attempt.ts'
import type { LegEnd } from '../../ports/pbx.ts'
import type { TransferMade, TransferProgress } from '../../ports/transfer.ts'
import type { EngineContext } from '../context.ts'
import { AGENT_KEY } from '../made-transfers.ts'
import type { WriteEntry } from '../record-writer.ts'
import type { LiveAttempt } from './live-attempt.ts'

/** One entry in the record of one call. */
export interface NotedTransfer {
  readonly call: CallId
  readonly partyLeg: LegId
  readonly key: string
}

type Asked = Required<Pick<TransferMade, 'to' | 'mode' | 'by'>>

interface OutsideLine {
  readonly leg: LegId
  readonly trunk: string
}

/** Our choice: of one call no more are kept; what goes on meanwhile is not hindered. */
const NOTES_MAX = 50
/** The fence is that of the write (`RecordWriter`). */
const UNFENCED = 0 as Fence
const GIVEN_UP = 'it was given up before an answer'
const END_OF: Readonly<Partial<Record<LegEnd, TransferMade['end']>>> = { busy: 'busy', noAnswer: 'noAnswer' }

/** Stores each change at once: a later engine goes on with it, or ends it. */
export class TransferNotes {
  readonly #context: EngineContext
  readonly #ofLeg: (leg: LegId) => LiveAttempt | undefined
  readonly #write: (entry: WriteEntry) => void

  constructor(
    context: EngineContext,
    ofLeg: (leg: LegId) => LiveAttempt | undefined,
    write: (entry: WriteEntry) => void,
  ) {
    this.#context = context
    this.#ofLeg = ofLeg
    this.#write = write
  }

  /** The bridge of somebody outside is chosen before it is needed: a crash at any moment finds it. */
  begin(
    { call, partyLeg }: Omit<NotedTransfer, 'key'>,
    { outside, ...asked }: Asked & { readonly outside: OutsideLine | undefined },
  ): NotedTransfer {
    const noted = { call, partyLeg, key: `${AGENT_KEY}${(this.#of({ call, partyLeg })?.size ?? 0) + 1}` }
    const transfers = this.#of(noted)
    if (!transfers || transfers.size >= NOTES_MAX) return noted
    const line = outside && Object.assign({ bridge: this.#context.dependencies.ids.bridge() }, outside)
    transfers.set(noted.key, { ...asked, beganAtMs: this.#nowMs(), ...line })
    this.#store(noted)
    return noted
  }

  /** Where the two are to be alone. */
  bridgeOf(noted: NotedTransfer): BridgeId {
    return this.#of(noted)?.get(noted.key)?.bridge ?? this.#context.dependencies.ids.bridge()
  }

  /** Both can talk, or something else changed. Silent when the entry is over. */
  change(noted: NotedTransfer, change: Partial<Pick<TransferProgress, 'mode'>>): void {
    const transfers = this.#of(noted)
    const earlier = transfers?.get(noted.key)
    if (!transfers || !earlier || earlier.end !== undefined) return
    const connectedAtMs = earlier.connectedAtMs ?? this.#nowMs()
    transfers.set(noted.key, Object.assign({}, earlier, { connectedAtMs }, change))
    this.#store(noted)
  }

  /** `reason`: why nobody answered. */
  end(noted: NotedTransfer, reason?: LegEnd): void {
    const transfers = this.#of(noted)
    const earlier = transfers?.get(noted.key)
    if (!transfers || !earlier || earlier.end !== undefined) return
    const { leg: _, bridge: __, trunk: ___, ...made } = earlier
    const endedAtMs = this.#nowMs()
    const failed = (reason && END_OF[reason]) ?? 'failed'
    const why = reason ? `the other side was not reached: ${reason}` : GIVEN_UP
    const isReached = made.connectedAtMs !== undefined
    transfers.set(
      noted.key,
      Object.assign(made, isReached ? { endedAtMs, end: 'done' } : { endedAtMs, end: failed, why }),
    )
    this.#store(noted)
  }

  /** The record names the agent who had the conversation last, also after a crash. */
  passedOn({ attempt, leg }: LiveAttempt, agent: AgentName): void {
    const value = { attempt, fence: UNFENCED, atMs: this.#nowMs(), agent }
    this.#write({ key: leg, what: 'connected', value })
  }

  #of({ call, partyLeg }: Omit<NotedTransfer, 'key'>): Map<string, TransferProgress> | undefined {
    const { calls, keptTalks } = this.#context
    return (this.#ofLeg(partyLeg) ?? calls.get(call) ?? keptTalks.get(partyLeg))?.transfers
  }

  #store({ call, partyLeg }: NotedTransfer): void {
    const { calls, inboundCalls, outbound } = this.#context
    const live = this.#ofLeg(partyLeg)
    const caller = calls.get(call)
    if (live) {
      const transfers: AttemptTransfers['transfers'] = Object.fromEntries(live.transfers)
      this.#write({ key: live.leg, what: 'transfers', value: { attempt: live.attempt, fence: UNFENCED, transfers } })
    } else if (caller) inboundCalls?.callWent(caller)
    else outbound?.kept.went(partyLeg)
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}
