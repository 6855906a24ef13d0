import { dialerRepositoryContract } from './dialer-repository.contract.ts'
import { simDialerRepositoryWorld } from './dialer-repository-sim-world.ts'

dialerRepositoryContract('simulated', async () => simDialerRepositoryWorld(1))
dialerRepositoryContract('simulated, far away', async () => simDialerRepositoryWorld(2, { latencyMs: [1, 150] }))
dialerRepositoryContract('simulated, without any delay', async () => simDialerRepositoryWorld(3, { latencyMs: [0, 0] }))
