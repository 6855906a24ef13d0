/** A flow as a picture: the text of a Mermaid flowchart, which GitHub and most editors draw. */
import { allEdgesOf, type Edge } from '../model/edges.ts'
import type { Flow, Step } from '../model/flow.ts'

/** Longer conditions are cut. */
const LABEL_MAX = 60

/**
 * One box for each step, one arrow for each way: solid where the step is done, with the key or condition that leads
 * there; dotted with the failure. Failures left to the flow lead to `onError`.
 */
export function flowDiagram(flow: Flow): string {
  const ids = new Map([...flow.steps.keys()].map((name, index) => [name, `s${index}`]))
  const boxes = [...flow.steps.values()].map((step) => `  ${ids.get(step.name)}${boxOf(step)}`)
  const arrows = [...flow.steps.values()].flatMap((step) =>
    allEdgesOf(step, flow).map((edge) => `  ${ids.get(step.name)} ${arrowOf(edge, step)} ${ids.get(edge.to)}`),
  )
  return ['flowchart TD', `  start(["${quoted(flow.title)}"]) --> ${ids.get(flow.start)}`, ...boxes, ...arrows].join(
    '\n',
  )
}

/** Questions are rhombs, ends are rounded. */
function boxOf({ name, kind }: Step): string {
  const text = quoted(`${name}: ${kind}`)
  if (kind === 'branch') return `{"${text}"}`
  return kind === 'hangup' ? `(["${text}"])` : `["${text}"]`
}

function arrowOf(edge: Edge, step: Step): string {
  if (edge.way === 'done') return '-->'
  const label = quoted(labelOf(edge, step))
  return edge.way === 'failure' ? `-. "${label}" .->` : `-- "${label}" -->`
}

/** `next`, the key, the condition or the failure. */
export function labelOf({ way, label, path }: Edge, step: Step): string {
  if (step.kind === 'queue' && way === 'choice') return `${label}: call me back`
  const chosen = step.kind === 'branch' && way === 'choice' ? step.spec.cases[Number(path.at(-2))] : undefined
  if (!chosen) return label
  switch (chosen.kind) {
    case 'when':
      return chosen.condition.source
    case 'has':
      return `has ${chosen.path}`
    case 'open':
      return `open ${chosen.hours}`
    case 'same':
      return `same ${chosen.paths.join(', ')}`
  }
}

/** Mermaid writes signs of its own language as `#code;`. */
function quoted(text: string): string {
  const shown = text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX - 1)}…` : text
  return shown.replace(/[#"<>&`]/g, (sign) => `#${sign.charCodeAt(0)};`).replace(/\s+/g, ' ')
}
