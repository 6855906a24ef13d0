/** Tells agents that a task on their screen has ended, and takes back its offer. */
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentNotification } from '../../ports/agent-desktop.ts'
import type { DueTask } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext } from '../context.ts'
import { isTalking, type LiveAttempt } from '../outbound/live-attempt.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { PreviewOffers } from './preview-offers.ts'

/** Why a promised callback is not kept, for the agent who promised it. */
export const NOT_CALLED_BACK =
  'The call task was ended or stopped, or is over by then: nobody will call back. Tell the contact.'

interface EndedTasksOptions {
  readonly dialerRepository: DialerRepository
  readonly callPlacer: CallPlacer
  readonly preview: PreviewOffers
  readonly notifyAgent: (agent: AgentName, notification: AgentNotification) => void
}

/** Imports change tasks by the hundred: they need no more looks than this. */
const LOOK_EVERY_MS = 1_000

/** Looks at the tasks on agents' screens whenever tasks have changed. */
export class EndedTasks {
  readonly #context: EngineContext
  readonly #options: EndedTasksOptions
  readonly #notified = new WeakSet<object>()
  #lookedAtMs: AtMs = Number.NEGATIVE_INFINITY
  #next: Timer | undefined

  constructor(context: EngineContext, options: EndedTasksOptions) {
    this.#context = context
    this.#options = options
  }

  tasksChanged(): void {
    const { clock } = this.#context.dependencies
    if (this.#next || this.#onScreens().length === 0) return
    const atMs = this.#lookedAtMs + LOOK_EVERY_MS
    if (clock.nowMs() >= atMs) return this.#look()
    this.#next = clock.schedule(atMs, () => {
      this.#next = undefined
      this.#look()
    })
  }

  /** Their agent ended the task, and need not be told. */
  endedByAgent(live: object): void {
    this.#notified.add(live)
  }

  #look(): void {
    const nowMs = this.#context.dependencies.clock.nowMs()
    const ids = this.#onScreens()
    this.#lookedAtMs = nowMs
    if (ids.length === 0) return
    this.#options.dialerRepository.describeTasks(ids, nowMs).then(
      (tasks) => this.#context.enqueue(() => this.#show(tasks)),
      // The next change or the periodic notification looks again.
      () => {},
    )
  }

  #onScreens() {
    const { preview } = this.#options
    return [...this.#talking().map(({ group }) => group.task.id), ...preview.offered().map(({ task }) => task)]
  }

  /** Talks whose agent has not been told yet (D-13). */
  #talking(): LiveAttempt[] {
    const attempts = [...this.#options.callPlacer.attempts.all()]
    return attempts.filter((live) => isTalking(live) && !live.report && !this.#notified.has(live))
  }

  #show(tasks: readonly DueTask[]): void {
    const ended = new Set(tasks.filter(({ status }) => isFinished(status)).map(({ id }) => id))
    for (const live of this.#talking()) {
      const { id: task } = live.group.task
      if (live.agent === undefined || !ended.has(task)) continue
      this.#notified.add(live)
      this.#options.notifyAgent(live.agent, { type: 'taskEnded', task })
    }
    const stopped = new Set([...ended, ...tasks.filter(isStopped).map(({ id }) => id)])
    for (const { agent, task } of this.#options.preview.offered()) {
      if (stopped.has(task)) this.#options.preview.withdraw(agent)
    }
  }
}

function isStopped({ isPersonStopped, numbers }: DueTask): boolean {
  return isPersonStopped || numbers.every(({ stopped }) => stopped)
}

/** Whether somebody may be promised a callback of the task for this instant: it does not prolong the validity. */
export function mayBeCalledBack(task: DueTask, atMs: AtMs): boolean {
  const { status, isClosed, validToAtMs = Number.POSITIVE_INFINITY } = task
  const isEnded = isFinished(status) && status !== 'answered' && status !== 'maxAttempts'
  return !isEnded && !isClosed && !isStopped(task) && atMs < validToAtMs
}
