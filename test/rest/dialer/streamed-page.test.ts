/** Long pages of call tasks: how values are written, and what a client sees when the database goes away meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { type DialerWorld, debtor, OTHER_CAMPAIGN, openDialerWorld } from './dialer-world.ts'

const SECOND_MS = 1_000
/** Connections for long pages. */
const STREAMS = 8

let world: DialerWorld
let clock: VirtualClock
beforeAll(async () => {
  clock = new VirtualClock(Date.now())
  world = await openDialerWorld({ clock })
})
afterAll(() => world.close())

/** More than the sockets hold, so that rows are left in the database. */
const MANY = 10_000
const manyExist = async () =>
  world.pools.jobs.query(
    `insert into call_tasks (corporation_id, campaign_id, receiver_name, duplicate_key, attempts_max, interval_ms,
       created_at_ms, updated_at_ms)
     select 1, $1, repeat('x', 3000), 'many ' || n, 3, 0, 0, 0 from generate_series(1, $2) n`,
    [OTHER_CAMPAIGN, MANY],
  )

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

test('slow readers of long pages keep nobody from ending a call task, or from a short page', async () => {
  await manyExist()
  const everything = { callCodes: [OTHER_CAMPAIGN], limit: 50_000 }
  const ask = (as: CredentialValues) =>
    fetch(`${world.rest.url}/dialer/calltaskget`, {
      method: 'POST',
      headers: { ...as, 'content-type': 'application/json' },
      body: JSON.stringify(everything),
    })
  const others = await Promise.all([1, 2, 3, 4].map(() => world.credential(['dialer:read'])))
  // Nobody reads on: more pages than there are connections for requests, and those for long pages are all taken.
  const unread: Response[] = []
  const pages = [world.values, ...others].flatMap((as) =>
    [1, 2, 3].map(async () => {
      unread.push(await ask(as))
    }),
  )
  await expect.poll(() => unread.length).toBeGreaterThanOrEqual(STREAMS)
  const [task] = (await world.search({ callCodes: [OTHER_CAMPAIGN], limit: 1_000 })).body.callTasks
  expect((await world.call('PUT', `/v1/calltasks/${task.itcaId}/end`, {})).status).toBe(200)
  let fourth: Response | undefined
  void ask(world.values).then((answer) => {
    fourth = answer
  })
  while (!fourth) {
    clock.run(SECOND_MS)
    await new Promise(setImmediate)
  }
  const { detail } = (await fourth.json()) as { detail: string }
  expect([fourth.status, detail]).toEqual([429, expect.stringContaining('to its end first')])
  // Whoever goes away leaves the connection and the place to the next.
  for (let gone = 0; gone < pages.length; gone++) {
    await expect.poll(() => unread.length).toBeGreaterThan(gone)
    await unread[gone]!.body!.cancel()
  }
  expect(unread.map(({ status }) => status)).toEqual(pages.map(() => 200))
  const next = await ask(world.values)
  expect(next.status).toBe(200)
  await next.body!.cancel()
})

test('a client is cut off when the connection to the database is lost in the middle of its page', async () => {
  const answer = await fetch(`${world.rest.url}/dialer/calltaskget`, {
    method: 'POST',
    headers: { ...world.values, 'content-type': 'application/json' },
    body: JSON.stringify({ callCodes: [OTHER_CAMPAIGN], limit: 50_000 }),
  })
  const reader = answer.body!.getReader()
  await reader.read()
  const { rowCount } = await world.pools.jobs.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'switchboard streams' and datname = current_database()`,
  )
  expect(rowCount).toBeGreaterThan(0)
  const toTheEnd = async () => {
    while (!(await reader.read()).done);
  }
  await expect(toTheEnd()).rejects.toThrow('terminated')
  expect((await world.search({ callCodes: [OTHER_CAMPAIGN], limit: 1 })).body.foundRows).toBe(MANY)
})
