import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FAILURES } from './phone-failures-table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const rows = Object.entries(FAILURES)
/** Rows whose remedy is not built. It may only become shorter. */
const OPEN = ['console deploy']

test('each of the 22 rows has a test, except those that are said to be open', () => {
  expect(rows).toHaveLength(22)
  expect(rows.filter(([, row]) => 'open' in row).map(([name]) => name)).toEqual(OPEN)
})

test.each(rows.flatMap(([name, row]) => ('file' in row ? [[name, row] as const] : [])))('%s', (_, row) => {
  const source = readFileSync(`${ROOT}${row.file}`, 'utf8')
  const named = [`test('${row.test}`, `)('${row.test}`]
  expect(named.some((text) => source.includes(text))).toBe(true)
})
