import { didYouMean, type Problem } from '../../kernel/file-problem.ts'
import type { StepName } from '../../kernel/ids.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import { allEdgesOf, edgesOf } from '../model/edges.ts'
import { error, type Rule, type Subject, warnAtKey } from './lint-subject.ts'

/** `start`, `onError` and every target of a step name a step of the file. */
export const lintTargets: Rule = (subject) => {
  const { flow, stepNames } = subject
  const targets: (readonly [StepName | undefined, Path])[] = [
    [flow.start, ['start']],
    [flow.onError, ['onError']],
  ]
  for (const step of flow.steps.values()) targets.push(...edgesOf(step).map(({ to, path }) => [to, path] as const))
  return targets.flatMap(([to, path]) => {
    if (to === undefined || stepNames.has(to)) return []
    return [error(subject, path, `there is no step "${to}"${didYouMean(to, stepNames) || '; add it under steps'}`)]
  })
}

export const lintReachable: Rule = (subject) => {
  const { flow, isWhole } = subject
  if (!isWhole) return []
  const reached = reachedSteps(subject)
  const lost = [...flow.steps.keys()].filter((name) => !reached.has(name))
  return lost.map(
    (name): Problem =>
      warnAtKey(subject, ['steps', name], `step "${name}" is never reached; name it in another step or remove it`),
  )
}

/** Those that some call may enter. */
export function reachedSteps({ flow }: Pick<Subject, 'flow'>): ReadonlySet<StepName> {
  const reached = new Set<StepName>([flow.start])
  for (const name of reached) {
    const step = flow.steps.get(name)
    // The set grows during the iteration, which also visits new members.
    for (const { to } of step ? allEdgesOf(step, flow) : []) reached.add(to)
  }
  return reached
}
