/** Outcomes that the database could not take, in one file, line by line; each line is synced to disk at once. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import type { Spool } from '../../ports/spool.ts'

/** Our choice: some 100,000 entries. Further entries stay in memory, and the log says so. */
const BYTES_MAX = 64 * 2 ** 20

/** A spool file, readable by its owner only: it holds telephone numbers. Every start counts what was set aside. */
export function spoolFile(file: string, log: Log): Spool {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const refused = linesOf(refusedFile(file)).flatMap(entryOf).length
  if (refused > 0) {
    log.error({ entries: refused, file: refusedFile(file) }, 'entries that the database refused wait for an operator')
  }
  return {
    append: (entry) => appendLine(file, entry, log),
    setAside: (entry) => appendLine(refusedFile(file), entry, log),
    read: () => linesOf(file).flatMap(entryOf),
    clear: (but = []) => (but.length === 0 ? rmSync(file, { force: true }) : replaceLines(file, but, log)),
  }
}

/** Beside the spool: entries that the database refuses, for an operator to look at. */
export function refusedFile(file: string): string {
  return `${file}.refused`
}

function appendLine(file: string, entry: object, log: Log): void {
  try {
    if (bytesOf(file) > BYTES_MAX) throw new Error(`it has grown beyond ${BYTES_MAX} bytes`)
    const handle = openSync(file, 'a+', 0o600)
    try {
      appendFileSync(handle, `${endsInHalfALine(handle) ? '\n' : ''}${JSON.stringify(entry)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    log.error({ err: error, file }, 'an entry is in memory only: a crash before the database is back would lose it')
  }
}

/** In one step. Where it fails the old lines stay: every entry can be written twice. */
function replaceLines(file: string, entries: readonly object[], log: Log): void {
  const next = `${file}.next`
  try {
    writeFileSync(next, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600, flush: true })
    renameSync(next, file)
  } catch (error) {
    log.error({ err: error, file }, 'written entries stay in the spool: the next start writes them again')
  }
}

/** After a failed write, or a process that was killed: what follows must not become part of it. */
function endsInHalfALine(handle: number): boolean {
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && String(last) !== '\n'
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function linesOf(file: string): string[] {
  return bytesOf(file) === 0 ? [] : readFileSync(file, 'utf8').split('\n')
}

/** A crash may have cut off the last line: its write was never confirmed. */
function entryOf(line: string): object[] {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? [entry] : []
  } catch {
    return []
  }
}
