import type { Step } from '../model/flow.ts'
import { fillTree } from '../model/scope.ts'
import type { Begun, Scene } from './step-messages.ts'

/** subflow: gives its variables their first values; the steps of the flow follow. A missing value fails the step. */
export function beginSubflow({ spec }: Extract<Step, { kind: 'subflow' }>, { scope, language }: Scene): Begun {
  const filled = fillTree(spec.with, scope, language)
  if (!filled.ok) return { ended: { end: 'malformed', why: filled.why } }
  return { ended: { end: 'done', value: { ...spec.vars, ...(filled.value as object) } } }
}
