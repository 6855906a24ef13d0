/** Each filter of the list of calls has an index that gives its calls in their order: nothing is sorted or scanned. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallFilter } from '../../../src/ports/calls/call-list.ts'
import { postgresCallList } from '../../../src/store/calls/call-list.ts'
import type { Pools } from '../../../src/store/db/pools.ts'
import { makeDatabase, servers } from '../db/database.ts'

let database: Awaited<ReturnType<typeof makeDatabase>>
let pools: Pools

beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  pools = database.pools
  await pools.jobs.query(`insert into corporations (id, name, created_at_ms) values (1, 'Ours', 0)`)
  await pools.jobs.query(`
    insert into call_activities (call, corporation_id, direction, caller, called, created_at_ms, ended_at_ms, talk_ms,
      wait_ms, result, agent, team)
    select 'c' || i, 1, case i % 2 when 0 then 'in' else 'out' end, '+4527' || i, '+4526' || i, i, i, i,
      0, 'noAnswer', 'a' || i % 9, 't' || i % 9
      from generate_series(100000, 103000) i`)
  await pools.jobs.query('analyze')
})
afterAll(() => database.drop())

/** The plan of a page, of which a database with millions of calls would have no better one. */
async function planOf(filter: CallFilter): Promise<string> {
  const asked: { readonly text: string; readonly values: unknown[] }[] = []
  const api = {
    query(statement: (typeof asked)[number]) {
      asked.push(statement)
      return { rows: [] }
    },
  }
  await postgresCallList({ api } as unknown as Pools).page({
    corporations: [1 as never],
    boundTo: undefined,
    filter,
    after: { atMs: 102_000, id: 50_000 as never },
    rowsMax: 50,
  })
  const client = await pools.jobs.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await client.query({ text: `explain ${asked[0]!.text}`, values: asked[0]!.values })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test.each<[CallFilter, string]>([
  [{}, 'call_list'],
  [{ fromAtMs: 101_000, untilAtMs: 102_000 }, 'call_list'],
  [{ agent: 1 as never }, 'call_list_agent'],
  [{ team: 1 as never }, 'call_list_team'],
  [{ campaign: 1 as never }, 'call_list_campaign'],
  [{ numbers: ['+4526100000'] }, 'call_list_called'],
  [{ numbers: ['+4526100000'] }, 'call_list_caller'],
  [{ direction: 'in' }, 'call_list_direction'],
  [{ results: ['lost'] }, 'call_list_result'],
  [{ isRecorded: true }, 'call_list_recorded'],
  [{ isTransferred: true }, 'call_list_transferred'],
  [{ talkMsMin: 102_999 }, 'call_list_talk'],
  [{ feedbackType: 'PROMISE' }, 'feedback_type'],
])('%j is answered by %s', async (filter, index) => {
  const plan = await planOf(filter)
  expect(plan).toMatch(new RegExp(`using ${index} `))
  expect(plan).not.toContain('Seq Scan on call_activities')
})
