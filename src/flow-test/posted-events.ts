import type { AtMs } from '../kernel/clock.ts'
import type { EventData, EventName } from '../ports/flows/flow-events.ts'

interface Posted extends EventName {
  readonly data: EventData
  readonly atMs: AtMs
}

/** As long as the service keeps an event that nobody waits for. */
const KEPT_MS = 600_000

/** What other systems posted. A call takes each event once, the oldest first. */
export class PostedEvents {
  #events: Posted[] = []

  post({ event, of }: EventName, data: EventData, atMs: AtMs): void {
    this.#events.push({ event, of, data, atMs })
  }

  take({ event, of }: EventName, nowMs: AtMs): EventData | undefined {
    const isIt = (posted: Posted) => posted.event === event && posted.of === of && nowMs - posted.atMs <= KEPT_MS
    const found = this.#events.find(isIt)
    this.#events = this.#events.filter((posted) => posted !== found)
    return found?.data
  }
}
