import { readFileSync } from 'node:fs'
import { runningService } from '../app/pid-file.ts'
import { appliedFile, readDesired } from '../app/read-installation.ts'
import { loadConfig } from '../installation/applied-config.ts'
import { formatChanges, needsRestart, planChanges } from '../installation/config-diff.ts'
import { formatProblem } from '../kernel/problem.ts'
import type { CliContext } from './flow-check.ts'

/**
 * `switchboard apply`: shows what the set-up changes against the one in force, then asks the running service to
 * follow it (SIGHUP). Nothing is applied while anything in set-up or flows is an error.
 */
export async function applyCommand({
  settings,
  env,
  write,
  dryRun,
}: CliContext & { dryRun: boolean }): Promise<number> {
  const { setup: config, problems } = readDesired(settings, env)
  for (const problem of problems) write(formatProblem(problem))
  if (!config) {
    write('nothing is applied: mend the errors above')
    return 1
  }
  const before = inForce(appliedFile(settings))
  write(formatChanges(planChanges(before, config)))
  const fixed = before ? needsRestart(before, config) : []
  if (fixed.length > 0) write(`${fixed.join(', ')}: in force only when the service is started again`)
  if (dryRun) return 0
  const service = runningService(settings.dataDir)
  if (service === undefined) {
    write('the service does not run; it will follow this set-up when it starts')
    return 0
  }
  process.kill(service, 'SIGHUP')
  write(`the service (process ${service}) was told; its log says when the set-up is in force`)
  return 0
}

function inForce(file: string) {
  try {
    return loadConfig(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
