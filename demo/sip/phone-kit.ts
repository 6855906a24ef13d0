import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { PhoneKit } from './sipp-phone.ts'

/** What phones in real time need. `sipp`: the path of SIPp. */
export function phoneKit(sipp: string, seed: number): PhoneKit {
  return { sipp, clock: new RealClock(), random: seededRandom(seed) }
}
