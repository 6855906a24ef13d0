/** Answers of other systems that lead a call through the branches of a flow: made from what its steps read of them. */
import type { BranchCase, Flow, Step } from '../flow/model/flow.ts'
import type { FilterExpression, Members, Operand, Operator } from '../flow/model/json-path.ts'
import type { RawReply } from './test-file-schema.ts'

type HttpStep = Extract<Step, { kind: 'http' }>
type Body = Readonly<Record<string, unknown>>

/** What a member is used for, and a value that fits. */
const VALUES: Readonly<Record<string, unknown>> = { money: 120.5, number: 3, date: '2026-03-02', digits: '1234' }

/** Replies to the request of a step, the plainest first. `last`: the end of its path, which `match` often repeats. */
export function likelyReplies(flow: Flow, step: HttpStep, last: string): readonly RawReply[] {
  const members = {
    ...usedMembers(flow, step.as),
    ...Object.fromEntries(step.spec.required.map((name) => [name, '1'])),
  }
  const plain: Body = {
    ...members,
    ...valuesOf(flow, step.as),
    ...Object.fromEntries(Object.keys(step.spec.match).map((member) => [member, last])),
  }
  const cases = [...flow.steps.values()].flatMap((other) => {
    return other.kind === 'branch' && other.spec.in === step.as && step.as !== undefined ? other.spec.cases : []
  })
  const solved = cases.flatMap((one) => solutions(one).map((solution) => ({ ...plain, ...solution })))
  const spoiled = solved.flatMap((body) =>
    cases.flatMap((one) => violations(one).map((other) => ({ ...body, ...other }))),
  )
  const bodies = [...solved, plain, ...spoiled].map((body) => JSON.stringify(body))
  const failures = Object.keys(step.on).flatMap((end): RawReply[] => {
    if (end === 'notFound') return [{ status: 404 }]
    if (end === 'timeout') return [{ fails: 'timeout' }]
    if (end === 'unavailable') return [{ fails: 'unavailable' }]
    if (end === 'malformed') return [{ text: '<html>' }]
    return /^\d{3}$/.test(end) ? [{ status: Number(end) }] : []
  })
  return [...[...new Set(bodies)].map((body) => ({ body: JSON.parse(body) as Body })), ...failures, { status: 500 }]
}

/** Data of an event that a flow can speak. */
export function likelyData(flow: Flow, as: string | undefined): Body {
  return { ...usedMembers(flow, as), ...valuesOf(flow, as) }
}

/** Literals that conditions compare a variable with. */
export function comparedWith(flow: Flow, variable: string): readonly string[] {
  const cases = [...flow.steps.values()].flatMap((step) => (step.kind === 'branch' ? step.spec.cases : []))
  return cases.flatMap((one) =>
    [...solutions(one), ...violations(one)].flatMap((body) => String(body[variable] ?? '') || []),
  )
}

function usedMembers(flow: Flow, as: string | undefined): Body {
  if (as === undefined) return {}
  const text = JSON.stringify([...flow.steps.values(), ...flow.onHangup, flow.prompts])
  return Object.fromEntries([...text.matchAll(new RegExp(`\\$\\{${as}\\.(\\w+)`, 'g'))].map(([, name]) => [name!, '1']))
}

/** Amounts, numbers and dates that are spoken or written must be some. */
function valuesOf(flow: Flow, as: string | undefined): Body {
  const found: Record<string, unknown> = {}
  const note = (source: string, kind: string) => {
    const [, root, member] = /^\$\{(\w+)\.(\w+)/.exec(source) ?? []
    if (root === as && member !== undefined && VALUES[kind] !== undefined) found[member] = VALUES[kind]
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [source, kind] of value.matchAll(/\$\{[\w.]+ \| (\w+)/g)) note(source, kind!)
    } else if (typeof value === 'object' && value !== null) {
      const { kind, value: template } = value as { kind?: unknown; value?: { source?: unknown } }
      if (typeof kind === 'string' && typeof template?.source === 'string') note(template.source, kind)
      for (const inner of Object.values(value)) walk(inner)
    }
  }
  walk([...flow.steps.values(), ...flow.onHangup, flow.prompts])
  return found
}

function solutions(one: BranchCase): Body[] {
  return one.kind === 'when' && one.condition.filter ? solve(one.condition.filter, true) : []
}

function violations(one: BranchCase): Body[] {
  return one.kind === 'when' && one.condition.filter ? solve(one.condition.filter, false) : []
}

/** Members with which the filter holds, or does not hold. */
function solve(filter: FilterExpression, holds: boolean): Body[] {
  switch (filter.kind) {
    case 'not':
      return solve(filter.inner, !holds)
    case 'and':
    case 'or': {
      const left = solve(filter.left, holds)
      const right = solve(filter.right, holds)
      const isJoint = (filter.kind === 'and') === holds
      return isJoint ? left.flatMap((one) => right.map((other) => ({ ...one, ...other }))) : [...left, ...right]
    }
    case 'test':
      return assigned(filter.members, holds)
    case 'compare': {
      const { left, right, operator } = filter
      if ('literal' in right && 'members' in left) return assigned(left.members, valueFor(operator, right, holds))
      if ('literal' in left && 'members' in right)
        return assigned(right.members, valueFor(MIRRORED[operator], left, holds))
      return []
    }
  }
}

const MIRRORED: Readonly<Record<Operator, Operator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}

/** A value for which `value operator literal` holds, or does not. */
function valueFor(operator: Operator, { literal }: Extract<Operand, { literal: unknown }>, holds: boolean): unknown {
  const isEqual = (operator === '==' || operator === '<=' || operator === '>=') === holds
  if (operator === '==' || operator === '!=') return isEqual ? literal : otherThan(literal)
  const isBelow = operator.startsWith('<') === holds
  return isEqual ? literal : Number(literal) + (isBelow ? -1 : 1)
}

function otherThan(literal: unknown): unknown {
  if (typeof literal === 'number') return literal + 1
  if (typeof literal === 'boolean') return !literal
  return literal === null ? '2026-03-02' : `not ${String(literal)}`
}

function assigned([first, ...rest]: Members, value: unknown): Body[] {
  if (first === undefined) return []
  return [{ [String(first)]: rest.length === 0 ? value : assigned(rest, value)[0] }]
}
