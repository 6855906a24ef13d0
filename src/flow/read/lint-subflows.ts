/** Rules about subflows: they are there, fit, and get nothing that they do not know (calls-and-flows-59). */
import { didYouMean, type Problem } from '../../kernel/file-problem.ts'
import type { Flow, Step } from '../model/flow.ts'
import { error, errorAtKey, type Rule, type Subject, warn } from './lint-subject.ts'
import { STEPS_MAX } from './reading.ts'

/** Our choice: nobody follows a call through more flows within each other. */
const LEVELS_MAX = 4

/** The mistakes of each `subflow` step, and their number of steps together. */
export const lintSubflows: Rule = (subject) => {
  const problems = [...subject.flow.steps.values()].flatMap((step) =>
    step.kind === 'subflow' ? lintSubflow(subject, step) : [],
  )
  const { size } = subject.whole.steps
  if (size <= STEPS_MAX) return problems
  const message = `${size} steps together with the subflows; a flow has at most ${STEPS_MAX}; use fewer`
  return [...problems, errorAtKey(subject, ['steps'], message)]
}

function lintSubflow(subject: Subject, { name, spec }: Extract<Step, { kind: 'subflow' }>): Problem[] {
  const isMap = typeof subject.reading.source.valueAt(['steps', name, 'subflow']) === 'object'
  const path = ['steps', name, 'subflow', ...(isMap ? ['flow'] : [])]
  const found = subject.subflows.get(spec.flow)!
  if (typeof found === 'string') return [error(subject, path, found)]
  const levels = 1 + levelsOf(found)
  if (levels > LEVELS_MAX)
    return [error(subject, path, `${levels} flows within each other; at most ${LEVELS_MAX} are allowed`)]
  const known = Object.keys(found.vars)
  const unknown = Object.keys(spec.with).filter((variable) => !known.includes(variable))
  const unspoken = subject.flow.languages.filter((language) => !found.languages.includes(language))
  const unused = [...(found.onHangup.length > 0 ? ['onHangup'] : []), ...(hasActivity(found) ? ['activity'] : [])]
  return [
    ...unknown.map((variable) => {
      const remedy = didYouMean(variable, known) || '; add it under its vars'
      const message = `the flow "${spec.flow}" has no variable "${variable}" under vars${remedy}`
      return errorAtKey(subject, ['steps', name, 'subflow', 'with', variable], message)
    }),
    ...unspoken.map((language) =>
      error(subject, path, `the flow "${spec.flow}" has no words in "${language}"; add it to its languages`),
    ),
    ...unused.map((key) => {
      const message = `${key} of the flow "${spec.flow}" counts only where it answers a call itself`
      return warn(subject, path, `${message}; write it in this flow too, if it is needed`)
    }),
  ]
}

function hasActivity({ activity }: Flow): boolean {
  return Object.keys(activity).length > 0
}

function levelsOf({ steps }: Flow): number {
  return Math.max(...[...steps.keys()].map((name) => name.split('.').length))
}
