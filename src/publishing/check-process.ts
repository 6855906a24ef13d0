/** The process that checks one text of a flow; started by `node-workshop.ts`. */
import { readFlow } from '../flow/read/read-flow.ts'
import { compareFlows, type StepChanges } from '../flow/show/compare-flows.ts'
import { serveJob } from '../kernel/job-process.ts'
import type { CheckedFlow, FlowStepChanges } from '../ports/flows/flow-revisions.ts'
import { type FlowSurroundings, readUsed } from './read-used.ts'

/** What the process gets. */
export interface CheckOrder {
  readonly surroundings: FlowSurroundings
  readonly text: string
  /** An earlier text, to compare with. */
  readonly before: string | undefined
}

serveJob(checked)

function checked({ surroundings, text, before }: CheckOrder): CheckedFlow {
  const { flow, problems } = readUsed(surroundings, 'text', text)
  const old = before === undefined ? undefined : readFlow('before', before).flow
  return {
    flow: flow?.name,
    revision: flow?.revision,
    problems: problems.map(({ line, column, severity, message }) => ({ line, column, severity, message })),
    changes: flow && old ? compareFlows(old, flow).map(shownChanges) : null,
  }
}

function shownChanges({ step, what, oldName, changes }: StepChanges): FlowStepChanges {
  const sentences = changes.map(({ before, after }) => ({ before: before ?? null, after: after ?? null }))
  return { step: step ?? null, what, oldName: oldName ?? null, changes: sentences }
}
