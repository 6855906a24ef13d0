/** Callers on their way to telephones outside of the call centre (calls-and-flows-63). */
import { mayTransferNow, type TransferPermit } from '../../dialer/may-transfer-now.ts'
import type { CallCommand, TransferFact } from '../../flow/model/call-messages.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { LegId, PhoneNumber } from '../../kernel/ids.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import type { LegEnd, PbxEvent } from '../../ports/pbx.ts'
import { type TransferProgress, type TransferTarget, targetText } from '../../ports/transfer.ts'
import type { EngineContext, LiveCall, TransferDesk, TrunkLimits } from '../context.ts'
import { AGENT_KEY } from '../made-transfers.ts'
import type { Trunks } from '../outbound/trunk-load.ts'
import type { Timers } from '../timers.ts'
import { type TransferFacts, type TransferRepository, transferFacts } from './transfer-facts.ts'

/** What transfers need of the dialer: whether it may dial, and the load of its trunks. */
export interface TransferLines {
  readonly isWell: boolean
  readonly trunks: Pick<Trunks, 'transfers' | 'pace' | 'useOf'>
}

interface TransfersOptions {
  readonly dialerRepository: TransferRepository
  readonly trunks: () => readonly TrunkLimits[]
  readonly lines: TransferLines
  readonly timers: Timers
}

type Asked = Extract<CallCommand, { type: 'transfer' }>
type Weighed = Pick<Asked, 'to' | 'mode'> & { readonly callerId?: PhoneNumber | undefined }
type Ended = Extract<TransferFact, { type: 'transfer.ended' }>
type FoundLeg = { isUp: boolean; readonly hasBridge: boolean }

/** Our choice: nobody is brought to eleven people; a flow that goes round is stopped here. */
const TRANSFERS_MAX = 10
/** A permit is no promise for later: the stop list may change. */
const PERMIT_MS = 5_000
/** The flow of a caller who is served again comes back to its step by then. */
const TAKEN_OVER_MS = 15_000

const CRASHED = 'the service stopped during the transfer; nobody is called twice'
/** How the end of a leg that nobody answered ends the step. */
const END_OF: Readonly<Partial<Record<LegEnd, Ended['end']>>> = { busy: 'busy', noAnswer: 'noAnswer' }

/** Asks the gate, calls the other side, connects both, and knows what an earlier engine began. */
export class Transfers implements TransferDesk {
  readonly #context: EngineContext
  readonly #options: TransfersOptions
  /** Calls by the leg of the other side, and by that of a caller who is handed over. */
  readonly #calls = new Map<LegId, { readonly live: LiveCall; readonly key: string }>()
  /** Other sides that an earlier engine called, until the flow comes back to its step. */
  readonly #found = new Map<LegId, FoundLeg>()

  constructor(context: EngineContext, options: TransfersOptions) {
    this.#context = context
    this.#options = options
  }

  begin(live: LiveCall, asked: Asked): void {
    const { key, to, mode } = asked
    const earlier = live.transfers.get(key)
    if (earlier) return this.#goOn(live, key, earlier)
    if ([...live.transfers.keys()].filter((one) => !one.startsWith(AGENT_KEY)).length >= TRANSFERS_MAX) {
      const why = `a call may be transferred ${TRANSFERS_MAX} times`
      return this.#context.later(live.call, { type: 'transfer.ended', key, end: 'refused', why })
    }
    live.transfers.set(key, { to: targetText(to), mode, beganAtMs: this.#nowMs() })
    void transferFacts(this.#options.dialerRepository, to).then((facts) =>
      this.#context.enqueue(() => {
        if (this.#isOn(live, key)) this.#judge(live, asked, facts)
      }),
    )
  }

  end(live: LiveCall): void {
    for (const [key, { leg, bridge, end, connectedAtMs }] of live.transfers) {
      if (end !== undefined || key.startsWith(AGENT_KEY)) continue
      const why = connectedAtMs === undefined ? { why: 'it was given up before an answer' } : {}
      this.#note(live, key, { type: 'transfer.ended', end: connectedAtMs === undefined ? 'failed' : 'done', ...why })
      if (leg) this.#context.dependencies.pbx.hangUp(leg)
      if (bridge) this.#context.dependencies.pbx.closeBridge(bridge)
    }
  }

  owns(leg: LegId): boolean {
    return this.#found.has(leg) || this.#calls.has(leg)
  }

  handleSwitchEvent(event: PbxEvent): boolean {
    if (!('leg' in event)) return false
    const found = this.#found.get(event.leg)
    if (found) {
      if (event.type === 'leg.answered') found.isUp = true
      if (event.type === 'leg.ended') this.#lost(event.leg)
      return true
    }
    const of = this.#calls.get(event.leg)
    if (!of) return false
    if (event.leg === of.live.leg) {
      if (event.type !== 'leg.handedOver') return false
      const { result, why } = event
      this.#ended(of.live, of.key, { type: 'transfer.ended', end: result, ...(why !== undefined && { why }) })
      return true
    }
    if (event.type === 'leg.answered') this.#connect(of.live, of.key)
    if (event.type === 'leg.ended') this.#otherLeft(of.live, of.key, event)
    return true
  }

  takeOver({ progress }: OpenCall, found: ReadonlyMap<LegId, { readonly isUp: boolean; readonly bridge?: unknown }>) {
    let staysInBridge = false
    for (const [key, { leg, bridge, trunk, end }] of Object.entries(progress?.transfers ?? {})) {
      const other = leg && end === undefined && !key.startsWith(AGENT_KEY) ? found.get(leg) : undefined
      if (!leg || !other) continue
      const hasBridge = other.isUp && other.bridge === bridge
      staysInBridge ||= hasBridge
      this.#found.set(leg, { isUp: other.isUp, hasBridge })
      if (trunk !== undefined) this.dialedBefore(leg, trunk)
      this.#options.timers.after(TAKEN_OVER_MS, () => this.#context.enqueue(() => this.#forget(leg)))
    }
    return staysInBridge
  }

  /** The flow did not come back to its step. */
  #forget(leg: LegId): void {
    if (this.#lost(leg)) this.#context.dependencies.pbx.hangUp(leg)
  }

  #lost(leg: LegId): boolean {
    if (!this.#found.delete(leg)) return false
    this.dialedEnded(leg)
    return true
  }

  /** An earlier engine began it: it goes on, or is over; nobody is called again (law 6). */
  #goOn(live: LiveCall, key: string, { leg, end, why, connectedAtMs }: TransferProgress): void {
    const { later } = this.#context
    if (end !== undefined) {
      return later(live.call, { type: 'transfer.ended', key, end, ...(why !== undefined && { why }) })
    }
    const found = leg && this.#found.get(leg)
    if (!leg || !found) {
      const over: Ended = connectedAtMs === undefined ? { ...FAILED, why: CRASHED } : { ...FAILED, end: 'done' }
      return this.#context.enqueue(() => this.#ended(live, key, over))
    }
    this.#found.delete(leg)
    this.#calls.set(leg, { live, key })
    if (!found.isUp) return later(live.call, { type: 'transfer.dialing', key })
    this.#context.enqueue(() => this.#connect(live, key, found.hasBridge))
  }

  async permit(to: TransferTarget, callerId: PhoneNumber | undefined) {
    return this.#weigh({ to, mode: 'attended', callerId }, await transferFacts(this.#options.dialerRepository, to))
  }

  dial(leg: LegId, { trunk, callerId }: TransferPermit, number: PhoneNumber, ringTimeoutMs: number): void {
    const { trunks } = this.#options.lines
    trunks.transfers.set(leg, trunk)
    trunks.pace.placed(trunk, this.#nowMs())
    this.#context.dependencies.pbx.dial(leg, { trunk, number, callerId, ringTimeoutMs, reference: leg })
  }

  dialedBefore(leg: LegId, trunk: string): void {
    this.#options.lines.trunks.transfers.set(leg, trunk)
  }

  dialedEnded(leg: LegId): void {
    this.#options.lines.trunks.transfers.delete(leg)
  }

  #judge(live: LiveCall, asked: Asked, facts: TransferFacts): void {
    const answer = this.#weigh(asked, facts)
    if ('refused' in answer) return this.#ended(live, asked.key, { ...FAILED, end: 'refused', why: answer.why })
    this.#permitted(live, asked, answer.permit, this.#nowMs())
  }

  #weigh({ to, mode, callerId }: Weighed, facts: TransferFacts) {
    const { lines, trunks } = this.#options
    const nowMs = this.#nowMs()
    return mayTransferNow({
      ...facts,
      to,
      mode,
      callerId,
      isWell: lines.isWell,
      isOurs: 'number' in to && this.#isOurs(to.number),
      trunks: trunks().map((trunk) => ({
        name: trunk.name,
        host: trunk.host,
        callerIds: trunk.callerIds,
        transferCountries: trunk.transferCountries ?? [],
        sipTransfers: trunk.sipTransfers ?? false,
        abroad: trunk.abroad,
        use: lines.trunks.useOf(trunk, nowMs),
      })),
    })
  }

  /** Our numbers are spelled as networks do, with or without the plus sign. */
  #isOurs(number: PhoneNumber): boolean {
    const { numbers } = this.#context
    return numbers.has(number) || numbers.has(number.slice(1))
  }

  /** It is stored before anybody is called: an engine after a crash knows of it. */
  #permitted(live: LiveCall, asked: Asked, permit: TransferPermit, atMs: AtMs): void {
    const { key, mode } = asked
    const { ids } = this.#context.dependencies
    const progress = live.transfers.get(key)!
    const { abroad, trunk } = permit
    const other = mode === 'attended' ? { leg: ids.leg(), bridge: ids.bridge(), trunk } : undefined
    live.transfers.set(key, { ...progress, ...other, ...(abroad !== undefined && { abroad }) })
    if (other) this.#options.lines.trunks.transfers.set(other.leg, trunk)
    this.#calls.set(other?.leg ?? live.leg, { live, key })
    this.#context.inboundCalls!.callWent(live, () =>
      this.#context.enqueue(() => {
        if (!this.#isOn(live, key)) return
        const isLate = this.#nowMs() > atMs + PERMIT_MS
        if (isLate) return this.#ended(live, key, { ...FAILED, why: 'the transfer could not be stored in time' })
        this.#call(live, asked, permit, other?.leg)
      }),
    )
  }

  #call(live: LiveCall, asked: Asked, { trunk, host, callerId }: TransferPermit, leg: LegId | undefined): void {
    const { pbx } = this.#context.dependencies
    const { key, to, ringTimeoutMs } = asked
    const number = 'number' in to ? to.number : { user: to.user }
    this.#context.sendToCall(live.call, { type: 'transfer.dialing', key })
    if (!leg) return pbx.handOver(live.leg, { number, host }, ringTimeoutMs)
    this.#options.lines.trunks.pace.placed(trunk, this.#nowMs())
    pbx.dial(leg, { trunk, number, callerId, ringTimeoutMs, reference: leg })
  }

  /** The caller's music stops first. */
  #connect(live: LiveCall, key: string, hasBridge = false): void {
    const { leg, bridge, ...progress } = live.transfers.get(key)!
    live.transfers.set(key, {
      ...progress,
      leg,
      bridge,
      connectedAtMs: progress.connectedAtMs ?? this.#nowMs(),
    } as never)
    this.#context.sendToCall(live.call, { type: 'transfer.connected', key })
    if (!hasBridge) this.#context.dependencies.pbx.bridge(bridge!, [live.leg, leg!])
  }

  #otherLeft(live: LiveCall, key: string, { reason, code }: Extract<PbxEvent, { type: 'leg.ended' }>): void {
    const { connectedAtMs, bridge } = live.transfers.get(key)!
    if (bridge) this.#context.dependencies.pbx.closeBridge(bridge)
    if (connectedAtMs !== undefined) return this.#ended(live, key, { ...FAILED, end: 'done' })
    const why = `the other side was not reached: ${reason}${code === undefined ? '' : ` (${code})`}`
    this.#ended(live, key, { ...FAILED, end: END_OF[reason] ?? 'failed', why })
  }

  #ended(live: LiveCall, key: string, fact: Ended): void {
    this.#note(live, key, fact)
    this.#context.sendToCall(live.call, { ...fact, key })
  }

  #note(live: LiveCall, key: string, { end, why }: Ended): void {
    const progress = live.transfers.get(key)!
    const nowMs = this.#nowMs()
    const isReached = end === 'done' && progress.mode === 'blind'
    const reached = isReached ? { connectedAtMs: nowMs } : {}
    live.transfers.set(key, { ...progress, ...reached, endedAtMs: nowMs, end, ...(why !== undefined && { why }) })
    for (const leg of [progress.leg, live.leg]) {
      if (leg === undefined) continue
      this.#calls.delete(leg)
      this.#options.lines.trunks.transfers.delete(leg)
    }
  }

  /** Whether the transfer still waits for its answer: the caller is there, and the flow has not given it up. */
  #isOn(live: LiveCall, key: string): boolean {
    return this.#context.calls.get(live.call) === live && live.transfers.get(key)?.end === undefined
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}

const FAILED = { type: 'transfer.ended', end: 'failed' } as const
