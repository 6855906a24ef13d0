import { readFileSync } from 'node:fs'
import { runningService } from '../app/pid-file.ts'
import { appliedFile, readDesired } from '../app/read-installation.ts'
import { loadConfig } from '../installation/applied-config.ts'
import { formatChanges, needsRestart, planChanges } from '../installation/config-diff.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { CliContext } from './flow-check.ts'

/** Shows what differs from the configuration in force, then signals the service (SIGHUP) unless there is an error. */
export async function applyCommand({
  settings,
  env,
  write,
  dryRun,
}: CliContext & { dryRun: boolean }): Promise<number> {
  const { installation: config, problems } = readDesired(settings, env)
  for (const problem of problems) write(formatProblem(problem))
  if (!config) {
    write('nothing is applied; correct the errors above')
    return 1
  }
  const before = inForce(appliedFile(settings))
  write(formatChanges(planChanges(before, config)))
  const fixed = before ? needsRestart(before, config) : []
  if (fixed.length > 0) write(`${fixed.join(', ')}: restart the service to apply`)
  if (dryRun) return 0
  const service = runningService(settings.dataDir)
  if (service === undefined) {
    write('the service does not run; it applies this configuration when it starts')
    return 0
  }
  process.kill(service, 'SIGHUP')
  write(`the service (process ${service}) was notified; its log says when the configuration is in force`)
  return 0
}

function inForce(file: string) {
  try {
    return loadConfig(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
