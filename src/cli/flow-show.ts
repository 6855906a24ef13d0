import type { Flow } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { describeFlow } from '../flow/show/describe.ts'
import { flowDiagram } from '../flow/show/diagram.ts'
import { flowPicture } from '../flow/show/picture.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { textOf, unread } from './flow-check.ts'

const SHOW = {
  diagram: (flow: Flow) => [flowDiagram(flow)],
  describe: describeFlow,
  picture: flowPicture,
} as const

/** `switchboard flow diagram` and `flow describe`. 1 if the flow has errors, which are printed instead. */
export function flowShow(what: keyof typeof SHOW, file: string, write: (line: string) => void): number {
  const text = textOf(file)
  if (text === undefined) {
    write(formatProblem(unread(file)))
    return 1
  }
  const { flow, problems } = readFlow(file, text)
  if (!flow) for (const problem of problems) write(formatProblem(problem))
  else for (const line of SHOW[what](flow)) write(line)
  return flow ? 0 : 1
}
