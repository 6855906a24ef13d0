/** Rules about conditions on typed digits, which are text: `03` and `3` are different entries (calls-and-flows-49). */
import type { Problem } from '../../kernel/file-problem.ts'
import type { BranchSpec, Flow, GatherSpec } from '../model/flow.ts'
import { type Comparison, comparisonsOf } from '../model/json-path.ts'
import { parsePath } from '../model/variable-path.ts'
import { error, type Rule, type Subject } from './lint-subject.ts'
import { conditionsOf } from './lint-variables.ts'

/** The steps that ask for a variable; `isOnly` if nothing else gives it a value. */
interface Typed {
  readonly entries: readonly GatherSpec[]
  readonly isOnly: boolean
}

/** Comparisons in which typed digits never match, match too much, or are ordered like words. */
export const lintDigits: Rule = (subject) => {
  const typed = typedIn(subject.flow)
  return [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'branch' || typed.size === 0) return []
    return lintBranch(subject, step.spec, ['steps', step.name, 'branch'], typed)
  })
}

function lintBranch(
  subject: Subject,
  branch: BranchSpec,
  path: readonly string[],
  typed: ReadonlyMap<string, Typed>,
): Problem[] {
  const asked = branch.in === undefined ? undefined : parsePath(branch.in)
  const inside = asked?.ok ? asked.path.parts : []
  const conditions = conditionsOf(branch)
  const [root] = inside
  if (inside.length === 1 && conditions.length > 0 && typed.get(String(root))?.isOnly) {
    const message = `"${root}" holds typed digits, which have no members, so no case holds`
    return [error(subject, [...path, 'in'], `${message}; remove in, and write $[?(@.${root} == '3')]`)]
  }
  return conditions.flatMap(({ condition, index }) => {
    const messages = comparisonsOf(condition).flatMap((comparison) => {
      const [variable, ...members] = [...inside, ...comparison.members]
      const known = typed.get(String(variable))
      return known ? faultsOf(String(variable), members, comparison, known) : []
    })
    return messages.slice(0, 1).map((message) => error(subject, [...path, 'cases', index, 'when'], message))
  })
}

function faultsOf(
  variable: string,
  members: readonly unknown[],
  { operator, literal }: Comparison,
  { entries, isOnly }: Typed,
): string[] {
  const digits = `"${variable}" holds typed digits`
  if (members.length > 0) return isOnly ? [`${digits}, which have no member "${members[0]}"; remove it`] : []
  const isOrder = operator !== '==' && operator !== '!='
  if (isOrder && typeof literal === 'string')
    return [`${digits}; in quotes they are ordered like words, '9' after '100'; write the number without quotes`]
  if (isOrder || literal === null) return []
  if (typeof literal === 'boolean') return [`${digits}, which are never ${literal}; compare with digits in quotes`]
  if (typeof literal === 'number')
    return [`${digits}, which are text; write ${operator} '${literal}', for ${literal} also equals 0${literal}`]
  const canBeTyped = entries.some(({ min, max }) => literal.length >= min && literal.length <= max)
  if (!isOnly || (canBeTyped && /^[0-9*#]+$/.test(literal))) return []
  return [`${digits}, and no entry can be '${literal}'; compare with digits that can be typed`]
}

function typedIn({ vars, steps }: Flow): ReadonlyMap<string, Typed> {
  const typed = new Map<string, GatherSpec[]>()
  const others = new Set(Object.keys(vars).filter((name) => vars[name] !== null))
  for (const step of steps.values()) {
    if (step.kind === 'set') for (const name of Object.keys(step.spec.variables)) others.add(name)
    if (step.as === undefined) continue
    if (step.kind === 'gather') typed.set(step.as, [...(typed.get(step.as) ?? []), step.spec])
    else others.add(step.as)
  }
  return new Map([...typed].map(([name, entries]) => [name, { entries, isOnly: !others.has(name) }]))
}
