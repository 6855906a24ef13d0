/** The rule against loops in which the caller hears nothing and presses nothing: the call would hang in silence. */

import type { Problem } from '../../kernel/file-problem.ts'
import type { StepName } from '../../kernel/ids.ts'
import { allEdgesOf, isSilent } from '../model/edges.ts'
import type { Flow, Step } from '../model/flow.ts'
import { LIMIT_END } from '../model/kinds.ts'
import { errorAtKey, type Rule } from './lint-subject.ts'

/**
 * Reports only certain mistakes: loops of silent edges. Loops that speak end at `limits.steps`. A step with a `limit`
 * ends by `on.limit`, so only that edge can continue a loop.
 */
export const lintLoops: Rule = (subject) => {
  const { whole: flow, isWhole } = subject
  if (!isWhole) return []
  const ways = new Map<StepName, StepName[]>()
  for (const step of flow.steps.values()) ways.set(step.name, silentWays(step, flow))
  const reported = new Set<StepName>()
  const problems: Problem[] = []
  for (const name of flow.steps.keys()) {
    const circle = reported.has(name) ? undefined : shortestCircle(name, ways)
    if (!circle) continue
    for (const member of circle) reported.add(member)
    const round = circle.length > 12 ? [...circle.slice(0, 6), '…', ...circle.slice(-5)] : circle
    const steps = circle.length === 2 ? `step ${round.join(' → ')} goes` : `steps ${round.join(' → ')} go`
    problems.push(
      errorAtKey(
        subject,
        // A step of a subflow is called `identify.ask`, and `identify` is in this file.
        ['steps', name.split('.')[0]!],
        `${steps} in a circle without a prompt to the caller; add a step that speaks`,
      ),
    )
  }
  return problems
}

function silentWays(step: Step, flow: Flow): StepName[] {
  const silent = allEdgesOf(step, flow).filter((edge) => isSilent(edge, step))
  const lasting = step.limit === undefined ? silent : silent.filter(({ label }) => label === LIMIT_END)
  return lasting.map(({ to }) => to)
}

/** The shortest path from `start` back to `start`, both included. */
function shortestCircle(start: StepName, ways: ReadonlyMap<StepName, readonly StepName[]>): StepName[] | undefined {
  const cameFrom = new Map<StepName, StepName>()
  const queue = [start]
  for (const at of queue) {
    for (const to of ways.get(at) ?? []) {
      if (to === start) return [...trail(at, start, cameFrom), start]
      if (cameFrom.has(to)) continue
      cameFrom.set(to, at)
      queue.push(to)
    }
  }
  return undefined
}

function trail(last: StepName, start: StepName, cameFrom: ReadonlyMap<StepName, StepName>): StepName[] {
  const steps = [last]
  while (steps[0] !== start) steps.unshift(cameFrom.get(steps[0]!)!)
  return steps
}
