/** Which steps and branches of a flow the tests have been through. A branch is every place that names a step. */
import type { CallNote } from '../flow/model/call-messages.ts'
import { type Edge, edgesOf } from '../flow/model/edges.ts'
import type { Flow, Step } from '../flow/model/flow.ts'
import { portFor } from '../flow/run/compile.ts'
import type { Path, YamlSource } from '../kernel/yaml-source.ts'

export interface Coverage {
  readonly steps: Share
  readonly branches: Share
}

interface Share {
  readonly total: number
  /** In the order of the file. */
  readonly missing: readonly { readonly what: string; readonly line: number }[]
}

/** The coverage by calls; each is the notes of one. `source` is the file of the flow. */
export function coverageOf(flow: Flow, source: YamlSource, calls: readonly (readonly CallNote[])[]): Coverage {
  const entered = new Set<string>()
  const taken = takenIn(flow, calls.flat())
  for (const note of calls.flat()) if (note.type === 'step.entered') entered.add(note.step)
  const steps = [...(flow.parts?.own ?? flow).steps.values(), ...flow.onHangup]
  const branches = branchesOf(flow)
  return {
    steps: {
      total: steps.length,
      missing: steps.filter(({ name }) => !entered.has(name)).map(({ name, line }) => ({ what: name, line })),
    },
    branches: {
      total: branches.length,
      missing: branches
        .filter(({ path }) => !taken.has(path.join('\n')))
        .map(({ what, path }) => ({ what, line: source.lineOf(path) })),
    },
  }
}

/** The branches that calls took, by their places in the file: paths, joined by line ends. */
export function takenIn(flow: Flow, notes: readonly CallNote[]): Set<string> {
  const taken = new Set<string>()
  for (const note of notes) {
    if (note.type !== 'step.left' || note.end === 'broken') continue
    const left = stepLeft(note, flow)
    if (left) taken.add(placeOf(left.end, left.step, flow).join('\n'))
  }
  return taken
}

/** The step that ends: a subflow does when one of its steps leads out of it. */
function stepLeft({ step: name, end, to }: Extract<CallNote, { type: 'step.left' }>, flow: Flow) {
  let step = flow.steps.get(name)
  if (step?.kind === 'subflow' && end === 'done') return undefined
  let endOfStep = end
  while (step?.within !== undefined && to !== undefined && !to.startsWith(`${step.within}.`)) {
    endOfStep = step.kind === 'hangup' || (step.kind === 'subflow' && endOfStep === 'done') ? 'done' : 'failed'
    step = flow.steps.get(step.within)
  }
  return step && { step, end: endOfStep }
}

/** Percent of steps and branches together; 100 for nothing at all. */
export function coveredPercent({ steps, branches }: Coverage): number {
  const total = steps.total + branches.total
  return total === 0 ? 100 : (100 * (total - steps.missing.length - branches.missing.length)) / total
}

/** Every `next`, `on`, key, case and `else` of the steps, and `onError`. Subflows have tests beside their own files. */
export function branchesOf(flow: Flow): readonly { readonly what: string; readonly path: Path }[] {
  const branches = [...(flow.parts?.own ?? flow).steps.values()].flatMap((step) =>
    edgesOf(step).map(({ path, ...edge }) => ({ what: nameOf(edge), path })),
  )
  if (flow.onError === undefined) return branches
  return [...branches, { what: `onError → ${flow.onError}`, path: ['onError'] }]
}

/** `triage (else) → team` */
export function nameOf({ from, label, to }: Pick<Edge, 'from' | 'label' | 'to'>): string {
  return `${from} (${label}) → ${to}`
}

/** The place in the file of the branch that an end of a step takes. */
function placeOf(end: string, step: Step, flow: Flow): Path {
  const port = portFor(end, step, flow)
  const [kind, rest = ''] = port.split(/:(.*)/)
  if (kind === 'onError') return ['onError']
  const base = ['steps', step.name]
  if (kind === 'key')
    return [...base, ...(step.kind === 'queue' ? ['queue', 'callback', 'next'] : ['menu', 'keys', rest])]
  if (kind === 'on') return [...base, 'on', rest]
  if (kind === 'case') return rest === 'else' ? [...base, 'branch', 'else'] : [...base, 'branch', 'cases', rest, 'next']
  return [...base, 'next']
}
