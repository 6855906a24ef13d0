import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { installTestTree } from './support/test-tree.ts'

/** Files in memory, on most Linux systems. */
const MEMORY = '/dev/shm'
/** A run keeps far less there; what else runs on the machine must not feel it. */
const ROOM_BYTES = 4 * 1024 ** 3

/** Shared by every test: the programs of the real telephones, a folder for temporary ones, and a database server. */
export async function setup(): Promise<() => Promise<void>> {
  await installTestTree()
  return lendPostgres()
}

/**
 * A folder for the temporary ones and for the one embedded PostgreSQL of this run, which the first test that needs a
 * database starts. Returns what stops and removes it.
 */
export function lendPostgres(): () => Promise<void> {
  const directory = mkdtempSync(join(takesPrograms(MEMORY) ? MEMORY : tmpdir(), 'sb-'))
  // As root, PostgreSQL runs under another user, who needs access.
  chmodSync(directory, 0o755)
  process.env['TMPDIR'] = directory
  process.env['SWITCHBOARD_TEST_POSTGRES'] = directory
  return async () => {
    if (existsSync(join(directory, 'data'))) {
      const { embeddedOf } = await import('./store/db/database.ts')
      await (await embeddedOf(directory)).stop()
    }
    rmSync(directory, { recursive: true, force: true, maxRetries: 9 })
  }
}

/**
 * Whether a folder of files in memory has room for a run, and lets programs be started: every place of a service has
 * a PostgreSQL of its own. On a disk, a database takes three times the processor's time, and every commit waits.
 */
function takesPrograms(folder: string): boolean {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === folder)
  if (mounted === undefined || mounted.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM_BYTES && freemem() > ROOM_BYTES
}
