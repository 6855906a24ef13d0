/** Where a command works. The service may run with other settings, in another terminal. */
import { resolve } from 'node:path'
import { runningService } from '../../app/pid-file.ts'
import type { Settings } from '../../app/settings.ts'

type Place = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** The database of these settings, in words. */
export function databaseOf({ dataDir, databaseUrl }: Place): string {
  return databaseUrl === undefined ? `the database in ${dataDir}` : 'the database of DATABASE_URL'
}

/** Where the Asterisk that the service runs itself has its files; undefined if it runs none. */
export function runDirectoryOf({ dataDir, ari, pbx }: Pick<Settings, 'dataDir' | 'ari' | 'pbx'>): string | undefined {
  return ari || pbx === 'simulated' ? undefined : resolve(dataDir, 'asterisk-run')
}

/** For whoever forgot the settings of the service; undefined beside a running one, and with a database server. */
export function remarkOnPlace(done: 'read from' | 'written to', place: Place): string | undefined {
  const { dataDir, databaseUrl } = place
  if (databaseUrl !== undefined || runningService(dataDir) !== undefined) return undefined
  const remedy = 'if yours has another one, set DATA_DIR or DATABASE_URL as for it'
  return `${done} ${databaseOf(place)}; no service runs on it: ${remedy}`
}
