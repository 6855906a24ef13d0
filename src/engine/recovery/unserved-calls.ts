import type { AtMs } from '../../kernel/clock.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CallEventLog, LoggedArrival } from '../../ports/pbx.ts'
import type { EngineContext } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import type { Timers } from '../timers.ts'
import { unservedCall } from './past-calls.ts'

interface UnservedCallsOptions {
  readonly dialerRepository: Pick<DialerRepository, 'unknownLegs'>
  readonly callEventLog: CallEventLog | undefined
  readonly recordWriter: RecordWriter
  readonly timers: Timers
}

const DAY_MS = 24 * 3_600_000
/** Our choice: a call centre that nobody started for a week has no use for its callers any more. */
const FIRST_LOOK_BACK_MS = 7 * DAY_MS
const BEAT_EVERY_MS = 10_000
/** A dead connection is noticed after 6 s (F-A2), and the log is written a moment later than the events. */
const MARGIN_MS = 30_000
/** The apology and its hang-up are over by then. */
const LOOK_AGAIN_MS = 30_000
/** Who gives up within milliseconds is gone before the switch tells of the call (measured: 1 of 200). */
const LOOK_EVERY_MS = 60_000
const RETRY_MS = 500

/**
 * Calls that no engine saw. They came in while none was connected, and heard the apology or rang unseen; or the caller
 * gave up before the switch told of the call. The call event log knows them, and each gets its activity and its event.
 * Without such a log they stay unknown.
 */
export class UnservedCalls {
  readonly #context: EngineContext
  readonly #options: UnservedCallsOptions
  /** Since when calls may have come in unseen. Undefined: every one was seen, or is being looked for. */
  #sinceMs: AtMs | undefined
  /** One look at a time: two at once would record a call twice. */
  #looks: Promise<unknown> = Promise.resolve()
  /** The engine was awake then: of a suspended one, the newer beat is from after its sleep. */
  #beats: readonly [older: AtMs, newer: AtMs]

  constructor(context: EngineContext, options: UnservedCallsOptions) {
    const nowMs = context.dependencies.clock.nowMs()
    this.#context = context
    this.#options = options
    this.#sinceMs = nowMs - FIRST_LOOK_BACK_MS
    this.#beats = [nowMs, nowMs]
  }

  begin(): void {
    this.#options.timers.every(BEAT_EVERY_MS, () => {
      this.#beats = [this.#beats[1], this.#context.dependencies.clock.nowMs()]
    })
    this.#options.timers.every(LOOK_EVERY_MS, () => {
      if (this.#sinceMs !== undefined) return
      const upAtMs = this.#context.dependencies.clock.nowMs() - MARGIN_MS
      void this.#look(upAtMs - LOOK_EVERY_MS - MARGIN_MS, upAtMs)
    })
  }

  switchIsDown(): void {
    this.#sinceMs ??= this.#beats[0] - MARGIN_MS
  }

  /** All legs that live are known now; every other call that came in before has ended, or hears the apology. */
  switchIsUp(): void {
    const sinceMs = this.#sinceMs
    if (sinceMs === undefined || !this.#options.callEventLog) return
    this.#sinceMs = undefined
    const upAtMs = this.#context.dependencies.clock.nowMs()
    void this.#look(sinceMs, upAtMs).then((openCount) => {
      if (openCount > 0) this.#options.timers.after(LOOK_AGAIN_MS, () => void this.#look(sinceMs, upAtMs, true))
    })
  }

  #look(sinceMs: AtMs, upAtMs: AtMs, isLast = false): Promise<number> {
    const look = this.#looks.then(() => this.#lookOnce(sinceMs, upAtMs, isLast))
    this.#looks = look
    return look
  }

  /** Returns how many calls have no end yet. In the last look their end counts as never logged. */
  async #lookOnce(sinceMs: AtMs, upAtMs: AtMs, isLast: boolean): Promise<number> {
    const arrivals = await this.#arrivals(sinceMs)
    const unknown = await this.#unknown(arrivals.filter(({ arrivedAtMs }) => arrivedAtMs <= upAtMs))
    const over = unknown.filter(({ endedAtMs }) => isLast || endedAtMs !== undefined)
    await new Promise<void>((recorded) => {
      this.#context.enqueue(() => {
        this.#record(over, upAtMs)
        recorded()
      })
    })
    return unknown.length - over.length
  }

  #record(over: readonly LoggedArrival[], upAtMs: AtMs): void {
    const { ids, log } = this.#context.dependencies
    for (const arrival of over) {
      const value = unservedCall(arrival, ids.call(), this.#context.eventName(), upAtMs)
      this.#options.recordWriter.write({ key: arrival.leg, what: 'callEnded', value })
    }
    if (over.length > 0) log.warn({ calls: over.length }, 'calls came in that no engine saw; they are recorded')
  }

  /** However late the log can be read. */
  async #arrivals(sinceMs: AtMs): Promise<readonly LoggedArrival[]> {
    const { callEventLog, timers } = this.#options
    if (!callEventLog) return []
    for (;;) {
      const arrivals = await callEventLog.readArrivals(sinceMs).catch(() => undefined)
      if (arrivals) return arrivals
      await timers.pause(LOOK_AGAIN_MS)
    }
  }

  /** Neither this engine nor the database knows them. The engine is asked first: what it let go of is written. */
  async #unknown(arrivals: readonly LoggedArrival[]): Promise<readonly LoggedArrival[]> {
    const { dialerRepository, recordWriter, timers } = this.#options
    for (;;) {
      await recordWriter.settled()
      const strange = arrivals.filter(({ leg, called }) => this.#context.numbers.has(called) && !this.#isOurs(leg))
      if (strange.length === 0) return []
      try {
        const unknown = new Set(await dialerRepository.unknownLegs(strange.map(({ leg }) => leg)))
        return strange.filter(({ leg }) => unknown.has(leg))
      } catch {
        await timers.pause(RETRY_MS)
      }
    }
  }

  #isOurs(leg: LegId): boolean {
    const { callsByLeg, arriving } = this.#context
    return callsByLeg.has(leg) || arriving.has(leg) || this.#options.recordWriter.holds(leg)
  }
}
