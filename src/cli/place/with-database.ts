import { resolve } from 'node:path'
import { RealClock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { type SecretBytes, systemSecretBytes } from '../../kernel/secret-bytes.ts'
import type { CredentialRepository } from '../../ports/credentials.ts'
import type { Directory } from '../../ports/directory.ts'
import { postgresAccess } from '../../store/access/credentials.ts'
import { postgresDirectory } from '../../store/access/directory.ts'
import type { Refusal } from '../../store/db/embedded-postgres.ts'
import { isBehind } from '../../store/db/migrate.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../store/db/open-database.ts'
import type { Pools } from '../../store/db/pools.ts'
import { servedBy } from '../../store/nodes/single-node-guard.ts'
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

/** The database of these settings, whether the service runs or not. */
export function openAt(
  { settings: { dataDir, databaseUrl }, write }: CliContext,
  options: Pick<DatabaseOptions, 'before' | 'migrations'>,
): Promise<Database | Refusal> {
  const place = { dataDirectory: resolve(dataDir), ...(databaseUrl !== undefined && { databaseUrl }) }
  return openDatabase({ ...place, ...options, clock: new RealClock(), log: silentLog, onLine: write })
}

/** Opens it for `work`, and resolves with the exit status of that. */
export async function withDatabase(where: CliContext, work: (registry: Registry) => Promise<number>): Promise<number> {
  const { settings, write } = where
  const database = await openAt(where, { before: whyLeftAsItIs })
  if (!database.ok) {
    write(`${database.why}\n${database.remedy}`)
    return 1
  }
  try {
    const directory = postgresDirectory(database.pools)
    const nowMs = new RealClock().nowMs()
    const corporation = await directory.ensureCorporation(settings.corporation, nowMs)
    const credentials = postgresAccess(database.pools)
    const { pools } = database
    return await work({ directory, credentials, pools, secretBytes: systemSecretBytes, corporation, nowMs })
  } finally {
    await database.close()
  }
}

/** Its statements would meet tables that it does not know. */
async function whyLeftAsItIs(pools: Pools): Promise<Refusal | undefined> {
  const served = (await isBehind(pools)) ? await servedBy(pools) : undefined
  const remedy = 'run the commands of that version, or stop the service and start this version'
  return served === undefined
    ? undefined
    : { ok: false, why: `the tables are those of an older version, and ${served}`, remedy }
}
