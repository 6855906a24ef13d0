/** Calls that come in, on their way into the records: begun, looked up, ended. Nothing is lost (F-D1). */
import { matchable } from '../../acd/match-caller.ts'
import type { CallRecord } from '../../flow/model/call-messages.ts'
import { type CallId, FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AttemptResult, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository, FinishedCall, MatchedTask, OpenCall } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'

type Arrived = Extract<PbxEvent, { type: 'leg.arrived' }>

/** What the book is made of. */
export interface InboundCallRecorderOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  readonly lease: () => NodeLease | undefined
}

/** How callers who withhold their number are written down. */
const WITHHELD = ''
const RETRY_MS = 500

/** Mutable state with a lifetime, hence a class. */
export class InboundCallRecorder {
  readonly #context: EngineContext
  readonly #options: InboundCallRecorderOptions

  constructor(context: EngineContext, options: InboundCallRecorderOptions) {
    this.#context = context
    this.#options = options
  }

  /** Writes that a call began, and finds the task that its number belongs to. `found` is told once, in its turn. */
  arrived(call: CallId, { leg, called, caller }: Arrived, found: (matched: MatchedTask | undefined) => void): void {
    const { dialerRepository } = this.#options
    const nowMs = this.#nowMs()
    const began = { call, leg, corporation: FIRST_CORPORATION, caller: caller ?? WITHHELD, called, createdAtMs: nowMs }
    this.#begin(began)
    const number = matchable(caller)
    if (number === undefined) return found(undefined)
    dialerRepository.matchCaller(number, nowMs).then(
      (matched) => this.#context.enqueue(() => found(matched)),
      () => this.#context.enqueue(() => found(undefined)),
    )
  }

  /** Tried for as long as the call lasts: its end is written all the same, but a crash before that would lose it. */
  #begin(began: OpenCall): void {
    const { dialerRepository, lease: heldLease } = this.#options
    const { dependencies, calls, arriving } = this.#context
    const later = () => {
      dependencies.clock.schedule(this.#nowMs() + RETRY_MS, () => {
        if (calls.has(began.call) || arriving.has(began.leg)) this.#begin(began)
      })
    }
    const lease = heldLease()
    if (lease) dialerRepository.callBegan(lease, began).catch(later)
    else later()
  }

  /** Somebody hung up before anything could be done for them. */
  missed(call: CallId, { called, caller, leg }: Arrived): void {
    const nowMs = this.#nowMs()
    this.#write(leg, {
      ...{ call, corporation: FIRST_CORPORATION, direction: 'in', caller: caller ?? WITHHELD, called },
      ...{ createdAtMs: nowMs, endedAtMs: nowMs, talkMs: 0, waitMs: 0, recordings: [], hungUpBy: 'caller' },
      eventName: this.#context.eventName(),
    })
  }

  callEnded(record: CallRecord, live: LiveCall): void {
    const { call, called, caller, agent, arrivedAtMs, answeredAtMs, endedAtMs, activity } = record
    const { matched, connectedAtMs, queuedAtMs, team, leg } = live
    const caseNumber = activity['systemLookupCode'] ?? matched?.externalCaseNumber
    const result = resultOf(record, live)
    this.#write(leg, {
      ...{ call, corporation: matched?.corporation ?? FIRST_CORPORATION, direction: 'in' },
      ...{ caller: caller ?? WITHHELD, called, createdAtMs: arrivedAtMs, endedAtMs },
      ...(answeredAtMs !== undefined && { answeredAtMs }),
      talkMs: connectedAtMs === undefined ? 0 : Math.max(0, endedAtMs - connectedAtMs),
      waitMs: queuedAtMs === undefined ? 0 : Math.max(0, (connectedAtMs ?? endedAtMs) - queuedAtMs),
      ...(result !== undefined && { result }),
      ...(agent !== undefined && { agent }),
      ...(team !== undefined && { team }),
      ...(matched?.externalSystem !== undefined && { externalSystem: matched.externalSystem }),
      ...(caseNumber !== undefined && { externalCaseNumber: caseNumber }),
      ...{ hungUpBy: hungUpBy(record, live), recordings: [], eventName: this.#context.eventName() },
    })
  }

  #write(key: string, value: FinishedCall): void {
    this.#options.recordWriter.write({ key, what: 'callEnded', value })
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** Words of the flow after a conversation that the agent ended are still the agent's end (D-15). */
function hungUpBy({ endedBy }: CallRecord, { hasAgentLeft }: LiveCall): 'agent' | 'us' | 'caller' {
  if (endedBy !== 'us') return 'caller'
  return hasAgentLeft ? 'agent' : 'us'
}

/** D-11 for calls that came in: whoever waited for an agent and gave up is lost, unless we let them go. */
function resultOf({ answeredAtMs, endedBy }: CallRecord, live: LiveCall): AttemptResult | undefined {
  if (answeredAtMs === undefined) return undefined
  if (live.queuedAtMs === undefined || live.connectedAtMs !== undefined) return 'answered'
  return endedBy === 'us' ? 'dropped' : 'lost'
}
