import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allMutants, mutantOf, planted } from './apply.ts'

const ROOT = join(import.meta.dirname, '../..')

test('at least twenty planted bugs fit the source as it is, and each says what it is', () => {
  const mutants = allMutants()
  expect(mutants.length).toBeGreaterThanOrEqual(20)
  expect(new Set(mutants.map(({ what }) => what)).size).toBe(mutants.length)
  for (const mutant of mutants) expect(planted(mutant, ROOT).size).toBeGreaterThan(0)
})

test('a patch whose place is gone is an error that names the file', () => {
  const patch = '# Gone.\n+++ b/package.json\n@@\n-this line is nowhere\n+so it cannot be replaced\n'
  const file = 'package.json'
  expect(() => planted(mutantOf('gone', patch), ROOT)).toThrow(`its place in ${file} is found 0 times`)
})

test('a patch that does not say what bug it is is refused', () => {
  expect(() => mutantOf('mute', '--- a/x\n')).toThrow('the first line must say what bug it is')
})
