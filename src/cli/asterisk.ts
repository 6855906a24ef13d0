import { join, resolve } from 'node:path'
import { configProblems } from '../../asterisk/check-input.ts'
import { type ForeignPlaces, foreignConfig, foreignTree, modulesNotIn } from '../../asterisk/foreign.ts'
import { musicFile, recordingsFolder } from '../../asterisk/general.ts'
import { installAsterisk } from '../../asterisk/install.ts'
import { privateAsterisk } from '../../asterisk/private.ts'
import { stopAsterisk } from '../../asterisk/start.ts'
import { writeConfig } from '../../asterisk/write-config.ts'
import { recordingsDirectoryOf } from '../app/engine-storage.ts'
import { runningService } from '../app/pid-file.ts'
import { readDesired } from '../app/read-installation.ts'
import type { Settings } from '../app/settings.ts'
import { sipCopiesPortOf } from '../ari/address.ts'
import type { InstallationConfig } from '../installation/config.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { CliContext, EnvContext } from './place/cli-context.ts'

type Write = CliContext['write']

/** `switchboard asterisk install`: gives the exit status. */
export async function asteriskInstall({ dataDir }: Settings, write: Write): Promise<number> {
  const installed = await installAsterisk(resolve(dataDir, 'asterisk'), write)
  if (installed.ok) return 0
  write(`${installed.why}\n${installed.remedy}`)
  return 1
}

/** `switchboard asterisk start`: installs, configures and starts; the switch keeps running after this command. */
export async function asteriskStart({ settings, env, write }: EnvContext): Promise<number> {
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

/** Options of `switchboard asterisk config`. */
interface ConfigOrder extends ForeignPlaces {
  /** Where to write; undefined: print. */
  readonly out?: string
  /** The same folder as Asterisk sees it, in a container for example. */
  readonly seenAs?: string
}

/** `switchboard asterisk config`: the files for an Asterisk that runs elsewhere. Gives the exit status. */
export function asteriskConfig({ settings, env, write }: EnvContext, order: ConfigOrder): number {
  const installation = configOf({ settings, env, write })
  if (!installation) return 1
  const { out, seenAs } = order
  const folder = seenAs ?? resolve(out ?? 'asterisk-config')
  const secret = (variable: string) => env[variable]
  const ari = settings.ari && { ...settings.ari, port: ariPortOf(settings.ari.url, installation) }
  const problems = configProblems({ installation, secret, runDirectory: folder, ...(ari && { ari }) })
  for (const problem of [...problems, ...(ari ? [] : [NO_ARI])]) write(problem)
  if (!ari || problems.length > 0) return 1
  const tree = foreignTree(process.arch, order)
  const files = foreignConfig({ installation, secret, tree, ari }, folder)
  if (out === undefined) {
    for (const [name, text] of files) write(`; ---- ${name}\n${text}`)
    write(`; ---- ${musicFile(folder)} is sound: it is written with --out alone`)
    return 0
  }
  writeConfig(resolve(out), files, resolve(out))
  write(`${files.size} files written to ${out}; they hold passwords. The owner of that folder starts Asterisk:`)
  write(`  asterisk -f -C ${join(folder, 'asterisk.conf')}`)
  const recordings = recordingsDirectoryOf(settings)
  write(`the service reads recordings from ${recordings}: link or mount ${recordingsFolder(folder)} there`)
  const lacking = seenAs === undefined ? modulesNotIn(tree.modules, installation) : []
  if (lacking.length > 0) write(`${tree.modules} lacks ${lacking.join(', ')}; ${MODULES_REMEDY}`)
  return 0
}

/** ARI listens where `ARI_URL` says, unless that names another machine, such as a proxy. */
function ariPortOf(url: string, { asterisk }: InstallationConfig): number {
  return sipCopiesPortOf(url) ?? asterisk.ariPort
}

const NO_ARI = 'ARI_URL, ARI_USER and ARI_PASSWORD are not set; set them as for the service'
const MODULES_REMEDY = 'install them, or name the folders of that Asterisk with --modules and --data'

function configOf({ settings, env, write }: EnvContext): InstallationConfig | undefined {
  const { installation: config, problems } = readDesired(settings, env)
  for (const problem of problems) write(formatProblem(problem))
  return config
}
