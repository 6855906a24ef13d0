/** Replays a call's recorded facts through the same flow. The same facts must give the same commands (law 1). */
import type { CallFact } from '../flow/model/call-messages.ts'
import type { CompiledFlow } from '../flow/run/compile.ts'
import { FlowRun } from '../flow/run/flow-run.ts'
import type { JournalLine } from '../ports/journal.ts'
import type { CallBegan } from './call-trace.ts'

/** `different`: the first command in which replay and record differ; an absent side had no further command. */
export type Replayed =
  | { readonly result: 'same'; readonly commands: number }
  | { readonly result: 'different'; readonly recorded: string | undefined; readonly replayed: string | undefined }
  | { readonly result: 'no beginning' }
  | { readonly result: 'other revision'; readonly recorded: string }

/** Replays the lines of one call. A call with masked digits differs at the first of them, by intention. */
export function replayCall(lines: readonly JournalLine[], compiled: CompiledFlow): Replayed {
  const [first, ...rest] = lines.filter((line) => line.by === 'call' && line.kind !== 'note')
  if (first?.what.type !== 'call.began') return { result: 'no beginning' }
  const { begins, revision } = first.what as unknown as CallBegan
  if (revision !== compiled.flow.revision) return { result: 'other revision', recorded: revision }

  const run = new FlowRun(compiled, begins)
  const replayed = run.begin().commands.map((command) => JSON.stringify(command))
  const recorded: string[] = []
  for (const line of rest) {
    if (line.kind === 'command') recorded.push(JSON.stringify(line.what))
    else {
      const { commands } = run.handleFact(line.what as unknown as CallFact, line.atMs)
      replayed.push(...commands.map((command) => JSON.stringify(command)))
    }
  }
  const place = recorded.findIndex((command, index) => command !== replayed[index])
  const parting = place >= 0 ? place : recorded.length
  if (place < 0 && recorded.length === replayed.length) return { result: 'same', commands: recorded.length }
  return { result: 'different', recorded: recorded[parting], replayed: replayed[parting] }
}
