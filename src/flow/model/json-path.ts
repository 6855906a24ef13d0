/**
 * Conditions on data, in JSONPath: `$[?(@.closedDate == null)]` (flow-language.md 3.5).
 *
 * Two rules are ours. The object-root rule: when the data is an object and the query begins with a filter, the
 * filter asks about that object. And: a missing member never decides. A comparison with it is neither true nor
 * false, as NULL is in SQL, and a condition holds only when it holds either way; so an answer without
 * `closedDate` is neither open nor closed, and the branch goes to its `else`.
 */
import { JSONPath } from 'jsonpath-plus'
import { lookUp } from './variable-path.ts'

/** A checked condition; `parseCondition` makes it. Plain data. */
export interface Condition {
  readonly source: string
  readonly before: Members
  /** Absent: the condition holds when there is something at `before`. */
  readonly filter: FilterExpression | null
  readonly after: Members
  /** Every place of the data it looks at, from the root. */
  readonly reads: readonly Members[]
}

export type Members = readonly (string | number)[]

export type FilterExpression =
  | { readonly kind: 'and' | 'or'; readonly left: FilterExpression; readonly right: FilterExpression }
  | { readonly kind: 'not'; readonly inner: FilterExpression }
  | { readonly kind: 'test'; readonly members: Members }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly left: Operand; readonly right: Operand }

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>='
/** A member of the element the filter asks about (`@.a.b`), or a value written out. */
export type Operand = { readonly members: Members } | { readonly literal: Scalar }
type Scalar = string | number | boolean | null

/** Longer values are cut where they are shown to people. */
const SHOWN_MAX = 60

/** Whether a condition holds for plain JSON, and why, for the trace. Total: it never throws. */
export function holds(condition: Condition, document: unknown): { readonly holds: boolean; readonly why: string } {
  const { source, before, filter, after } = condition
  const found = lookUp(before, document)
  if (filter === null) {
    const isThere = found !== undefined
    return { holds: isThere, why: `${source} ${isThere ? 'is there' : 'is missing'}` }
  }
  const elements = elementsOf(found, before.length === 0)
  const matching = elements.find((element) => matches(filter, element) && lookUp(after, element) !== undefined)
  const is = matching !== undefined
  const looked = elements.length === 0 ? 'nothing to look at' : saw(filter, after, matching ?? elements[0])
  const which = elements.length > 1 ? ` in ${is ? 'one' : 'none'} of ${elements.length}` : ''
  return { holds: is, why: `${source} ${is ? 'holds' : 'does not hold'}${which}: ${looked}` }
}

/** What a filter asks about, one by one: the object at the root, else the children (RFC 9535 section 2.3.5). */
function elementsOf(value: unknown, isRoot: boolean): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value
  return isRoot ? [value] : Object.values(value)
}

/**
 * jsonpath-plus evaluates in its safe mode, one element at a time and with existing members only: an undecidable
 * comparison is replaced by the value that speaks against the condition. The author's texts are passed beside the
 * expression, never inside it.
 */
function matches(filter: FilterExpression, element: unknown): boolean {
  const words: Record<string, string> = {}
  const path = `$[?(${write(filter, element, false, words)})]`
  try {
    const found = JSONPath({ path, json: [element], eval: 'safe', wrap: true, sandbox: words })
    return Array.isArray(found) && found.length > 0
  } catch {
    return false
  }
}

function write(filter: FilterExpression, element: unknown, isNegated: boolean, words: Record<string, string>): string {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operator = filter.kind === 'and' ? '&&' : '||'
      const left = write(filter.left, element, isNegated, words)
      return `(${left} ${operator} ${write(filter.right, element, isNegated, words)})`
    }
    case 'not':
      return `!(${write(filter.inner, element, !isNegated, words)})`
    case 'test':
      if (lookUp(filter.members, element) === undefined) return String(isNegated)
      return `(${writeMembers(filter.members, words)})`
    case 'compare': {
      const { left, right, operator } = filter
      if (isDoubtful(operator, valueOfOperand(left, element), valueOfOperand(right, element))) return String(isNegated)
      return `(${writeOperand(left, words)} ${operator} ${writeOperand(right, words)})`
    }
  }
}

/**
 * Undecidable comparisons: with a missing member, with a list or an object (except with null), and the order of null,
 * which JavaScript would take for zero: an unknown amount is not "below 5".
 */
function isDoubtful(operator: Operator, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return true
  const hasNull = left === null || right === null
  if (operator !== '==' && operator !== '!=') return hasNull || typeof left === 'object' || typeof right === 'object'
  return !hasNull && (typeof left === 'object' || typeof right === 'object')
}

function valueOfOperand(operand: Operand, element: unknown): unknown {
  return 'literal' in operand ? operand.literal : lookUp(operand.members, element)
}

function writeOperand(operand: Operand, words: Record<string, string>): string {
  if ('members' in operand) return writeMembers(operand.members, words)
  return typeof operand.literal === 'string' ? word(operand.literal, words) : String(operand.literal)
}

function writeMembers(members: Members, words: Record<string, string>): string {
  return `@${members.map((member) => `[${typeof member === 'number' ? member : word(member, words)}]`).join('')}`
}

function word(text: string, words: Record<string, string>): string {
  const name = `word${Object.keys(words).length}`
  words[name] = text
  return name
}

/** `closedDate is null, remainingAmount is 120.5` */
function saw(filter: FilterExpression, after: Members, element: unknown): string {
  const looked = new Map<string, string>()
  const all = after.length > 0 ? [...membersOf(filter), after] : membersOf(filter)
  for (const members of all) looked.set(nameOf(members), shown(lookUp(members, element)))
  return [...looked].map(([name, value]) => `${name} is ${value}`).join(', ')
}

/** Every member a filter looks at, in the order of the text. */
export function membersOf(filter: FilterExpression): readonly Members[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [...membersOf(filter.left), ...membersOf(filter.right)]
    case 'not':
      return membersOf(filter.inner)
    case 'test':
      return [filter.members]
    case 'compare':
      return [filter.left, filter.right].flatMap((operand) => ('members' in operand ? [operand.members] : []))
  }
}

/** A comparison of a member with a written value; `members` leads there from the root of the data. */
export interface Comparison {
  readonly members: Members
  readonly operator: Operator
  readonly literal: Scalar
}

/** Every comparison of a condition between a member and a written value, in the order of the text. */
export function comparisonsOf({ before, filter }: Condition): readonly Comparison[] {
  return filter === null ? [] : within(filter)

  function within(inner: FilterExpression): Comparison[] {
    switch (inner.kind) {
      case 'and':
      case 'or':
        return [...within(inner.left), ...within(inner.right)]
      case 'not':
        return within(inner.inner)
      case 'test':
        return []
      case 'compare':
        return compared(inner.left, inner.right, inner.operator)
    }
  }

  function compared(left: Operand, right: Operand, operator: Operator): Comparison[] {
    const [asked, written] = 'members' in left ? [left, right] : [right, left]
    if (!('members' in asked) || !('literal' in written)) return []
    return [{ members: [...before, ...asked.members], operator, literal: written.literal }]
  }
}

function nameOf(members: Members): string {
  return members.length === 0 ? 'the value' : members.join('.')
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text
}
