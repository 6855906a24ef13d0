/** The process that plays one call by hand; started by `node-workshop.ts`. */
import { readFlow } from '../flow/read/read-flow.ts'
import { compileFlow } from '../flow/run/compile.ts'
import type { Sentence } from '../flow-test/heard.ts'
import { readTestFile } from '../flow-test/read-test-file.ts'
import { Rehearsal } from '../flow-test/rehearsal.ts'
import type { Action } from '../flow-test/script.ts'
import type { RawGiven } from '../flow-test/test-file-schema.ts'
import type { Problem } from '../kernel/file-problem.ts'
import { serveJob } from '../kernel/job-process.ts'
import type { SimulatedCallReport, Simulation, SimulationOrder } from '../ports/flows/flow-simulation.ts'

const TRACE_MAX = 5_000
/** Lines of `testOf`, from 1. */
const GIVEN_LINE = 4
const FIRST_ACTION_LINE = 6

serveJob(simulated)

function simulated({ text, given, actions }: SimulationOrder): Simulation {
  const { flow, problems } = readFlow('text', text)
  if (!flow) return { problems: problems.map(inText), call: null }
  const tests = readTestFile('actions', testOf(flow.name, given, actions))
  const { scripts, problems: wrong } = tests.readScripts(flow)
  const errors = [...tests.problems, ...wrong]
  const script = scripts[0]
  if (errors.length > 0 || !script) return { problems: errors.map(inOrder), call: null }
  const compiled = compileFlow(flow)
  const played = play(new Rehearsal(compiled, given as RawGiven), actions.length === 0 ? [] : script.actions)
  return { problems: problems.map(inText), call: { flow: flow.name, revision: flow.revision, ...played } }
}

/** The order as a file of tests, each action on a line of its own: JSON is YAML. */
function testOf(flow: string, given: SimulationOrder['given'], actions: SimulationOrder['actions']): string {
  const call = (actions.length === 0 ? ['hangup'] : actions).map((action) => `  - ${JSON.stringify(action)}`)
  return [`flow: ${flow}`, 'tests:', '- test: by hand', `  given: ${JSON.stringify(given)}`, '  call:', ...call].join(
    '\n',
  )
}

/** Each action as in a test: keys cut a prompt off unless `hear` stands before them. */
function play(rehearsal: Rehearsal, actions: readonly Action[]): Omit<SimulatedCallReport, 'flow' | 'revision'> {
  let notDone: SimulatedCallReport['notDone'] = null
  for (const [action, verb] of actions.entries()) {
    const why = rehearsal.act(verb, true)
    if (why === undefined) continue
    notDone = { action, why }
    break
  }
  const { call, question } = rehearsal
  const beganAtMs = call.lines[0]!.atMs
  const trace = call.lines
    .slice(0, TRACE_MAX)
    .map(({ atMs, kind, what }) => ({ afterMs: atMs - beganAtMs, kind, what }))
  const { record } = call
  return {
    heard: call.sentences.map((sentence) => {
      return { afterMs: sentence.fromMs - beganAtMs, words: sentence.text, cutOff: isCutOff(sentence) }
    }),
    trace,
    isOver: call.isOver,
    step: call.stepName ?? null,
    unanswered: question?.name ?? null,
    notDone,
    record: record
      ? { outcome: record.outcome, path: record.path, marks: record.marks, activity: record.activity }
      : null,
  }
}

function isCutOff({ words, endsAtMs }: Sentence): boolean {
  return words.some(({ spokenAtMs }) => spokenAtMs > endsAtMs)
}

function inText({ line, column, severity, message }: Problem): Simulation['problems'][number] {
  return { in: 'text', line, column, action: null, severity, message }
}

function inOrder({ line, severity, message }: Problem): Simulation['problems'][number] {
  const action = line < FIRST_ACTION_LINE ? null : line - FIRST_ACTION_LINE
  return { in: line === GIVEN_LINE ? 'given' : 'actions', line: null, column: null, action, severity, message }
}
