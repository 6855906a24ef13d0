import { expect, test } from 'vitest'
import { foundCommands } from '../../src/console/shell/command-search.ts'

const ALL = [
  { id: 'pause-break', names: { en: 'Pause: Short break', da: 'Pause: Kort pause' } },
  { id: 'pause-lunch', names: { en: 'Pause: Lunch', da: 'Pause: Frokost' } },
  { id: 'out', names: { en: 'Log out', da: 'Log ud' } },
  { id: 'sign-out', names: { en: 'Sign out', da: 'Log af' } },
  { id: 'calls', names: { en: 'Go to: Calls', da: 'Gå til: Opkald' } },
].map((each) => Object.assign(each, { run() {} }))
const found = (typed: string) => foundCommands(ALL, typed).map(({ id }) => id)

test('nothing typed finds everything, in its order', () => {
  expect(found('')).toEqual(['pause-break', 'pause-lunch', 'out', 'sign-out', 'calls'])
  expect(found('  ')).toHaveLength(5)
})

test('words are found in both languages, in any order, without capital letters and accents', () => {
  expect(found('FROKOST')).toEqual(['pause-lunch'])
  expect(found('lun pau')).toEqual(['pause-lunch'])
  expect(found('ga opkald')).toEqual(['calls'])
})

test('all words are in one language: "log" of the one and "out" of the other are no name', () => {
  expect(found('log out')).toEqual(['out'])
  expect(found('log af')).toEqual(['sign-out'])
})

test('letters that are left out are forgiven, and the better one comes first', () => {
  expect(found('lnch')).toEqual(['pause-lunch'])
  expect(found('lo')[0]).toBe('out')
  expect(found('xyz')).toEqual([])
})
