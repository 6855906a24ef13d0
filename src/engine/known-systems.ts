/** External systems, read beforehand: neither a screen pop nor the beginning of a call waits for the database. */

import { FIRST_CORPORATION } from '../kernel/ids.ts'
import type { DialerRepository } from '../ports/dialer-repository.ts'
import type { Directory, ExternalSystem } from '../ports/directory.ts'

/** The source of the systems, and of notifications about changes; some notifications are false alarms. */
export interface KnownSystemsSource {
  readonly directory: Pick<Directory, 'corporations' | 'externalSystems'>
  readonly dialerRepository: Pick<DialerRepository, 'onNotification'>
}

/** Keeps the active external systems. */
export class KnownSystems {
  readonly #source: KnownSystemsSource
  #systems = new Map<number | string, ExternalSystem>()
  #reading = false
  #isStale = false
  #forgetNews: (() => void) | undefined

  constructor(source: KnownSystemsSource) {
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

  /** By id, or by a code of the corporation whose calls come in; undefined where it is not active. */
  of(system: number | string): ExternalSystem | undefined {
    return this.#systems.get(system)
  }

  async #read(): Promise<void> {
    this.#isStale = true
    if (this.#reading) return
    this.#reading = true
    try {
      const { directory } = this.#source
      while (this.#isStale) {
        this.#isStale = false
        const corporations = await directory.corporations()
        const ids = corporations.map(({ id }) => id)
        const systems = await directory.externalSystems(ids, false)
        const ours = systems.filter(({ corporation }) => corporation === FIRST_CORPORATION)
        this.#systems = new Map<number | string, ExternalSystem>([
          ...systems.map((system) => [system.id, system] as const),
          ...ours.map((system) => [system.code, system] as const),
        ])
      }
    } catch {
      // The database is unavailable: the known systems stay.
    } finally {
      this.#reading = false
    }
  }
}
