/** `npm test`: type check, lint and all tests. The last line is the sum of what really ran. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Type check and lint count as one test each: a red one must show in the last line. */
const CHECKS = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'lint', command: ['biome', 'check', '.'] },
] as const

/** Colours are for people; a log file is read as it is. */
const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' }

const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const { name, command } of CHECKS) {
  const ok = run(command)
  process.stdout.write(`${ok ? '✓' : '✗'} ${name}\n`)
  if (ok) counts.passed++
  else counts.failed++
}
add(counts, vitest(process.argv.slice(2)))
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1

function vitest(filters: readonly string[]): Counts {
  const report = join(mkdtempSync(join(tmpdir(), 'switchboard-test-')), 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ok = run(['vitest', 'run', ...reporters, ...filters])
  try {
    const read = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    const failed = read['numFailedTests'] ?? 0
    const skipped = (read['numPendingTests'] ?? 0) + (read['numTodoTests'] ?? 0)
    // A file that could not even be loaded has no tests to fail; it fails all the same.
    return { passed: read['numPassedTests'] ?? 0, failed: ok ? failed : Math.max(1, failed), skipped }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

function run([program, ...args]: readonly string[]): boolean {
  return spawnSync(join('node_modules', '.bin', program!), args, { stdio: 'inherit', env }).status === 0
}

function add(sum: Counts, more: Counts): void {
  sum.passed += more.passed
  sum.failed += more.failed
  sum.skipped += more.skipped
}
