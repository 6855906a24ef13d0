import { dirname } from 'node:path'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { Flow } from '../flow/model/flow.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { type ReplayFinding, sumOfReports } from '../flow-test/replay-report.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { answerOf, startJob } from '../kernel/job-process.ts'
import { textOf, unread } from './flow-check.ts'
import type { ReplayOrder } from './replay-process.ts'
import { type ReplayedShare, replayShare } from './replay-share.ts'

/** Memory holds the calls that were up together. */
const REPLAY_MEMORY_MB = 2_048

interface FlowReplayOptions {
  readonly journals: string
  readonly json?: boolean
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
    write(formatProblem(unread(file)))
    return 1
  }
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(file), name) }
  const { flow, problems } = readFlow(file, text, recordings)
  if (!flow) {
    for (const problem of problems) write(formatProblem(problem))
    return 1
  }
  const halves = await Promise.all([
    replayShare(flow, journals, { at: 0, of: 2 }),
    replayBeside({ text, journals, at: 1, of: 2 }),
  ])
  const sum = (of: 'otherFlows' | 'unfinished') => halves.reduce((total, half) => total + half[of], 0)
  const report = sumOfReports(halves.map((half) => half.report))
  const read = { report, otherFlows: sum('otherFlows'), unfinished: sum('unfinished') }
  if (json) write(JSON.stringify({ flow: flow.name, revision: flow.revision, ...read }, null, 2))
  else for (const line of linesOf(flow, journals, read)) write(line)
  return read.report.calls > 0 ? 0 : 1
}

/** The half of the calls that another process leads through the draft meanwhile. */
async function replayBeside(order: ReplayOrder): Promise<ReplayedShare> {
  const job = startJob(new URL('./replay-process.ts', import.meta.url), order, REPLAY_MEMORY_MB)
  const answer = await answerOf<ReplayedShare>(job)
  if (!answer) throw new Error('the process that replays half of the calls ended without a result; run it again')
  return answer.result
}

function linesOf(flow: Flow, journals: string, { report, otherFlows, unfinished }: ReplayedShare): string[] {
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
