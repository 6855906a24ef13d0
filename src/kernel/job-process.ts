/**
 * Runs computations that would hold the service for seconds, each in a process of its own. Not in a thread: V8 may end
 * the whole service when a thread ends (`Check failed: jit_page.has_value()`, Node.js 24).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import type { Clock } from './clock.ts'

/** `busy`: as many processes run as may. `tooLong`: given up. `closed`: the service stops. */
type JobResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly why: 'busy' | 'tooLong' | 'closed' }

/** What a process says in the end. */
type Answer<Result> = { readonly result: Result } | { readonly thrown: string }

interface JobProcessesOptions {
  /** Calls `serveJob`. */
  readonly script: URL
  readonly clock: Clock
  readonly timeoutMs: number
  readonly memoryMb: number
  /** Of all together; each needs a core. */
  readonly processesMax: number
}

/** A process lives for one job. */
export class JobProcesses<Order, Result> {
  readonly #options: JobProcessesOptions
  readonly #busy = new Map<unknown, ChildProcess>()
  #isClosed = false

  constructor(options: JobProcessesOptions) {
    this.#options = options
  }

  /** One job at a time for each `owner`. Rejects if the job throws. */
  async run(owner: unknown, order: Order): Promise<JobResult<Result>> {
    if (this.#isClosed) return { ok: false, why: 'closed' }
    if (this.#busy.has(owner) || this.#busy.size >= this.#options.processesMax) return { ok: false, why: 'busy' }
    const job = startJob(this.#options.script, order, this.#options.memoryMb)
    this.#busy.set(owner, job)
    try {
      const found = await this.#result(job)
      return this.#isClosed ? { ok: false, why: 'closed' } : found
    } finally {
      await killed(job)
      this.#busy.delete(owner)
    }
  }

  /** What is being computed is given up. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#busy.values()].map(killed))
  }

  async #result(job: ChildProcess): Promise<JobResult<Result>> {
    const { clock, timeoutMs } = this.#options
    const timer = clock.schedule(clock.nowMs() + timeoutMs, () => void killed(job))
    const answer = await answerOf<Result>(job)
    timer.cancel()
    return answer === undefined ? { ok: false, why: 'tooLong' } : { ok: true, result: answer.result }
  }
}

/** Starts a script that calls `serveJob`. */
export function startJob<Order>(script: URL, order: Order, memoryMb: number): ChildProcess {
  const job = fork(script, {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    // The process gets no secrets, and prints nothing.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A process that could not start, or ended before its order, is known by its exit.
  job.on('error', () => {})
  job.send(order as object, () => {})
  return job
}

/** The result of a job; undefined if its process ended without one. Rejects if the job throws. */
export async function answerOf<Result>(job: ChildProcess): Promise<{ readonly result: Result } | undefined> {
  const answer = await new Promise<Answer<Result> | undefined>((resolve) => {
    job.once('message', (said) => resolve(said as Answer<Result>))
    // After a message or an error this changes nothing.
    job.once('error', () => resolve(undefined)).once('exit', () => resolve(undefined))
  })
  if (answer && 'thrown' in answer) throw new Error(answer.thrown)
  return answer
}

/**
 * For the script of a process of its own: it has less right to the processor than calls have. Less than the service,
 * that is, whose right it inherits: below everybody else on the machine it would never be done.
 */
export function giveWay(): void {
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + constants.priority.PRIORITY_BELOW_NORMAL))
}

/** For the script of a job: works on its one order, and gives way to calls. */
export function serveJob<Order, Result>(work: (order: Order) => Result | Promise<Result>): void {
  giveWay()
  process.once('message', async (order) => {
    process.send?.(await answered(work, order as Order), () => process.disconnect?.())
  })
}

async function answered<Order, Result>(work: (order: Order) => Result | Promise<Result>, order: Order) {
  try {
    return { result: await work(order) } satisfies Answer<Result>
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies Answer<Result>
  }
}

async function killed(job: ChildProcess): Promise<void> {
  if (job.pid === undefined || job.exitCode !== null || job.signalCode !== null) return
  job.kill('SIGKILL')
  await once(job, 'exit')
}
