/** The pages of external systems, known beforehand: nobody waits for the records while a call is connected. */

import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'

/** What they are read from, and who says that something has changed; now and then it says so for no reason. */
export interface PagesSource {
  readonly directory: Pick<Directory, 'corporations' | 'externalSystems'>
  readonly dialerRepository: Pick<DialerRepository, 'onNotification'>
}

/** Mutable state with a lifetime, hence a class. */
export class PopupPages {
  readonly #source: PagesSource
  #templates = new Map<number | string, string>()
  #reading = false
  #forgetNews: (() => void) | undefined

  constructor(source: PagesSource) {
    this.#source = source
  }

  /** Reads them now, and whenever something was set up. */
  async start(): Promise<void> {
    this.#forgetNews = this.#source.dialerRepository.onNotification((notification) => {
      if (notification === 'orders') void this.#read()
    })
    await this.#read()
  }

  stop(): void {
    this.#forgetNews?.()
  }

  /** The template of a system, by its id or its code; undefined where it has none, or is not active. */
  of(system: number | string): string | undefined {
    return this.#templates.get(system)
  }

  async #read(): Promise<void> {
    if (this.#reading) return
    this.#reading = true
    try {
      const { directory } = this.#source
      const corporations = await directory.corporations()
      const ids = corporations.map(({ id }) => id)
      const systems = await directory.externalSystems(ids, false)
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
    } finally {
      this.#reading = false
    }
  }
}
