import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from './write-config.ts'

const LOG_LINES_TOLD = 15

/** A larger log is rotated at the next start; Asterisk itself rotates at 1 GB only. */
const LOG_BYTES_MAX = 20_000_000

/** The last log lines of a switch, for the operator. */
export function lastLogLines(runDirectory: string): string {
  // Asterisk writes early errors to its output and later ones to its log, and many to both.
  const lines = ['messages', 'console'].flatMap((name) => (textOf(join(runDirectory, 'log', name)) ?? '').split('\n'))
  return [...new Set(lines.filter((line) => line.trim() !== ''))].slice(-LOG_LINES_TOLD).join('\n')
}

/** Renames large logs to `….1`, replacing the ones before. */
export function limitLogs(runDirectory: string): void {
  for (const name of ['messages', 'security']) {
    const file = join(runDirectory, 'log', name)
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (bytes > LOG_BYTES_MAX) renameSync(file, `${file}.1`)
  }
}
