/** Records inbound calls: beginning, lookup of the caller, end. No end is lost (F-D1). */
import { matchable } from '../../acd/match-caller.ts'
import type { CallRecord, StoppedFact } from '../../flow/model/call-messages.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { type CallId, FIRST_CORPORATION, type LegId } from '../../kernel/ids.ts'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { FileId } from '../../ports/call-activity.ts'
import type { MatchedTask } from '../../ports/call-task.ts'
import type { DialerRepository, FinishedCall } from '../../ports/dialer-repository.ts'
import type { FlowEvents } from '../../ports/flows/flow-events.ts'
import type { CallProgress } from '../../ports/open-call.ts'
import type {
  ArrivedEvent,
  DialerOptions,
  EngineContext,
  InboundCalls,
  LiveCall,
  QueueCallbackDesk,
} from '../context.ts'
import { hasTransferred, madeTransfers } from '../made-transfers.ts'
import type { RecordWriter } from '../record-writer.ts'
import { trafficOf } from '../step-ends.ts'
import type { Timers } from '../timers.ts'
import { AwaitedEvents } from './awaited-events.ts'
import { Messages } from './messages.ts'
import { type TransferLines, Transfers } from './transfers.ts'

interface InboundCallRecorderOptions {
  readonly dialerRepository: DialerRepository
  readonly flowEvents: FlowEvents
  readonly node: string
  readonly timers: Timers
  readonly fileAddress: (file: FileId) => string
  readonly dialer: {
    readonly recordWriter: RecordWriter
    readonly callbacks: { readonly ofQueues: QueueCallbackDesk }
    readonly callPlacer: TransferLines
  }
  readonly trunks: DialerOptions['trunks']
}

const WITHHELD = ''

/**
 * Hands the beginning and the end of inbound calls to the database. The numbers of the configuration belong to the
 * first corporation, as its agents do (calls-and-flows-26): callers are matched, and calls are filed, within it.
 */
export class InboundCallRecorder implements InboundCalls {
  readonly awaitedEvents: AwaitedEvents
  readonly transfers: Transfers
  readonly #messages: Messages
  readonly queueCallbacks: QueueCallbackDesk
  readonly #context: EngineContext
  readonly #options: InboundCallRecorderOptions
  readonly #recordWriter: RecordWriter
  /** What was last stored of each call, as JSON. */
  readonly #stored = new WeakMap<LiveCall, string>()

  constructor(context: EngineContext, options: InboundCallRecorderOptions) {
    this.#context = context
    this.#options = options
    this.#messages = new Messages(context, options)
    this.transfers = new Transfers(context, { ...options, lines: options.dialer.callPlacer })
    this.#recordWriter = options.dialer.recordWriter
    this.queueCallbacks = options.dialer.callbacks.ofQueues
    this.awaitedEvents = new AwaitedEvents(context, options.flowEvents, options.timers)
  }

  callArrived(
    call: CallId,
    { leg, called, caller }: ArrivedEvent,
    found: (matched: MatchedTask | undefined) => void,
  ): void {
    const { dialerRepository, node } = this.#options
    const nowMs = this.#nowMs()
    const began = { call, leg, corporation: FIRST_CORPORATION, caller: caller ?? WITHHELD, called, createdAtMs: nowMs }
    // Under the key of its end, which waits for it: the end of a call that lasts 20 ms must find the beginning.
    this.#recordWriter.write({ key: leg, what: 'callBegan', value: [node, began] })
    const number = matchable(caller)
    if (number === undefined) return found(undefined)
    dialerRepository.matchCaller(FIRST_CORPORATION, number).then(
      (matched) => this.#context.enqueue(() => found(matched)),
      () => this.#context.enqueue(() => found(undefined)),
    )
  }

  callMissed(call: CallId, { called, caller, leg }: ArrivedEvent, hungUpBy: 'caller' | 'us' = 'caller'): void {
    const nowMs = this.#nowMs()
    this.#write({
      call,
      leg,
      corporation: FIRST_CORPORATION,
      direction: 'in',
      caller: caller ?? WITHHELD,
      called,
      createdAtMs: nowMs,
      endedAtMs: nowMs,
      talkMs: 0,
      waitMs: 0,
      recordings: [],
      hungUpBy,
      eventName: this.#context.eventName(),
    })
  }

  callWent(live: LiveCall, onKept?: () => void): void {
    const progress = progressOf(live)
    const text = JSON.stringify(progress)
    if (!progress || text === this.#stored.get(live)) return onKept?.()
    this.#stored.set(live, text)
    const { call, leg, caller = WITHHELD, called } = live
    const began = {
      call,
      leg,
      corporation: FIRST_CORPORATION,
      caller,
      called,
      createdAtMs: live.run.instants.arrivedAtMs,
    }
    const { node } = this.#options
    this.#recordWriter.write(
      { key: leg, what: 'callBegan', value: [node, { ...began, ...live.earlier, progress }] },
      onKept,
    )
  }

  awaitEvent(...wait: Parameters<InboundCalls['awaitEvent']>): void {
    this.awaitedEvents.begin(...wait)
  }

  takeMessage(...asked: Parameters<InboundCalls['takeMessage']>): void {
    this.#messages.take(...asked)
  }

  talkBegan(live: LiveCall): void {
    // Who was told that no place could be kept may have one after all: the answer of the database was lost.
    if (live.team !== undefined) this.queueCallbacks.takePlace(live, live.team)
    const { mode } = live.recordingRule
    if (mode === 'always' || (mode === 'consent' && live.hasConsented)) this.#beginRecording(live)
  }

  talkEnded(live: LiveCall): void {
    this.#context.recordings.stop(live)
  }

  consented(live: LiveCall): boolean {
    if (live.recordingRule.mode !== 'consent') return false
    live.hasConsented = true
    this.#beginRecording(live)
    return true
  }

  /** Stored at once: a later engine ends what this one began, and files it with the call. */
  #beginRecording(live: LiveCall): void {
    const isExcluded = !live.recordingRule.isTranscribed
    if (this.#context.recordings.begin(live, isExcluded ? { isTranscribed: false } : {})) this.callWent(live)
  }

  /** The call is written when its recordings have ended; until then it stays open, also for a later engine. */
  callEnded(record: CallRecord, live: LiveCall): void {
    if (live.settle) return live.settle()
    const { call, called, caller, endedAtMs, activity } = record
    const { connectedAtMs, queuedAtMs, team, leg, earlier } = live
    // The flow also names an agent whose phone turned out to be dead.
    const agent = live.agent ?? (connectedAtMs === undefined ? undefined : record.agent)
    const arrivedAtMs = earlier?.createdAtMs ?? record.arrivedAtMs
    const answeredAtMs = earlier?.progress?.answeredAtMs ?? record.answeredAtMs
    const result = resultOf({ ...record, answeredAtMs }, live)
    const value = {
      call,
      leg,
      corporation: FIRST_CORPORATION,
      direction: 'in' as const,
      caller: caller ?? WITHHELD,
      called,
      createdAtMs: arrivedAtMs,
      endedAtMs,
      ...(answeredAtMs !== undefined && { answeredAtMs }),
      talkMs: connectedAtMs === undefined ? 0 : Math.max(0, endedAtMs - connectedAtMs),
      waitMs: queuedAtMs === undefined ? 0 : Math.max(0, (connectedAtMs ?? endedAtMs) - queuedAtMs),
      ...(result !== undefined && { result }),
      ...(agent !== undefined && { agent }),
      ...(team !== undefined && { team }),
      ...this.#caseOf(live, activity['systemLookupCode']),
      hungUpBy: hungUpBy(record, live),
      recordings: live.recordings,
      ...(live.transfers.size > 0 && { transfers: madeTransfers(live.transfers.values(), endedAtMs) }),
      eventName: this.#context.eventName(),
      traffic: trafficOf(record, live.stepEnds.ends, live.canary),
    }
    this.#context.recordings.finish(live, () => this.#write(value))
  }

  /** A case that the caller typed is one of the called number's system, unless it is that of the caller's task. */
  #caseOf(
    { called, matched }: LiveCall,
    typed: string | undefined,
  ): Pick<FinishedCall, 'externalSystem' | 'externalSystemCode' | 'externalCaseNumber'> {
    const externalSystemCode = this.#context.numbers.get(called)?.externalSystem
    if (typed !== undefined && typed !== matched?.externalCaseNumber && externalSystemCode !== undefined) {
      return { externalSystemCode, externalCaseNumber: typed }
    }
    const externalCaseNumber = typed ?? matched?.externalCaseNumber
    return {
      ...(matched?.externalSystem !== undefined && { externalSystem: matched.externalSystem }),
      ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    }
  }

  /** The number alone is stopped: it proves no identity. Its person's tasks have it, and so are not dialed there. */
  stopCaller({ call, caller }: LiveCall, by: string, reason: string): Pick<StoppedFact, 'end' | 'why'> {
    const number = matchable(caller)
    if (number === undefined) return { end: 'noNumber', why: "the caller's number is not international" }
    const value = { corporation: FIRST_CORPORATION, number, call, by, reason, atMs: this.#nowMs() }
    this.#recordWriter.write({ key: `${call} do not call`, what: 'doNotCall', value })
    return { end: 'done' }
  }

  /** A clock that was set back during the call makes it short; it loses no call. */
  #write(ended: FinishedCall & { readonly leg: LegId }): void {
    const { createdAtMs, answeredAtMs, endedAtMs } = ended
    const value = { ...ended, endedAtMs: Math.max(createdAtMs, answeredAtMs ?? createdAtMs, endedAtMs) }
    this.#recordWriter.write({ key: ended.leg, what: 'callEnded', value })
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** D-15: the agent ended the call, even if the flow spoke to the caller after that. */
function hungUpBy({ endedBy }: CallRecord, { hasAgentLeft }: LiveCall): 'agent' | 'us' | 'caller' {
  if (endedBy !== 'us') return 'caller'
  return hasAgentLeft ? 'agent' : 'us'
}

/** D-11: who waited for an agent and gave up is lost; whom the flow let go, without a place, is dropped. */
function resultOf(
  { answeredAtMs, endedBy }: { readonly answeredAtMs: AtMs | undefined } & Pick<CallRecord, 'endedBy'>,
  live: LiveCall,
): AttemptResult | undefined {
  if (answeredAtMs === undefined) return undefined
  const isServed = live.connectedAtMs !== undefined || hasTransferred(live.transfers.values())
  if (live.queuedAtMs === undefined || isServed || live.keepsPlace) return 'answered'
  return endedBy === 'us' ? 'dropped' : 'lost'
}

/** Undefined until the answer, also that of a caller who is served again. */
function progressOf(live: LiveCall) {
  const { run, earlier, queuedAtMs, team, agent, connectedAtMs, talk, texts, openRecordings: open, recordings } = live
  const { awaits, waits, transfers, revision, task, canary, matched } = live
  const at = run.place
  const { answeredAtMs: answeredHereAtMs, endedAtMs: endedHereAtMs } = run.instants
  const endedAtMs = earlier?.progress?.endedAtMs ?? endedHereAtMs
  const answeredAtMs = answeredHereAtMs && (earlier?.progress?.answeredAtMs ?? answeredHereAtMs)
  if (answeredAtMs === undefined) return undefined
  const progress: CallProgress = {
    answeredAtMs,
    ...(endedAtMs !== undefined && { endedAtMs }),
    ...(queuedAtMs !== undefined && { queuedAtMs }),
    ...(team !== undefined && { team }),
    ...(agent !== undefined && { agent }),
    ...(connectedAtMs !== undefined && { connectedAtMs }),
    ...(talk && { talk }),
    ...(live.recordingRule.mode === 'consent' && { isByConsent: true }),
    ...(open.length + recordings.length > 0 && { recordings: { open: [...open], made: [...recordings] } }),
    ...(at && { place: { revision, ...(task && { task }), at } }),
    ...(matched && { matched }),
    ...(live.popup !== undefined && { popup: live.popup }),
    traffic: { revision, ends: live.stepEnds.ends, ...(canary && { canary }) },
    ...(awaits && { awaits }),
    ...(waits.size > 0 && { waits: Object.fromEntries(waits) }),
    ...(transfers.size > 0 && { transfers: Object.fromEntries(transfers) }),
    texts: Object.fromEntries(texts),
  }
  return progress
}
