/** Wide pages that are being sent (F-I9): each keeps a connection of the database until its reader has the last row. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'

/** To one credential at a time; our choice. Others wait for their turn. */
export const WIDE_PAGES_MAX = 3
/** A client that reads what it asked for is served long before. */
const WAIT_MS = 5_000

/** Whose pages are sent, and who waits. */
export class WidePages {
  readonly #clock: Clock
  readonly #credentials = new Map<string, { open: number; readonly waiting: Set<() => void> }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** False: the credential's other pages were not read to their ends in time. The place ends with the response. */
  async enter(credential: string, response: ServerResponse): Promise<boolean> {
    let leave: (() => void) | undefined
    let isGone = false
    response.once('close', () => {
      isGone = true
      leave?.()
    })
    if (!(await this.#takePlace(credential))) return false
    leave = () => this.#leave(credential)
    if (isGone) leave()
    return true
  }

  async #takePlace(credential: string): Promise<boolean> {
    const pages = this.#credentials.get(credential) ?? { open: 0, waiting: new Set() }
    this.#credentials.set(credential, pages)
    if (pages.open < WIDE_PAGES_MAX) {
      pages.open++
      return true
    }
    return await new Promise((resolve) => {
      const enter = () => {
        timer.cancel()
        resolve(true)
      }
      const timer = this.#clock.schedule(this.#clock.nowMs() + WAIT_MS, () => {
        pages.waiting.delete(enter)
        resolve(false)
      })
      pages.waiting.add(enter)
    })
  }

  #leave(credential: string): void {
    const pages = this.#credentials.get(credential)!
    const [next] = pages.waiting
    if (next) {
      pages.waiting.delete(next)
      next()
    } else if (--pages.open === 0) this.#credentials.delete(credential)
  }
}
