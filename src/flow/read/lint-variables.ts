/** Rules about values: every variable is set somewhere, and secrets are used only in headers (flow-language.md 3.1). */
import { didYouMean, type Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import { ENGINE_ROOTS } from '../model/engine-roots.ts'
import type { BranchCase, BranchSpec, Step } from '../model/flow.ts'
import { secretsOf } from '../model/template.ts'
import { error, errorAtKey, type Rule, type Subject, warn } from './lint-subject.ts'

const RESERVED = [...Object.keys(ENGINE_ROOTS), 'secret']

interface Use {
  readonly parts: readonly (string | number)[]
  readonly path: Path
}

/** Variables that no step sets, and addresses that the configuration lacks. */
export const lintVariables: Rule = (subject) => {
  const settable = settersOf(subject)
  return usesOf(subject).flatMap(({ parts, path }) => {
    const [root, member] = parts as [string, string | number | undefined]
    if (root === 'secret')
      return [error(subject, path, 'a secret is allowed in auth and headers of http steps only; remove it here')]
    if (root === 'env') return lintEnv(subject, member, path)
    const members = Object.hasOwn(ENGINE_ROOTS, root) ? ENGINE_ROOTS[root] : undefined
    if (members && member !== undefined && !members.includes(String(member))) {
      const remedy = didYouMean(String(member), members) || `; it has ${members.join(', ')}`
      return [error(subject, path, `"${root}" has no "${member}"${remedy}`)]
    }
    if (members !== undefined || settable.has(root)) return []
    const remedy = didYouMean(root, [...settable, ...RESERVED]) || '; name it in `as` of a step, in set or in vars'
    return [error(subject, path, `nothing sets "${root}"${remedy}`)]
  })
}

/** `$number` for `${number}`: callers would hear the sign and the name. */
export const lintBareValues: Rule = (subject) => {
  const settable = settersOf(subject)
  return subject.reading.templates.flatMap(({ template, path }) => {
    const words = template.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    const names = words.flatMap((text) => [...text.matchAll(/\$([\p{L}_][\p{L}\p{N}_]*)/gu)].map(([, name]) => name!))
    const meant = names.find((name) => settable.has(name))
    if (meant === undefined) return []
    return [warn(subject, path, `"$${meant}" stays as it is written; write \${${meant}} for the value`)]
  })
}

/** Secrets may be used only in headers of requests. */
export const lintSecrets: Rule = (subject) => {
  const { reading, known } = subject
  return reading.templates.flatMap(({ template, path, place }) => {
    const names = secretsOf(template)
    if (names.length > 0 && place !== 'header') {
      return [error(subject, path, 'a secret is allowed in auth and headers of http steps only; remove it here')]
    }
    const unknown = names.filter((name) => known.secrets && !known.secrets.has(name))
    return unknown.map((name) => {
      const remedy = didYouMean(name, known.secrets!) || '; add it under secrets'
      return error(subject, path, `the configuration has no secret "${name}"${remedy}`)
    })
  })
}

/** The author's variables must not hide the engine's. */
export const lintVariableNames: Rule = (subject) => {
  const problems: Problem[] = []
  const refuse = (name: string | undefined, path: Path) => {
    if (name === undefined || !RESERVED.includes(name)) return
    problems.push(errorAtKey(subject, path, `"${name}" is set by the engine; choose another name`))
  }
  const { flow } = subject
  for (const [name, value] of Object.entries(flow.vars)) {
    refuse(name, ['vars', name])
    if (JSON.stringify(value)?.includes('${')) {
      problems.push(error(subject, ['vars', name], 'vars hold plain values only; use a set step for `${…}`'))
    }
  }
  const refuseOf = (step: Step, path: Path) => {
    refuse(step.as, [...path, 'as'])
    if (step.kind !== 'set') return
    for (const name of Object.keys(step.spec.variables)) refuse(name, [...path, 'set', name])
  }
  for (const step of flow.steps.values()) refuseOf(step, ['steps', step.name])
  for (const [index, step] of flow.onHangup.entries()) refuseOf(step, ['onHangup', index])
  return problems
}

function lintEnv(subject: Subject, name: string | number | undefined, path: Path): Problem[] {
  const known = subject.known.env
  if (name === undefined) return [error(subject, path, 'name the address: env.integrator')]
  if (!known || known.has(String(name))) return []
  return [
    error(
      subject,
      path,
      `the configuration has no env "${name}"${didYouMean(String(name), known) || '; add it under env'}`,
    ),
  ]
}

/** All places that read variables. Conditions without `in` query the variables themselves. */
function usesOf({ reading, flow }: Subject): Use[] {
  const inTexts = reading.templates.flatMap(({ template, path }) =>
    template.paths.map(({ parts }) => ({ parts, path })),
  )
  const inPaths = reading.paths.map(({ variable, path }) => ({ parts: variable.parts, path }))
  const inConditions = [...flow.steps.values()].flatMap((step) => {
    if (step.kind !== 'branch' || step.spec.in !== undefined) return []
    return conditionsOf(step.spec).flatMap(({ condition, index }) => {
      const path = ['steps', step.name, 'branch', 'cases', index, 'when']
      return condition.reads.filter(([root]) => typeof root === 'string').map((parts) => ({ parts, path }))
    })
  })
  return [...inTexts, ...inPaths, ...inConditions]
}

/** The `when` cases of a branch with their positions. */
export function conditionsOf(branch: BranchSpec) {
  const isCondition = (one: BranchCase) => one.kind === 'when'
  return branch.cases.flatMap((one, index) => (isCondition(one) ? [{ condition: one.condition, index }] : []))
}

/** All variables that are set. From the file itself: a step with another mistake still sets its variables. */
export function settersOf({ flow, reading }: Subject): ReadonlySet<string> {
  const names = new Set(Object.keys(flow.vars))
  const file = reading.source.value as { steps?: object; onHangup?: readonly unknown[] }
  const steps: unknown[] = [...Object.values(file.steps ?? {}), ...(Array.isArray(file.onHangup) ? file.onHangup : [])]
  for (const step of steps) {
    if (typeof step !== 'object' || step === null) continue
    const { as, set } = step as { as?: unknown; set?: unknown }
    if (typeof as === 'string') names.add(as)
    if (typeof set === 'object' && set !== null) for (const name of Object.keys(set)) names.add(name)
  }
  return names
}
