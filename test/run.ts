/**
 * `npm test`: type check, lint and all tests. The last line is the sum of the tests that ran.
 * `npm test -- --verbose` names every test; other arguments choose files, as vitest does.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installTestTree } from './support/test-tree.ts'

type Project = readonly [name: string, workers: number, shard?: string]

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Type check and lint count as one test each: a failed one must show in the last line. */
const CHECKS = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'types of the console', command: ['tsc', '--noEmit', '--project', 'src/console'] },
  { name: 'lint', command: ['biome', 'check', '.'] },
] as const

/**
 * Three rows in parallel, so many files of each project at once: real telephones mostly wait for each other, while the
 * others compute. Browsers are heavy: a third of their files comes behind each of the others, when there is room.
 * Vitest would run one project after the other.
 */
const ROWS = [
  [
    ['unit', 2],
    ['browser', 1, '2/3'],
  ],
  [
    ['real', 3],
    ['browser', 1, '3/3'],
  ],
  [
    ['acceptance', 2],
    ['browser', 1, '1/3'],
  ],
] as const

/** Colours are for people; a log file has none. */
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
const reports = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
const asked = process.argv.slice(2)
const isVerbose = asked.includes('--verbose')
const filters = asked.filter((word) => word !== '--verbose')

// All projects would look for the tree at once: it exists before they start.
const [checks] = await Promise.all([Promise.all(CHECKS.map(check)), installTestTree()])
const { passed, failed, skipped } = sumOf([...checks, await tests()])
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
process.exitCode = failed === 0 ? 0 : 1

async function check({ name, command }: (typeof CHECKS)[number]): Promise<Counts> {
  const ok = await run(command)
  process.stdout.write(`${ok ? '✓' : '✗'} ${name}\n`)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/** All projects; a run without tests has failed. */
async function tests(): Promise<Counts> {
  const counts: Counts[] = []
  const inTurn = async (row: readonly Project[]) => {
    for (const project of row) counts.push(await vitest(project))
  }
  await Promise.all(ROWS.map(inTurn))
  const sum = sumOf(counts)
  return sum.passed + sum.failed > 0 ? sum : { ...sum, failed: 1 }
}

async function vitest([project, workers, shard]: Project): Promise<Counts> {
  const report = join(reports, `${project}${shard?.replace('/', '-of-') ?? ''}.json`)
  // Files that were chosen may all be of the other project; otherwise a file without tests is a failure.
  const part = shard === undefined ? [] : [`--shard=${shard}`]
  const filtered = filters.length > 0 ? ['--passWithNoTests'] : []
  const how = ['--project', project, `--maxWorkers=${workers}`, ...part, ...filtered]
  const ok = await run(['vitest', 'run', ...how, ...filters], {
    TEST_REPORT: report,
    TEST_VERBOSE: isVerbose ? '1' : '',
  })
  try {
    const read = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    const failed = read['numFailedTests'] ?? 0
    const skipped = (read['numPendingTests'] ?? 0) + (read['numTodoTests'] ?? 0)
    // A file that could not be loaded has no tests to fail; it counts as failed.
    return { passed: read['numPassedTests'] ?? 0, failed: ok ? failed : Math.max(1, failed), skipped }
  } catch {
    return { passed: 0, failed: ok ? 0 : 1, skipped: 0 }
  }
}

/** Its lines are passed on at once, whole: two projects may print at the same time. */
function run([program, ...args]: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const env = { ...process.env, ...colours, ...more }
  const child = spawn(join('node_modules', '.bin', program!), args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  child.stdout.pipe(process.stdout, { end: false })
  child.stderr.pipe(process.stderr, { end: false })
  return new Promise((done) => child.once('close', (status) => done(status === 0)))
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => all.reduce((total, one) => total + one[of], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
