/**
 * Each subflow has variables of its own (calls-and-flows-59). They stand beside those of the call, under a name with a
 * space, which no author can write; so a crash loses none, and a flow that is named twice has two sets.
 */
import type { StepName } from '../../kernel/ids.ts'
import type { Step } from '../model/flow.ts'
import { concludeStep } from '../steps/begin-step.ts'
import type { StepEnd } from '../steps/step-talk.ts'

type Vars = Readonly<Record<string, unknown>>

/** The variables that a step reads and sets: those of the subflow in which it stands. */
export function varsFor(step: Step | undefined, vars: Vars): Vars {
  return varsWithin(step?.within, vars)
}

/** The effect of a step's end on the flow: the port, and what to set among all variables of the call. */
export function conclude(step: Step, raw: StepEnd, vars: Vars): StepEnd & { readonly sets?: Vars } {
  const { sets, ...end } = concludeStep(step, raw)
  if (step.kind === 'subflow') return raw.end === 'done' ? { ...end, sets: { [keyOf(step.name)]: raw.value } } : end
  if (step.kind === 'hangup' && step.spec.returns && step.within !== undefined) {
    const { as } = step.spec.returns
    const result = { ...varsFor(step, vars), outcome: step.spec.outcome ?? 'completed' }
    return {
      ...end,
      sets: { ...(as && setWithin(above(step.within), { [as]: result }, vars)), [keyOf(step.within)]: null },
    }
  }
  return sets ? { ...end, sets: setWithin(step.within, sets, vars) } : end
}

/** What is counted when the step is done. A subflow is done at its end. */
export function marksOf(step: Step | undefined): readonly string[] {
  if (!step || step.kind === 'subflow') return []
  const ofSubflow = step.kind === 'hangup' ? step.spec.returns?.mark : undefined
  return [step.mark, ofSubflow].filter((mark) => mark !== undefined)
}

function varsWithin(within: StepName | undefined, vars: Vars): Vars {
  return within === undefined ? vars : ((vars[keyOf(within)] as Vars | null | undefined) ?? {})
}

function setWithin(within: StepName | undefined, sets: Vars, vars: Vars): Vars {
  return within === undefined ? sets : { [keyOf(within)]: { ...varsWithin(within, vars), ...sets } }
}

/** `a.b` stands in `a`. */
function above(subflow: StepName): StepName | undefined {
  const end = subflow.lastIndexOf('.')
  return end < 0 ? undefined : (subflow.slice(0, end) as StepName)
}

function keyOf(subflow: StepName): string {
  return `subflow ${subflow}`
}
