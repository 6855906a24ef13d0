import type { Clock } from '../kernel/clock.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { JobProcesses } from '../kernel/job-process.ts'
import type { CheckedFlow, FlowTestOrder, FlowTestReport, FlowWorkshop } from '../ports/flows/flow-revisions.ts'
import type { Simulation, SimulationOrder } from '../ports/flows/flow-simulation.ts'
import type { CheckOrder } from './check-process.ts'
import type { PublishedFlows } from './published-flows.ts'

/** The shipped flows take less than 2 s each. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 256

/** Checks and tests texts of flows for requests, in processes: 500 steps take seconds, and calls must not wait. */
export function nodeWorkshop(published: PublishedFlows, { clock }: { readonly clock: Clock }): FlowWorkshop {
  const limits = { clock, timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB }
  const checkScript = new URL('./check-process.ts', import.meta.url)
  const testScript = new URL('./test-process.ts', import.meta.url)
  const checks = new JobProcesses<CheckOrder, CheckedFlow>({ ...limits, script: checkScript, processesMax: 2 })
  const tests = new JobProcesses<FlowTestOrder, FlowTestReport>({ ...limits, script: testScript, processesMax: 1 })
  const callScript = new URL('./simulate-process.ts', import.meta.url)
  const calls = new JobProcesses<SimulationOrder, Simulation>({ ...limits, script: callScript, processesMax: 2 })
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
