/** Runs the jobs of the pacing benchmark on all cores, and keeps each result: an interrupted run can be resumed. */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import type { PacingJob } from './pacing-matrix.ts'
import type { PacingApi, PacingOutcome } from './processes/pacing-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What figures depend on: a change in any of these files makes kept figures worthless. */
const SOURCES = [
  'src/pacing-sim/**/*.ts',
  'src/dialer/**/*.ts',
  'bench/policies.ts',
  'bench/look-ahead.ts',
  'bench/peers/*.ts',
  'src/acd/assign-rung-agents.ts',
  'bench/pacing/*.yaml',
]

/** A job and what it came to. */
export interface PacingRun {
  readonly job: PacingJob
  readonly outcome: PacingOutcome
}

/** Runs what is not kept yet, the dearest first. `directory` keeps figures from run to run. */
export async function runAll(
  jobs: readonly PacingJob[],
  directory: string,
  onLine: (line: string) => void,
): Promise<PacingRun[]> {
  const kept = join(directory, sourcesHash())
  mkdirSync(kept, { recursive: true })
  const runs = new Map<PacingJob, PacingOutcome>()
  for (const job of jobs) {
    const outcome = readKept(join(kept, nameOf(job)))
    if (outcome) runs.set(job, outcome)
  }
  const left = jobs.filter((job) => !runs.has(job)).sort((a, b) => costOf(b) - costOf(a))
  if (runs.size > 0) onLine(`pacing: ${runs.size} of ${jobs.length} runs are there from before`)
  const works = Array.from({ length: Math.min(left.length, availableParallelism()) }, async () => {
    const child = startChild<PacingApi>('pacing-process.ts')
    for (let job = left.shift(); job; job = left.shift()) {
      const outcome = await child.ask('run', job)
      writeFileSync(join(kept, nameOf(job)), JSON.stringify(outcome))
      runs.set(job, outcome)
      onLine(`pacing: ${runs.size} of ${jobs.length}: ${told(job, outcome)}`)
    }
    await child.end()
  })
  await Promise.all(works)
  return jobs.map((job) => ({ job, outcome: runs.get(job)! }))
}

function told({ file, agents, policy }: PacingJob, { summary, cpuS }: PacingOutcome): string {
  const { occupancyPct, abandonedPct } = summary
  const figures = `${occupancyPct.toFixed(2)} % busy, ${abandonedPct.toFixed(2)} % abandoned`
  return `${file}, ${agents} agents, ${policy}: ${figures} (${cpuS.toFixed(1)} s)`
}

function nameOf({ file, agents, policy, days }: PacingJob): string {
  return `${file}-${agents}-${policy}-${days}.json`
}

function costOf({ agents, days }: PacingJob): number {
  return agents * days
}

function readKept(path: string): PacingOutcome | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PacingOutcome
  } catch {
    return undefined
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) hash.update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}
