import { formatLine } from '../call-words/format-line.ts'
import type { Properties } from '../flow-test/check-properties.ts'
import { type Coverage, coveredPercent } from '../flow-test/coverage.ts'
import type { Played } from '../flow-test/play-script.ts'
import { foundPercent, type Mutation } from '../flow-test/test-flow.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { JournalLine } from '../ports/journal.ts'
import { placeIn, type TestedFlow } from './tested-flow.ts'

interface Options {
  readonly coverage?: boolean
  readonly coverageMin?: number
  readonly mutationMin?: number
  readonly mutates: boolean
  readonly seed: number
}

/** The report for people: a line for each test, and below each failure what the caller heard and the flow did. */
export function flowTestText(tested: readonly TestedFlow[], options: Options): readonly string[] {
  const lines = tested.flatMap((flow) => linesOf(flow, options))
  const played = tested.flatMap(({ report }) => report?.played ?? [])
  const failed = played.filter(({ failure }) => failure !== undefined).length
  const broken = tested.filter(({ report }) => !report).length
  const errors = broken === 0 ? '' : `, ${broken} ${broken === 1 ? 'flow' : 'flows'} with errors`
  const skipped = tested.flatMap(({ report }) => report?.skipped ?? []).length
  const left = skipped === 0 ? '' : `, ${skipped} not by phone`
  return [...lines, `${played.length - failed} passed, ${failed} failed${left}${errors}`]
}

function linesOf(flow: TestedFlow, options: Options): string[] {
  const { flowFile, tests, testFile, problems, report } = flow
  if (!report) return [...problems.map(formatProblem)]
  const { played, skipped, properties, coverage, mutation } = report
  const isShown = options.coverage === true || options.coverageMin !== undefined
  return [
    tests ? testFile : `${flowFile}: no tests; write ${testFile}`,
    ...played.flatMap((one) => testLines(one, flow)),
    ...skipped.map(({ script, why }) => `  – ${script.name}: not by phone: ${why}`),
    ...(properties ? propertyLines(properties, options.seed) : []),
    ...(isShown ? coverageLines(coverage, flowFile, options.coverageMin) : []),
    ...(mutation ? mutationLines(mutation, flowFile, options.mutationMin) : []),
    ...(options.mutates && !mutation ? ['  mutation score: not measured while a test fails'] : []),
    '',
  ]
}

function testLines({ script, call, failure }: Played, { tests }: TestedFlow): string[] {
  if (!failure) return [`  ✓ ${script.name} (${seconds(call.nowMs - call.lines[0]!.atMs)} of call)`]
  const place = placeIn(tests, failure.path, failure.message)
  return [`  ✗ ${script.name}`, `    ${formatProblem(place)}`, ...shortStory(failure.lines)]
}

function propertyLines({ calls, faults }: Properties, seed: number): string[] {
  if (faults.length === 0) return [`  ✓ ${calls} disturbed and random calls keep every promise`]
  return faults.flatMap(({ where, message, lines }) => [`  ✗ ${where}, seed ${seed}: ${message}`, ...shortStory(lines)])
}

function coverageLines(coverage: Coverage, file: string, minimum: number | undefined): string[] {
  const { steps, branches } = coverage
  const share = ({ total, missing }: Coverage['steps']) => `${total - missing.length} of ${total}`
  const low = isBelow(coveredPercent(coverage), minimum)
  return [
    `  coverage ${percent(coveredPercent(coverage))}: ${share(steps)} steps, ${share(branches)} branches${low}`,
    ...steps.missing.map(({ what, line }) => `    ${file}:${line} never entered: ${what}`),
    ...branches.missing.map(({ what, line }) => `    ${file}:${line} never taken: ${what}`),
  ]
}

function mutationLines(mutation: Mutation, file: string, minimum: number | undefined): string[] {
  const { total, survivors } = mutation
  const low = isBelow(foundPercent(mutation), minimum)
  return [
    `  mutation score ${percent(foundPercent(mutation))}: ${total - survivors.length} of ${total} mistakes found${low}`,
    ...survivors.map(({ what, line }) => `    ${file}:${line} no test notices: ${what}`),
  ]
}

/** A long story begins with what the test did, and ends with what failed; `--json` and `--junit` have all of it. */
const FIRST_LINES = 25
const LAST_LINES = 35

function shortStory(lines: readonly JournalLine[]): string[] {
  const story = storyOf(lines)
  const left = story.length - FIRST_LINES - LAST_LINES
  const shown =
    left > 1 ? [...story.slice(0, FIRST_LINES), `… ${left} lines between`, ...story.slice(-LAST_LINES)] : story
  return shown.map((line) => `      ${line}`)
}

/** The journal of a call: what was heard, pressed, asked and decided, with the time from its beginning. */
export function storyOf(lines: readonly JournalLine[]): string[] {
  const told = lines.filter(({ what }) => !UNTOLD.has(what.type))
  const began = lines[0]?.atMs ?? 0
  return told.map((line) => {
    const { lane, way, text } = formatLine(line)
    const arrow = lane === 'caller' ? { in: '→ ', out: '← ', none: '' }[way] : '  '
    return `${`+${seconds(line.atMs - began)}`.padStart(10)}  ${arrow}${text.replace(/\s+/g, ' ')}`
  })
}

/** They say what the lines around them say. */
const UNTOLD: ReadonlySet<string> = new Set(['time.passed', 'playback.started', 'endCall', 'answer', 'stopMusic'])

function isBelow(found: number, minimum: number | undefined): string {
  return minimum !== undefined && found < minimum ? `; FAILED, the minimum is ${percent(minimum)}` : ''
}

/** Rounded down: 99.6 % is not 100 %. */
function percent(share: number): string {
  return `${Math.floor(share)} %`
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)}s`
}
