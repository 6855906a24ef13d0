import { tracePlaces } from '../../adapters/files/erase-files.ts'
import { openFileStore } from '../../adapters/files/file-store.ts'
import { keptBytes } from '../../adapters/files/stored-bytes.ts'
import { storedPlaces } from '../../app/engine-storage.ts'
import { sweepOrphans } from '../../core/workers/retention-worker.ts'
import { RealClock } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import { systemSecretBytes } from '../../kernel/secret-bytes.ts'
import { postgresPrivacy } from '../../store/admin/privacy.ts'
import type { CliContext } from '../place/cli-context.ts'
import { runDirectoryOf } from '../place/data-place.ts'
import { withDatabase } from '../place/with-database.ts'

const MEGABYTE = 1024 * 1024

interface QuarantineOrder {
  readonly json?: boolean
  readonly sweep?: boolean
}

/** `switchboard quarantine`: lists, and with `sweep` fills it first. */
export async function showQuarantine(
  { json = false, sweep = false }: QuarantineOrder,
  { settings, write }: CliContext,
): Promise<number> {
  const { dataDir } = settings
  const clock = new RealClock()
  const log = makeLog('warn', { write: (line) => void process.stderr.write(line) })
  const places = storedPlaces(settings, runDirectoryOf(settings))
  const fileStore = await openFileStore({
    directory: places.filesDirectory,
    clock,
    secretBytes: systemSecretBytes,
    log,
  })
  const bytes = keptBytes({ ...places, fileStore, ...tracePlaces(dataDir) })
  if (sweep) {
    const status = await withDatabase({ settings, write }, async ({ pools, nowMs }) => {
      const files = await sweepOrphans({ privacy: postgresPrivacy(pools), bytes, log }, nowMs, true)
      write(`${files} files went into quarantine`)
      return 0
    })
    if (status !== 0) return status
  }
  const found = await bytes.quarantine.list()
  if (json) {
    write(JSON.stringify(found.map(({ takenAtMs, ...one }) => ({ ...one, takenAt: dayOf(takenAtMs) }))))
    return 0
  }
  for (const { takenAtMs, sizeBytes, path, origin } of found) {
    write(`${dayOf(takenAtMs)}  ${(sizeBytes / MEGABYTE).toFixed(1)} MB  ${path}  was ${origin}`)
  }
  write(found.length === 0 ? 'the quarantine is empty' : `${found.length} files; move those back that you need`)
  return 0
}

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
