import { formatProblem } from '../kernel/file-problem.ts'
import { storyOf } from './flow-test-text.ts'
import { placeIn, type TestedFlow } from './tested-flow.ts'

interface Case {
  readonly name: string
  readonly seconds: number
  readonly failure?: { readonly message: string; readonly text: string }
  readonly skipped?: string
}

/** The report for build servers: JUnit's XML, a suite for each flow. `time` is that of the simulated call. */
export function flowTestJunit(tested: readonly TestedFlow[]): string {
  const suites = tested.map((flow) => suiteOf(flow.flowFile, casesOf(flow)))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

function casesOf({ tests, problems, report }: TestedFlow): readonly Case[] {
  if (!report) {
    const text = problems.map(formatProblem).join('\n')
    return [{ name: 'can be read', seconds: 0, failure: { message: problems[0]?.message ?? '', text } }]
  }
  const { played, skipped, properties } = report
  const [fault] = properties?.faults ?? []
  const kept: Case = {
    name: 'disturbed and random calls keep every promise',
    seconds: 0,
    ...(fault && {
      failure: { message: `${fault.where}: ${fault.message}`, text: storyOf(fault.lines).join('\n') },
    }),
  }
  return [
    ...played.map(({ script, call, failure }): Case => {
      const seconds = (call.nowMs - (call.lines[0]?.atMs ?? call.nowMs)) / 1_000
      if (!failure) return { name: script.name, seconds }
      const place = formatProblem(placeIn(tests, failure.path, failure.message))
      const text = [place, ...storyOf(failure.lines)].join('\n')
      return { name: script.name, seconds, failure: { message: failure.message, text } }
    }),
    ...skipped.map(({ script, why }): Case => ({ name: script.name, seconds: 0, skipped: `not by phone: ${why}` })),
    ...(properties ? [kept] : []),
  ]
}

function suiteOf(name: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}"${skipped === 0 ? '' : ` skipped="${skipped}"`}`
  const head = `  <testsuite name="${escaped(name)}" ${counts}>\n`
  return `${head}${cases.map((one) => caseOf(name, one)).join('')}  </testsuite>\n`
}

function caseOf(suite: string, { name, seconds, failure, skipped }: Case): string {
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds}"`
  if (skipped !== undefined) return `${head}>\n      <skipped message="${escaped(skipped)}"/>\n    </testcase>\n`
  if (!failure) return `${head}/>\n`
  const { message, text } = failure
  return `${head}>\n      <failure message="${escaped(message)}">${escaped(text)}</failure>\n    </testcase>\n`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no place for most control characters, escaped or not. */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)
}
