/** A REST server with everything about cases: users, a queue, contacts and a field of both corporations. */
import type { Clock } from '../../../src/kernel/clock.ts'
import { caseListChangeRoutes } from '../../../src/rest/cases/case-list-changes.ts'
import { caseListRoutes } from '../../../src/rest/cases/case-lists.ts'
import { searchCasesRoute } from '../../../src/rest/cases/case-search.ts'
import { saveCaseRoute } from '../../../src/rest/cases/cases.ts'
import { addTextRoute } from '../../../src/rest/cases/comments.ts'
import type { RestDependencies } from '../../../src/rest/http/dependencies.ts'
import type { Route } from '../../../src/rest/http/route.ts'
import { postgresCases } from '../../../src/store/cases/cases.ts'
import type { Pools } from '../../../src/store/db/pools.ts'
import { openRestWorld, type Reply } from '../rest-world.ts'

/** Users 11 and 12, queue 21, contacts 31 and 32, field 5 are ours; 19, 29, 39 and 9 are theirs. */
const PEOPLE = `
  insert into users (id, corporation_id, user_name, name, created_at_ms)
    overriding system value values (11, 1, 'ann', 'Ann', 0), (12, 1, 'bo', 'Bo', 0), (19, 2, 'eve', 'Eve', 0);
  insert into teams (id, corporation_id, name, title)
    overriding system value values (21, 1, 'desk', 'Desk'), (29, 2, 'theirs', 'Theirs');
  insert into entities (id, corporation_id, kind, name, second_name, created_at_ms, updated_at_ms)
    overriding system value values (31, 1, 'private', 'Carla', 'Dahl', 0, 0), (39, 2, 'private', 'Dan', 'Ek', 0, 0);
  insert into entity_extensions (id, corporation_id, entity_id, kind, sequence_number)
    overriding system value
    values (31, 1, 31, 'customer', 1), (32, 1, 31, 'customer', 2), (39, 2, 39, 'customer', 1);
  insert into property_fields (id, corporation_id, name)
    overriding system value values (5, 1, 'Amount'), (9, 2, 'Theirs');`

/** Opens it, with further operations. */
export async function openCaseWorld(
  clock?: Clock,
  more: (dependencies: RestDependencies, pools: Pools) => readonly Route[] = () => [],
) {
  const world = await openRestWorld({
    ...(clock && { clock }),
    routes: (dependencies: RestDependencies, pools: Pools) => [
      ...[saveCaseRoute(dependencies), searchCasesRoute(dependencies), addTextRoute(dependencies)],
      ...caseListRoutes(dependencies),
      ...caseListChangeRoutes(dependencies),
      ...more(dependencies, pools),
    ],
    parts: (pools) => ({ cases: postgresCases(pools) }),
  })
  await world.pools.jobs.query(PEOPLE)
  const save = (body: object, options = {}) => world.call('POST', '/rest/svcems/case', body, options)
  const made = { description: 'Rent', status: 1, corporation: { corpId: 1 } }
  return {
    ...world,
    save,
    /** A case of ours, with the fields of `change`. */
    create: async (change: object = {}): Promise<Reply['body']> => {
      const { status, body, text } = await save({ ...made, ...change })
      if (status !== 200) throw new Error(text)
      return body
    },
    find: (body: object, options = {}) => world.call('POST', '/svcems/cases/search', body, options),
    read: async (eactId: number) => (await world.call('POST', '/svcems/cases/search', { eactIds: [eactId] })).body[0],
    comment: (eactId: number, text: string, more = {}) =>
      world.call('POST', '/rest/svcems/activitytexts', { text, activity: { eactId }, ...more }),
  }
}

/** A world that is open. */
export type CaseWorld = Awaited<ReturnType<typeof openCaseWorld>>
