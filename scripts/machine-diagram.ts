/** `npm run generate:diagrams`: draws the readiness of dialing in docs/dialing.md from its machine. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readinessMachine } from '../src/engine/loop/readiness.machine.ts'

interface State {
  readonly type?: string
  readonly initial?: unknown
  readonly states?: Readonly<Record<string, State>>
  readonly on?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

const PAGE = join(import.meta.dirname, '../docs/dialing.md')
const FENCE = /```mermaid\nstateDiagram-v2\n[\s\S]*?```/

/** The page with its diagram drawn anew. */
export function withDiagram(page: string): string {
  return page.replace(
    FENCE,
    () => `\`\`\`mermaid\nstateDiagram-v2\n${linesOf(readinessMachine.config as State, '  ').join('\n')}\n\`\`\``,
  )
}

function linesOf({ states = {}, type, initial }: State, indent: string): string[] {
  const first = type === 'parallel' ? [] : [`${indent}[*] --> ${String(initial)}`]
  const inner = Object.entries(states).map(([name, state]) => {
    const nested = state.states ? [`${indent}state ${name} {`, ...linesOf(state, `${indent}  `), `${indent}}`] : []
    return [...nested, ...arrowsOf(name, state).map((arrow) => `${indent}${arrow}`)]
  })
  // Mermaid separates parallel regions by two dashes.
  const regions =
    type === 'parallel'
      ? inner.flatMap((region, place) => (place === 0 ? region : [`${indent}--`, ...region]))
      : inner.flat()
  return [...first, ...regions]
}

/** Transitions to another state; one arrow for each target, with all its events. */
function arrowsOf(name: string, { type, on = {}, after = {} }: State): string[] {
  const named: [string, unknown][] = [
    ...Object.entries(on),
    ...Object.entries(after).map(([ms, to]): [string, unknown] => [`after ${ms} ms`, to]),
  ]
  const byTarget = new Map<string, string[]>()
  for (const [event, transition] of named) {
    for (const target of targetsOf(transition)) byTarget.set(target, [...(byTarget.get(target) ?? []), event])
  }
  const arrows = [...byTarget].map(([target, events]) => `${name} --> ${target} : ${events.join(', ')}`)
  return type === 'final' ? [...arrows, `${name} --> [*]`] : arrows
}

function targetsOf(transition: unknown): string[] {
  if (typeof transition === 'string') return [transition]
  if (Array.isArray(transition)) return transition.flatMap(targetsOf)
  const { target } = transition as { readonly target?: string }
  return target === undefined ? [] : [target.split('.').at(-1)!]
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, withDiagram(readFileSync(PAGE, 'utf8')))
