import type { Clock } from '../kernel/clock.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { JobThreads } from '../kernel/job-thread.ts'
import type { FlowTestOrder, FlowTestReport, FlowWorkshop } from '../ports/flow-workshop.ts'
import type { PublishedFlows } from './published-flows.ts'

/** The shipped flows take less than 2 s each. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 256

/** Checks and tests texts of flows for requests: what takes long runs in a thread, one at a time. */
export function nodeWorkshop(published: PublishedFlows, { clock }: { readonly clock: Clock }): FlowWorkshop {
  const script = new URL('./test-thread.ts', import.meta.url)
  const limits = { timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB, threadsMax: 1 }
  const threads = new JobThreads<FlowTestOrder, FlowTestReport>({ script, clock, ...limits })
  return {
    check(text) {
      const { flow, problems } = published.check(text)
      return {
        flow: flow?.name,
        revision: flow?.revision,
        problems: problems.map(({ line, column, severity, message }) => ({ line, column, severity, message })),
      }
    },
    test: (order) => threads.run('test', order),
    follow: () => published.follow(),
    taken: (flow) => published.taken(flow),
    problems: () => published.problems.map(formatProblem),
    close: () => threads.close(),
  }
}
