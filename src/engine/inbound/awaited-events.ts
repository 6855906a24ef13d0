/** Outside events for callers who wait on the line (calls-and-flows-47). The database keeps them, this looks there. */
import type { AtMs } from '../../kernel/clock.ts'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { FlowEvents, KeptFlowEvent } from '../../ports/flows/flow-events.ts'
import type { CallProgress } from '../../ports/open-call.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import type { Timers } from '../timers.ts'

const LOOK_EVERY_MS = 1_000

type Awaited = NonNullable<CallProgress['awaits']>

/**
 * Gives each waiting call the oldest event of its name and key that it has not taken yet. Callers belong to the first
 * corporation (calls-and-flows-26), and so only its events reach them.
 */
export class AwaitedEvents {
  readonly #context: EngineContext
  readonly #flowEvents: FlowEvents
  readonly #timers: Timers
  #isLooking = false
  #looksAgain = false
  #isLookingLater = false

  constructor(context: EngineContext, flowEvents: FlowEvents, timers: Timers) {
    this.#context = context
    this.#timers = timers
    this.#flowEvents = flowEvents
  }

  /** The call waits from now on. A visit that had its event before a restart has it again. */
  begin(live: LiveCall, awaits: Awaited, untilMs: AtMs): void {
    const came = live.waits.get(awaits.visit)?.came
    if (came) return this.#context.later(live.call, { type: 'event.came', key: awaits.visit, data: came.data })
    live.waits.set(awaits.visit, { untilMs })
    live.awaits = awaits
    this.look()
  }

  /** Asks for the events of all waiting calls, one question at a time, and again after a while: news may get lost. */
  look(): void {
    const names = [...this.#context.calls.values()].flatMap(({ awaits }) => awaits ?? [])
    if (names.length === 0) return
    if (this.#isLooking) {
      this.#looksAgain = true
      return
    }
    this.#isLooking = true
    const { clock, log } = this.#context.dependencies
    void this.#flowEvents
      .find(FIRST_CORPORATION, names, clock.nowMs())
      .catch((error: unknown) => {
        // The next look is a second away.
        log.warn({ why: String(error) }, 'outside events could not be read; trying again')
        return []
      })
      .then((kept) => this.#context.enqueue(() => this.#found(kept)))
  }

  #found(kept: readonly KeptFlowEvent[]): void {
    this.#isLooking = false
    for (const live of this.#context.calls.values()) if (live.awaits) this.#give(live, live.awaits, kept)
    if (!this.#looksAgain) return this.#lookLater()
    this.#looksAgain = false
    this.look()
  }

  /** One timer, however often it is looked meanwhile; none while nobody waits. */
  #lookLater(): void {
    if (this.#isLookingLater || ![...this.#context.calls.values()].some(({ awaits }) => awaits)) return
    this.#isLookingLater = true
    this.#timers.after(LOOK_EVERY_MS, () => {
      this.#isLookingLater = false
      this.#context.enqueue(() => this.look())
    })
  }

  #give(live: LiveCall, { visit, event, of }: Awaited, kept: readonly KeptFlowEvent[]): void {
    const taken = new Set([...live.waits.values()].map(({ came }) => came?.id))
    const next = kept.find((one) => one.event === event && one.of === of && !taken.has(one.id))
    if (!next) return
    const { id, data } = next
    live.waits.set(visit, { ...live.waits.get(visit)!, came: { id, data } })
    live.awaits = undefined
    this.#context.sendToCall(live.call, { type: 'event.came', key: visit, data })
  }
}
