import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentName, AttemptId, CorporationId } from '../../../src/kernel/ids.ts'
import type { DialerRepository } from '../../../src/ports/dialer-repository.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, claim, debtors, importOf, NOON, openShop } from '../shop.ts'

const ANNA = 'anna' as AgentName

describe.each(servers)('greetings on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository

  beforeAll(async () => {
    database = await makeDatabase(server)
    dialerRepository = await openShop(database.pools)
  })
  afterAll(() => database.drop())

  test('the latest 500 of a corporation are kept, also when agents speak at once', async () => {
    const others = 77 as CorporationId
    const made = `insert into greetings (id, corporation_id, print, told_at_ms)
                  select 1000000 + $1 * 1000 + n, $1, 'p', n from generate_series(1, 600) n`
    for (const corporation of [CORPORATION, others]) await database.pools.jobs.query(made, [corporation])
    await dialerRepository.importCallTasks(importOf(debtors(3)))
    const attempts = await claim(dialerRepository, await dialerRepository.takeLease('one', 60_000))
    expect(attempts).toHaveLength(3)
    const say = (id: AttemptId) => dialerRepository.correctToMachine(id, ANNA, NOON, { id, print: `of ${id}` })
    expect(await Promise.all(attempts.map(({ id }) => say(id)))).toEqual(attempts.map(() => 'corrected'))
    const kept = await dialerRepository.greetings(CORPORATION, 0)
    expect(kept.length).toBeGreaterThanOrEqual(500)
    expect(kept.length).toBeLessThanOrEqual(502)
    expect(kept.filter(({ print }) => print !== 'p').map(({ id }) => id)).toEqual(attempts.map(({ id }) => id).sort())
    expect(await dialerRepository.greetings(others, 0)).toHaveLength(600)
  })
})
