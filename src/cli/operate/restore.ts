import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installationIn } from '../../adapters/files/installation-file.ts'
import { storedPlaces } from '../../app/engine-storage.ts'
import { runningService } from '../../app/pid-file.ts'
import { RealClock } from '../../kernel/clock.ts'
import type { Refusal } from '../../store/db/embedded-postgres.ts'
import { emptyDatabase } from '../../store/db/empty-database.ts'
import { migrate, unknownMigrations } from '../../store/db/migrate.ts'
import type { Pools } from '../../store/db/pools.ts'
import { type DumpContents, loadDump } from '../../store/nodes/dump.ts'
import { contentOf } from '../../store/nodes/installation-id.ts'
import { markRestored } from '../../store/nodes/restored.ts'
import { servedBy } from '../../store/nodes/single-node-guard.ts'
import type { CliContext } from '../place/cli-context.ts'
import { databaseOf, runDirectoryOf } from '../place/data-place.ts'
import { openAt } from '../place/with-database.ts'
import { KEPT, type Manifest, makeWorkFolder, unpack } from './archive.ts'

/**
 * `switchboard restore`: fills an empty database, or with `replaces` any, and puts back the files that are missing.
 * Afterwards the kill switch is on, and the database is to be confirmed.
 */
export async function restore(archive: string, replaces: boolean, { settings, write }: CliContext): Promise<number> {
  const { dataDir } = settings
  const refuse = (why: string) => {
    write(`nothing was restored: ${why}`)
    return 1
  }
  if (runningService(dataDir) !== undefined) return refuse(`a service runs in ${dataDir}; stop it first`)
  if (!existsSync(archive)) return refuse(`there is no file ${archive}`)
  const work = makeWorkFolder(dataDir)
  try {
    await unpack(archive, ['backup.json', 'database', 'setup'], work)
    if (!existsSync(join(work, 'backup.json'))) return refuse(`${archive} is no archive of \`switchboard backup\``)
    const manifest = JSON.parse(readFileSync(join(work, 'backup.json'), 'utf8')) as Manifest
    const ours = installationIn(dataDir)
    if (ours !== undefined && ours !== manifest.installation) {
      return refuse(`it is a backup of installation ${manifest.installation}, and ${dataDir} belongs to ${ours}`)
    }
    const why = await restoreDatabase(join(work, 'database'), manifest, replaces, { settings, write })
    if (why !== undefined) return refuse(why)
    try {
      await restoreFiles(archive, manifest, { settings, write })
      restoreSetup(join(work, 'setup'), manifest, { settings, write })
    } catch (error) {
      write(`the files were not all restored: ${(error as Error).message}; ${HALF} with --replace once that is mended`)
      return 1
    }
    write('the kill switch is on, and nothing is dialed before `switchboard restore confirm`; start the service now')
    return 0
  } catch (error) {
    return refuse((error as Error).message)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Neither what was there before nor what the archive has. */
const HALF = 'the database has the rows of the backup, with the kill switch on: restore again'

/** Why it could not be done, if it could not. */
async function restoreDatabase(
  folder: string,
  { database: dump }: Manifest,
  replaces: boolean,
  { settings, write }: CliContext,
): Promise<string | undefined> {
  const before = async (pools: Pools) => {
    const refused = await whyNotRestored(pools, dump)
    if (!refused && replaces) await emptyDatabase(pools)
    return refused
  }
  const database = await openAt({ settings, write }, { migrations: dump.migrations, before })
  if (!database.ok) return `${database.why}; ${database.remedy}`
  try {
    const { tasks, calls, files } = await contentOf(database.pools)
    if (tasks + calls + files > 0) {
      const held = `${tasks} call tasks, ${calls} calls, ${files} files`
      return `${databaseOf(settings)} is not empty (${held}); --replace deletes what it holds`
    }
    try {
      await loadDump(database.pools, folder, dump)
    } catch (error) {
      return `${(error as Error).message}; ${databaseOf(settings)} is empty now: restore a whole archive`
    }
    const problem = await migrate(database.pools)
    if (problem) return `${problem.why}; ${HALF} with --replace once that is mended`
    await markRestored(database.pools, dump.takenAtMs, new RealClock().nowMs())
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0)
    write(`${databaseOf(settings)}: ${rows} rows as of ${new Date(dump.takenAtMs).toISOString()}`)
    return undefined
  } finally {
    await database.close()
  }
}

/** Found out before anything is deleted. */
async function whyNotRestored(pools: Pools, { migrations }: DumpContents): Promise<Refusal | undefined> {
  const [strange] = await unknownMigrations(migrations)
  const why = strange && `this version does not know the migration ${strange} of the backup`
  if (why) return { ok: false, why, remedy: 'nothing was changed; use the version that made it' }
  const served = await servedBy(pools)
  return served === undefined ? undefined : { ok: false, why: served, remedy: 'nothing was changed; stop it first' }
}

/** What is there is newer, or the same. */
async function restoreFiles(archive: string, manifest: Manifest, { settings, write }: CliContext): Promise<void> {
  const { recordingsDirectory } = storedPlaces(settings, runDirectoryOf(settings))
  mkdirSync(recordingsDirectory, { recursive: true, mode: 0o700 })
  await unpack(archive, KEPT, resolve(settings.dataDir))
  await unpack(archive, [manifest.recordings], recordingsDirectory, true)
  write(`${settings.dataDir}: files, recordings, journal; what was there stayed as it was`)
}

/** Only where there is none. */
function restoreSetup(folder: string, { setup }: Manifest, { settings, write }: CliContext): void {
  for (const [name, target] of [
    [setup.file, settings.setupFile],
    [setup.flows, settings.flowsDir],
  ] as const) {
    if (existsSync(target)) continue
    cpSync(join(folder, name), target, { recursive: true })
    write(`${target}: as it was at the backup`)
  }
}
