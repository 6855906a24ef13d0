/** Long pages of call tasks: how values are written, and what a client sees when the database goes away meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DialerWorld, debtor, OTHER_CAMPAIGN, openDialerWorld } from './dialer-world.ts'

let world: DialerWorld
beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

test('texts and instants are written as they were given, whatever they contain', async () => {
  const given = [
    ['"quoted" \\ back', 'Ærø/1', '2031-01-02T03:04:05.006Z', '2031-01-02T03:04:59.999Z'],
    ['{"a":[1]}', '名前 🙂', '2031-01-02T03:05:00.000Z', '2032-02-29T23:59:59.001Z'],
    ['D’Arcy </script>', 'null', '2031-01-02T03:04:00.070Z', '2099-12-31T00:00:00.700Z'],
  ] as const
  const callTasks = given.map(([callReceiverName, systemLookupCode, validFrom, validTo], place) =>
    debtor(place, { callReceiverName, systemLookupCode, validFrom, validTo }),
  )
  const imported = await world.importTasks(callTasks)
  expect(imported.body).toMatchObject({ importedCount: 3, callTaskErrors: [] })
  const { body } = await world.search({ detail: true })
  const seen = body.callTasks.map((task: Record<string, unknown>) => [
    task.callReceiverName,
    task.systemLookupCode,
    task.validFrom,
    task.validTo,
  ])
  expect(seen).toEqual(given)
  expect(body.callTasks[0]).toMatchObject({ finished: false, callBackTs: null, assignedUser: null })
})

test('a client is cut off when the connection to the database is lost in the middle of its page', async () => {
  // More than the sockets hold, so that rows are left in the database.
  await world.pools.jobs.query(
    `insert into call_tasks (corporation_id, campaign_id, receiver_name, duplicate_key, attempts_max, interval_ms,
       created_at_ms, updated_at_ms)
     select 1, $1, repeat('x', 3000), 'many ' || n, 3, 0, 0, 0 from generate_series(1, 10000) n`,
    [OTHER_CAMPAIGN],
  )
  const answer = await fetch(`${world.rest.url}/dialer/calltaskget`, {
    method: 'POST',
    headers: { ...world.values, 'content-type': 'application/json' },
    body: JSON.stringify({ callCodes: [OTHER_CAMPAIGN], limit: 50_000 }),
  })
  const reader = answer.body!.getReader()
  await reader.read()
  const { rowCount } = await world.pools.jobs.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'switchboard api' and datname = current_database()`,
  )
  expect(rowCount).toBeGreaterThan(0)
  const toTheEnd = async () => {
    while (!(await reader.read()).done);
  }
  await expect(toTheEnd()).rejects.toThrow('terminated')
  expect((await world.search({ callCodes: [OTHER_CAMPAIGN], limit: 1 })).body.foundRows).toBe(10_000)
})
