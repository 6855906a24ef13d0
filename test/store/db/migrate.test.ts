import { afterAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/store/db/migrate.ts'
import { makeDatabase, servers, type TestDatabase } from './database.ts'

describe.each(servers)('migrations on $name', (server) => {
  const databases: TestDatabase[] = []
  afterAll(() => Promise.all(databases.map((database) => database.drop())))

  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await makeDatabase(server, false)
    databases.push(database)
    return database
  }

  test('a second run changes nothing', async () => {
    const { pools } = await emptyDatabase()
    expect(await migrate(pools)).toBeUndefined()
    const before = await pools.jobs.query('select name, timestamp from kysely_migration order by name')
    expect(await migrate(pools)).toBeUndefined()
    const after = await pools.jobs.query('select name, timestamp from kysely_migration order by name')
    expect(after.rows).toEqual(before.rows)
    expect(after.rows.length).toBeGreaterThan(4)
  })

  test('given several processes at once, each finds the tables made', async () => {
    const { pools, open } = await emptyDatabase()
    const others = [open(), open(), open()]
    expect(await Promise.all([pools, ...others].map((one) => migrate(one)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const { rows } = await pools.jobs.query('select name from kysely_migration')
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    expect(rows).toContainEqual({ name: '0005-dialing' })
    await Promise.all(others.map((other) => other.close()))
  })

  test('given a database of a newer version, nothing is touched and the refusal says what to do', async () => {
    const { pools } = await emptyDatabase()
    await migrate(pools)
    await pools.jobs.query(`insert into kysely_migration values ('9999-later', '2030-01-01')`)
    expect(await migrate(pools)).toMatchObject({ ok: false, why: expect.stringContaining('9999-later') })
  })

  test('given a migration that fails, none of its tables remains', async () => {
    const { pools } = await emptyDatabase()
    await pools.jobs.query('create table call_tasks (id bigint)')
    expect(await migrate(pools)).toMatchObject({ ok: false, why: expect.stringContaining('call_tasks') })
    const { rows } = await pools.jobs.query(`select to_regclass('corporations') as corporations`)
    expect(rows).toEqual([{ corporations: null }])
  })
})
