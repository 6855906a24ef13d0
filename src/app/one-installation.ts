/** A database and a data directory of different installations never work together (storage-06). */
import { installationIn, keepInstallation } from '../adapters/files/installation-file.ts'
import type { Refusal } from '../store/db/embedded-postgres.ts'
import type { Pools } from '../store/db/pools.ts'
import { installationOf } from '../store/nodes/installation-id.ts'
import type { Settings } from './settings.ts'

/** The refusal, if they differ. A directory without an id takes the one of the database. */
export async function refuseForeign(
  { dataDir }: Pick<Settings, 'dataDir'>,
  pools: Pick<Pools, 'jobs'>,
): Promise<Refusal | undefined> {
  const [ofFiles, ofDatabase] = [installationIn(dataDir), await installationOf(pools)]
  if (ofFiles === undefined) keepInstallation(dataDir, ofDatabase)
  if (ofFiles === undefined || ofFiles === ofDatabase) return undefined
  return {
    ok: false,
    why: `DATA_DIR (${dataDir}) belongs to installation ${ofFiles}, and the database to installation ${ofDatabase}`,
    remedy: 'set the DATABASE_URL and DATA_DIR of one installation; `switchboard adopt` joins the two on purpose',
  }
}
