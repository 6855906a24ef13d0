import { describe, expect, test } from 'vitest'
import {
  coverOf,
  missingOf,
  readAcceptanceLines,
  readTaggedTests,
  tagFaults,
  taggedTestsOf,
} from '../../scripts/acceptance-cover.ts'
import { importsOf } from './imports.ts'
import { houseFiles } from './source-files.ts'

const sections = readAcceptanceLines()
/** Loaded into the service, not into the tests. */
const CLOCK_OF_THE_SERVICE = 'test/acceptance/place/shifted-clock.ts'

test('every tag in the name of a test names a line of the contract', () => {
  const tests = readTaggedTests()
  expect(tests.length).toBeGreaterThan(50)
  expect(tagFaults(sections, tests)).toEqual([])
})

test('the list has every line once, in order', () => {
  const numbers = sections.flatMap(({ lines }) => lines.map(({ number }) => number))
  expect(numbers).toEqual(Array.from({ length: 297 }, (_, index) => index + 1))
  expect(sections.map(({ number }) => number)).toEqual(expect.arrayContaining(['0', '2.1', '4.7', '9']))
})

test('the black-box suite knows nothing of the service but its client', () => {
  const suite = houseFiles().filter(({ path }) => path.startsWith('test/acceptance/') && path !== CLOCK_OF_THE_SERVICE)
  expect(suite.length).toBeGreaterThan(5)
  const known = suite.flatMap(importsOf).filter(({ to }) => to.startsWith('src/') && !to.startsWith('src/client/'))
  expect(known).toEqual([])
})

describe('a tag', () => {
  const numbersIn = (source: string) => taggedTestsOf('x.test.ts', source).map(({ numbers }) => numbers)
  const faultsIn = (source: string) => tagFaults(sections, taggedTestsOf('x.test.ts', source))

  test.each([
    ["test('one [acc 3 by HTTP]', () => {})", [3]],
    ["test(\n  'several [acc 3, 7,9 by HTTP]',\n  () => {})", [3, 7, 9]],
    ["describe('a range [acc 30–33 by HTTP]', () => {})", [30, 31, 32, 33]],
    ["test('both [acc 5, 30-32 by HTTP]', () => {})", [5, 30, 31, 32]],
    ["test.each([1])('each %s [acc 3 by HTTP]', () => {})", [3]],
    ['test(`a template, it\\`s one [acc 3 by HTTP]`, () => {})', [3]],
  ])('is read from %s', (source, numbers) => {
    expect(numbersIn(source)).toEqual([numbers])
    expect(faultsIn(source)).toEqual([])
  })

  test.each([
    "// test('in a comment [acc 3 by HTTP]', () => {})",
    "/* test('in a comment [acc 3 by HTTP]') */",
    "test.skip('not run [acc 3 by HTTP]', () => {})",
    "test.todo(\n  'not written [acc 3 by HTTP]')",
  ])('counts for nothing in %s', (source) => {
    expect(numbersIn(source)).toEqual([])
  })

  test.each([
    ["test('of no line [acc 298 by HTTP]')", 'there is no line 298'],
    ["test('of no line [acc 0 by HTTP]')", 'there is no line 0'],
    ["test('of nothing [acc ]')", 'a tag is [acc 3 by HTTP]'],
    ["test('of a word [acc three]')", 'a tag is [acc 3 by HTTP]'],
    ["test('of a range backwards [acc 9-3 by HTTP]')", 'the tag names no line'],
    ["test('in the middle [acc 3 by HTTP] of it')", 'the tag must be the end of the name'],
    ["test('through no door [acc 3]')", 'a tag is [acc 3 by HTTP]'],
    ["test('through the window [acc 3 by SQL]')", 'the doors are HTTP'],
  ])('is refused in %s', (source, why) => {
    expect(faultsIn(source)).toEqual([expect.stringContaining(why)])
  })
})

test('what is missing is asked for by kind, and every test that asserts a line is named', () => {
  const list = readAcceptanceLines('### 1 One\n\n1. [H] a\n2. [H] b\n\n### 2.1 Two\n\n3. [D] c\n4. [D] d\n')
  const tests = taggedTestsOf('x.test.ts', "test('first [acc 1, 3 by HTTP]')\ntest('second [acc 1 by HTTP]')")
  expect(
    coverOf(tests)
      .get(1)
      ?.map(({ name }) => name),
  ).toEqual(['first', 'second'])
  expect(missingOf(list, tests, ['D']).map(({ number }) => number)).toEqual([4])
  expect(missingOf(list, tests, ['H', 'D']).map(({ number }) => number)).toEqual([2, 4])
  expect(missingOf(list, tests, [])).toEqual([])
})
