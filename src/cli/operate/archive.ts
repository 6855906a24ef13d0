/** The one file of a backup: a compressed tar, made and read by the `tar` of the system (storage-09). */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { DumpContents } from '../../store/nodes/dump.ts'

/** `backup.json` of an archive. */
export interface Manifest {
  readonly installation: string
  readonly database: DumpContents
  /** Name of the folder of recordings in the archive. */
  readonly recordings: string
  /** The names of the set-up file and of the folder of flows in `setup`. */
  readonly setup: { readonly file: string; readonly flows: string }
}

/** Folders and files of `DATA_DIR` that a backup has, beside the recordings. */
export const KEPT = ['files', 'journal', 'audit', 'spool', 'quarantine', 'installation'] as const

/** tar says 1 for "file changed as we read it": the journal grows, and a half line at its end is none. */
const CHANGED_MEANWHILE = 1
const OUTPUT_MAX = 64 * 1024 * 1024

/** Packs these paths under their last names. Paths that do not exist are left out. */
export async function pack(archive: string, paths: readonly string[]): Promise<void> {
  const there = paths.filter((path) => existsSync(path))
  const args = there.flatMap((path) => ['--directory', dirname(path), basename(path)])
  await tar([
    '--create',
    '--gzip',
    '--file',
    archive,
    '--warning=no-file-changed',
    '--warning=no-file-removed',
    ...args,
  ])
}

/** Unpacks these names, as far as the archive has them; what is there already stays as it is. */
export async function unpack(archive: string, names: readonly string[], folder: string, isStripped = false) {
  const packed = new Set((await list(archive)).map((path) => path.split('/')[0]!))
  const there = names.filter((name) => packed.has(name))
  if (there.length === 0) return
  const strip = isStripped ? ['--strip-components=1'] : []
  await tar(['--extract', '--gzip', '--file', archive, '--skip-old-files', '--directory', folder, ...strip, ...there])
}

async function list(archive: string): Promise<readonly string[]> {
  return (await tar(['--list', '--gzip', '--file', archive])).split('\n')
}

/** Its output. Rejects with what tar complains about. */
async function tar(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)('tar', args, { maxBuffer: OUTPUT_MAX })).stdout
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === CHANGED_MEANWHILE && args[0] === '--create') return ''
    if (code === 'ENOENT') throw new Error('there is no program "tar"; install it')
    throw new Error(`tar: ${(stderr || stdout || String(error)).trim()}`)
  }
}

/**
 * Makes the folder in which this process keeps what it is working on, for its owner alone. Takes those of killed ones
 * away: each holds a whole database.
 */
export function makeWorkFolder(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(dataDir)) {
    const owner = Number(/^backup-(\d+)$/.exec(name)?.[1])
    if (owner === process.pid || (owner && !isAlive(owner))) rmSync(join(dataDir, name), { recursive: true })
  }
  const folder = join(dataDir, `backup-${process.pid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
