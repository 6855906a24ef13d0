import type { Problem } from '../../kernel/file-problem.ts'
import type { HttpSpec, Step } from '../model/flow.ts'
import type { Template } from '../model/template.ts'
import { parsePath } from '../model/variable-path.ts'
import { error, type Rule, type Subject, warn } from './lint-subject.ts'
import { conditionsOf } from './lint-variables.ts'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

/** flow-language.md 0.3: a condition on an optional member would treat a missing value as data. */
export const lintConditions: Rule = (subject) => {
  const steps = [...subject.flow.steps.values()]
  const requests = steps.filter((step): step is StepOf<'http'> => step.kind === 'http')
  return steps.flatMap((step) => (step.kind === 'branch' ? lintBranch(subject, step, requests) : []))
}

/** Call data must not choose the host (flow-language.md 3.3). */
export const lintHosts: Rule = (subject) => {
  const after = subject.flow.onHangup.map((step, index) => ({ step, path: ['onHangup', index] }))
  const before = [...subject.flow.steps.values()].map((step) => ({ step, path: ['steps', step.name] }))
  return [...before, ...after].flatMap(({ step, path }) => {
    if (step.kind !== 'http' || !('url' in step.spec.to) || hasFixedHost(step.spec.to.url)) return []
    const message = 'call data must not choose the host; write https://host/… or take it from ${env.…}'
    return [error(subject, [...path, 'http', step.spec.method.toLowerCase()], message)]
  })
}

/** A number without an external system: its callers without a call task have no case to look up. */
export const lintLookups: Rule = (subject) => {
  const { flow, known } = subject
  const numbers = known.systemless?.get(flow.name) ?? []
  return [...flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'http' || !('caseNumber' in step.spec.to)) return []
    const path = ['steps', step.name, 'http', 'lookup']
    return numbers.map((number) => {
      const remedy = 'add externalSystem to the number'
      return warn(subject, path, `the number ${number} has no external system that could be asked; ${remedy}`)
    })
  })
}

function lintBranch(subject: Subject, step: StepOf<'branch'>, requests: readonly StepOf<'http'>[]): Problem[] {
  const asked = step.spec.in === undefined ? undefined : parsePath(step.spec.in)
  if (asked && !asked.ok) return []
  return conditionsOf(step.spec).flatMap(({ condition, index }) => {
    const reads = condition.reads.map((members) => [...(asked?.path.parts ?? []), ...members])
    const path = ['steps', step.name, 'branch', 'cases', index, 'when']
    const messages = new Set(reads.flatMap(([variable, member]) => notRequired(variable, member, requests)))
    return [...messages].map((message) => error(subject, path, message))
  })
}

function notRequired(variable: unknown, member: unknown, requests: readonly StepOf<'http'>[]): string[] {
  if (typeof member !== 'string') return []
  const lax = requests.filter((request) => request.as === variable && !promises(request.spec, member))
  return lax.map(({ name }) => {
    const remedy = `add ${member} to expect.required of step "${name}"`
    return `the condition reads "${member}", which the answer may lack; ${remedy}`
  })
}

function promises({ required, match }: HttpSpec, member: string): boolean {
  return required.includes(member) || member in match
}

function hasFixedHost({ parts }: Template): boolean {
  const [first, second] = parts
  if (first?.kind === 'text')
    return (
      /^https?:\/\/[^/?#@\\\s]+([/?#]|$)/.test(first.text) && (!second || /^https?:\/\/[^/?#]+[/?#]/.test(first.text))
    )
  if (first?.kind !== 'value' || first.path.parts[0] !== 'env' || first.filter !== null) return false
  return !second || (second.kind === 'text' && /^(:\d{1,5})?[/?#]/.test(second.text))
}
