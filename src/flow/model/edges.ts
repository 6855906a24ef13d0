import type { StepName } from '../../kernel/ids.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Flow, Step } from './flow.ts'
import { LIMIT_END, STEP_KINDS } from './kinds.ts'

export interface Edge {
  readonly from: StepName
  readonly to: StepName
  /** `next`, the end (`failed`), the key (`0`), `case 1`, `else`. */
  readonly label: string
  /** Its place in the file; the flow's `onError` for failures that the step leaves to it. */
  readonly path: Path
  readonly way: 'done' | 'choice' | 'failure'
}

/** The edges that a step names itself, in the order of the file. */
export function edgesOf(step: Step): Edge[] {
  const base = ['steps', step.name]
  const edge = (to: StepName, label: string, path: Path, way: Edge['way']): Edge => {
    return { from: step.name, to, label, path: [...base, ...path], way }
  }
  const edges = step.next === undefined ? [] : [edge(step.next, 'next', ['next'], 'done')]
  if (step.kind === 'menu') {
    for (const [key, to] of Object.entries(step.spec.keys)) edges.push(edge(to, key, ['menu', 'keys', key], 'choice'))
  }
  if (step.kind === 'branch') {
    for (const [index, { next }] of step.spec.cases.entries()) {
      edges.push(edge(next, `case ${index + 1}`, ['branch', 'cases', index, 'next'], 'choice'))
    }
    edges.push(edge(step.spec.else, 'else', ['branch', 'else'], 'choice'))
  }
  if (step.kind === 'queue' && step.spec.callback) {
    const { key, next } = step.spec.callback
    edges.push(edge(next, key, ['queue', 'callback', 'next'], 'choice'))
  }
  for (const [end, to] of Object.entries(step.on)) edges.push(edge(to, end, ['on', end], 'failure'))
  return edges
}

/** The same, and the edge to `onError` if the step leaves failures to the flow. */
export function allEdgesOf(step: Step, flow: Flow): Edge[] {
  const edges = edgesOf(step)
  const leavesFailures = STEP_KINDS[step.kind].ends.length > 0 && !('failed' in step.on)
  if (leavesFailures && flow.onError !== undefined && flow.onError !== step.name) {
    edges.push({ from: step.name, to: flow.onError, label: 'failed', path: ['onError'], way: 'failure' })
  }
  return edges
}

/** Whether the caller has heard nothing of the step when it ends by this edge. */
export function isSilent(edge: Edge, step: Step): boolean {
  if (step.kind === 'hangup') return step.spec.say === undefined
  const { silentEnds } = STEP_KINDS[step.kind]
  return edge.label === LIMIT_END || silentEnds === 'all' || silentEnds.includes(edge.label)
}
