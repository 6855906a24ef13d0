import { readdirSync, readFileSync } from 'node:fs'
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
 * Whether the process still runs. Its command line in /proc tells a dead process, which has none, from another one with
 * the same number. One that ends has an empty one, and its sockets stay open until its last thread is gone.
 */
export function isRunning({ pid, marker }: KnownProcess): boolean {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    return commandLine === '' ? isEnding(pid) : commandLine.split('\0').includes(marker)
  } catch {
    return false
  }
}

/** Flag `PF_EXITING` of the kernel. Its own threads have no command line either, and live on. */
const EXITING = 0x4

/** A zombie of one thread has closed all that it had open. The fields follow the name, which may hold any character. */
function isEnding(pid: number): boolean {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  if ((Number(fields[6]) & EXITING) === 0) return false
  return fields[0] !== 'Z' || readdirSync(`/proc/${pid}/task`).length > 1
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
