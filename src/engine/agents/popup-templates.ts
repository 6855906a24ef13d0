/** Screen pop templates of external systems, read beforehand: connecting a call never waits for the database. */

import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Directory } from '../../ports/directory.ts'

/** The source of the templates, and of notifications about changes; some notifications are false alarms. */
export interface PagesSource {
  readonly directory: Pick<Directory, 'corporations' | 'externalSystems'>
  readonly dialerRepository: Pick<DialerRepository, 'onNotification'>
}

/** Keeps the templates of active external systems. */
export class PopupPages {
  readonly #source: PagesSource
  #templates = new Map<number | string, string>()
  #reading = false
  #forgetNews: (() => void) | undefined

  constructor(source: PagesSource) {
    this.#source = source
  }

  async start(): Promise<void> {
    this.#forgetNews = this.#source.dialerRepository.onNotification((notification) => {
      if (notification === 'orders') void this.#read()
    })
    await this.#read()
  }

  stop(): void {
    this.#forgetNews?.()
  }

  /** The template of a system, by its id or code; undefined where the system has none or is not active. */
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
      // The database is unavailable: the known templates stay.
    } finally {
      this.#reading = false
    }
  }
}
