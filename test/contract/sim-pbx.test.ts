import { pbxContract } from './pbx.contract.ts'
import { simWorld } from './sim-world.ts'

pbxContract('simulated', () => simWorld(1))
pbxContract('simulated, far away', () => simWorld(2, { latencyMs: [1, 150] }))
pbxContract('simulated, without any delay', () => simWorld(3, { latencyMs: [0, 0] }))
