/** The process that tests one draft of a flow; started by `node-workshop.ts`. */
import { documentsOf } from '../flow/read/documents.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { coveredPercent } from '../flow-test/coverage.ts'
import { readTestFile, type TestFile } from '../flow-test/read-test-file.ts'
import { testFlow } from '../flow-test/test-flow.ts'
import type { Problem } from '../kernel/file-problem.ts'
import { serveJob } from '../kernel/job-process.ts'
import { YamlSource } from '../kernel/yaml-source.ts'
import type { FlowTestOrder, FlowTestReport } from '../ports/flows/flow-revisions.ts'

/** Random callers are the same every time, as those of the command line are. */
const SEED = 1

serveJob(reportOf)

function reportOf({ text, tests: testText }: FlowTestOrder): FlowTestReport {
  const { flow, problems } = readFlow('text', text)
  const tests = readTestFile('tests', testText)
  const errors = [...problems, ...tests.problems].filter(({ severity }) => severity === 'error')
  if (!flow || errors.length > 0) return notRun(errors)
  if (tests.flow !== flow.name) return notRun([tests.source.problem(['flow'], `the flow is ${flow.name}; name it`)])
  const { scripts, problems: wrong } = tests.readScripts(flow)
  if (wrong.length > 0) return notRun(wrong)
  const source = new YamlSource('text', documentsOf(text).own, 'flow')
  const { played, properties, coverage } = testFlow(flow, source, scripts, { seed: SEED, mutates: false })
  const { faults } = properties
  return {
    passed: faults.length === 0 && played.every(({ failure }) => failure === undefined),
    problems: [],
    tests: played.map(({ script, failure }) => {
      const { line, column } = placeOf(tests, failure?.path ?? script.path)
      return { name: script.name, passed: !failure, line, column, message: failure?.message ?? null }
    }),
    faults: faults.map(({ where, message }) => ({ where, message })),
    coveredPercent: coveredPercent(coverage),
    untested: [...coverage.steps.missing, ...coverage.branches.missing].map(({ what, line }) => ({ what, line })),
  }
}

function placeOf({ source }: TestFile, path: Parameters<YamlSource['problem']>[0]): Problem {
  return source.problem(path, '')
}

function notRun(problems: readonly Problem[]): FlowTestReport {
  const shown = problems.map(({ file, line, column, severity, message }) => {
    return { in: file as 'text' | 'tests', line, column, severity, message }
  })
  return { passed: false, problems: shown, tests: [], faults: [], coveredPercent: null, untested: [] }
}
