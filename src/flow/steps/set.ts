import type { Step } from '../model/flow.ts'
import { fillTree } from '../model/scope.ts'
import type { Begun, Scene } from './step-messages.ts'

/** set: sets variables. A missing value fails the step. */
export function beginSet({ spec }: Extract<Step, { kind: 'set' }>, { scope, language }: Scene): Begun {
  const filled = fillTree(spec.variables, scope, language)
  if (!filled.ok) return { ended: { end: 'malformed', why: filled.why } }
  return { ended: { end: 'done', value: filled.value } }
}
