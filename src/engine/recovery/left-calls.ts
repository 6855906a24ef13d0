import type { AtMs } from '../../kernel/clock.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { LeftCall } from '../../ports/open-call.ts'
import type { EngineContext } from '../context.ts'
import { recordedSoFar } from '../leg-recordings.ts'
import { NODE_IS_GONE, revisionOf, tellLostSteps } from '../lost-steps.ts'
import type { RecordWriter } from '../record-writer.ts'
import type { Timers } from '../timers.ts'
import { pastCall } from './past-calls.ts'

interface LeftCallsOptions {
  readonly dialerRepository: Pick<DialerRepository, 'leftCalls'>
  readonly lease: () => NodeLease
  readonly recordWriter: RecordWriter
  readonly timers: Timers
}

const LOOK_EVERY_MS = 60_000
/** As long as a node that was started anew may look for their ends in its log (calls-and-flows-74). */
const GONE_AFTER_MS = 10 * 60_000

/**
 * Calls that came in at a node that does not come back. Each gets its activity and its event; what the flow does after
 * a call stays with the node that had it (calls-and-flows-104).
 */
export class LeftCalls {
  readonly #context: EngineContext
  readonly #options: LeftCallsOptions
  /** Since when we miss the nodes. */
  #goneSinceMs: ReadonlyMap<string, AtMs> = new Map()

  constructor(context: EngineContext, options: LeftCallsOptions) {
    this.#context = context
    this.#options = options
  }

  begin(): void {
    this.#options.timers.every(LOOK_EVERY_MS, () => void this.#look())
  }

  /** Without an answer nobody is missed: after an outage of the database other nodes may need a moment more than we. */
  async #look(): Promise<void> {
    const { dialerRepository, lease } = this.#options
    const left = await dialerRepository.leftCalls(lease()).catch(() => [])
    const { flows } = this.#context.dependencies
    const revisions = new Set(left.flatMap((call) => revisionOf(call) ?? []))
    await Promise.all([...revisions].map((revision) => flows.recall(revision).catch(() => undefined)))
    this.#context.enqueue(() => this.#record(left))
  }

  #record(left: readonly LeftCall[]): void {
    const { recordWriter } = this.#options
    const { clock, log } = this.#context.dependencies
    const nowMs = clock.nowMs()
    const sinceMs = new Map(left.map(({ node }) => [node, this.#goneSinceMs.get(node) ?? nowMs]))
    this.#goneSinceMs = sinceMs
    const over = left.filter(({ node, leg }) => nowMs - sinceMs.get(node)! >= GONE_AFTER_MS && !recordWriter.holds(leg))
    for (const { node: _, ...call } of over) {
      const { recordings } = recordedSoFar(call)
      const value = pastCall(call, undefined, undefined, this.#context.eventName(), nowMs, recordings)
      tellLostSteps(this.#context, call, NODE_IS_GONE)
      recordWriter.write({ key: call.leg, what: 'callEnded', value })
    }
    const nodes = [...new Set(over.map(({ node }) => node))]
    if (nodes.length > 0) log.warn({ calls: over.length, nodes }, 'calls of nodes that are gone are recorded')
  }
}
