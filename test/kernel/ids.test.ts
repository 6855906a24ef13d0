import { describe, expect, test } from 'vitest'
import { makeEventId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

describe('an event id', () => {
  test('sorts by time, consists of plain letters, and is unique', () => {
    const random = seededRandom(1)
    const ids = Array.from({ length: 500 }, (_, index) => makeEventId(AT_MS + index, random))
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids.map((id) => id.slice(14))).size).toBe(500)
    for (const id of ids) expect(id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  test('writes its time as every ULID does', () => {
    expect(makeEventId(1_469_918_176_385, seededRandom(1))).toMatch(/^evt_01ARYZ6S41/)
  })
})
