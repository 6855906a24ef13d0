import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What came of claiming a data directory: it is ours until released, or a living process has it. */
export type Claim = { readonly release: () => void } | { readonly takenBy: number }

/** The process that serves this data directory, or undefined. A file left by one that died counts as nothing. */
export function runningService(dataDir: string): number | undefined {
  const [pid, started] = textOf(fileIn(dataDir)).split('\n')
  const number = Number(pid)
  // Numbers are used again: only the process that wrote the file has both its number and its beginning.
  return Number.isInteger(number) && number > 1 && started !== '' && startOf(number) === started ? number : undefined
}

/** Says that this process serves the data directory; two would fight for the switch. Throws when it cannot write. */
export function claimService(dataDir: string): Claim {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const text = `${process.pid}\n${startOf(process.pid)}`
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
  throw new Error(`${fileIn(dataDir)} comes back as often as it is removed; another service starts at this moment`)
}

function release(dataDir: string, text: string): void {
  if (textOf(fileIn(dataDir)) === text) rmSync(fileIn(dataDir), { force: true })
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'service.pid')
}

/** When a process began, in the kernel's ticks (proc(5), field 22); '' when there is no such process. */
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
