import { readJournal } from '../adapters/files/journal-folder.ts'
import type { CallBegan } from '../engine/call-trace.ts'
import type { Flow, Step } from '../flow/model/flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import { promptInWords } from '../flow/show/prompt-words.ts'
import { isRead, recordedCall } from '../flow-test/recorded-call.ts'
import { replayRecorded } from '../flow-test/replay-recorded.ts'
import { type ReplayReport, ReplayTally } from '../flow-test/replay-report.ts'
import type { CallId } from '../kernel/ids.ts'
import type { JournalLine } from '../ports/journal.ts'

/** What was found in the calls of one share, or of all. */
export interface ReplayedShare {
  readonly report: ReplayReport
  readonly otherFlows: number
  /** Calls whose end is not in the folder: still up, or cut off. */
  readonly unfinished: number
}

/** Every `of`-th call, from 0. */
export interface Share {
  readonly at: number
  readonly of: number
}

/** One call after another, as soon as its end was read: memory holds the calls that were up together. */
export async function replayShare(flow: Flow, journals: string, share: Share): Promise<ReplayedShare> {
  const compiled = compileFlow(flow)
  const tally = new ReplayTally(flow, (step) => spokenIn(step, flow))
  const open = new Map<CallId, JournalLine[]>()
  let otherFlows = 0
  for await (const lines of readJournal(journals, (call, type) => isRead(type) && isIn(share, call))) {
    for (const line of lines) {
      const { call, what } = line
      if (what.type === 'call.began') {
        if ((what as unknown as CallBegan).flow === flow.name) open.set(call, [])
        else otherFlows++
      }
      open.get(call)?.push(line)
      if (what.type !== 'endCall') continue
      const recorded = open.has(call) ? recordedCall(open.get(call)!) : undefined
      open.delete(call)
      if (recorded) tally.add(call, recorded.course, replayRecorded(compiled, recorded))
    }
  }
  return { report: tally.report, otherFlows, unfinished: open.size }
}

/** The last characters of an id differ from call to call. */
function isIn({ at, of }: Share, call: string): boolean {
  return (call.charCodeAt(call.length - 1) + call.charCodeAt(call.length - 2)) % of === at
}

function spokenIn(step: Step, flow: Flow): string {
  switch (step.kind) {
    case 'play':
    case 'gather':
    case 'menu':
      return promptInWords(step.spec.prompt, flow)
    case 'hangup':
      return step.spec.say ? promptInWords(step.spec.say, flow) : ''
    default:
      return ''
  }
}
