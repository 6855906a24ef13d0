import { readFileSync } from 'node:fs'
import type { Clock } from '../src/kernel/clock.ts'
import { waitUntil } from './wait.ts'

/** SIGTERM takes Asterisk about two seconds; much longer, and it hangs. */
const STOP_LIMIT_MS = 10_000
const KILL_LIMIT_MS = 5_000

/** A process that may have been started by someone else, known by its number and by a word of its command line. */
export interface KnownProcess {
  readonly pid: number
  readonly marker: string
}

/**
 * Whether the process still runs. Its command line is read from /proc, which answers three questions at once: a dead
 * process has none, a zombie an empty one, and a stranger who got the number of a dead one another.
 */
export function isRunning({ pid, marker }: KnownProcess): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(marker)
  } catch {
    return false
  }
}

/** Asks it to end, and ends it when it does not within ten seconds. Harmless when it is gone. */
export async function stopProcess(known: KnownProcess, clock: Clock): Promise<void> {
  signal(known, 'SIGTERM')
  if (!(await isGone(known, clock, STOP_LIMIT_MS))) await killProcess(known, clock)
}

/** Ends it at once: its calls get no goodbye. For tests. */
export async function killProcess(known: KnownProcess, clock: Clock): Promise<void> {
  signal(known, 'SIGKILL')
  await isGone(known, clock, KILL_LIMIT_MS)
}

function signal(known: KnownProcess, name: NodeJS.Signals): void {
  try {
    if (isRunning(known)) process.kill(known.pid, name)
  } catch {
    // It ended between the question and the signal, which is what was wished.
  }
}

function isGone(known: KnownProcess, clock: Clock, limitMs: number): Promise<boolean> {
  return waitUntil(clock, () => !isRunning(known), { everyMs: 20, limitMs })
}
