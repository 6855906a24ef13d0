import { readFileSync } from 'node:fs'
import { newFiles } from '../../asterisk/foreign.ts'
import { applySignalOf, runningService } from '../app/pid-file.ts'
import { appliedFile, readDesired } from '../app/read-installation.ts'
import { campaignOf } from '../dialer/stored-campaign.ts'
import { whyMute } from '../dialer/why-mute.ts'
import { loadConfig } from '../installation/applied-config.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { formatChanges, needsRestart, planChanges } from '../installation/config-diff.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { FlowFile } from '../publishing/published-flows.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import type { Pools } from '../store/db/pools.ts'
import { postgresDialerRepository } from '../store/dialer/dialer-repository.ts'
import type { CliContext, EnvContext } from './place/cli-context.ts'
import { withDatabase } from './place/with-database.ts'

/** Shows what differs from the configuration in force, then signals the service unless there is an error. */
export async function applyCommand({
  settings,
  env,
  write,
  dryRun,
}: EnvContext & { dryRun: boolean }): Promise<number> {
  const { installation: config, problems, files } = readDesired(settings, env)
  for (const problem of problems) write(formatProblem(problem))
  if (!config) {
    write('nothing is applied; correct the errors above')
    return 1
  }
  const before = inForce(appliedFile(settings))
  write(formatChanges(planChanges(before, config)))
  if (settings.ari) writeNewFiles(before, config, write)
  const service = runningService(settings.dataDir)
  // A service that starts says in its log what it publishes.
  if (service !== undefined) {
    await withDatabase({ settings, write }, async ({ pools }) => {
      await writeFlowChanges(files, pools, { settings, write })
      await writeMuteCampaigns(config, pools, write)
      return 0
    })
  }
  const fixed = before ? needsRestart(before, config) : []
  if (fixed.length > 0) write(`${fixed.join(', ')}: restart the service to apply`)
  if (service === undefined) {
    const then = dryRun ? '' : 'the next one that starts applies this configuration; '
    write(`no service runs on ${settings.dataDir}; ${then}if yours runs elsewhere, set DATA_DIR as for it`)
  }
  if (dryRun || service === undefined) return 0
  if (settings.redisUrl !== undefined) write('agents and teams are those of all nodes: copy the file to the others')
  process.kill(service, applySignalOf(settings.dataDir))
  write(`the service (process ${service}) was notified; its log says when the configuration is in force`)
  return 0
}

/** An Asterisk at `ARI_URL` reads files that this command does not write. */
function writeNewFiles(before: InstallationConfig | undefined, after: InstallationConfig, write: CliContext['write']) {
  const found = newFiles(before, after)
  if (found?.files.length === 0) return
  const what = before && found ? `new files (${found.files.join(', ')})` : 'its files'
  const then = found?.commands ? `run ${found.commands.map((one) => `"${one}"`).join(', ')} there` : 'restart it'
  write(`the Asterisk at ARI_URL needs ${what}: \`switchboard asterisk config --out DIR\`, then ${then}`)
}

/** The flows whose files will be published, and those whose files will not be although they differ. */
async function writeFlowChanges(
  files: readonly FlowFile[],
  pools: Pools,
  { settings, write }: CliContext,
): Promise<void> {
  const revisions = postgresFlowRevisions(pools)
  const found = files.flatMap(({ reading }) => reading.flow ?? [])
  const news = await revisions.newsOf(
    settings.node,
    found.map(({ name, revision }) => ({ flow: name, revision })),
  )
  const live = new Map((await revisions.live()).map((one) => [one.flow, one]))
  for (const { name, revision } of found) {
    const now = live.get(name)
    if (now?.revision === revision) continue
    if (news.has(name)) write(now ? `~ flow ${name}: ${now.revision} → ${revision}` : `+ flow ${name} (${revision})`)
    else if (now) write(`  flow ${name} stays ${now.revision} (${now.way} by ${now.author}) until its file changes`)
  }
}

/** Active campaigns that will not dial with this configuration, because their caller ids are not on their trunk. */
async function writeMuteCampaigns(config: InstallationConfig, pools: Pools, write: CliContext['write']): Promise<void> {
  for (const stored of await postgresDialerRepository(pools).campaigns()) {
    const reading = stored.active ? campaignOf(stored) : undefined
    if (!reading || 'missing' in reading) continue
    const whys = whyMute(reading.campaign, [...config.trunks.values()])
    if (whys.length > 0) write(`! campaign ${stored.id} (${stored.name}) will not dial: ${whys.join('; ')}`)
  }
}

function inForce(file: string) {
  try {
    return loadConfig(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
