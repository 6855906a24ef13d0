/** Removes what an earlier demo left, including its database. */
import { mkdirSync, rmSync } from 'node:fs'
import { RealClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { databasePlace } from '../src/store/db/database-location.ts'
import { EmbeddedPostgres } from '../src/store/db/embedded-postgres.ts'
import { embeddedServer } from '../src/store/db/open-database.ts'

/** Removes a demo's folder and its database, wherever that is. */
export async function cleanStart(directory: string): Promise<void> {
  // The place of the database depends on the permissions of the folder.
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const place = { dataDirectory: directory, clock: new RealClock(), log: silentLog, onLine: () => {} }
  const server = await embeddedServer(place)
  if (server instanceof EmbeddedPostgres) {
    await server.stop()
    rmSync(databasePlace(directory, process.getuid?.() ?? -1).cluster, { recursive: true, force: true })
  }
  rmSync(directory, { recursive: true, force: true })
}
