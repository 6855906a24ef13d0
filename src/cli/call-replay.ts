import { readFlowText } from '../app/flow-text.ts'
import { flowFiles } from '../app/read-installation.ts'
import type { CallBegan } from '../engine/call-trace.ts'
import { replayCall } from '../engine/replay.ts'
import type { Flow } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import type { CallId } from '../kernel/ids.ts'
import type { Journal } from '../ports/journal.ts'
import type { CliContext } from './place/cli-context.ts'

interface ReplayContext extends CliContext {
  readonly journal: Pick<Journal, 'read'>
}

/** `switchboard call replay ID`: 0 if the same facts give the same commands; otherwise 1 and the first difference. */
export async function callReplay(id: string, { journal, settings, write }: ReplayContext): Promise<number> {
  const lines = await journal.read(id as CallId)
  const began = lines.find(({ what }) => what.type === 'call.began')?.what as CallBegan | undefined
  if (!began) {
    write(`no call "${id}" with a flow in the journal of ${settings.dataDir}; "call show" finds calls in other ways`)
    return 1
  }
  const flows = flowFiles(settings.flowsDir).flatMap((file) => flowIn(file) ?? [])
  const flow = flows.find(({ name }) => name === began.flow)
  if (!flow) {
    write(`the flow ${began.flow} is no longer in ${settings.flowsDir}`)
    return 1
  }
  const replayed = replayCall(lines, compileFlow(flow))
  switch (replayed.result) {
    case 'same':
      write(`the same ${replayed.commands} commands`)
      return 0
    case 'different':
      write(`recorded: ${replayed.recorded ?? 'nothing more'}\nreplayed: ${replayed.replayed ?? 'nothing more'}`)
      return 1
    case 'other revision':
      write(`the call ran revision ${replayed.recorded}, the file has ${flow.revision}`)
      write(`"flow show ${flow.name} ${replayed.recorded}" prints that one: save it where FLOWS_DIR then points to`)
      return 1
    case 'no beginning':
      write('the beginning of the call is no longer in the journal')
      return 1
  }
}

/** Unreadable files are ignored; `flow check` reports them. */
function flowIn(file: string): Flow | undefined {
  try {
    return readFlow(file, readFlowText(file)).flow
  } catch {
    return undefined
  }
}
