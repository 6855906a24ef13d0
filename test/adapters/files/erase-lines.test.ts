import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eraseLines } from '../../../src/adapters/files/erase-lines.ts'

function fileWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-lines-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'lines'), text)
  return join(directory, 'lines')
}

test('erased lines are blanked in place, and a concurrent writer continues in the same file', async () => {
  const path = fileWith('first\nsecond æ\nthird\nsecond half')
  let isAppended = false
  const erased = await eraseLines(path, (line) => {
    if (!isAppended) appendFileSync(path, ' line\nlast\n')
    isAppended = true
    return line === 'second æ'
  })
  expect(erased).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe('first\n         \nthird\nsecond half line\nlast\n')
})

test('lines that span two read chunks are found; a missing file has no lines', async () => {
  const lines = Array.from({ length: 40_000 }, (_, place) => `line ${place} ${'x'.repeat(place % 90)}`)
  const path = fileWith(`${lines.join('\n')}\n`)
  expect(await eraseLines(path, (line) => line.startsWith('line 1'))).toBe(11_111)
  const left = readFileSync(path, 'utf8').split('\n')
  expect(left.filter((line) => line.trim() !== '')).toEqual(lines.filter((line) => !line.startsWith('line 1')))
  expect(await eraseLines(`${path}.gone`, () => true)).toBe(0)
})
