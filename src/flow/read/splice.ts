/**
 * A flow with its subflows becomes one flow (calls-and-flows-59): the steps of the flow that the step `identify` names
 * are called `identify.ask`, and so are its prompts and hours. What the runner knows of subflows is whose variables a
 * step uses.
 */
import type { StepName } from '../../kernel/ids.ts'
import type { Flow, Prompt, Step } from '../model/flow.ts'
import { STEP_KINDS } from '../model/kinds.ts'
import { named } from './reading.ts'

type SubflowStep = Extract<Step, { kind: 'subflow' }>
type Rename = <N extends string>(name: N) => N

/** `subflows` are spliced already. A step whose subflow is not among them stays as it is. */
export function splice(flow: Flow, subflows: ReadonlyMap<string, Flow>): Flow {
  const steps = new Map<StepName, Step>()
  const parts = [flow]
  for (const step of flow.steps.values()) {
    const subflow = step.kind === 'subflow' ? subflows.get(step.spec.flow) : undefined
    if (step.kind !== 'subflow' || !subflow) {
      steps.set(step.name, step)
      continue
    }
    const part = partOf(subflow, step)
    parts.push(part)
    steps.set(step.name, { ...step, next: part.start, spec: { ...step.spec, vars: subflow.vars } })
    for (const inner of part.steps.values()) steps.set(inner.name, inner)
  }
  if (parts.length === 1) return flow
  const prompts = named(parts.flatMap((part) => Object.entries(part.prompts)))
  const hours = named(parts.flatMap((part) => Object.entries(part.hours)))
  return { ...flow, steps, prompts, hours, parts: { own: flow, subflows } }
}

/** A subflow under the names that it has in this step. */
function partOf(subflow: Flow, entry: SubflowStep): Flow {
  const rename: Rename = (name) => `${entry.name}.${name}` as typeof name
  const say = (prompt: Prompt): Prompt =>
    prompt.map((segment) => (segment.kind === 'prompt' ? { ...segment, name: rename(segment.name) } : segment))
  const steps = [...subflow.steps.values()].map((step) => innerStep(step, entry, subflow, rename, say))
  const wordings = Object.entries(subflow.prompts).map(([name, byLanguage]) => {
    return [
      rename(name),
      named(Object.entries(byLanguage).map(([language, prompt]) => [language, say(prompt)])),
    ] as const
  })
  return {
    ...subflow,
    start: rename(subflow.start),
    prompts: named(wordings),
    hours: named(Object.entries(subflow.hours).map(([name, hours]) => [rename(name), hours])),
    steps: new Map(steps.map((step) => [step.name, step])),
  }
}

function innerStep(
  step: Step,
  entry: SubflowStep,
  { onError }: Flow,
  rename: Rename,
  say: (prompt: Prompt) => Prompt,
): Step {
  const ends = Object.entries(step.on).map(([end, to]) => [end, rename(to)] as const)
  // What the subflow leaves to its author is a failure of the step that it stands for.
  const rest = onError !== undefined && onError !== step.name ? rename(onError) : entry.on['failed']
  const mayFail = STEP_KINDS[step.kind].ends.length > 0 && !('failed' in step.on)
  const isEnd = step.kind === 'hangup' && !step.spec.returns
  return {
    ...step,
    name: rename(step.name),
    // The place in the file at hand, which names its subflow.
    line: entry.line,
    next: isEnd ? entry.next : step.next && rename(step.next),
    on: named(mayFail && rest !== undefined ? [...ends, ['failed', rest]] : ends),
    within: step.within === undefined ? entry.name : rename(step.within),
    spec: { ...innerSpec(step, rename, say), ...(isEnd && { returns: { as: entry.as, mark: entry.mark } }) },
  } as Step
}

const PROMPTS: readonly string[] = ['prompt', 'confirm', 'say', 'filler', 'hold', 'whisper']

function innerSpec(step: Step, rename: Rename, say: (prompt: Prompt) => Prompt): object {
  const spoken = Object.entries(step.spec).map(([key, value]) => {
    return [key, PROMPTS.includes(key) && value !== undefined ? say(value as Prompt) : value] as const
  })
  return { ...Object.fromEntries(spoken), ...innerTargets(step, rename, say) }
}

/** What the kinds name besides prompts: steps, hours and, by the number of the try, prompts. */
function innerTargets(step: Step, rename: Rename, say: (prompt: Prompt) => Prompt): object {
  switch (step.kind) {
    case 'gather':
    case 'menu': {
      const { noInput, invalid } = step.spec.reprompt
      const reprompt = { noInput: noInput.map(say), invalid: invalid.map(say) }
      if (step.kind === 'gather') return { reprompt }
      return { reprompt, keys: named(Object.entries(step.spec.keys).map(([key, to]) => [key, rename(to)])) }
    }
    case 'branch': {
      const cases = step.spec.cases.map((one) => {
        return { ...one, next: rename(one.next), ...(one.kind === 'open' && { hours: rename(one.hours) }) }
      })
      return { cases, else: rename(step.spec.else) }
    }
    case 'queue': {
      const { callback } = step.spec
      return { callback: callback && { ...callback, next: rename(callback.next) } }
    }
    default:
      return {}
  }
}
