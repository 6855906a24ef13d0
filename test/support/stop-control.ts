import type { AtMs } from '../../src/kernel/clock.ts'
import type { CorporationId } from '../../src/kernel/ids.ts'
import type { DialerRepository, Stop } from '../../src/ports/dialer-repository.ts'
import type { Pools } from '../../src/store/db/pools.ts'
import { postgresDialerAdmin } from '../../src/store/dialer/dialer-admin-repository.ts'
import { postgresDialerRepository } from '../../src/store/dialer/dialer-repository.ts'

/** The dialer's database, and what REST does to its stop lists, for one entry at a time. */
export interface DialerRepositoryWithStops extends DialerRepository {
  addStop(corporation: CorporationId, stop: Stop, atMs: AtMs): Promise<void>
  /** Whether there was such a stop. */
  removeStop(corporation: CorporationId, stop: Stop): Promise<boolean>
}

/** PostgreSQL, by the statements that REST uses. */
export function postgresWithStops(pools: Pools): DialerRepositoryWithStops {
  const admin = postgresDialerAdmin(pools)
  return {
    ...postgresDialerRepository(pools),
    addStop: (corporation, stop, atMs) => admin.addStops(corporation, [stop], { by: 'test', reason: null, atMs }),
    removeStop: async (corporation, stop) => (await admin.removeStops(corporation, [stop])) === 1,
  }
}
