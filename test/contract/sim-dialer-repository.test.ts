import { recordsContract } from './dialer-repository.contract.ts'
import { simRecordsWorld } from './dialer-repository-sim-world.ts'

recordsContract('simulated', async () => simRecordsWorld(1))
recordsContract('simulated, far away', async () => simRecordsWorld(2, { latencyMs: [1, 150] }))
recordsContract('simulated, without any delay', async () => simRecordsWorld(3, { latencyMs: [0, 0] }))
