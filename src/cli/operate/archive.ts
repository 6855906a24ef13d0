/** The one file of a backup: a compressed tar, made and read by the `tar` of the system (storage-09). */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
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
/** They may be shorter than at the backup: what was written since is not in them any more. */
const SHRINK: readonly string[] = ['spool', 'quarantine']
/** `-rw------- owner/group 123 2026-11-30 01:23 files/ab/name` */
const LISTED = /^\S+ \S+ +(\d+) \S+ \S+ (.+)$/

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

/**
 * Unpacks these names, as far as the archive has them. What is there already stays as it is, but for the beginnings of
 * files that an interrupted restore has left.
 */
export async function unpack(archive: string, names: readonly string[], folder: string, isStripped = false) {
  const packed = new Set<string>()
  await eachFile(archive, (path, bytes) => {
    const [name = '', ...rest] = path.split('/')
    packed.add(name)
    if (!names.includes(name) || SHRINK.includes(name) || rest.includes('..')) return
    removeShorter(join(folder, ...(isStripped ? rest : [name, ...rest])), bytes)
  })
  const there = names.filter((name) => packed.has(name))
  if (there.length === 0) return
  const strip = isStripped ? ['--strip-components=1'] : []
  await tar(['--extract', '--gzip', '--file', archive, '--skip-old-files', '--directory', folder, ...strip, ...there])
}

function removeShorter(file: string, bytes: number): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isFile() && found.size < bytes) rmSync(file)
}

/** While tar reads them: a year of recordings is millions of lines. Folders have 0 bytes. */
async function eachFile(archive: string, found: (path: string, bytes: number) => void): Promise<void> {
  const child = spawn('tar', ['--list', '--verbose', '--gzip', '--file', archive], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const read = async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, bytes, path] = LISTED.exec(line) ?? []
      if (path !== undefined) found(path, Number(bytes))
    }
  }
  try {
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr), read()])
    if (code !== 0) throw Object.assign(new Error(`it ended with ${code}`), { stderr })
  } catch (error) {
    throw inWords(error)
  }
}

/** Rejects with what tar complains about. */
async function tar(args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)('tar', args)
  } catch (error) {
    const isFine = (error as { code?: unknown }).code === CHANGED_MEANWHILE && args[0] === '--create'
    if (!isFine) throw inWords(error)
  }
}

function inWords(error: unknown): Error {
  const { code, stderr } = error as { code?: unknown; stderr?: string }
  if (code === 'ENOENT') return new Error('there is no program "tar"; install it')
  return new Error(`tar: ${(stderr || String(error)).trim()}`)
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
