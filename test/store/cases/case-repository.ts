/** Cases on a database of their own: a corporation with people, queues and contacts, and another one. */
import { storedFaults } from '../../../bench/cases/case-faults.ts'
import type { ActivityId, CorporationId } from '../../../src/kernel/ids.ts'
import type {
  Case,
  CaseHand,
  CaseRepository,
  CaseSaved,
  CaseSearch,
  CaseToChange,
  CaseToCreate,
} from '../../../src/ports/case-repository.ts'
import type { CaseChange } from '../../../src/ports/cases.ts'
import { postgresCases } from '../../../src/store/cases/cases.ts'
import { makeDatabase, type TestServer } from '../db/database.ts'
import { CORPORATION, NOON, openShop } from '../shop.ts'

export const OTHERS = 2 as CorporationId
export const UNKNOWN = 999_999 as ActivityId

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
export async function openCaseRepository(server: TestServer) {
  const database = await makeDatabase(server)
  await openShop(database.pools)
  await database.pools.jobs.query(PEOPLE)
  const cases = postgresCases(database.pools)
  const handOf = (change: Partial<CaseHand> = {}): CaseHand => ({
    corporations: [CORPORATION],
    by: 11 as never,
    isAdmin: false,
    atMs: NOON,
    ...change,
  })
  const tryCreate = (input: Partial<CaseToCreate> = {}, hand = handOf(), by: CaseRepository = cases) =>
    by.createCase({ corporation: CORPORATION, title: 'Rent', ...input }, hand)
  const tryChange = (
    id: ActivityId,
    caseChange: CaseChange,
    hand: Partial<CaseHand> = {},
    by: CaseRepository = cases,
    seen: CaseToChange['seen'] = {},
  ) => by.changeCase({ id, change: caseChange, seen }, handOf({ atMs: NOON + 1_000, ...hand }))
  return {
    database,
    cases,
    handOf,
    tryCreate,
    tryChange,
    create: async (input: Partial<CaseToCreate> = {}, hand = handOf()) => saved(await tryCreate(input, hand)),
    change: async (id: ActivityId, caseChange: CaseChange, hand: Partial<CaseHand> = {}) =>
      saved(await tryChange(id, caseChange, hand)),
    read: async (id: ActivityId) => (await search(cases, { ids: [id] })).cases[0] as Case,
    search: (change: Partial<CaseSearch>) => search(cases, change),
    /** Violations of INV-C1 to C5 in the corporation's cases; empty without any. */
    faults: () => storedFaults(database.pools),
    rows: async (text: string, values: readonly unknown[] = []) =>
      (await database.pools.jobs.query(text, [...values])).rows,
  }
}

/** An open repository with its database. */
export type CaseRepositoryUnderTest = Awaited<ReturnType<typeof openCaseRepository>>

/** The case of a request that must succeed. */
export function saved(outcome: CaseSaved): Case {
  if (outcome.outcome !== 'saved') throw new Error(JSON.stringify(outcome))
  return outcome.case
}

async function search(cases: CaseRepository, change: Partial<CaseSearch>) {
  const all = { corporations: [CORPORATION], offset: 0, rowsMax: 100, ...change }
  const { found, cases: page } = await cases.searchCases(all)
  const ids = page.map(({ id }) => id)
  return { found, cases: await cases.readCases(ids, ['texts', 'logs']) }
}
