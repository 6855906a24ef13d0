import { expect, test } from 'vitest'
import { filledScript } from '../../../src/console/desk/script-words.ts'

const values = new Map([
  ['name', 'Karen Holm'],
  ['amount owed', '1,250.00'],
  ['empty', ''],
])
/** Each part in the marks of its kind. */
const shown = (script: string) =>
  filledScript(script, values).map((line) =>
    line.map(({ text, kind }) => (kind === 'words' ? text : kind === 'value' ? `<${text}>` : `?${text}?`)).join(''),
  )

test('names in braces are filled in, whatever their capital letters and spaces', () => {
  expect(shown('Is this {name}?\r\n\r\nYou owe { Amount Owed }.\t{NAME}{name}')).toEqual([
    'Is this <Karen Holm>?',
    '',
    'You owe <1,250.00>.  <Karen Holm><Karen Holm>',
  ])
})

test('a place without a value, and braces that are no place, stay as they were written', () => {
  expect(shown('{nobody} {empty} {} { {name} } {constructor} {a\nb}')).toEqual([
    '?{nobody}? ?{empty}? {} { <Karen Holm> } ?{constructor}? {a',
    'b}',
  ])
})

test('what a value says in braces is not filled in again, and nothing in it is unseen', () => {
  const hostile = new Map([['name', `{amount owed}\u202E<b>\n${'w'.repeat(300)}`]])
  const [[part] = []] = filledScript('{name}', hostile)
  expect(part?.text).toMatch(/^\{amount owed\}␣<b>␣w{100,}…$/)
})
