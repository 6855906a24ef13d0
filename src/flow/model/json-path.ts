/**
 * Conditions on data, in JSONPath: `$[?(@.closedDate == null)]` (flow-language.md 3.5).
 *
 * Two rules are ours. The object-root rule: when the data is an object and the query begins with a filter, the
 * filter asks about that object. And: a missing member never decides. A comparison with it is neither true nor
 * false, as NULL is in SQL, and a condition holds only when it holds either way; so an answer without
 * `closedDate` is neither open nor closed, and the branch goes to its `else`.
 */
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
/**
 * Of a list, so many entries are looked at (rest-44). An answer of 256 kB may have 125,000, and a step 100 conditions:
 * all other calls of the node would wait for seconds.
 */
const ENTRIES_MAX = 10_000

/** Whether a condition holds for plain JSON, and why, for the trace. Total: it never throws. */
export function holds(condition: Condition, document: unknown): { readonly holds: boolean; readonly why: string } {
  const { source, before, filter, after } = condition
  const found = lookUp(before, document)
  if (filter === null) {
    const isThere = found !== undefined
    return { holds: isThere, why: `${source} ${isThere ? 'is there' : 'is missing'}` }
  }
  const all = elementsOf(found, before.length === 0)
  const elements = all.length > ENTRIES_MAX ? all.slice(0, ENTRIES_MAX) : all
  const matching = elements.find((one) => isTrue(filter, one, false) && lookUp(after, one) !== undefined)
  const is = matching !== undefined
  const looked = elements.length === 0 ? 'nothing to look at' : saw(filter, after, matching ?? elements[0])
  const unseen = all === elements ? '' : `, the first of ${all.length}`
  const which = elements.length > 1 ? ` in ${is ? 'one' : 'none'} of ${elements.length}${unseen}` : ''
  return { holds: is, why: `${source} ${is ? 'holds' : 'does not hold'}${which}: ${looked}` }
}

/** What a filter asks about, one by one: the object at the root, else the children (RFC 9535 section 2.3.5). */
function elementsOf(value: unknown, isRoot: boolean): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value
  return isRoot ? [value] : Object.values(value)
}

/** Of values there are, as in JavaScript; what is undecidable speaks against the condition. */
function isTrue(filter: FilterExpression, element: unknown, isNegated: boolean): boolean {
  switch (filter.kind) {
    case 'and':
      return isTrue(filter.left, element, isNegated) && isTrue(filter.right, element, isNegated)
    case 'or':
      return isTrue(filter.left, element, isNegated) || isTrue(filter.right, element, isNegated)
    case 'not':
      return !isTrue(filter.inner, element, !isNegated)
    case 'test': {
      const value = lookUp(filter.members, element)
      return value === undefined ? isNegated : Boolean(value)
    }
    case 'compare': {
      const [left, right] = [valueOfOperand(filter.left, element), valueOfOperand(filter.right, element)]
      return isDoubtful(filter.operator, left, right) ? isNegated : compare(filter.operator, left, right)
    }
  }
}

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  // Texts are ordered as texts; of two types, both are taken as numbers.
  const [one, other] = [left as number, right as number]
  switch (operator) {
    case '==':
      return isEqual(left, right)
    case '!=':
      return !isEqual(left, right)
    case '<':
      return one < other
    case '<=':
      return one <= other
    case '>':
      return one > other
    case '>=':
      return one >= other
  }
}

/** `'1'` equals `1`; null equals itself alone. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === null || right === null || typeof left === typeof right) return left === right
  return Number(left) === Number(right)
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
