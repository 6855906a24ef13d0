/** A folder for files that no row of the database knows: `quarantine/<day>/<kind>/<name>` (storage-06). */
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { LeftBytes, Quarantine, QuarantinedBytes } from '../../ports/privacy.ts'
import { pathInStore } from './file-store.ts'

type Kind = keyof LeftBytes

/** Where the bytes are, and where the quarantine is to be. */
export interface QuarantinePlaces {
  readonly recordingsDirectory: string
  readonly filesDirectory: string
  readonly quarantineDirectory: string
}

const KINDS: readonly Kind[] = ['recordings', 'files']
const DAY_MS = 24 * 3_600_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** Days are those of UTC. */
export function quarantine({
  recordingsDirectory,
  filesDirectory,
  quarantineDirectory: directory,
}: QuarantinePlaces): Quarantine {
  const pathOf = (kind: Kind, name: string) =>
    kind === 'recordings' ? join(recordingsDirectory, name) : pathInStore({ directory: filesDirectory }, name)
  return {
    async take(left, atMs) {
      const day = new Date(atMs).toISOString().slice(0, 10)
      for (const kind of KINDS) {
        for (const name of left[kind]) await move(pathOf(kind, name), join(directory, day, kind, basename(name)))
      }
    },
    async list() {
      const found: QuarantinedBytes[] = []
      for (const day of await daysIn(directory)) {
        for (const kind of KINDS) {
          for (const name of (await namesIn(join(directory, day, kind))).sort()) {
            const path = join(directory, day, kind, name)
            const { size: sizeBytes } = await stat(path)
            found.push({ path, origin: pathOf(kind, name), sizeBytes, takenAtMs: Date.parse(day) })
          }
        }
      }
      return found
    },
    async forget(beforeAtMs) {
      let count = 0
      for (const day of await daysIn(directory)) {
        if (Date.parse(day) + DAY_MS > beforeAtMs) continue
        for (const kind of KINDS) count += (await namesIn(join(directory, day, kind))).length
        await rm(join(directory, day), { recursive: true, force: true })
      }
      return count
    },
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await rename(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    // Recordings may lie on a disk of their own.
    if (code !== 'EXDEV') throw error
    await copyFile(from, to)
    await rm(from)
  }
}

/** Folders of days, the oldest first. Others are not ours. */
async function daysIn(directory: string): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => DAY.test(name)).sort()
}

/** A missing folder is empty. */
async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
