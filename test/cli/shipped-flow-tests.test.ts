/** The tests of the shipped flows, as an author runs them: by the command line. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const flows = readdirSync(join(root, 'flows')).filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))
const run = (...args: string[]) => {
  const program = join(root, 'src/cli/switchboard.ts')
  return promisify(execFile)(process.execPath, [program, 'flow', 'test', ...args], { cwd: root })
}

test('every shipped flow has tests that go through all of it and notice nine mistakes of ten', async () => {
  const { stdout } = await run('--coverage-min', '100', '--mutation-min', '90')
  expect(stdout).not.toContain('no tests')
  expect(stdout.match(/coverage 100 %: (\d+) of \1 steps, (\d+) of \2 branches/g)).toHaveLength(flows.length)
  expect(stdout.match(/mutation score (9\d|100) %/g)).toHaveLength(flows.length)
  expect(stdout).toMatch(/\d+ passed, 0 failed\n$/)
})

test('the exit status of a failing run is 1', async () => {
  await expect(run('nowhere.yaml')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('nowhere.yaml:1:1'),
  })
})
