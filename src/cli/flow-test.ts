import { writeFileSync } from 'node:fs'
import { flowFiles } from '../app/read-installation.ts'
import { coveredPercent } from '../flow-test/coverage.ts'
import { foundPercent, testFlow } from '../flow-test/test-flow.ts'
import { testFileText } from '../flow-test/write-test.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import { textOf } from './flow-check.ts'
import { flowTestJson } from './flow-test-json.ts'
import { flowTestJunit } from './flow-test-junit.ts'
import { flowTestText } from './flow-test-text.ts'
import type { CliContext } from './place/cli-context.ts'
import { pairOf, readPair, type TestedFlow } from './tested-flow.ts'

export interface FlowTestOptions {
  readonly coverage?: boolean
  /** Percent; below it the command fails. */
  readonly coverageMin?: number
  readonly mutate?: boolean
  readonly mutationMin?: number
  /** Print tests for what no test goes through, instead of the report. */
  readonly propose?: boolean
  readonly json?: boolean
  readonly junit?: string
  readonly seed?: number
}

/** The seed of random callers: the same one gives the same report, on every machine. */
const SEED = 1

/**
 * `switchboard flow test`: plays the tests of flows, and what holds for every flow. 0 if all is well; 1 if a test or a
 * property fails, a file has an error, or a share is below its minimum.
 */
export function flowTest(files: readonly string[], options: FlowTestOptions, context: CliContext): number {
  const seed = options.seed ?? SEED
  const mutates = options.mutate === true || options.mutationMin !== undefined
  const proposes = options.propose === true
  const tested = readPairs(files, !proposes, context)?.map(({ ready, ...read }): TestedFlow => {
    const report = ready && testFlow(ready.flow, ready.source, ready.scripts, { seed, mutates, proposes })
    return { ...read, report }
  })
  if (!tested) return 1
  if (!proposes) return reportTests(tested, { ...options, seed, mutates }, context)
  for (const line of tested.flatMap(proposalLines)) context.write(line)
  return tested.every((flow) => passes(flow, options)) ? 0 : 1
}

/** The flows that the user means, and their tests; undefined, and a line, if there are none. */
export function readPairs(files: readonly string[], needsTests: boolean, { settings, write }: CliContext) {
  const chosen = files.length > 0 ? files : flowFiles(settings.flowsDir)
  const pairs = new Map(chosen.map((file) => [pairOf(file).flowFile, pairOf(file)]))
  if (pairs.size > 0) return [...pairs.values()].map((pair) => readPair(pair, files.length > 0 && needsTests, textOf))
  write(`there are no flows in ${settings.flowsDir}; name flow files, or set FLOWS_DIR`)
  return undefined
}

/** Writes the reports that the user asked for; gives the exit status. */
export function reportTests(
  tested: readonly TestedFlow[],
  options: FlowTestOptions & { readonly seed: number; readonly mutates: boolean },
  { write }: Pick<CliContext, 'write'>,
): number {
  const isPassed = tested.every((flow) => passes(flow, options))
  if (options.json) write(flowTestJson(tested, isPassed))
  else for (const line of flowTestText(tested, options)) write(line)
  const isWritten = options.junit === undefined || writeReport(options.junit, flowTestJunit(tested), write)
  return isPassed && isWritten ? 0 : 1
}

function proposalLines({ report, flowFile, testFile, problems, tests }: TestedFlow): string[] {
  if (!report?.proposals) return problems.map(formatProblem)
  const { tests: proposed, unreached } = report.proposals
  const count = `${proposed.length} ${proposed.length === 1 ? 'test' : 'tests'}`
  const remedy = `${tests ? 'add' : 'write'} them to ${testFile}, and say what each shows`
  return [
    `# ${flowFile}: ${count} for branches that no test takes; ${remedy}`,
    ...unreached.map(({ what, line }) => `# ${flowFile}:${line} no call was found that takes: ${what}`),
    ...(proposed.length > 0 ? [testFileText(report.flow, proposed).trimEnd()] : []),
  ]
}

function writeReport(file: string, text: string, write: CliContext['write']): boolean {
  try {
    writeFileSync(file, text)
    return true
  } catch (error) {
    write(`${file} cannot be written (${(error as Error).message}); name a file in a folder that is there`)
    return false
  }
}

function passes({ report }: TestedFlow, { coverageMin = 0, mutationMin = 0 }: FlowTestOptions): boolean {
  if (!report) return false
  const { played, properties, coverage, mutation } = report
  return (
    played.every(({ failure }) => failure === undefined) &&
    (properties?.faults ?? []).length === 0 &&
    coveredPercent(coverage) >= coverageMin &&
    (mutation === undefined || foundPercent(mutation) >= mutationMin)
  )
}
