import { readFileSync } from 'node:fs'
import type { Clock } from '../src/kernel/clock.ts'
import { waitUntil } from './wait.ts'

/** SIGTERM takes Asterisk about two seconds; after ten, it hangs. */
const STOP_LIMIT_MS = 10_000
const KILL_LIMIT_MS = 5_000

/** A process that may have another parent, known by its number and by a word of its command line. */
export interface KnownProcess {
  readonly pid: number
  readonly marker: string
}

/**
 * Whether the process still runs. Its command line in /proc answers three questions at once: a dead process has none, a
 * zombie an empty one, and another process with the same number a different one.
 */
export function isRunning({ pid, marker }: KnownProcess): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(marker)
  } catch {
    return false
  }
}

/** Sends SIGTERM, and SIGKILL after ten seconds. Harmless when the process is gone. */
export async function stopProcess(known: KnownProcess, clock: Clock): Promise<void> {
  signal(known, 'SIGTERM')
  if (!(await isGone(known, clock, STOP_LIMIT_MS))) await killProcess(known, clock)
}

/** Kills it at once: its calls get no goodbye. For tests. */
export async function killProcess(known: KnownProcess, clock: Clock): Promise<void> {
  signal(known, 'SIGKILL')
  await isGone(known, clock, KILL_LIMIT_MS)
}

function signal(known: KnownProcess, name: NodeJS.Signals): void {
  try {
    if (isRunning(known)) process.kill(known.pid, name)
  } catch {
    // It ended between the check and the signal.
  }
}

function isGone(known: KnownProcess, clock: Clock, limitMs: number): Promise<boolean> {
  return waitUntil(clock, () => !isRunning(known), { everyMs: 20, limitMs })
}
