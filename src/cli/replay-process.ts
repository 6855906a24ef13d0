/** The process that leads one share of the recorded calls through a draft; started by `flow-replay.ts`. */
import { readFlow } from '../flow/read/read-flow.ts'
import { serveJob } from '../kernel/job-process.ts'
import { replayShare, type Share } from './replay-share.ts'

/** The draft has been checked. */
export interface ReplayOrder extends Share {
  readonly text: string
  readonly journals: string
}

serveJob(({ text, journals, ...share }: ReplayOrder) => {
  return replayShare(readFlow('draft', text).flow!, journals, share)
})
