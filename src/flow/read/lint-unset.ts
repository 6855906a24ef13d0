/** The rule about variables that are set on some paths to a step, but not on all. */

import type { Problem } from '../../kernel/file-problem.ts'
import type { StepName } from '../../kernel/ids.ts'
import { allEdgesOf, type Edge } from '../model/edges.ts'
import type { Flow, Step } from '../model/flow.ts'
import { hasDefault } from '../model/template.ts'
import { parsePath } from '../model/variable-path.ts'
import { type Rule, type Subject, warn } from './lint-subject.ts'
import { settersOf } from './lint-variables.ts'
import { stepAt, type TemplateUse } from './reading.ts'

type Names = ReadonlySet<string>

/** Warns where a text needs a variable that may not be set (flow-language.md 3.1); popup and whisper may lack one. */
export const lintUnset: Rule = (subject) => {
  if (!subject.isWhole) return []
  const setBefore = definitelySet(subject.flow)
  const settable = settersOf(subject)
  return subject.reading.templates.flatMap((use) => lintUse(subject, use, settable, setBefore))
}

function lintUse(
  subject: Subject,
  use: TemplateUse,
  settable: Names,
  setBefore: ReadonlyMap<StepName, Names>,
): Problem[] {
  const { template, path, place } = use
  const step = subject.flow.steps.get(stepAt(path) ?? ('' as StepName))
  const set = step && setBefore.get(step.name)
  if (!set || place === 'popup' || place === 'whisper') return []
  const unset = template.paths.filter((variable) => {
    const root = String(variable.parts[0])
    const isOwn = place === 'confirm' && step.as === root
    return settable.has(root) && !set.has(root) && !isOwn && !hasDefault(template, variable)
  })
  const names = new Set(unset.map(({ parts }) => String(parts[0])))
  return [...names].map((name) => {
    const remedy = `write a default, \${${name} | default '…'}, or set it earlier`
    return warn(subject, path, `"${name}" is not set on every way to step "${step.name}"; ${remedy}`)
  })
}

/** For each reachable step: the variables that every path to it sets (forward data-flow analysis). */
function definitelySet(flow: Flow): ReadonlyMap<StepName, Names> {
  const setBefore = new Map<StepName, Names>([[flow.start, new Set(Object.keys(flow.vars))]])
  const queue = [flow.start]
  for (const name of queue) {
    const step = flow.steps.get(name)
    if (!step) continue
    for (const edge of allEdgesOf(step, flow)) {
      const arriving = new Set([...setBefore.get(name)!, ...setOn(edge, step)])
      const known = setBefore.get(edge.to)
      const common = known ? new Set([...known].filter((variable) => arriving.has(variable))) : arriving
      if (known && common.size === known.size) continue
      // Sets only shrink, so the queue becomes empty.
      setBefore.set(edge.to, common)
      queue.push(edge.to)
    }
  }
  return setBefore
}

/** The variables that are set when the call leaves the step by this edge. */
function setOn(edge: Edge, step: Step): Names {
  if (step.kind === 'branch' && edge.way === 'choice') {
    const chosen = step.spec.cases[Number(edge.path.at(-2))]
    if (edge.label === 'else') return new Set()
    const paths = chosen?.kind === 'has' ? [chosen.path] : chosen?.kind === 'same' ? chosen.paths : []
    const reads = paths.map((path) => parsePath(path))
    return new Set(reads.flatMap((read) => (read.ok ? [String(read.path.parts[0])] : [])))
  }
  if (edge.way !== 'done') return new Set()
  if (step.kind === 'set') return new Set(Object.keys(step.spec.variables))
  return new Set(step.as === undefined ? [] : [step.as])
}
