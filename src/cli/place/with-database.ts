import { resolve } from 'node:path'
import { RealClock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type SecretBytes, systemSecretBytes } from '../../kernel/secret-bytes.ts'
import type { CredentialRepository } from '../../ports/credentials.ts'
import type { Directory } from '../../ports/directory.ts'
import { postgresAccess } from '../../store/access/credentials.ts'
import { postgresDirectory } from '../../store/access/directory.ts'
import { openDatabase } from '../../store/db/open-database.ts'
import type { Pools } from '../../store/db/pools.ts'
import type { CliContext } from './cli-context.ts'

export interface Registry {
  readonly directory: Directory
  readonly credentials: CredentialRepository
  readonly secretBytes: SecretBytes
  readonly pools: Pools
  /** The first corporation; it is created if it does not exist. */
  readonly corporation: CorporationId
  readonly nowMs: number
}

/** Opens the database, whether the service runs or not; resolves with the exit status of `work`. */
export async function withDatabase(
  { settings, write }: Pick<CliContext, 'settings' | 'write'>,
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
    const directory = postgresDirectory(database.pools)
    const nowMs = clock.nowMs()
    const corporation = await directory.ensureCorporation(settings.corporation, nowMs)
    const credentials = postgresAccess(database.pools)
    const { pools } = database
    return await work({ directory, credentials, pools, secretBytes: systemSecretBytes, corporation, nowMs })
  } finally {
    await database.close()
  }
}
