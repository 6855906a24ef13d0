import { makeDatabase, servers, type TestServer } from '../store/db/database.ts'
import { postgresWithStops } from '../support/stop-control.ts'
import { dialerRepositoryContract } from './dialer-repository.contract.ts'
import {
  CORPORATION,
  type DialerRepositoryWorld,
  FIELD,
  OTHERS,
  type StoredCall,
  SYSTEM,
} from './dialer-repository-world.ts'

for (const server of servers) dialerRepositoryContract(`PostgreSQL, ${server.name}`, () => postgresWorld(server))

const CALL = `
select c.result, c.agent, c.talk_ms as "talkMs",
    (select count(*)::int from recordings r where r.activity_id = c.id) as recordings
  from call_activities c where c.id = $1`

/** A database of its own. PostgreSQL uses the clock of this machine, and so does the suite. */
async function postgresWorld(server: TestServer): Promise<DialerRepositoryWorld> {
  const { pools, drop } = await makeDatabase(server)
  await pools.jobs.query(`
    insert into corporations (id, name, created_at_ms)
      values (${CORPORATION}, 'Collectors', 0), (${OTHERS}, 'Others', 0);
    insert into external_systems (id, corporation_id, code, name) values (${SYSTEM}, ${CORPORATION}, 'DEBT', 'Debts');
    insert into property_fields (id, corporation_id, name) values (${FIELD}, ${CORPORATION}, 'Amount');
    insert into webhook_subscriptions (corporation_id, url, event_types, secrets, created_at_ms, updated_at_ms)
      values (${CORPORATION}, 'https://integrator.example/hook', '{phone-call.ended}', '[]', 0, 0);`)
  return {
    dialerRepository: postgresWithStops(pools),
    nowMs: () => Date.now(),
    async eventsAbout(activity) {
      const { rows } = await pools.api.query('select count(*) as count from events where activity_id = $1', [activity])
      return (rows[0] as { count: number }).count
    },
    async callOf(activity) {
      const { rows } = await pools.api.query(CALL, [activity])
      return rows[0] as StoredCall
    },
    close: drop,
  }
}
