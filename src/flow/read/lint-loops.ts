/** Rules against loops: those in which the caller hears nothing and presses nothing, and those without a way out. */

import type { Problem } from '../../kernel/file-problem.ts'
import type { StepName } from '../../kernel/ids.ts'
import { allEdgesOf, edgesOf, isSilent } from '../model/edges.ts'
import type { Flow, Step } from '../model/flow.ts'
import { LIMIT_END, STEP_KINDS } from '../model/kinds.ts'
import { errorAtKey, type Rule, warnAtKey } from './lint-subject.ts'
import { reachedSteps } from './lint-targets.ts'

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

/** Steps from which the caller only goes round, until `limits` end the call with an apology. */
export const lintEndless: Rule = (subject) => {
  const { whole: flow, isWhole } = subject
  // A circle in silence is an error of its own.
  if (!isWhole || lintLoops(subject).length > 0) return []
  const steps = [...flow.steps.values()]
  const ending = new Set(steps.filter((step) => isWayOut(step, flow)).map(({ name }) => name))
  for (let known = -1; known < ending.size; ) {
    known = ending.size
    for (const step of steps) if (ownWays(step, flow).some((to) => ending.has(to))) ending.add(step.name)
  }
  const endless = [...reachedSteps({ flow })].filter((name) => !ending.has(name))
  if (endless.length === 0) return []
  const names = endless.length > 6 ? [...endless.slice(0, 5), '…'] : endless
  const which = endless.length === 1 ? `step "${names}" leads` : `steps ${names.join(', ')} lead`
  const why = `${which} to no hangup, queue or transfer; add a way out, or limits end the call with an apology`
  return [warnAtKey(subject, ['steps', endless[0]!.split('.')[0]!], why)]
}

/** The call may end here, or with a person. */
function isWayOut(step: Step, flow: Flow): boolean {
  return ['hangup', 'queue', 'transfer'].includes(step.kind) || (leavesFailures(step) && flow.onError === undefined)
}

/** What the caller or another system may do and no `on` names. That a sound or a value is missing is no way out. */
function leavesFailures({ kind, on }: Step): boolean {
  return kind !== 'set' && !('failed' in on) && STEP_KINDS[kind].ends.some((end) => end !== 'failed' && !(end in on))
}

function ownWays(step: Step, flow: Flow): StepName[] {
  const named = edgesOf(step).map(({ to }) => to)
  return leavesFailures(step) && flow.onError !== undefined ? [...named, flow.onError] : named
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
