import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FAILURES } from './phone-failures-table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const rows = Object.entries(FAILURES)
test('each of the 22 rows has a test', () => {
  expect(rows).toHaveLength(22)
})

test.each(rows)('%s', (_, row) => {
  const source = readFileSync(`${ROOT}${row.file}`, 'utf8')
  const named = [`test('${row.test}`, `)('${row.test}`]
  expect(named.some((text) => source.includes(text))).toBe(true)
})
