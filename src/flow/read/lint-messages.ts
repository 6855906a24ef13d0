/** The rule about callers who are asked for a message and say nothing (calls-and-flows-51). */
import { type Rule, warn } from './lint-subject.ts'

/** Whoever changes their mind has made no mistake: the built-in apology is for faults. */
export const lintMessages: Rule = (subject) => {
  const { flow } = subject
  return [...flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'record' || 'noInput' in step.on || 'failed' in step.on || flow.onError !== undefined) return []
    const message = 'a caller who says nothing hears an apology as after a fault; add on: { noInput: … }'
    return [warn(subject, ['steps', step.name, 'record', 'prompt'], message)]
  })
}
