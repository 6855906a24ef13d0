/** The spreadsheet reader of the service: after any file that ends its process, the next file is read. */
import { afterAll, expect, test } from 'vitest'
import { sheetReader } from '../../../src/adapters/sheets/sheet-reader.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { csvOf, odsOf, odsParts, xlsxOf, zipOf } from './sheet-files.ts'

const ROWS = [
  ['Name', 'Phone'],
  ['Bo', '+4526000001'],
]
const reader = sheetReader({ clock: new RealClock(), memoryMb: 32 })
afterAll(() => reader.close())

test('files are read in parallel and in sequence, each into its own rows', async () => {
  const kinds = [xlsxOf, odsOf, (rows: typeof ROWS) => csvOf(rows)]
  const lists = Array.from({ length: 9 }, (_, place) => [...ROWS, [`Debtor ${place}`, String(place)]])
  const read = await Promise.all(lists.map((rows, place) => reader.read({ bytes: kinds[place % 3]!(rows) })))
  for (const [place, reading] of read.entries()) {
    expect(reading.ok && reading.rows.map(({ cells }) => cells)).toEqual(lists[place])
  }
})

test('a file that exhausts memory ends its process and nothing else (F-I13)', async () => {
  const wide = `<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>`
  const rows = `<table:table-row>${wide}</table:table-row>`.repeat(3_000)
  const reading = await reader.read({ bytes: zipOf(odsParts([], rows).map((part) => ({ ...part, method: 0 }))) })
  expect(reading.ok ? reading.rows.length : reading.why).toMatch(/memory|columns/)
  expect(await reader.read({ bytes: csvOf(ROWS) })).toMatchObject({ ok: true, kind: 'csv' })
})

test('a file that takes too long is aborted', async () => {
  const clock = new VirtualClock()
  const hurried = sheetReader({ clock, timeoutMs: 1_000 })
  const reading = hurried.read({ bytes: csvOf(Array.from({ length: 20_000 }, () => ROWS[1]!)) })
  clock.run(1_000)
  expect(await reading).toEqual({ ok: false, why: expect.stringContaining('too long') })
  await hurried.close()
})

test('a closed reader says so, also for the file in progress', async () => {
  const other = sheetReader({ clock: new RealClock() })
  const reading = other.read({ bytes: xlsxOf(ROWS) })
  await other.close()
  expect(await reading).toEqual({ ok: false, why: expect.stringContaining('shutting down') })
  expect(await other.read({ bytes: csvOf(ROWS) })).toMatchObject({ ok: false })
})

test('tags that never end are looked at once, however many there are', async () => {
  const hostile =
    '<table:table-row a="" '.repeat(60_000) + '<table:table-row table:number-rows-repeated="2">'.repeat(40_000)
  const reading = await reader.read({ bytes: zipOf(odsParts([], hostile).map((part) => ({ ...part, method: 0 }))) })
  // Quadratic work is given up as too long.
  expect(reading.ok ? '' : reading.why).not.toContain('too long')
})
