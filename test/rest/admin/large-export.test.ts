/** A person about whom more is stored than a node may hold at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OURS } from '../rest-world.ts'
import { openWholeWorld, settle, type Tenant, type WholeWorld } from '../whole-world.ts'

const MIB = 1024 * 1024

let world: WholeWorld
let us: Tenant

beforeAll(async () => {
  world = await openWholeWorld()
  us = await settle(world, OURS, 'p', 1)
})
afterAll(() => world.close())

const ask = (method: string, path: string, body?: unknown) => world.call(method, path, body, { as: us.as })

test('an export leaves out what exceeds its size, and says that it is not complete', async () => {
  const { eeexId } = us.ids
  const person = { eeexId, reason: 'request 7' }
  const named = { description: 'theirs', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const { eactId } = (await ask('POST', '/svcems/case', named)).body
  expect((await ask('POST', '/core/persons/export', person)).body.complete).toBe(true)
  await world.pools.jobs.query(
    `insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
     select $1, '', repeat('x', ${MIB}), true, false, 0 from generate_series(1, 40)`,
    [eactId],
  )
  const { status, body, text } = await ask('POST', '/core/persons/export', person)
  expect([status, body.complete]).toEqual([200, false])
  expect(text.length).toBeLessThan(33 * MIB)
  const { case_texts: shown } = body.activities
  expect([shown.length > 20, shown.length < 33]).toEqual([true, true])
  // The small tables that follow are whole.
  expect([body.contacts.entities.length, body.tasks.call_tasks.length]).toEqual([1, 1])
})
