/** The thread that leads one share of the recorded calls through a draft; started by `flow-replay.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { readFlow } from '../flow/read/read-flow.ts'
import { replayShare, type Share } from './replay-share.ts'

/** The draft has been checked. */
export interface ReplayOrder extends Share {
  readonly text: string
  readonly journals: string
}

const { text, journals, ...share } = workerData as ReplayOrder
parentPort?.postMessage(await replayShare(readFlow('draft', text).flow!, journals, share))
