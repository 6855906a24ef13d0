import { silentLog } from '../../src/kernel/log.ts'
import { inProcessLive } from '../../src/live/in-process-live.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { liveContract } from './live.contract.ts'

liveContract('in one process', async () => {
  const clock = new VirtualClock()
  const live = inProcessLive(clock, silentLog)
  return { live, nowMs: () => clock.nowMs(), pass: () => clock.run(50), end: () => live.close() }
})
