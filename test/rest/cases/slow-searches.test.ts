/** Searches of words that take long, as those of two letters among a million emails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entityRoutes } from '../../../src/rest/contacts/contacts.ts'
import { postgresEntities } from '../../../src/store/contacts/contacts.ts'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

/** More than there are connections for REST. */
const SEARCHES = 14

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld(undefined, (dependencies, pools) =>
    entityRoutes({ ...dependencies, entities: postgresEntities(pools) }),
  )
  await world.create()
  // Every comparison of words lasts until there is a row.
  await world.pools.jobs.query(`
    create table ended (it boolean);
    create or replace function folded_part(part text) returns text language plpgsql volatile as $$ begin
      while not exists (select from ended) loop perform pg_sleep(0.02); end loop;
      return '%';
    end $$`)
})
afterAll(() => world.close())

/** Searches that run, and those that wait for a connection. */
async function underWay(): Promise<number> {
  const { rows } = await world.pools.jobs.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and application_name ~ 'api|searches'`,
  )
  const { api, searches } = world.pools
  return rows[0]!.count + api.waitingCount + searches.waitingCount
}

test.each([
  ['cases', () => world.find({ text: 'ab' })],
  ['contacts', () => world.call('GET', '/svcems/entity?name=ab')],
] as const)('of %s keep nobody else from being served', async (_, search) => {
  await world.pools.jobs.query('delete from ended')
  const searches = Array.from({ length: SEARCHES }, search)
  await expect.poll(underWay).toBe(SEARCHES)
  const other = await world.call('GET', '/svcems/categories')
  await world.pools.jobs.query('insert into ended values (true)')
  const [first] = await Promise.all(searches)
  expect([other.status, first?.status]).toEqual([200, 200])
})
