/**
 * `npm test`: type check, lint and all tests. The last line is the sum of the tests that ran.
 * `npm test -- --verbose` names every test; other arguments choose files, as vitest does.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtConsole } from '../src/app/console-files.ts'
import { installTestTree } from './support/test-tree.ts'

interface Project {
  readonly name: string
  readonly workers: number
  /** How much less right to the processor its processes have; below 0, more: only root may give that. */
  readonly niceness?: number
}

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
 * All side by side, many files at once: real telephones wait for each other four fifths of their time, browsers half of
 * it. Unit tests wait for nobody; they take what the others leave: no processor idles, and no call is disturbed.
 */
const PROJECTS: readonly Project[] = [
  { name: 'real', workers: 3, niceness: -5 },
  { name: 'browser', workers: 2, niceness: -5 },
  { name: 'acceptance', workers: 1 },
  { name: 'unit', workers: 2, niceness: 5 },
]

/** Before all others: what is heard of a telephone that gets its processor late is not what it said. */
const ALONE: Project = { name: 'sound', workers: 2, niceness: -5 }

/** Colours are for people; a log file has none. */
const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
const reports = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
const asked = process.argv.slice(2)
const isVerbose = asked.includes('--verbose')
const filters = asked.filter((word) => word !== '--verbose')

// All projects would look for the tree, and every service would build the console: both exist before they start.
const [checks] = await Promise.all([Promise.all(CHECKS.map(check)), installTestTree(), builtConsole(reports)])
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
  const sound = await vitest(ALONE)
  const sum = sumOf([sound, ...(await Promise.all(PROJECTS.map(vitest)))])
  return sum.passed + sum.failed > 0 ? sum : { ...sum, failed: 1 }
}

async function vitest({ name, workers, niceness }: Project): Promise<Counts> {
  const report = join(reports, `${name}.json`)
  // Files that were chosen may all be of the other project; otherwise a project without tests is a failure.
  const filtered = filters.length > 0 ? ['--passWithNoTests'] : []
  const command = ['vitest', 'run', '--project', name, `--maxWorkers=${workers}`, ...filtered, ...filters]
  const ok = await run(command, { TEST_REPORT: report, TEST_VERBOSE: isVerbose ? '1' : '' }, niceness)
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
function run(
  [program, ...args]: readonly string[],
  more: NodeJS.ProcessEnv = {},
  niceness: number | undefined = undefined,
): Promise<boolean> {
  const env = { ...process.env, ...colours, ...more }
  const child = spawn(join('node_modules', '.bin', program!), args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  if (niceness !== undefined && child.pid !== undefined) givePriority(child.pid, niceness)
  child.stdout.pipe(process.stdout, { end: false })
  child.stderr.pipe(process.stderr, { end: false })
  return new Promise((done) => child.once('close', (status) => done(status === 0)))
}

function givePriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch (error) {
    if (niceness > 0 || (error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => all.reduce((total, one) => total + one[of], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
