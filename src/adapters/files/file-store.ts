import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import type { StorageName } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretBytes } from '../../kernel/secret-bytes.ts'
import type { BytesFromTo, FileStore, StoredBytes } from '../../ports/files.ts'

interface FileStoreDependencies {
  /** Used by this store only; created if missing. */
  readonly directory: string
  readonly clock: Clock
  readonly secretBytes: SecretBytes
  readonly log: Log
  /** The disk must have so much left for a file to be stored; default: nothing. */
  readonly freeBytesMin?: number
  /** For tests: what the disk has left; default: the system's word. */
  readonly freeBytes?: (directory: string) => Promise<number>
  /** For tests of disk errors; default: the system's. */
  readonly openFile?: typeof open
}

const NAME_BYTES = 20
/** A name that the store made: no folder, no dot, no way up (F-J7). */
const NAME = /^[0-9a-f]{40}$/
const UNFINISHED = '.part'
/** No write takes this long: older temporary files belong to a process that died. */
const LEFT_OVER_MS = 60 * 60_000
/** The disk is asked again after so many bytes of a file: others fill it meanwhile. */
const LOOK_BYTES = 1024 * 1024

/** Opens a store below one directory, and removes unfinished files. */
export async function openFileStore(dependencies: FileStoreDependencies): Promise<FileStore> {
  await mkdir(dependencies.directory, { recursive: true, mode: 0o700 })
  await sweep(dependencies)
  return {
    write: (bytes, sizeBytesMax) => write(dependencies, bytes, sizeBytesMax),
    read: (storage, range) => read(dependencies, storage, range),
    remove: async (storage) => {
      if (NAME.test(storage)) await rm(pathInStore(dependencies, storage), { force: true })
    },
  }
}

/** Two digits make a folder, to keep folders short enough to list. */
export function pathInStore({ directory }: Pick<FileStoreDependencies, 'directory'>, storage: string): string {
  return join(directory, storage.slice(0, 2), storage)
}

/** Writes under another name until all is on disk: readers never see half a file. */
async function write(
  dependencies: FileStoreDependencies,
  bytes: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<StoredBytes | 'too large' | 'disk full'> {
  const storage = dependencies.secretBytes(NAME_BYTES).toString('hex') as StorageName
  const path = pathInStore(dependencies, storage)
  const unfinished = path + UNFINISHED
  try {
    const written = await writeWhole(dependencies, unfinished, bytes, sizeBytesMax)
    if (written !== 'too large') {
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return { storage, ...written }
    }
    await rm(unfinished, { force: true })
    return written
  } catch (error) {
    await rm(unfinished, { force: true })
    if (!isFull(error)) throw error
    dependencies.log.error({ err: error }, 'file not stored: the disk is full; make room')
    return 'disk full'
  }
}

async function writeWhole(
  dependencies: FileStoreDependencies,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
): Promise<Omit<StoredBytes, 'storage'> | 'too large'> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await (dependencies.openFile ?? open)(path, 'wx', 0o600)
  try {
    const written = await pour(dependencies, file, bytes, sizeBytesMax)
    if (written !== 'too large') await file.sync()
    return written
  } finally {
    await file.close()
  }
}

/** The disk is full, or the user's quota is. */
function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code))
}

async function pour(
  dependencies: FileStoreDependencies,
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let nextLook = 0
  for await (const chunk of bytes) {
    if (sizeBytes >= nextLook) {
      await assertRoom(dependencies)
      nextLook = sizeBytes + LOOK_BYTES
    }
    sizeBytes += chunk.byteLength
    if (sizeBytes > sizeBytesMax) return 'too large'
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Database, journal and recordings need the rest of the disk: calls end without it (files-and-activities-15). */
async function assertRoom({ directory, freeBytesMin = 0, freeBytes = freeBytesOf }: FileStoreDependencies) {
  if (freeBytesMin === 0) return
  const free = await freeBytes(directory)
  if (free >= freeBytesMin) return
  const why = `the disk has ${free} bytes left, and ${freeBytesMin} are kept free (DISK_FREE_MIN_MB)`
  throw Object.assign(new Error(why), { code: 'ENOSPC' })
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** A new name survives a power cut only when its folder is on disk as well. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function read(dependencies: FileStoreDependencies, storage: StorageName, range: BytesFromTo | undefined) {
  if (!NAME.test(storage)) return undefined
  const path = pathInStore(dependencies, storage)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  // The stream closes the file, whether it was read to its end or not.
  return file?.createReadStream(range ? { start: range.from, end: range.to } : {})
}

async function sweep({ directory, clock, log }: FileStoreDependencies): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  let swept = 0
  for (const name of names.filter((each) => each.endsWith(UNFINISHED))) {
    const path = join(directory, name)
    const facts = await stat(path).catch(() => undefined)
    // Another process may be writing it.
    if (!facts?.isFile() || clock.nowMs() - facts.mtimeMs < LEFT_OVER_MS) continue
    await rm(path, { force: true })
    swept++
  }
  if (swept > 0) log.info({ files: swept }, 'removed unfinished files')
}
