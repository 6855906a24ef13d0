import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servers } from '../db/database.ts'
import { NOON } from '../shop.ts'
import { type CaseRepositoryUnderTest, openCaseRepository } from './case-repository.ts'

const DAY_MS = 24 * 3_600_000

describe.each(servers)('holds of cases on $name', (server) => {
  let world: CaseRepositoryUnderTest

  beforeAll(async () => {
    world = await openCaseRepository(server)
  })
  afterAll(() => world.database.drop())

  test('are ended once, by any number of nodes', async () => {
    const hold = { status: 8, holdUntilMs: NOON + 10_000 } as const
    const due = await Promise.all(Array.from({ length: 5 }, () => world.create(hold)))
    const later = await world.create({ ...hold, holdUntilMs: NOON + 3_600_000 })
    expect(await world.cases.endHolds(NOON + 9_999)).toBe(0)
    const counts = await Promise.all([1, 2, 3].map(() => world.cases.endHolds(NOON + 10_000)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5)
    for (const { record } of due) {
      const { record: after, logs } = await world.read(record.id)
      expect(after).toMatchObject({ status: 1, holdUntilMs: null, version: 2 })
      expect(logs.map(({ what, by }) => [what, by])).toEqual([
        ['created', { id: 11, userName: 'ann', name: 'Ann' }],
        ['status', null],
      ])
    }
    expect((await world.read(later.record.id)).record.status).toBe(8)
  })

  test('are not ended early by a node whose clock is ahead of the database', async () => {
    const [row] = await world.rows('select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms')
    const holdUntilMs = Number(row!['ms']) + 3_600_000
    const { record } = await world.create({ status: 8, holdUntilMs })
    await world.cases.endHolds(holdUntilMs + DAY_MS)
    expect((await world.read(record.id)).record).toMatchObject({ status: 8, holdUntilMs })
  })
})
