import { longestWayToPerson } from '../model/patience.ts'
import { error, type Rule } from './lint-subject.ts'

/** `budget.person`: the longest way from the answer to a person, estimated (calls-and-flows-50). */
export const lintBudget: Rule = (subject) => {
  const { budget } = subject.flow
  if (!budget || !subject.isWhole) return []
  const path = ['budget', 'person']
  const longest = longestWayToPerson(subject.whole)
  if (!longest) return [error(subject, path, 'no way leads to a queue step; add one, or remove the budget')]
  const { seconds, keys, steps } = longest
  if (seconds * 1000 <= budget.personMs) return []
  const shown = steps.length > 12 ? [...steps.slice(0, 6), '…', ...steps.slice(-5)] : steps
  const cost = `about ${Math.ceil(seconds)} s and ${keys} ${keys === 1 ? 'key' : 'keys'}`
  const way = `the longest way to a person takes ${cost} (${shown.join(' → ')})`
  return [
    error(
      subject,
      path,
      `${way}, more than ${budget.personMs / 1000} s; shorten its prompts, or lead to a person earlier`,
    ),
  ]
}
