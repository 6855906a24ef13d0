/** Which agents skipped an offered task, and how often it was skipped: it goes to other agents first. */
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId } from '../../kernel/ids.ts'

/** Our choice: so long a task is not offered again to the agent who skipped it. */
export const SKIPPED_MS = 5 * 60_000
/** Our choice: the skips of a task count together for a day; it also bounds memory. */
const REMEMBERED_MS = 24 * 3_600_000

/** Kept in memory: after a restart of the engine a skipped task may come to the same agent once more. */
export class SkippedTasks {
  readonly #skips = new Map<CallTaskId, { readonly agent: AgentName; readonly atMs: AtMs }[]>()

  /** Notes a skip and returns how often the task has been skipped. */
  skip(task: CallTaskId, agent: AgentName, atMs: AtMs): number {
    for (const [old, skips] of this.#skips) if (skips.at(-1)!.atMs < atMs - REMEMBERED_MS) this.#skips.delete(old)
    const skips = [...(this.#skips.get(task) ?? []), { agent, atMs }]
    this.#skips.set(task, skips)
    return skips.length
  }

  isSkippedBy(agent: AgentName, task: CallTaskId, nowMs: AtMs): boolean {
    const skips = this.#skips.get(task) ?? []
    return skips.some((skip) => skip.agent === agent && nowMs < skip.atMs + SKIPPED_MS)
  }

  forget(task: CallTaskId): void {
    this.#skips.delete(task)
  }
}
