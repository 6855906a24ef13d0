import { dirname } from 'node:path'
import { readJournal } from '../adapters/files/journal-folder.ts'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { CallBegan } from '../engine/call-trace.ts'
import type { Flow, Step } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import { promptInWords } from '../flow/show/prompt-words.ts'
import { isRead, recordedCall } from '../flow-test/recorded-call.ts'
import { replayRecorded } from '../flow-test/replay-recorded.ts'
import { type ReplayFinding, type ReplayReport, ReplayTally } from '../flow-test/replay-report.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { CallId } from '../kernel/ids.ts'
import type { JournalLine } from '../ports/journal.ts'
import { textOf } from './flow-check.ts'

interface FlowReplayOptions {
  readonly journals: string
  readonly json?: boolean
}

interface Read {
  readonly report: ReplayReport
  readonly otherFlows: number
  /** Calls whose end is not in the folder: still up, or cut off. */
  readonly unfinished: number
}

/**
 * `switchboard flow replay`: recorded calls through a draft. 0 if any call was found; 1 if none was, or the draft has
 * errors.
 */
export async function flowReplay(
  file: string,
  { journals, json = false }: FlowReplayOptions,
  write: (line: string) => void,
): Promise<number> {
  const text = textOf(file)
  if (text === undefined) {
    write(`${file}:1:1 error the file cannot be read`)
    return 1
  }
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(file), name) }
  const { flow, problems } = readFlow(file, text, recordings)
  if (!flow) {
    for (const problem of problems) write(formatProblem(problem))
    return 1
  }
  const read = await replayAll(flow, journals)
  if (json) write(JSON.stringify({ flow: flow.name, revision: flow.revision, ...read }, null, 2))
  else for (const line of linesOf(flow, journals, read)) write(line)
  return read.report.calls > 0 ? 0 : 1
}

/** One call after another, as soon as its end was read: memory holds the calls that were up together. */
async function replayAll(flow: Flow, journals: string): Promise<Read> {
  const compiled = compileFlow(flow)
  const tally = new ReplayTally(flow, (step) => spokenIn(step, flow))
  const open = new Map<CallId, JournalLine[]>()
  let otherFlows = 0
  for await (const lines of readJournal(journals, isRead)) {
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

function linesOf(flow: Flow, journals: string, { report, otherFlows, unfinished }: Read): string[] {
  const { calls, same, comparable, findings, notComparable, reworded } = report
  if (calls === 0) {
    return [`no call of ${flow.name} in ${journals} has a beginning and an end; name DATA_DIR/journal of the service`]
  }
  return [
    `${calls} recorded calls of ${flow.name} through ${flow.name}@${flow.revision}`,
    `${String(same).padStart(7)} would notice nothing`,
    ...findings.map(findingLine),
    ...section(
      `${calls - comparable} are not comparable: the record has no answer to what the draft asks`,
      notComparable,
    ),
    ...section('Answers were taken over although the words of the question have changed', reworded),
    ...(otherFlows > 0 ? ['', `${otherFlows} calls of other flows were left out`] : []),
    ...(unfinished > 0 ? ['', `${unfinished} calls without an end were left out`] : []),
  ]
}

function section(title: string, findings: readonly ReplayFinding[]): string[] {
  return findings.length === 0 ? [] : ['', title, ...findings.map(findingLine)]
}

function findingLine({ what, calls, examples }: ReplayFinding): string {
  return `${String(calls).padStart(7)} ${what}   (${examples.join(', ')}${calls > examples.length ? ', …' : ''})`
}
