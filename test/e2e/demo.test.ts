import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoCommand } from '../../demo/demo-command.ts'

/** Two acts of about a minute, at once. */
const DEMO_MAX_MS = 240_000

/** The demo keeps its Asterisk beside its data: the tests pass the parent of their tree. */
test('the demo serves every caller on a real Asterisk as its stories say, and its summary says so', {
  timeout: DEMO_MAX_MS,
}, async () => {
  const dataDir = join(process.env['SWITCHBOARD_TEST_TREE']!, '..')
  const summary = join(mkdtempSync(join(tmpdir(), 'switchboard-demo-')), 'summary.json')
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const status = await demoCommand({ summary, seed: 7 }, { dataDir, write, interrupted: new Promise(() => {}) })

  expect(status, lines.join('\n')).toBe(0)
  const read = JSON.parse(readFileSync(summary, 'utf8'))
  expect(read.calls.flatMap((call: { differences: string[] }) => call.differences)).toEqual([])
  expect(read.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
  expect(read).toMatchObject({ ok: true, pbx: { kind: 'asterisk' } })
  expect(lines.at(-1)).toContain('6 of 6 calls went as scripted, on a real Asterisk')
})
