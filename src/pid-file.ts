import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The service that runs in this data directory, or undefined. A file left by one that died counts as nothing. */
export function runningService(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(fileIn(dataDir), 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

/** Says that this process serves the data directory. Two would fight for the same switch. */
export function claimService(dataDir: string): { release(): void } | { readonly takenBy: number } {
  const takenBy = runningService(dataDir)
  if (takenBy !== undefined && takenBy !== process.pid) return { takenBy }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(fileIn(dataDir), String(process.pid))
  return { release: () => rmSync(fileIn(dataDir), { force: true }) }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'service.pid')
}
