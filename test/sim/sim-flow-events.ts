import type { AtMs } from '../../src/kernel/clock.ts'
import type { CorporationId } from '../../src/kernel/ids.ts'
import { DatabaseUnavailable } from '../../src/ports/dialer-repository.ts'
import type {
  EventName,
  FlowEventLimits,
  FlowEvents,
  KeptFlowEvent,
  NewFlowEvent,
  PostedFlowEvent,
} from '../../src/ports/flows/flow-events.ts'
import type { SimDialerRepositoryView } from './sim-dialer-repository-rows.ts'
import { jsonOf } from './sim-dialer-repository-shape.ts'

/** The mailbox of outside events without PostgreSQL. One contract suite runs on it and on PostgreSQL. */
export class SimFlowEvents implements FlowEvents {
  /** Nothing can be found while it is true. */
  isAway = false
  readonly #view: Pick<SimDialerRepositoryView, 'openCalls'>
  #events: (NewFlowEvent & { readonly id: number })[] = []
  #lastId = 0

  /** `view` has the calls that wait. */
  constructor(view: Pick<SimDialerRepositoryView, 'openCalls'>) {
    this.#view = view
  }

  async post(event: NewFlowEvent, limits: FlowEventLimits): Promise<PostedFlowEvent | 'too many'> {
    await this.forget(event.atMs)
    const ours = this.#events.filter(({ corporation }) => corporation === event.corporation)
    const alike = ours.filter((kept) => isNamed(kept, event))
    const known = alike.find(({ data }) => JSON.stringify(data) === JSON.stringify(event.data))
    if (!known && (ours.length >= limits.all || alike.length >= limits.alike)) return 'too many'
    const added = { ...event, data: jsonOf(event.data), id: ++this.#lastId }
    if (!known) this.#events.push(added)
    const waiting = [...this.#view.openCalls.values()].filter(({ call: { corporation, progress } }) => {
      return corporation === event.corporation && progress?.awaits && isNamed(progress.awaits, event)
    })
    const { id, atMs, keptUntilAtMs } = known ?? added
    return { id, atMs, keptUntilAtMs, isNew: !known, waitingCalls: waiting.length }
  }

  async find(corporation: CorporationId, names: readonly EventName[], atMs: AtMs): Promise<readonly KeptFlowEvent[]> {
    if (this.isAway) throw new DatabaseUnavailable('the database is away')
    return this.#events
      .filter((kept) => kept.corporation === corporation && kept.keptUntilAtMs > atMs)
      .filter((kept) => names.some((name) => isNamed(kept, name)))
      .map(({ id, event, of, data }) => jsonOf({ id, event, of, data }))
  }

  async forget(atMs: AtMs): Promise<void> {
    this.#events = this.#events.filter(({ keptUntilAtMs }) => keptUntilAtMs > atMs)
  }
}

function isNamed(one: EventName, other: EventName): boolean {
  return one.event === other.event && one.of === other.of
}
