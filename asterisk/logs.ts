import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from './write-config.ts'

const LOG_LINES_TOLD = 15

/** A log larger than this is put aside at the next start; Asterisk itself would begin a new one at 1 GB only. */
const LOG_BYTES_MAX = 20_000_000

/** The last lines of a switch, for the person who wonders why it is not there. */
export function lastLogLines(runDirectory: string): string {
  // Asterisk tells early mistakes on its output and later ones in its log, and many in both.
  const lines = ['messages', 'console'].flatMap((name) => (textOf(join(runDirectory, 'log', name)) ?? '').split('\n'))
  return [...new Set(lines.filter((line) => line.trim() !== ''))].slice(-LOG_LINES_TOLD).join('\n')
}

/** Puts large logs aside under the name `….1`, where they replace the ones before. */
export function limitLogs(runDirectory: string): void {
  for (const name of ['messages', 'security']) {
    const file = join(runDirectory, 'log', name)
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (bytes > LOG_BYTES_MAX) renameSync(file, `${file}.1`)
  }
}
