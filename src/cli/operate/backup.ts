import { closeSync, cpSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { storedPlaces } from '../../app/engine-storage.ts'
import { RealClock } from '../../kernel/clock.ts'
import { dumpDatabase } from '../../store/nodes/dump.ts'
import { installationOf } from '../../store/nodes/installation-id.ts'
import type { CliContext } from '../place/cli-context.ts'
import { databaseOf, runDirectoryOf } from '../place/data-place.ts'
import { openAt } from '../place/with-database.ts'
import { KEPT, type Manifest, makeWorkFolder, pack } from './archive.ts'

const MEGABYTE = 1024 * 1024

/** `switchboard backup`: database, files, recordings, journal and set-up in one archive, also while calls go on. */
export async function backup(archive: string, { settings, write }: CliContext): Promise<number> {
  const { dataDir, setupFile, flowsDir } = settings
  const work = makeWorkFolder(dataDir)
  const unfinished = `${archive}.part`
  mkdirSync(join(work, 'database'))
  // A new version may be here already: the backup is the way back from it.
  const opened = await openAt({ settings, write }, { migrations: [] })
  try {
    if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
    const { pools } = opened
    const database = await dumpDatabase(pools, join(work, 'database'), new RealClock().nowMs())
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0)
    write(`${databaseOf(settings)}: ${database.tables.length} tables, ${rows} rows`)
    const { recordingsDirectory } = storedPlaces(settings, runDirectoryOf(settings))
    const setup = { file: basename(setupFile), flows: basename(resolve(flowsDir)) }
    mkdirSync(join(work, 'setup'))
    for (const [from, name] of [
      [setupFile, setup.file],
      [flowsDir, setup.flows],
    ] as const) {
      cpSync(from, join(work, 'setup', name), { recursive: true, force: true })
    }
    const installation = await installationOf(pools)
    const manifest: Manifest = { installation, database, recordings: basename(recordingsDirectory), setup }
    writeFileSync(join(work, 'backup.json'), JSON.stringify(manifest))
    // After the database: every file that it names is there, unless its time was over meanwhile.
    const ours = ['backup.json', 'database', 'setup'].map((name) => join(work, name))
    makePrivate(unfinished)
    await pack(unfinished, [...ours, ...KEPT.map((name) => resolve(dataDir, name)), recordingsDirectory])
    renameSync(unfinished, archive)
    write(`${archive}: ${(statSync(archive).size / MEGABYTE).toFixed(1)} MB; it holds personal data: keep it as such`)
    return 0
  } catch (error) {
    write(`no backup was made: ${(error as Error).message}`)
    return 1
  } finally {
    if (opened.ok) await opened.close()
    rmSync(work, { recursive: true, force: true })
    rmSync(unfinished, { force: true })
  }
}

/** tar writes into it: a file that tar makes itself can be read by every user of the machine. */
function makePrivate(path: string): void {
  rmSync(path, { force: true })
  closeSync(openSync(path, 'wx', 0o600))
}
