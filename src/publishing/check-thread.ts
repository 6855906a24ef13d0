/** The thread that checks one text of a flow; started by `node-workshop.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckedFlow } from '../ports/flow-revisions.ts'
import { type FlowSurroundings, readUsed } from './read-used.ts'

/** What the thread gets. */
export interface CheckOrder {
  readonly surroundings: FlowSurroundings
  readonly text: string
}

parentPort?.postMessage(checked(workerData as CheckOrder))

function checked({ surroundings, text }: CheckOrder): CheckedFlow {
  const { flow, problems } = readUsed(surroundings, 'text', text)
  return {
    flow: flow?.name,
    revision: flow?.revision,
    problems: problems.map(({ line, column, severity, message }) => ({ line, column, severity, message })),
  }
}
