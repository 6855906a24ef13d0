import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { SpokenNumber } from '../flow/read/lint-subject.ts'
import { type FlowReading, readFlow } from '../flow/read/read-flow.ts'

/** What a flow may name. Plain data: a thread gets it too. */
export interface FlowSurroundings {
  /** Recordings are there. */
  readonly flowsDir: string
  /** Flows that answer a number. */
  readonly used: readonly string[]
  /** Of the configuration; absent: it is not checked. */
  readonly known?: {
    readonly teams: readonly string[]
    readonly skills: ReadonlyMap<string, readonly (readonly string[])[]>
    readonly numbers: readonly string[]
    readonly sipHosts: readonly string[]
    readonly env: readonly string[]
    readonly secrets: readonly string[]
    readonly spoken: ReadonlyMap<string, readonly SpokenNumber[]>
    readonly systemless: ReadonlyMap<string, readonly string[]>
    readonly canText: boolean
    readonly voices?: ReadonlyMap<string, string>
    readonly hasEars?: boolean
  }
}

/** A flow that answers no number may name teams and addresses that the configuration does not have. */
export function readUsed({ flowsDir, used, known }: FlowSurroundings, file: string, text: string): FlowReading {
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(flowsDir, name) }
  const alone = readFlow(file, text, recordings)
  return alone.flow && used.includes(alone.flow.name) ? readFlow(file, text, { ...recordings, ...known }) : alone
}
