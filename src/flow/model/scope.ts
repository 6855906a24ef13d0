import type { CallBegins } from './call-messages.ts'
import type { TemplateLeaf, TemplateTree } from './flow.ts'
import { fillValue, type Template } from './template.ts'
import type { Scope } from './variable-path.ts'

/**
 * The author's variables with the roots `caller`, `call`, `task` and `env`. Own variables never hide the roots: the
 * linter refuses variables of these names.
 */
export function scopeOf(begins: CallBegins, vars: Readonly<Record<string, unknown>>): Scope {
  let roots = rootsOfCalls.get(begins)
  if (!roots) {
    const { call, caller, called, env, task, atMs } = begins
    const startedAt = new Date(atMs).toISOString()
    roots = { caller: { number: caller }, call: { id: call, called, startedAt }, task, env }
    rootsOfCalls.set(begins, roots)
  }
  return { ...vars, ...roots }
}

/** A scope is made several times in every step, and its roots stay the same. */
const rootsOfCalls = new WeakMap<CallBegins, Scope>()

type Filled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }

/** JSON with every template in it replaced by its value; a lone `${x}` keeps the type of x. */
export function fillTree(tree: TemplateTree, scope: Scope, language: string): Filled<unknown> {
  if (Array.isArray(tree)) {
    const values: unknown[] = []
    for (const inner of tree) {
      const filled = fillTree(inner, scope, language)
      if (!filled.ok) return filled
      values.push(filled.value)
    }
    return { ok: true, value: values }
  }
  if (isTemplate(tree)) return fillValue(tree, scope, { language })
  if (isLeaf(tree)) return { ok: true, value: tree.literal }
  const values: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(tree)) {
    const filled = fillTree(inner as TemplateTree, scope, language)
    if (!filled.ok) return filled
    values[key] = filled.value
  }
  return { ok: true, value: values }
}

/** In an author's own object called `source` or `literal` these members would be templates, never plain values. */
function isTemplate(tree: TemplateTree): tree is Template {
  return 'source' in tree && typeof tree.source === 'string'
}

function isLeaf(tree: object): tree is TemplateLeaf {
  return 'literal' in tree && (typeof tree.literal !== 'object' || tree.literal === null)
}
