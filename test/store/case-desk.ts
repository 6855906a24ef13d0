/** Cases on a database of their own: a corporation with people, queues and contacts, and another one. */
import type { ActivityId } from '../../src/ports/attempt.ts'
import type { CorporationId } from '../../src/ports/call-task.ts'
import type { Case, CaseHand, CaseSaved, CaseSearch, Cases, CaseToCreate } from '../../src/ports/case-desk.ts'
import type { CaseWish } from '../../src/ports/cases.ts'
import { postgresCases } from '../../src/store/cases.ts'
import type { Pools } from '../../src/store/pools.ts'
import { makeDatabase, type TestServer } from './database.ts'
import { CORPORATION, NOON, openShop } from './shop.ts'

export const OTHERS = 2 as CorporationId
export const NOBODYS = 999_999 as ActivityId

/** Users 11 and 12, queue 21, contacts 31 and 32, fields 5 and 6 are ours; 19, 29, 39 and 9 are the others'. */
const PEOPLE = `
  insert into users (id, corporation_id, user_name, name, created_at_ms)
    overriding system value values (11, 1, 'ann', 'Ann', 0), (12, 1, 'bo', 'Bo', 0), (19, 2, 'eve', 'Eve', 0);
  insert into teams (id, corporation_id, name, title)
    overriding system value values (21, 1, 'desk', 'Desk'), (29, 2, 'theirs', 'Theirs');
  insert into entities (id, corporation_id, kind, name, second_name, created_at_ms, updated_at_ms)
    overriding system value values (31, 1, 'private', 'Carla', 'Dahl', 0, 0), (39, 2, 'private', 'Dan', 'Ek', 0, 0);
  insert into entity_extensions (id, corporation_id, entity_id, kind, sequence_number)
    overriding system value values (31, 1, 31, 'customer', 1), (32, 1, 31, 'customer', 2), (39, 2, 39, 'customer', 1);
  insert into property_fields (id, corporation_id, name)
    overriding system value values (6, 1, 'Colour'), (9, 2, 'Theirs');`

/** Opens it. */
export async function openCaseDesk(server: TestServer) {
  const database = await makeDatabase(server)
  await openShop(database.pools)
  await database.pools.jobs.query(PEOPLE)
  const cases = postgresCases(database.pools)
  const handOf = (change: Partial<CaseHand> = {}): CaseHand => ({
    ...{ corporations: [CORPORATION], by: 11 as never, isAdmin: false, atMs: NOON },
    ...change,
  })
  const tryCreate = (wish: Partial<CaseToCreate> = {}, hand = handOf(), by: Cases = cases) =>
    by.createCase({ corporation: CORPORATION, title: 'Rent', ...wish }, hand)
  const tryChange = (id: ActivityId, wish: CaseWish, hand: Partial<CaseHand> = {}, by: Cases = cases, seen = {}) =>
    by.changeCase({ id, wish, seen }, handOf({ atMs: NOON + 1_000, ...hand }))
  return {
    ...{ database, cases, handOf, tryCreate, tryChange },
    create: async (wish: Partial<CaseToCreate> = {}, hand = handOf()) => saved(await tryCreate(wish, hand)),
    change: async (id: ActivityId, wish: CaseWish, hand: Partial<CaseHand> = {}) =>
      saved(await tryChange(id, wish, hand)),
    read: async (id: ActivityId) => (await search(cases, { ids: [id] })).cases[0] as Case,
    search: (change: Partial<CaseSearch>) => search(cases, change),
    /** What is wrong with the corporation's cases: nothing (INV-C1, C3, C5, C7). */
    faults: () => faultsOf(database.pools),
    rows: async (text: string, values: readonly unknown[] = []) =>
      (await database.pools.jobs.query(text, [...values])).rows,
  }
}

/** A desk that is open. */
export type CaseDesk = Awaited<ReturnType<typeof openCaseDesk>>

/** The case of a wish that must be possible. */
export function saved(outcome: CaseSaved): Case {
  if (outcome.outcome !== 'saved') throw new Error(JSON.stringify(outcome))
  return outcome.case
}

function search(cases: Cases, change: Partial<CaseSearch>) {
  return cases.searchCases({ corporations: [CORPORATION], offset: 0, rowsMax: 100, ...change })
}

/** One row for each case that breaks a rule, with its name. */
async function faultsOf({ jobs }: Pools): Promise<readonly unknown[]> {
  const { rows } = await jobs.query(`
    select 'INV-C1' as rule, c.activity_id from cases c join ems_statuses s on s.id = c.ems_status_id
     where s.status <> c.status or s.corporation_id <> c.corporation_id
    union all
    select 'INV-C3', count(*) from cases group by corporation_id
     having max(seq_no) <> count(*) or min(seq_no) <> 1 or count(distinct seq_no) <> count(*)
    union all
    select 'INV-C4', c.activity_id from cases c join activities a on a.id = c.activity_id
     where c.merged_at_ms is not null and (a.updated_at_ms <> c.merged_at_ms
       or exists (select from case_logs l where l.case_id = c.activity_id and l.at_ms > c.merged_at_ms)
       or exists (select from activity_links l where l.to_id = c.activity_id and l.type = 14)
       or exists (select from case_texts t where t.case_id = c.activity_id)
       or exists (select from files f where f.activity_id = c.activity_id))
    union all
    select 'INV-C4', activity_id from (
      select c.activity_id, (with recursive way (id, steps) as (
        select c.merged_into_id, 1 union all
        select n.merged_into_id, way.steps + 1 from way join cases n on n.activity_id = way.id
         where n.merged_into_id is not null and way.steps < 1000) select max(steps) from way) as steps
      from cases c where c.merged_into_id is not null) chains where steps >= 1000
    union all
    select 'INV-C5', activity_id from activity_members where ended_at_ms is null and role in (1, 20)
     group by activity_id, role having count(*) > 1`)
  return rows
}
