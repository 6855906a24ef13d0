import type { Step } from '../model/flow.ts'
import { fillTree } from '../model/scope.ts'
import type { Begun, Scene } from './step-messages.ts'

/** set: gives variables values. A value that is missing fails the step instead of leaving a hole. */
export function beginSet({ spec }: Extract<Step, { kind: 'set' }>, { scope, language }: Scene): Begun {
  const filled = fillTree(spec.variables, scope, language)
  if (!filled.ok) return { ended: { end: 'malformed', why: filled.why } }
  return { ended: { end: 'done', value: filled.value } }
}
