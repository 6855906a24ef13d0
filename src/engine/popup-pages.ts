/** The pages of external systems, known beforehand: nobody waits for the records while a call is connected. */
import type { Clock, Timer } from '../kernel/clock.ts'
import type { People } from '../ports/people.ts'

const READ_EVERY_MS = 5_000

/** Mutable state with a lifetime, hence a class. */
export class PopupPages {
  readonly #people: Pick<People, 'corporations' | 'externalSystems'>
  readonly #clock: Clock
  #templates = new Map<number | string, string>()
  #timer: Timer | undefined

  constructor(people: Pick<People, 'corporations' | 'externalSystems'>, clock: Clock) {
    this.#people = people
    this.#clock = clock
  }

  /** Reads them now, and again and again. */
  async start(): Promise<void> {
    await this.#read()
    this.#timer = this.#clock.schedule(this.#clock.nowMs() + READ_EVERY_MS, () => void this.start())
  }

  stop(): void {
    this.#timer?.cancel()
  }

  /** The template of a system, by its id or its code; undefined where it has none, or is not active. */
  of(system: number | string): string | undefined {
    return this.#templates.get(system)
  }

  async #read(): Promise<void> {
    try {
      const corporations = await this.#people.corporations()
      const ids = corporations.map(({ id }) => id)
      const systems = await this.#people.externalSystems(ids, false)
      const pages = systems.flatMap(({ id, code, popupUrlTemplate: page }) =>
        page === null
          ? []
          : ([
              [id, page],
              [code, page],
            ] as const),
      )
      this.#templates = new Map<number | string, string>(pages)
    } catch {
      // The records are away: the pages that are known stay.
    }
  }
}
