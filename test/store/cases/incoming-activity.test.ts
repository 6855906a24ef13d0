import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId, CorporationId } from '../../../src/kernel/ids.ts'
import { incomingUpdate } from '../../../src/store/cases/incoming-activity.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { CORPORATION, NOON, openShop } from '../shop.ts'

const OTHERS = 2 as CorporationId
const UNKNOWN = 999_999 as ActivityId

describe.each(servers)('an activity that arrives for a case, on $name', (server) => {
  let database: TestDatabase
  let seqNo = 0

  beforeAll(async () => {
    database = await makeDatabase(server)
    await openShop(database.pools)
  })
  afterAll(() => database.drop())

  const rows = async (text: string, values: readonly unknown[] = []) =>
    (await database.pools.jobs.query(text, [...values])).rows
  /** Of the corporation, straight into its tables, beyond what operations can make. */
  const put = async (kind: string) =>
    (
      await rows(
        `insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         values (1, $1, $1, $2, $2) returning id`,
        [kind, NOON],
      )
    )[0]?.id as ActivityId
  const putCase = async (status: number, into: ActivityId | null = null) => {
    const id = await put('case')
    await rows(
      `insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
         last_open_ems_status_id, priority_id, merged_into_id, merged_at_ms)
       select $1, 1, $2, $3, s.id, $4::bigint, o.id, p.id, $5::bigint,
         case when $5::bigint is not null then $4::bigint end
         from ems_statuses s, ems_statuses o, priorities p
        where s.corporation_id = 1 and s.status = $3 and o.corporation_id = 1 and o.status = 1
          and p.corporation_id = 1 and p.is_default`,
      [id, ++seqNo, status, NOON, into],
    )
    return id
  }
  const arrive = (to: ActivityId, activity: ActivityId, change: object = {}) =>
    inTransaction(database.pools.jobs, (transaction) =>
      incomingUpdate(transaction, {
        case: to,
        activity,
        corporation: CORPORATION,
        atMs: NOON + 5_000,
        isExternal: true,
        ...change,
      }),
    )
  const links = (of: ActivityId) =>
    rows('select type, from_id as "from", to_id as "to" from activity_links where from_id = $1', [of])
  const seen = async (id: ActivityId) =>
    (
      await rows(
        `select c.status, s.status as custom, c.version, c.external_updated_at_ms as external,
           c.internal_updated_at_ms as internal, a.updated_at_ms as updated
           from cases c join activities a on a.id = c.activity_id join ems_statuses s on s.id = c.ems_status_id
          where a.id = $1`,
        [id],
      )
    )[0]

  test('is linked to it, and reopens it with one log of each', async () => {
    const closed = await putCase(2)
    const email = await put('conversation')
    expect(await arrive(closed, email)).toBe(closed)
    expect(await links(email)).toEqual([{ type: 14, from: email, to: closed }])
    const external = NOON + 5_000
    const opened = { status: 1, custom: 1, version: 2, external, internal: null, updated: NOON + 5_000 }
    expect(await seen(closed)).toEqual(opened)
    expect(await rows('select what, why from case_logs where case_id = $1 order by id', [closed])).toEqual([
      { what: 'link', why: null },
      { what: 'status', why: 'incoming update' },
    ])
    await arrive(closed, email, { atMs: NOON + 9_000 })
    expect(await seen(closed)).toEqual({ ...opened, external: NOON + 9_000 })
    expect(await rows('select from case_logs where case_id = $1', [closed])).toHaveLength(2)
  })

  test('from ourselves reopens nothing', async () => {
    const closed = await putCase(2)
    await arrive(closed, await put('conversation'), { isExternal: false })
    expect(await seen(closed)).toMatchObject({ status: 2, version: 1, internal: NOON + 5_000, external: null })
  })

  test('goes to the end of the chain, and changes nothing on the way', async () => {
    const end = await putCase(3)
    const middle = await putCase(5, end)
    const first = await putCase(5, middle)
    const email = await put('email')
    expect(await arrive(first, email)).toBe(end)
    expect(await links(email)).toEqual([{ type: 14, from: email, to: end }])
    expect(await seen(end)).toMatchObject({ status: 1 })
    for (const passed of [middle, first]) {
      expect(await seen(passed)).toMatchObject({ status: 5, version: 1, external: null, updated: NOON })
    }
  })

  test('leaves its previous case', async () => {
    const [one, other] = [await putCase(1), await putCase(1)]
    const call = await put('conversation')
    await arrive(one, call)
    await arrive(other, call)
    expect(await links(call)).toEqual([{ type: 14, from: call, to: other }])
  })

  test('finds no case of another corporation, and no unknown one', async () => {
    const ours = await putCase(2)
    const email = await put('email')
    expect(await arrive(ours, email, { corporation: OTHERS })).toBeUndefined()
    expect(await arrive(UNKNOWN, email)).toBeUndefined()
    expect(await arrive(email, email)).toBeUndefined()
    expect(await links(email)).toEqual([])
  })
})
