import { coveredPercent } from '../flow-test/coverage.ts'
import { foundPercent } from '../flow-test/test-flow.ts'
import { storyOf } from './flow-test-text.ts'
import { placeIn, type TestedFlow } from './tested-flow.ts'

/** The report for programs: one JSON document. Lines and columns count from 1. */
export function flowTestJson(tested: readonly TestedFlow[], passed: boolean): string {
  return JSON.stringify({ passed, flows: tested.map(flowOf) }, null, 2)
}

function flowOf({ flowFile, testFile, tests, problems, report }: TestedFlow): object {
  if (!report) return { flowFile, testFile, problems }
  const { played, skipped, coverage, properties, mutation } = report
  return {
    flowFile,
    testFile,
    problems,
    tests: played.map(({ script, failure }) => {
      const { line, column } = placeIn(tests, failure?.path ?? script.path, '')
      const story = failure && { message: failure.message, story: storyOf(failure.lines) }
      return { name: script.name, passed: !failure, line, column, ...story }
    }),
    ...(skipped.length > 0 && {
      notByPhone: skipped.map(({ script, why }) => {
        const { line, column } = placeIn(tests, script.path, '')
        return { name: script.name, why, line, column }
      }),
    }),
    ...(properties && {
      properties: {
        calls: properties.calls,
        faults: properties.faults.map(({ where, message }) => ({ where, message })),
      },
    }),
    coverage: { percent: coveredPercent(coverage), ...coverage },
    ...(mutation && { mutation: { percent: foundPercent(mutation), ...mutation } }),
  }
}
