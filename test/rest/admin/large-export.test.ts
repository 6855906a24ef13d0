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

test('an export leaves out what exceeds its size, says so, and goes on with the rest', async () => {
  const { eeexId } = us.ids
  const person = { eeexId, reason: 'request 7' }
  const named = { description: 'theirs', status: 1, corporation: { corpId: OURS }, entityExtension: { eeexId } }
  const { eactId } = (await ask('POST', '/svcems/case', named)).body
  expect((await ask('POST', '/core/persons/export', person)).body).toMatchObject({ complete: true, next: null })
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
  // The next part has the rest of that table, and nothing else.
  const second = await ask('POST', '/core/persons/export', { ...person, after: body.next })
  expect([second.status, second.body.complete, second.body.next]).toEqual([200, true, null])
  const ids = [...shown, ...second.body.activities.case_texts].map(({ id }: { id: number }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  expect([second.body.calls, second.body.contacts, second.body.journal]).toEqual([{}, {}, []])
  // The small tables that follow are whole.
  expect([body.contacts.entities.length, body.tasks.call_tasks.length]).toEqual([1, 1])
})

test('an export of more rows than a part comes whole, each row once, whatever comes meanwhile', async () => {
  const { emenId, eeexId } = us.ids
  const numbers = (from: number, count: number) =>
    world.pools.jobs.query(
      `insert into entity_removed_numbers (entity_id, number)
       select $1, '+4599' || lpad(n::text, 6, '0') from generate_series($2::int, $3::int) n`,
      [emenId, from, from + count - 1],
    )
  await numbers(1_000, 11_000)
  const seen: string[] = []
  let after: string | undefined
  let part = 0
  do {
    const { status, body } = await ask('POST', '/core/persons/export', { eeexId, reason: 'request 8', after })
    expect(status).toBe(200)
    seen.push(...(body.contacts.entity_removed_numbers ?? []).map(({ number }: { number: string }) => number))
    after = body.next ?? undefined
    // Before all others: pages by their numbers would move.
    await numbers(part++, 1)
  } while (after !== undefined)
  const theirs = seen.filter((number) => number.startsWith('+4599'))
  expect([part, theirs.length, new Set(theirs).size]).toEqual([3, 11_000, 11_000])
})

test('a next that is none is refused', async () => {
  const { eeexId } = us.ids
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const after of [
    'x',
    '',
    text([]),
    text([5]),
    text([{ 'contacts.entity_removed_numbers': [1] }]),
    text([{ 'contacts.entity_removed_numbers': ['1', '2'] }]),
    text([{ 'contacts.entity_removed_numbers': [1.5, '2'] }]),
    text([{ 'calls.transcripts': ['a'] }]),
  ]) {
    const { status, body } = await ask('POST', '/core/persons/export', { eeexId, reason: 'request 9', after })
    expect([after, status, body.errors?.[0]?.path]).toEqual([after, 400, 'after'])
  }
})
