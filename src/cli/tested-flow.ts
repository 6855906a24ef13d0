import { dirname } from 'node:path'
import { whyNoRecording } from '../adapters/speech/recording-file.ts'
import type { Flow } from '../flow/model/flow.ts'
import { documentsOf } from '../flow/read/documents.ts'
import { readFlow } from '../flow/read/read-flow.ts'
import { readTestFile, type TestFile } from '../flow-test/read-test-file.ts'
import type { Script } from '../flow-test/script.ts'
import type { FlowReport } from '../flow-test/test-flow.ts'
import type { Problem } from '../kernel/file-problem.ts'
import { type Path, YamlSource } from '../kernel/yaml-source.ts'
import { unread } from './flow-check.ts'

/** One flow and what its tests say. */
export interface TestedFlow {
  readonly flowFile: string
  readonly testFile: string
  /** Undefined: the flow has no tests. */
  readonly tests: TestFile | undefined
  /** Errors of both files. With one of them there is no report. */
  readonly problems: readonly Problem[]
  readonly report: FlowReport | undefined
}

/** A flow and its tests stand side by side: `survey.yaml` and `survey.test.yaml`. Either name means both. */
export function pairOf(file: string): Pick<TestedFlow, 'flowFile' | 'testFile'> {
  const stem = file.replace(/(\.test)?\.yaml$/, '')
  return { flowFile: `${stem}.yaml`, testFile: `${stem}.test.yaml` }
}

/** A flow and its tests that can be played. */
export interface ReadyFlow {
  readonly flow: Flow
  /** With its subflows. */
  readonly text: string
  readonly source: YamlSource
  readonly scripts: readonly Script[]
}

interface ReadFlow extends Omit<TestedFlow, 'report'> {
  /** Undefined if there are problems. */
  readonly ready: ReadyFlow | undefined
}

/** Reads a flow and its tests. `isNamed`: the user asked for the tests, so they must be there. */
export function readPair(
  { flowFile, testFile }: Pick<TestedFlow, 'flowFile' | 'testFile'>,
  isNamed: boolean,
  textOf: (file: string) => string | undefined,
): ReadFlow {
  const text = textOf(flowFile)
  const testText = textOf(testFile)
  // A shell empties a file before `--propose` writes into it.
  const hasTests = testText !== undefined && testText.trim() !== ''
  const tests = hasTests ? readTestFile(testFile, testText) : undefined
  const read = (problems: readonly Problem[], ready?: ReadyFlow) => ({ flowFile, testFile, tests, problems, ready })
  if (text === undefined) return read([unread(flowFile)])
  if (!tests && isNamed) return read([noTests({ flowFile, testFile })])
  const recordings = { whyNoRecording: (name: string) => whyNoRecording(dirname(flowFile), name) }
  const { flow, problems } = readFlow(flowFile, text, recordings)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (!flow) return read([...errors, ...(tests?.problems ?? [])])
  const { scripts, problems: wrong } = tests ? scriptsOf(tests, flow) : NO_TESTS
  if (wrong.length > 0) return read(wrong)
  return read([], { flow, text, source: new YamlSource(flowFile, documentsOf(text).own, 'flow'), scripts })
}

/** The place of a test, or of something in it, as `flow check` writes places. */
export function placeIn(tests: TestFile | undefined, path: Path, message: string): Problem {
  return tests!.source.problem(path, message)
}

const NO_TESTS = { scripts: [] as readonly Script[], problems: [] as readonly Problem[] }

function scriptsOf(tests: TestFile, flow: Flow): typeof NO_TESTS {
  if (tests.problems.length > 0) return { scripts: [], problems: tests.problems }
  if (tests.flow !== flow.name) {
    const message = `the flow beside this file is ${flow.name}; name it, or rename the file`
    return { scripts: [], problems: [tests.source.problem(['flow'], message)] }
  }
  return tests.readScripts(flow)
}

function noTests({ flowFile, testFile: file }: Pick<TestedFlow, 'flowFile' | 'testFile'>): Problem {
  const remedy = `write tests of ${flowFile} into ${file}, or let "flow test ${flowFile} --propose" print some`
  return { file, line: 1, column: 1, severity: 'error', message: `there is no test file yet; ${remedy}` }
}
