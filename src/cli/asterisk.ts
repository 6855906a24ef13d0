import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generateConfig } from '../../asterisk/generate-config.ts'
import { installAsterisk } from '../../asterisk/install.ts'
import { privateAsterisk } from '../../asterisk/private.ts'
import { stopAsterisk } from '../../asterisk/start.ts'
import { debianTree, findTree } from '../../asterisk/tree.ts'
import { runningService } from '../app/pid-file.ts'
import { readDesired } from '../app/read-installation.ts'
import type { Settings } from '../app/settings.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { CliContext } from './flow-check.ts'

type Write = CliContext['write']

/** `switchboard asterisk install`: gives the exit status. */
export async function asteriskInstall({ dataDir }: Settings, write: Write): Promise<number> {
  const installed = await installAsterisk(resolve(dataDir, 'asterisk'), write)
  if (installed.ok) return 0
  write(`${installed.why}\n${installed.remedy}`)
  return 1
}

/** `switchboard asterisk start`: installs, configures and starts; the switch keeps running after this command. */
export async function asteriskStart({ settings, env, write }: CliContext): Promise<number> {
  const config = configOf({ settings, env, write })
  if (!config) return 1
  const secret = (variable: string) => env[variable]
  const started = await privateAsterisk({
    dataDirectory: settings.dataDir,
    installation: config,
    secret,
    onLine: write,
  })
  if (started.ok) return 0
  write(`${started.why}\n${started.remedy}`)
  return 1
}

/** `switchboard asterisk stop`. Refused while the service runs, which would start it again. */
export async function asteriskStop({ dataDir }: Settings, write: Write): Promise<number> {
  const service = runningService(dataDir)
  if (service !== undefined) {
    write(`the service (process ${service}) runs and needs its Asterisk; stop the service first`)
    return 1
  }
  const wasRunning = await stopAsterisk(resolve(dataDir, 'asterisk-run'))
  write(wasRunning ? 'Asterisk has stopped' : 'no Asterisk of this installation runs')
  return 0
}

/** `switchboard asterisk config`: the generated files, for an Asterisk that runs elsewhere. */
export function asteriskConfig({ settings, env, write }: CliContext, directory: string | undefined): number {
  const config = configOf({ settings, env, write })
  if (!config) return 1
  const ari = {
    user: settings.ari?.user ?? 'switchboard',
    password: settings.ari?.password ?? 'set ARI_PASSWORD before you use this',
    port: config.asterisk.ariPort,
  }
  const machine = MACHINES[process.arch]
  const tree = findTree(resolve(settings.dataDir, 'asterisk')) ?? (machine && debianTree(`${machine}-linux-gnu`))
  if (!tree) {
    write(NO_MACHINE)
    return 1
  }
  const runDirectory = resolve(settings.dataDir, 'asterisk-run')
  const files = generateConfig({ installation: config, secret: (variable) => env[variable], tree, runDirectory, ari })
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const [name, text] of files) {
    if (directory === undefined) write(`; ---- ${name}\n${text}`)
    else writeFileSync(join(directory, name), text, { mode: 0o600 })
  }
  if (directory !== undefined) write(`${files.size} files written to ${directory}; they hold passwords`)
  return 0
}

/** Node's names of machines and Debian's. */
const MACHINES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }
const NO_MACHINE = 'Debian’s Asterisk is available for x64 and arm64 only; see asterisk/compose.yaml'

function configOf({ settings, env, write }: CliContext): InstallationConfig | undefined {
  const { installation: config, problems } = readDesired(settings, env)
  for (const problem of problems) write(formatProblem(problem))
  return config
}
