import { resolve } from 'node:path'
import { RealClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { type SecretBytes, systemSecretBytes } from '../kernel/secret-bytes.ts'
import type { CorporationId } from '../ports/call-task.ts'
import type { Access } from '../ports/credentials.ts'
import type { People } from '../ports/directory.ts'
import { postgresAccess } from '../store/access/credentials.ts'
import { postgresPeople } from '../store/access/directory.ts'
import { openDatabase } from '../store/db/open-database.ts'
import type { Pools } from '../store/db/pools.ts'
import type { Doors } from './flow-check.ts'

/** What verbs about people and credentials work with. */
export interface Registry {
  readonly people: People
  readonly access: Access
  readonly secretBytes: SecretBytes
  readonly pools: Pools
  /** The first corporation, which is there from now on at the latest. */
  readonly corporation: CorporationId
  readonly nowMs: number
}

/** Opens the installation's database, with or without the service beside it; gives the exit status. */
export async function withDatabase(
  { settings, write }: Pick<Doors, 'settings' | 'write'>,
  work: (registry: Registry) => Promise<number>,
): Promise<number> {
  const clock = new RealClock()
  const { dataDir, databaseUrl } = settings
  const place = { dataDirectory: resolve(dataDir), ...(databaseUrl !== undefined && { databaseUrl }) }
  const database = await openDatabase({ ...place, clock, log: silentLog, onLine: write })
  if (!database.ok) {
    write(`${database.why}\n${database.remedy}`)
    return 1
  }
  try {
    const people = postgresPeople(database.pools)
    const nowMs = clock.nowMs()
    const corporation = await people.ensureCorporation(settings.corporation, nowMs)
    const access = postgresAccess(database.pools)
    const { pools } = database
    return await work({ people, access, pools, secretBytes: systemSecretBytes, corporation, nowMs })
  } finally {
    await database.close()
  }
}
