/**
 * Spreadsheets that programs of others wrote (`corpus/make.py`): what a person sees in each is what is read, and
 * everything hidden, computed, failed or converted is said by row and column.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSheet } from '../../../src/adapters/sheets/read-sheet.ts'

const FOLDER = join(import.meta.dirname, 'corpus')
interface Truth {
  readonly file: string
  /** Row numbers and cells, the headings first. */
  readonly rows: readonly (readonly [row: number, cells: readonly string[]])[]
  /** How each warning begins. */
  readonly warnings: readonly string[]
}
const truths: readonly Truth[] = JSON.parse(readFileSync(join(FOLDER, 'truth.json'), 'utf8'))

test.each(truths)('$file', async ({ file, rows, warnings }) => {
  const reading = await readSheet({ bytes: readFileSync(join(FOLDER, file)) })
  if (!reading.ok) throw new Error(reading.why)
  expect(reading.rows.map(({ row, cells }) => [row, cells])).toEqual(rows)
  expect(reading.warnings).toEqual(warnings.map((begins) => expect.stringContaining(begins)))
})
