import type { Flow } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { compareFlows, type FlowChange, type StepChanges } from '../flow/show/compare-flows.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { textOf, unread } from './flow-check.ts'

interface DiffContext {
  readonly write: (line: string) => void
  /** The text of a published revision; undefined after a complaint. */
  readonly stored: (flow: string, revision: string) => Promise<string | undefined>
}

/**
 * `switchboard flow diff`: what callers would notice. Each side is a file or `NAME@REVISION`. 0 if both are flows,
 * whatever differs; 1 if not.
 */
export async function flowDiff(
  oldFile: string,
  newFile: string,
  { json = false }: { readonly json?: boolean },
  context: DiffContext,
): Promise<number> {
  const { write } = context
  const old = await flowIn(oldFile, context)
  const now = await flowIn(newFile, context)
  if (!old || !now) return 1
  const steps = compareFlows(old, now)
  if (json) write(JSON.stringify({ old: nameOf(old), new: nameOf(now), steps }, null, 2))
  else for (const line of linesOf(old, now, steps)) write(line)
  return 0
}

async function flowIn(place: string, { write, stored }: DiffContext): Promise<Flow | undefined> {
  const [, name, revision] = /^([^/]+)@([0-9a-f]{12})$/.exec(place) ?? []
  const isStored = name !== undefined && revision !== undefined
  const text = isStored ? await stored(name, revision) : textOf(place)
  if (text === undefined && !isStored) write(formatProblem(unread(place)))
  const { flow, problems } = text === undefined ? { flow: undefined, problems: [] } : readFlow(place, text)
  if (!flow) for (const problem of problems) write(formatProblem(problem))
  return flow
}

function linesOf(old: Flow, now: Flow, steps: readonly StepChanges[]): string[] {
  const title = `${nameOf(old)} → ${nameOf(now)}`
  if (steps.length === 0) return [title, 'Callers notice nothing.']
  return [title, ...steps.flatMap((step) => ['', headOf(step), ...step.changes.flatMap(changeLines)])]
}

function headOf({ step, what, oldName, changes }: StepChanges): string {
  if (step === undefined) return 'The flow'
  const silent = changes.length === 0 ? '; callers notice nothing of it' : ''
  return {
    new: `${step} (new step)`,
    gone: `${step} (step is gone)`,
    changed: step,
    renamed: `${step} (was ${oldName})${silent}`,
  }[what]
}

function changeLines({ what, before, after }: FlowChange): string[] {
  if (what === 'new') return [`  new:    ${after}`]
  if (what === 'gone') return [`  gone:   ${before}`]
  return [`  before: ${before}`, `  now:    ${after}`]
}

function nameOf({ name, revision }: Flow): string {
  return `${name}@${revision}`
}
