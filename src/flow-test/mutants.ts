/**
 * Small mistakes that an author could make: each is a flow with one of them. Tests that pass with a mistake in the flow
 * do not hold what it says there.
 */
import { type Edge, edgesOf } from '../flow/model/edges.ts'
import type { Flow, Step } from '../flow/model/flow.ts'
import type { Condition, FilterExpression, Operator } from '../flow/model/json-path.ts'
import { splice } from '../flow/read/splice.ts'
import type { StepName } from '../kernel/ids.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'
import { nameOf } from './coverage.ts'
import { droppedFrom } from './dropped-keys.ts'

export interface Mutant {
  /** `triage (else) → closed instead of team` */
  readonly what: string
  readonly line: number
  readonly flow: Flow
}

/** Every mutant of a flow, in the order of the file. `source` is its file. Its subflows stay as they are. */
export function mutantsOf({ parts, ...whole }: Flow, source: YamlSource): readonly Mutant[] {
  if (!parts) return mutantsOfFile(whole, source)
  const { own, subflows } = parts
  return mutantsOfFile(own, source).map((mutant) => ({ ...mutant, flow: splice(mutant.flow, subflows) }))
}

function mutantsOfFile(flow: Flow, source: YamlSource): readonly Mutant[] {
  const mutants: Mutant[] = []
  const add = (what: string, path: Path, mutated: Flow) =>
    void mutants.push({ what, line: source.lineOf(path), flow: mutated })
  for (const step of flow.steps.values()) {
    for (const edge of edgesOf(step)) {
      const to = otherStep(edge.to, flow)
      if (to)
        add(`${nameOf({ ...edge, to })} instead of ${edge.to}`, edge.path, withStep(flow, retargeted(step, edge, to)))
    }
    for (const { what, path, step: changed } of swappedIn(step)) add(what, path, withStep(flow, changed))
    for (const { what, path, step: dropped } of droppedFrom(step, source)) add(what, path, withStep(flow, dropped))
  }
  return [...mutants, ...ofTheFlow(flow, source)].sort((a, b) => a.line - b.line)
}

function ofTheFlow(flow: Flow, source: YamlSource): Mutant[] {
  const mutants: Mutant[] = []
  const add = (what: string, path: Path, changed: Partial<Flow>) =>
    void mutants.push({ what, line: source.lineOf(path), flow: { ...flow, ...changed } })
  const start = otherStep(flow.start, flow)
  if (start) add(`start ${start} instead of ${flow.start}`, ['start'], { start })
  const onError = flow.onError && otherStep(flow.onError, flow)
  if (onError) add(`onError ${onError} instead of ${flow.onError}`, ['onError'], { onError })
  for (const [index, step] of flow.onHangup.entries()) {
    add(`without ${step.name}`, ['onHangup', index], { onHangup: flow.onHangup.toSpliced(index, 1) })
  }
  for (const field of Object.keys(flow.activity)) {
    const { [field]: _, ...activity } = flow.activity
    add(`activity without ${field}`, ['activity', field], { activity })
  }
  for (const [name, hours] of Object.entries(flow.hours)) {
    if (hours.holidays.size === 0) continue
    const changed = { ...flow.hours, [name]: { ...hours, holidays: new Set<string>() } }
    add(`hours ${name} without holidays`, ['hours', name, 'holidays'], { hours: changed })
  }
  return mutants
}

/** The step that follows in the file, the first after the last: a slip of one line. */
function otherStep(name: StepName, flow: Flow): StepName | undefined {
  const names = [...flow.steps.keys()]
  return names.length < 2 ? undefined : names[(names.indexOf(name) + 1) % names.length]
}

function withStep(flow: Flow, step: Step): Flow {
  return { ...flow, steps: new Map(flow.steps).set(step.name, step) }
}

function retargeted(step: Step, { path, label }: Edge, to: StepName): Step {
  if (path[2] === 'next') return { ...step, next: to }
  if (path[2] === 'on') return { ...step, on: { ...step.on, [label]: to } }
  if (step.kind === 'menu') return { ...step, spec: { ...step.spec, keys: { ...step.spec.keys, [label]: to } } }
  if (step.kind === 'queue') return { ...step, spec: { ...step.spec, callback: { ...step.spec.callback!, next: to } } }
  if (step.kind !== 'branch') return step
  if (label === 'else') return { ...step, spec: { ...step.spec, else: to } }
  const index = Number(path[4])
  const cases = step.spec.cases.with(index, { ...step.spec.cases[index]!, next: to })
  return { ...step, spec: { ...step.spec, cases } }
}

const OPPOSITE: Readonly<Record<Operator, Operator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}

/** A branch with one comparison turned into its opposite. */
function swappedIn(step: Step): { what: string; path: Path; step: Step }[] {
  if (step.kind !== 'branch') return []
  return step.spec.cases.flatMap((branchCase, index) => {
    if (branchCase.kind !== 'when') return []
    return opposites(branchCase.condition).map(({ what, condition }) => {
      const cases = step.spec.cases.with(index, { ...branchCase, condition })
      const path = ['steps', step.name, 'branch', 'cases', index, 'when']
      return {
        what: `${step.name} (case ${index + 1}): ${what}`,
        path,
        step: { ...step, spec: { ...step.spec, cases } },
      }
    })
  })
}

function opposites({ filter, ...rest }: Condition): { what: string; condition: Condition }[] {
  return filter === null
    ? []
    : swaps(filter).map(({ what, filter: swapped }) => ({ what, condition: { ...rest, filter: swapped } }))
}

function swaps(filter: FilterExpression): { what: string; filter: FilterExpression }[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return (['left', 'right'] as const).flatMap((side) =>
        swaps(filter[side]).map(({ what, filter: inner }) => ({ what, filter: { ...filter, [side]: inner } })),
      )
    case 'not':
      return swaps(filter.inner).map(({ what, filter: inner }) => ({ what, filter: { ...filter, inner } }))
    case 'test':
      return [{ what: `not ${filter.members.join('.')}`, filter: { kind: 'not', inner: filter } }]
    case 'compare': {
      const operator = OPPOSITE[filter.operator]
      return [{ what: `${operator} instead of ${filter.operator}`, filter: { ...filter, operator } }]
    }
  }
}
