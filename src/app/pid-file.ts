import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A data directory is ours until released, or a live process has it. */
export type Claim = { readonly release: () => void } | { readonly takenBy: number }

/** By what `switchboard apply` asks for the new configuration. A kept demo ends with its terminal, which is SIGHUP. */
type ApplySignal = 'SIGHUP' | 'SIGUSR2'

/** The process that serves this data directory; undefined if the one that wrote the file has died. */
export function runningService(dataDir: string): number | undefined {
  const [pid, started] = textOf(fileIn(dataDir)).split('\n')
  const number = Number(pid)
  // Process ids are reused: only the writer of the file has both its id and its start time.
  return Number.isInteger(number) && number > 1 && started !== '' && startOf(number) === started ? number : undefined
}

/** What the service of this data directory wants as a sign to apply; files of older ones do not say. */
export function applySignalOf(dataDir: string): ApplySignal {
  return textOf(fileIn(dataDir)).split('\n')[2] === 'SIGUSR2' ? 'SIGUSR2' : 'SIGHUP'
}

/** Claims the data directory for this process; two services would compete for the switch. Throws if it cannot write. */
export function claimService(dataDir: string, applySignal: ApplySignal = 'SIGHUP'): Claim {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const text = `${process.pid}\n${startOf(process.pid)}\n${applySignal}`
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(fileIn(dataDir), text, { flag: 'wx' })
      return { release: () => release(dataDir, text) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const takenBy = runningService(dataDir)
      if (takenBy !== undefined) return { takenBy }
      rmSync(fileIn(dataDir), { force: true })
    }
  }
  throw new Error(
    `${fileIn(dataDir)} reappears after each removal: another service is starting; stop it, or set another DATA_DIR`,
  )
}

function release(dataDir: string, text: string): void {
  if (textOf(fileIn(dataDir)) === text) rmSync(fileIn(dataDir), { force: true })
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'service.pid')
}

/** Start time of a process in kernel ticks (proc(5), field 22); '' if there is no such process. */
function startOf(pid: number): string {
  return textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19] ?? ''
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
