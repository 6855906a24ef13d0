import type { Flow } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { compareFlows, type FlowChange, type StepChanges } from '../flow/show/compare-flows.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { textOf, unread } from './flow-check.ts'

/** `switchboard flow diff`: what callers would notice. 0 if both files are flows, whatever differs; 1 if not. */
export function flowDiff(
  oldFile: string,
  newFile: string,
  { json = false }: { readonly json?: boolean },
  write: (line: string) => void,
): number {
  const old = flowIn(oldFile, write)
  const now = flowIn(newFile, write)
  if (!old || !now) return 1
  const steps = compareFlows(old, now)
  if (json) write(JSON.stringify({ old: nameOf(old), new: nameOf(now), steps }, null, 2))
  else for (const line of linesOf(old, now, steps)) write(line)
  return 0
}

function flowIn(file: string, write: (line: string) => void): Flow | undefined {
  const text = textOf(file)
  if (text === undefined) write(formatProblem(unread(file)))
  const { flow, problems } = text === undefined ? { flow: undefined, problems: [] } : readFlow(file, text)
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
