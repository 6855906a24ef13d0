import type { Condition, FilterExpression, Members, Operand, Operator } from '../model/json-path.ts'

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
}

/** `$[?(@.closedDate == null)]` on `caseInfo` → `caseInfo.closedDate is empty`. `subject`: the variable asked about. */
export function conditionInWords({ before, filter, after }: Condition, subject: string | undefined): string {
  const root = [...(subject === undefined ? [] : [subject]), ...before]
  if (filter === null) return `${named(root, [])} is known`
  const asked = wordsOf(filter, root)
  return after.length === 0 ? asked : `${asked}, and ${named(root, after)} is known`
}

function wordsOf(filter: FilterExpression, root: Members): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${grouped(filter.left, root, filter.kind)} ${filter.kind} ${grouped(filter.right, root, filter.kind)}`
    case 'not':
      return `not (${wordsOf(filter.inner, root)})`
    case 'test':
      return `${named(root, filter.members)} is true`
    case 'compare':
      return `${operandWords(filter.left, root)} ${OPERATOR_WORDS[filter.operator]} ${operandWords(filter.right, root)}`
  }
}

function grouped(filter: FilterExpression, root: Members, within: 'and' | 'or'): string {
  const words = wordsOf(filter, root)
  return (filter.kind === 'and' || filter.kind === 'or') && filter.kind !== within ? `(${words})` : words
}

function operandWords(operand: Operand, root: Members): string {
  if ('members' in operand) return named(root, operand.members)
  const { literal } = operand
  return literal === null ? 'empty' : typeof literal === 'string' ? `"${literal}"` : String(literal)
}

function named(root: Members, members: Members): string {
  return [...root, ...members].join('.') || 'the data'
}
