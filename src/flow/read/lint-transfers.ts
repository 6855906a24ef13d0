/** Rules about whom a caller may be brought to: toll fraud begins where a caller chooses it (calls-and-flows-63). */
import { didYouMean, type Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Flow, Step, TemplateTree, TransferSpec } from '../model/flow.ts'
import type { Template } from '../model/template.ts'
import { readTarget } from '../model/transfer-target.ts'
import { error, type Rule, type Subject } from './lint-subject.ts'

const WHAT = 'write an international number in quotes, such as "+4533123456", or sip:user@host'
/** Signs of a number before its first value. Our choice: country code and the head of an exchange. */
const FIXED_MIN = 5

/** Targets that are none, hosts that a value chooses or the configuration lacks, and digits that nobody checked. */
export const lintTransfers: Rule = (subject) => {
  return [...subject.flow.steps.values()].flatMap((step) => {
    if (step.kind === 'subflow') return lintGiven(subject, step)
    return step.kind === 'transfer' ? lintTo(subject, step.spec.to, ['steps', step.name, 'transfer', 'to']) : []
  })
}

function lintTo(subject: Subject, to: TransferSpec['to'], path: Path): Problem[] {
  if (!('map' in to))
    return to.paths.length === 0 ? lintTarget(subject, to.source, path) : lintTemplate(subject, to, path)
  const mapped = Object.entries(to.map).map(([value, target]) => [target, [...path, 'map', value]] as const)
  return [...mapped, [to.else, [...path, 'else']] as const].flatMap(([target, at]) => lintTarget(subject, target, at))
}

function lintTarget(subject: Subject, text: string, path: Path): Problem[] {
  const target = readTarget(text)
  if (typeof target === 'string') return [error(subject, path, `"${text}": ${target}; ${WHAT}`)]
  return 'host' in target ? lintHost(subject, target.host, path) : []
}

function lintTemplate(subject: Subject, to: Template, path: Path): Problem[] {
  const [first] = to.parts
  const last = to.parts.at(-1)
  if (to.source.startsWith('sip:')) {
    const host = last?.kind === 'text' ? /@([^@]+)$/.exec(last.text)?.[1] : undefined
    if (host === undefined) {
      return [error(subject, path, 'no value may choose the host of a sip: address; write the host out')]
    }
    return [...lintHost(subject, host.toLowerCase(), path), ...lintTyped(subject, to, path)]
  }
  const typed = lintTyped(subject, to, path)
  const isBound = first?.kind === 'text' && first.text.length >= FIXED_MIN && first.text.startsWith('+')
  const hasTyped = typedIn(subject.flow, to).length > 0
  if (typed.length === 0 && hasTyped && !isBound) {
    const message = 'typed digits may only end a number; write its beginning out, such as "+453312${extension}"'
    return [error(subject, path, message)]
  }
  return typed
}

function lintHost({ known, ...subject }: Subject, host: string, path: Path): Problem[] {
  if (!known.sipHosts || known.sipHosts.has(host)) return []
  const remedy = didYouMean(host, known.sipHosts) || '; add sipTransfers: true to the trunk of this host'
  return [error({ known, ...subject }, path, `the configuration allows no transfers to "${host}"${remedy}`)]
}

/** Every gather that sets the variable must have a pattern. */
function lintTyped(subject: Subject, to: Template, path: Path): Problem[] {
  return typedIn(subject.flow, to)
    .filter(({ isChecked }) => !isChecked)
    .map(({ variable }) => {
      const remedy = 'add a pattern to the gather step, or choose the target with to: { by, map, else }'
      return error(subject, path, `"${variable}" holds whatever digits a caller types; ${remedy}`)
    })
}

interface Typed {
  readonly variable: string
  readonly isChecked: boolean
}

/** Variables of the template that hold typed digits, also those that a `set` step copies. */
function typedIn(flow: Flow, to: Template): Typed[] {
  const names = new Set(to.paths.map(({ parts }) => String(parts[0])))
  return [...names].flatMap((variable) => {
    const found = entriesOf(flow, variable, new Set())
    return found.length === 0 ? [] : [{ variable, isChecked: found.every((pattern) => pattern !== undefined) }]
  })
}

/** The patterns of all gathers whose digits come to be in the variable. `seen` ends circles. */
function entriesOf(flow: Flow, variable: string, seen: Set<string>): (string | undefined)[] {
  if (seen.has(variable)) return []
  seen.add(variable)
  return [...flow.steps.values()].flatMap((step) => {
    if (step.kind === 'gather' && step.as === variable) return [step.spec.pattern]
    // What a subflow found, and what it was given, may be digits: nobody checks them here.
    if (step.kind === 'subflow' && step.as === variable) return [undefined]
    if (step.kind !== 'set' || !Object.hasOwn(step.spec.variables, variable)) return []
    return rootsIn(step.spec.variables[variable]!).flatMap((root) => entriesOf(flow, root, seen))
  })
}

function rootsIn(tree: TemplateTree): string[] {
  if ('paths' in tree) return (tree as Template).paths.map(({ parts }) => String(parts[0]))
  return Object.values(tree).flatMap((inner) => (typeof inner === 'object' && inner !== null ? rootsIn(inner) : []))
}

/** Digits that a subflow is given, and brings the caller to. */
function lintGiven(subject: Subject, { name, spec }: Extract<Step, { kind: 'subflow' }>): Problem[] {
  const inner = subject.subflows.get(spec.flow)
  if (typeof inner !== 'object') return []
  const targets = [...inner.steps.values()].flatMap((step) => {
    return step.kind === 'transfer' && !('map' in step.spec.to) ? rootsIn(step.spec.to) : []
  })
  return Object.entries(spec.with).flatMap(([variable, tree]) => {
    if (!targets.includes(variable)) return []
    const unchecked = rootsIn(tree).find((root) => entriesOf(subject.flow, root, new Set()).includes(undefined))
    const message = `"${unchecked}" holds whatever digits a caller types, and ${spec.flow} brings the caller there`
    const path = ['steps', name, 'subflow', 'with', variable]
    return unchecked === undefined ? [] : [error(subject, path, `${message}; add a pattern to the gather step`)]
  })
}
