/** Keeps the share of calls to people whom the campaign has not called yet (campaigns-69). */
import { wasPlaced } from '../../dialer/outcome.ts'
import type { DueTask, FirstKind } from '../../ports/attempt.ts'

/** Calls by which one kind may be behind: while only the other is due, no more is saved up. */
const BEHIND_MAX = 10

/** The account of one campaign. */
export class TaskMix {
  /** Hundredths of calls to new tasks that are still to come. */
  #owed = 0

  /** Which kind the next claim takes first; undefined without a share: whichever is due longest. */
  first(newPercent: number | undefined): FirstKind | undefined {
    if (newPercent === undefined) return undefined
    return this.#owed >= 0 ? 'new' : 'waiting'
  }

  /** Tasks that were dialed, as they were before. Callbacks belong to neither kind. */
  dialed(newPercent: number | undefined, tasks: readonly DueTask[]): void {
    if (newPercent === undefined) return
    for (const { attempts, callback } of tasks) {
      if (callback) continue
      const owed = this.#owed + newPercent - (attempts.some(({ reach }) => wasPlaced(reach)) ? 0 : 100)
      this.#owed = Math.max(-100 * BEHIND_MAX, Math.min(100 * BEHIND_MAX, owed))
    }
  }
}
