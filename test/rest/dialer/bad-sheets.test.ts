/** Faulty spreadsheets (G18): each is refused as a whole, or every row is imported or refused with its reason. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '../../../src/adapters/sheets/read-sheet.ts'
import { listOf, tasksOf } from '../../../src/core/imports/read-task-list.ts'
import { checkCallTask } from '../../../src/dialer/check-import.ts'
import { BAD_SHEETS, badSheet } from '../../adapters/sheets/bad-sheets.ts'
import { CAMPAIGN } from './dialer-world.ts'
import { openSheetWorld, type SheetWorld } from './sheet-world.ts'

/** Over the wire, with the database behind it; the others are read and checked in the same way. */
const SENT = 60
const FIELDS = [{ id: 5, name: 'Amount' }]
const RULES = { country: 'DK', allowedCountries: ['DK'], skipInvalidNumbers: false, fields: new Set([5]) }

let world: SheetWorld
beforeAll(async () => {
  world = await openSheetWorld()
})
afterAll(() => world.close())

test(`${BAD_SHEETS} faulty spreadsheets: none breaks the reader, none is imported by half (G18, F-I13)`, async () => {
  let [refused, rows, good] = [0, 0, 0]
  for (let number = 0; number < BAD_SHEETS; number++) {
    const reading = await readSheet({ bytes: badSheet(number) })
    if (!reading.ok) {
      refused++
      expect(reading.why, `${number}`).toMatch(/^(the|a|row|sheet|unpacked) /)
      continue
    }
    const list = listOf(reading, FIELDS, new Map())
    for (const [index, task] of tasksOf(list, list.rows).entries()) {
      const checked = checkCallTask(task, index, RULES)
      rows++
      if (checked.ok) good++
      else expect(checked.kinds.length, `${number}`).toBeGreaterThan(0)
    }
  }
  // The files would prove little if all were refused, or none.
  expect(refused).toBeGreaterThan(BAD_SHEETS * 0.15)
  expect(refused).toBeLessThan(BAD_SHEETS * 0.8)
  expect(rows).toBeGreaterThan(good)
  expect(good).toBeGreaterThan(20)
})

test('sent to the service, none causes a mistake of ours, and none is imported by half (G18)', async () => {
  const kept = async () => (await world.search({ callCodes: [CAMPAIGN], limit: 1 })).body.foundRows
  let before = await kept()
  for (let number = 0; number < SENT; number++) {
    const { status, body } = await world.sendSheet(badSheet(number * 7))
    const after = await kept()
    if (status === 200) {
      expect(body.importedCount + body.failedCount, `${number}`).toBe(body.rowCount)
      expect(after - before, `${number}`).toBe(body.importedCount)
    } else expect([status, after], `${number}`).toEqual([400, before])
    before = after
  }
  expect(before).toBeGreaterThan(0)
})
