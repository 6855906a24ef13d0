/**
 * The text of a flow with its subflows: its own file, then each subflow after a line `--- # subflow NAME`. So one text
 * holds all that a call runs, and its hash names the subflows' revisions too (calls-and-flows-59).
 */
import { YamlSource } from '../../kernel/yaml-source.ts'

interface FlowDocuments {
  /** The flow's own file; it is the beginning of the text, so that places in it stay the same. */
  readonly own: string
  /** Name → text. */
  readonly subflows: ReadonlyMap<string, string>
}

const MARK = /^--- # subflow ([a-zA-Z][A-Za-z0-9-]{0,59})[ \t]*\r?\n/m
/** Our choice: each of them is read with the flow. */
const SUBFLOWS_MAX = 50

/** The parts of a text. */
export function documentsOf(text: string): FlowDocuments {
  const [own = '', ...rest] = text.split(MARK)
  const subflows = new Map<string, string>()
  for (let at = 0; at + 1 < rest.length && subflows.size < SUBFLOWS_MAX; at += 2) {
    if (!subflows.has(rest[at]!)) subflows.set(rest[at]!, rest[at + 1]!)
  }
  return { own, subflows }
}

/** A file's text with the subflows that it lacks, and with theirs. A subflow without a text is left to the reader. */
export function withSubflows(text: string, textOf: (flow: string) => string | undefined): string {
  const { own, subflows } = documentsOf(text)
  const named = new Set([own, ...subflows.values()].flatMap(subflowsNamedIn))
  const parts = [text]
  for (const name of named) {
    const found = subflows.has(name) || parts.length > SUBFLOWS_MAX ? undefined : textOf(name)
    if (found === undefined) continue
    const part = documentsOf(found).own
    if (!parts.at(-1)!.endsWith('\n')) parts.push('\n')
    parts.push(`--- # subflow ${name}\n${part}`)
    // The set grows during the iteration, which also visits new members.
    for (const further of subflowsNamedIn(part)) named.add(further)
  }
  return parts.join('')
}

/** The flows that the steps of a text name. Most texts name none, and are not parsed. */
function subflowsNamedIn(text: string): string[] {
  if (!text.includes('subflow')) return []
  const steps = (new YamlSource('', text, 'flow').value as { steps?: unknown } | null | undefined)?.steps
  if (typeof steps !== 'object' || steps === null) return []
  return Object.values(steps).flatMap((step: { subflow?: unknown } | null) => {
    const { subflow } = step ?? {}
    const flow = typeof subflow === 'object' && subflow !== null ? (subflow as { flow?: unknown }).flow : subflow
    return typeof flow === 'string' ? [flow] : []
  })
}
