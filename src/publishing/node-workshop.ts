import type { Clock } from '../kernel/clock.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { JobThreads } from '../kernel/job-thread.ts'
import type { CheckedFlow, FlowTestOrder, FlowTestReport, FlowWorkshop } from '../ports/flows/flow-revisions.ts'
import type { Simulation, SimulationOrder } from '../ports/flows/flow-simulation.ts'
import type { CheckOrder } from './check-thread.ts'
import type { PublishedFlows } from './published-flows.ts'

/** The shipped flows take less than 2 s each. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 256

/** Checks and tests texts of flows for requests, in threads: 500 steps take seconds, and calls must not wait. */
export function nodeWorkshop(published: PublishedFlows, { clock }: { readonly clock: Clock }): FlowWorkshop {
  const limits = { clock, timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB }
  const checkScript = new URL('./check-thread.ts', import.meta.url)
  const testScript = new URL('./test-thread.ts', import.meta.url)
  const checks = new JobThreads<CheckOrder, CheckedFlow>({ ...limits, script: checkScript, threadsMax: 2 })
  const tests = new JobThreads<FlowTestOrder, FlowTestReport>({ ...limits, script: testScript, threadsMax: 1 })
  const callScript = new URL('./simulate-thread.ts', import.meta.url)
  const calls = new JobThreads<SimulationOrder, Simulation>({ ...limits, script: callScript, threadsMax: 2 })
  return {
    check(text, before) {
      const { surroundings = { flowsDir: '', used: [] } } = published
      const order = { surroundings, text, before }
      return checks.run(order, order)
    },
    test: (order) => tests.run(order, order),
    simulate: (order) => calls.run(order, order),
    follow: () => published.follow(),
    taken: (flow) => published.taken(flow),
    onTrial: (flow) => published.onTrial(flow)?.flow.revision,
    problems: () => published.problems.map(formatProblem),
    async close() {
      await checks.close()
      await tests.close()
      await calls.close()
    },
  }
}
