import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoCommand } from '../../demo/demo-command.ts'

test('the demo tells the same stories on simulated phones, and says so', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-demo-'))
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const status = await demoCommand({ simulated: true }, { dataDir, write, interrupted: new Promise(() => {}) })
  expect(lines.filter((line) => line.includes('✗'))).toEqual([])
  expect(status).toBe(0)
  expect([lines[0], lines.at(-1)].every((line) => line?.includes('SIMULATED'))).toBe(true)
})
