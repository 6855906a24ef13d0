import { postgresFlowEvents } from '../../../src/store/calls/flow-events.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import { SimFlowEvents } from '../../sim/sim-flow-events.ts'
import { makeDatabase, servers } from '../../store/db/database.ts'
import { simDialerRepositoryWorld } from '../dialer-repository-sim-world.ts'
import { flowEventsContract } from './flow-events.contract.ts'

flowEventsContract('in memory', async () => {
  const { sim, dialerRepository, close } = simDialerRepositoryWorld(1)
  return { flowEvents: new SimFlowEvents(sim.view), dialerRepository, close }
})

for (const server of servers) {
  flowEventsContract(`in PostgreSQL, ${server.name}`, async () => {
    const { pools, drop } = await makeDatabase(server)
    await pools.jobs.query(
      `insert into corporations (id, name, created_at_ms) values (1, 'Collectors', 0), (2, 'Others', 0)`,
    )
    return { flowEvents: postgresFlowEvents(pools), dialerRepository: postgresDialerRepository(pools), close: drop }
  })
}
